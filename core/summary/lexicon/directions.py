"""Which way something went: up, down, better, worse, or nowhere. Beginnings of words, or whole phrases."""

from __future__ import annotations

UP = """
increas rise rises rose rising risen rais elevat higher highest greater more larger longer gain gained gains grew grow grown
growing augment enhanc enlarg climb surg soar upregulat up-regulat exceed expand stronger heightened prolong lengthen
accelerat boost doubled tripled quicker faster often heavier older wider upward upwards strengthen maximi intensif
escalat bigger excess
""".split()

DOWN = """
decreas declin drop dropped drops fell fall falls fallen falling lower lowest lowered less fewer smaller shorter reduc
reduction diminish lessen shrink shrank shrunk lost loses loss downregulat down-regulat attenuat suppress inhibit minimi
halv cut cuts weaker weaken shorten slow slower lighter downward downwards depress curb dampen limit thinner rarer
seldom deplet dwindl
""".split()

BETTER = """
improv better best benefit beneficial favour favor superior effective efficacious reliev alleviat ease eased eases easing helped helps helpful
ameliorat recover heal healed healing protect successful success amend advantage safer healthier outperform preferable cure
""".split()

WORSE = """
worsen worse worst poorer poor deteriorat harm harmed harmful impair damag aggravat exacerbat inferior ineffective detriment adverse
unsafe dangerous fail failed fails failure useless disadvantage unsuccessful hinder hamper
""".split()

# No change, or none that can be told from chance.
NONE = (
    "no difference", "no significant", "no statistically", "not significant", "not statistically", "non-significant",
    "nonsignificant", "insignificant", "not differ", "n't differ", "not different", "no change", "unchanged",
    "no effect", "not affect", "n't affect", "no evidence", "similar", "comparable", "equivalent", "equal", "alike",
    "the same", "no association", "not associated", "no relationship", "no correlation", "not related", "unrelated",
    "remained stable", "stable", "no improvement", "no benefit", "no increase", "no decrease", "no reduction", "no more",
    "no better", "no worse", "neither", "not change", "n't change", "no clear difference", "little difference",
    "made no", "not make a difference", "n't make a difference", "failed to show", "did not reach", "indistinguishable",
    "no advantage", "no additional", "no real", "no meaningful", "no longer significant", "lack of", "without any difference",
    "no relevant", "no major", "no substantial", "as well as", "just as", "no link", "not linked", "not correlated",
)  # fmt: skip

# A difference without its direction.
DIFFERENCE = (
    "differ",
    "significant",
    "associated",
    "association",
    "correlat",
    "effect",
    "affect",
    "influenc",
    "chang",
    "link",
)

NEGATIONS = frozenset(
    "not no never neither nor without cannot can't didn't doesn't don't isn't wasn't weren't aren't hasn't haven't none hardly "
    "failed fails unable lack lacked lacks won't wouldn't couldn't rarely".split()
)
