"""The measures of effect by the names that papers give them."""

from __future__ import annotations

import re

# Short form, its names in words (in any case), its abbreviations (as written here). Longer names come first.
_NAMED: tuple[tuple[str, str, str], ...] = (
    ("HR", r"(?:sub-?distribution\s+|cause-specific\s+)?hazards?[\s-]+ratios?", r"(?:cs|s|SD)?HRs?"),
    ("IRR", r"(?:incidence|incident)(?:\s+density)?\s+rate\s+ratios?", r"IRRs?"),
    ("OR", r"(?:common\s+|proportional\s+|cumulative\s+)?odds?[\s-]+ratios?", r"ORs?"),
    ("RRR", r"relative\s+risk\s+reductions?", r"RRRs?"),
    ("RR", r"(?:relative\s+(?:risks?|rates?)|(?:risk|rate)[\s-]+ratios?)", r"RRs?"),
    ("PR", r"prevalence\s+ratios?", r"PRs?(?=\s?[=:,(]?\s?\d)"),
    ("GMR", r"(?:geometric\s+)?means?\s+ratios?|ratios?\s+of\s+(?:the\s+)?(?:adjusted\s+)?(?:geometric\s+)?means?", r"GMRs?"),
    ("SMD", r"standardi[sz]ed\s+(?:mean\s+)?differences?(?:\s+in\s+means?)?", r"SMDs?"),
    ("WMD", r"weighted\s+mean\s+differences?", r"WMDs?"),
    ("ARR", r"absolute\s+(?:risk\s+)?reductions?(?:\s+in\s+risk)?", r"ARRs?"),
    ("RD", r"(?:absolute\s+)?(?:risk|rate)\s+differences?", r"A?RDs?"),
    (
        "MD",
        r"(?:(?:least[- ]squares?|LS)\s+)?means?\s+(?:treatment\s+|(?:between-|inter-?)?group\s+)?differences?"
        r"|(?:least[- ]squares?|LS)\s+means?\s+(?:treatment\s+)?differences?"
        r"|differences?\s+(?:in|of|between)\s+(?:(?:the|adjusted|LS|least[- ]squares|group)\s+)*means?",
        r"(?:LSMD|MD|AMD|ETD)s?",
    ),
    ("NNT", r"numbers?[\s-]+needed[\s-]+to[\s-]+treat(?:\s+to\s+benefit)?", r"NNTB?s?"),
    ("NNH", r"numbers?[\s-]+needed[\s-]+to[\s-]+harm|number\s+needed\s+to\s+treat\s+to\s+harm", r"NNHs?|NNTH"),
    ("β", r"(?:(?:un)?standardi[sz]ed\s+|regression\s+)*(?:beta|β)(?:[\s-]+(?:coefficients?|values?))?|regression\s+coefficients?", r"β"),
    ("d", r"Cohen['’]?s?['’]?\s+d", r"d(?=\s?=\s?[-−–]?\s?\d*[.·]\d)"),
    ("g", r"Hedges?['’]?s?['’]?\s+g", r"(?!)"),
    ("ES", r"(?:standardi[sz]ed\s+)?effect[\s-]+sizes?(?:\s+of\s+the\s+difference)?", r"ES(?=\s?[=:])"),
    # Plain words, which may be about anything: see `PLAIN`.
    ("effect", r"(?:estimated\s+)?(?:treatment|intervention)\s+effects?", r"(?!)"),
    (
        "difference",
        r"(?:(?:(?:between|inter)-?\s?(?:group|arm|treatment)|treatment|group|absolute|adjusted|estimated|net|percentage|median|overall"
        r"|crude|unadjusted)\s+)*differences?",
        r"(?!)",
    ),
    ("ratio", r"ratios?", r"(?!)"),
)  # fmt: skip
_ADJUSTED = r"(?:(?:multivariabl[ey]|multivariate|fully|age|sex|covariate|model)?[\s-]?adjusted\s+|a(?=[A-Z]|dj)(?:dj(?:\.|usted)?\s?)?)"

NAME = re.compile(
    rf"(?<![\w-])(?P<adjusted>(?i:{_ADJUSTED})|a(?=[HOIRP]R))?(?:"
    + "|".join(f"(?P<m{place}>(?i:{words})|{short})" for place, (_, words, short) in enumerate(_NAMED))
    + r")(?![\w])"
)
RATIOS = frozenset(("HR", "IRR", "OR", "RR", "PR", "GMR", "ratio"))  # 1 is no effect; of the others, 0
COUNTS = frozenset(("NNT", "NNH"))  # no value of theirs is no effect
PLAIN = frozenset(("difference", "effect", "ratio"))
_MAY_BE_ADJUSTED = frozenset(("HR", "IRR", "OR", "RR", "PR"))


def short_form(match: re.Match[str]) -> str:
    """The short form of a name that `NAME` found; with a small a before it where it is adjusted: aHR."""
    place = next(place for place in range(len(_NAMED)) if match[f"m{place}"] is not None)
    name = _NAMED[place][0]
    return f"a{name}" if match["adjusted"] and name in _MAY_BE_ADJUSTED else name


def no_effect(measure: str) -> float | None:
    """The value of a measure that stands for no effect; None where there is none, or the measure is not known."""
    name = measure.removeprefix("a")
    if name in COUNTS or name not in _KNOWN:
        return None
    return 1.0 if name in RATIOS else 0.0


_KNOWN = frozenset(name for name, _, _ in _NAMED)
