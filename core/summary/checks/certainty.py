"""Certainty raised (may -> does, associated -> causes), and absolute claims."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.summary.checks.model import Claim, Finding
from core.summary.lexicon.certainty import ABSOLUTES, ASSOCIATES, CAUSES, HEDGES, STRONG
from core.summary.model import Check, Flag, Label, Span
from core.summary.support import Candidate
from core.summary.words import stem, topic, words_of

_ABOUT = 3  # topic words after a hedge that it is about
_HEDGED = 80  # characters after a hedge that it reaches
_WEAK_ABSOLUTES = frozenset(("all", "only", "any", "best", "complete", "fully", "entire", "certain", "nothing", "none"))


def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w-])(?:" + "|".join(re.escape(p) for p in sorted(phrases, key=len, reverse=True)) + r")(?![\w-]|\s?%)",
        re.IGNORECASE,
    )


_HEDGE, _STRONG, _CAUSE, _ASSOCIATE = map(_any_of, (HEDGES, STRONG, CAUSES, ASSOCIATES))
_HOW_OFTEN = r"(?!(?:\s+\w+)?\s+(?:day|night|morning|evening|week|month|year|hour|minute|visit)s?\b)"  # after "every"
_ABSOLUTE = re.compile(
    _any_of(ABSOLUTES).pattern.replace("100%", r"100\s?%").replace("|every|", f"|every{_HOW_OFTEN}|"), re.IGNORECASE
)


def check_certainty(claim: Claim) -> Iterator[Finding]:
    """What the paper says carefully and the summary does not; causes where the paper tells of associations."""
    telling = claim.telling
    strong = _STRONG.search(claim.text)
    if telling and strong and not any(_STRONG.search(candidate.text) for candidate in telling):
        reason = f"“{strong.group()}” is surer than the paper is."
        flag = Flag(Check.CERTAINTY, reason, Label.CONTRADICTS, Span(*strong.span()), telling[0].index)
        yield Finding("strong", 1.0, flag)
    lost = [_lost_hedge(claim.text, candidate) for candidate in telling]
    if lost and all(lost):
        candidate, hedge = next(found for found in lost if found)
        reason = f"The paper says this with care (“{hedge.group()}”), the summary as a fact."
        flag = Flag(Check.CERTAINTY, reason, Label.CONTRADICTS, None, candidate.index, Span(*hedge.span()))
        yield Finding("certainty", max(candidate.share for candidate in telling), flag)
    cause = _CAUSE.search(claim.text)
    if cause and not any(_CAUSE.search(candidate.text) for candidate in claim.nearest[:3]):
        link = next(((candidate, m) for candidate in telling if (m := _ASSOCIATE.search(candidate.text))), None)
        if link:
            candidate, match = link
            reason = f"The summary says “{cause.group()}”, the paper “{match.group()}”: that is no cause."
            span = Span(*cause.span())
            where = Span(*match.span())
            flag = Flag(Check.CERTAINTY, reason, Label.CONTRADICTS, span, candidate.index, where)
            yield Finding("cause", 1.0, flag)


def _lost_hedge(sentence: str, candidate: Candidate) -> tuple[Candidate, re.Match[str]] | None:
    """A hedge of the paper's sentence that the summary's has not, although it says what the hedge was about."""
    kept = {stem(word.text): word.start for word in words_of(sentence)}
    hedged = [match.start() for match in _HEDGE.finditer(sentence)]
    for hedge in _HEDGE.finditer(candidate.text):
        about = [word for word in words_of(candidate.text) if word.start > hedge.end() and topic(word.text)][:_ABOUT]
        places = [kept[stem(word.text)] for word in about if stem(word.text) in kept]
        if places and not any(start <= place and place - start < _HEDGED for start in hedged for place in places):
            return candidate, hedge
    return None


def check_absolutes(claim: Claim) -> Iterator[Finding]:
    """Words that allow no exception, where the nearest sentences do."""
    stand = {match.group().lower() for candidate in claim.nearest[:3] for match in _ABSOLUTE.finditer(candidate.text)}
    for match in _ABSOLUTE.finditer(claim.text):
        word = match.group().lower()
        if word in stand or any(word[:5] == other[:5] for other in stand if len(word) > 4):
            continue
        reason = f"“{match.group()}” allows no exception; the paper does not say so."
        flag = Flag(Check.ABSOLUTE, reason, Label.NOT_IN_PAPER, Span(*match.span()))
        weak = word in _WEAK_ABSOLUTES or bool(stand)
        yield Finding("absolute_weak" if weak else "absolute", 1.0, flag)
