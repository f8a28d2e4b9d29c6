"""Results first: for which questions, and which lines then stand behind all others.

A reviewer with a hypothesis about an effect looks for what was found. Background, aims, who could take part and where
a study is registered share its words, often more of them than the result does, and answer nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.evidence.ranker.sentence_features import wording_features
from core.evidence.selection import RankedChoice
from core.paper import Kind, Paper, SectionKind, Sentence
from core.paper.metadata import registrations_in
from core.paper.sections import normalise_title

_LONGEST = 2000  # characters looked at; and every repetition below is bounded, whoever wrote the sentence

_CONDUCT = re.compile(
    r"\b(?:randomi[sz]\w*|allocat\w*|conceal\w*|blind\w*|mask(?:ed|ing)|sample size|power calculation|eligib\w*"
    r"|(?:in|ex)clu(?:sion|ded)|recruit\w*|enrol\w*|regist(?:ered|ration|ry)|protocol|pre-?specified|fund(?:ed|ing)"
    r"|sponsor\w*|ethic\w*|consent\w*|loss to follow-?up|lost to follow-?up|drop-?outs?|missing data|imput\w*"
    r"|intention[- ]to[- ]treat|statistical (?:analysis|methods?|tests?)|(?:study|trial) design|designed"
    r"|measured|defined|assessed|collected|analy[sz]ed|conducted|carried out)\b",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:effects?|effective\w*|efficac\w*|affects?|impact|influences?|benefi\w*|harm\w*|safe|safety|risk|causes?"
    r"|caused|leads? to|results? in|higher|lower|differ\w*|associat\w*|correlat\w*|predict\w*"
    r"|(?:increas|decreas|reduc|improv|rais|prevent|inhibit|induc|enhanc|worsen|prolong|shorten|lengthen|reliev|protect"
    r"|promot|suppress|alter|disrupt|impair|elevat|diminish|delay)(?:e[sd]?|s|ed|ing|ion)?)\b",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(r"\W*(?:how|who|whom|where|when|what|which|why)\b", re.IGNORECASE)


def is_about_an_effect(question: str) -> bool:
    """Whether a hypothesis claims, or a question asks, what came of something, and not how a study was done.

    >>> is_about_an_effect("Magnesium reduces leg cramps."), is_about_an_effect("How was cramp measured?")
    (True, False)
    """
    text = question[:_LONGEST]
    effect, conduct = _EFFECT.search(text) is not None, _CONDUCT.search(text) is not None
    if _OPEN_QUESTION.match(text):
        return effect and not conduct
    return bool(text.strip()) and (effect or not conduct)  # a claim is of what came of something, or else says so


_SCENE_HEADING = re.compile(  # within an abstract
    r"(?:background|introduction|context|importance|rationale|aims?|objectives?|purpose|hypothesis|question)\b"
    r"|(?:trial |clinical trial |study )?registration|funding",
)
_RESULTS = 5  # as many as EvidenceBench's result-er@5 looks for
_APART = 20.0  # in log-odds: more than any cost of repetition
_OF_ELIGIBILITY = re.compile(
    r"eligib|(?:in|ex)clusion|entry criteria|^(?:participants|patients|(?:study )?population)$"
)
_AIM = re.compile(
    r"^\W{0,9}(?:to|in order to) (?:determine|assess|evaluate|investigate|compare|examine|test|study|explore|describe"
    r"|establish|estimate|measure|identify|find out)\b"
    r"|\b(?:aims?|objectives?|purpose|goal) (?:of|was|were|is|are)\b"
    r"|\b(?:we|study|trial|analysis|work) (?:\w{1,20} ){0,2}(?:aim(?:s|ed)?|sought|set out|hypothesi[sz]ed|intended"
    r"|designed) (?:to|that|whether|for)\b"
    r"|\b(?:investigated?|tested?|examined?|evaluated?|assess(?:ed)?|determined?|asked) (?:whether|if)\b",
    re.IGNORECASE,
)
_ELIGIBILITY = re.compile(
    r"\b(?:in|ex)clusion criteri|\beligibility\b|\b(?:were|was) (?:eligible|ineligible)\b"
    r"|\beligible (?:patients|participants) (?:were|had)\b"
    r"|\b(?:were|was) (?:in|ex)cluded (?:if|when|because|in case)\b",
    re.IGNORECASE,
)
_REGISTERED = re.compile(
    r"clinical\s?trials\.gov|\b(?:trial|study|protocol) (?:was |is )?(?:registered|registration)\b", re.IGNORECASE
)
_FOUND = re.compile(
    r"\b(?:we|study|trial|results|data|findings) (?:(?!to\b)\w{1,20} ){0,2}"
    r"(?:found|find|show(?:s|ed|n)?|observed?|demonstrated?s?|report(?:s|ed)?)\b",
    re.IGNORECASE,
)


def sets_the_scene(paper: Paper, candidates: Sequence[Sentence]) -> NDArray[np.bool_]:
    """Which candidates tell of background, aims, who could take part or a registration. Shape: (len(candidates),).

    A sentence that gives a test, an interval or a finding of the paper's own is none of these.
    """
    roles = paper.section_roles
    divided = SectionKind.RESULTS in roles  # else all of a paper may stand beneath its introduction's title
    titles = _titles(paper)
    columns = wording_features([sentence.text for sentence in candidates])
    tested = (columns["p_value"] + columns["significant"] + columns["ratio"] > 0) | (columns["interval"] > 0)
    cited = columns["citation"] + columns["other_studies"] > 0
    scene = np.zeros(len(candidates), dtype=np.bool_)
    for place, sentence in enumerate(candidates):
        text, title, part = sentence.text[:_LONGEST], titles[sentence.index], roles[sentence.section]
        own = _FOUND.search(text) is not None and not cited[place]
        if sentence.kind in (Kind.CAPTION, Kind.TABLE):
            continue
        background = part is SectionKind.INTRODUCTION and divided
        if background or (part is SectionKind.ABSTRACT and _SCENE_HEADING.match(title)):
            scene[place] = not own
        elif registrations_in(text) or _REGISTERED.search(text):
            scene[place] = not (tested[place] or own)
        elif part is SectionKind.METHODS and _OF_ELIGIBILITY.search(title):
            scene[place] = True
        else:
            scene[place] = not (tested[place] or own) and bool(_AIM.search(text) or _ELIGIBILITY.search(text))
    return scene


def behind(scores: NDArray[np.float64], last: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The scores, those of `last` moved below all others, whatever repetition costs these. Shapes: (n,)."""
    return np.where(last, scores - np.ptp(scores) - _APART, scores) if last.any() else scores


def results_before(results: Sequence[RankedChoice], rest: Sequence[RankedChoice], k: int) -> list[RankedChoice]:
    """`k` places: first those of `results`, then what else is evidence.

    Both are orders of the same candidates, best first, of `k` places or of all. Scores never rise along the answer.
    """
    chosen = list(results[: share_of_results(k)])
    there = {choice.place for choice in chosen}
    chosen += [choice for choice in rest if choice.place not in there][: k - len(chosen)]
    lowest = np.minimum.accumulate([choice.score for choice in chosen]) if chosen else ()
    return [RankedChoice(choice.place, float(score)) for choice, score in zip(chosen, lowest, strict=True)]


def share_of_results(k: int) -> int:
    """How many of `k` sentences come from the order of results: half of them, and five if there are as many."""
    return min(k, max(_RESULTS, (k + 1) // 2))


def _titles(paper: Paper) -> list[str]:
    """The nearest title above each sentence of the paper, as it is compared: its section's, or a heading within it."""
    titles: list[str] = []
    section, title = -1, ""
    for sentence in paper.sentences:
        if sentence.section != section:
            section, title = sentence.section, normalise_title(paper.section_of(sentence).title)
        if sentence.kind is Kind.HEADING:
            title = normalise_title(sentence.text)
        titles.append(title)
    return titles
