"""One cell of the evidence table: an engine finds the sentences, and a language model or the rules give the verdict."""

from __future__ import annotations

import time
from dataclasses import replace
from textwrap import shorten

from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery, PaperVerdict, Stance
from core.findings.beside_the_point import results_in
from core.findings.claim import Claim, claim_of
from core.findings.model import Effect, Finding, Passage
from core.findings.other_names import in_words_of
from core.findings.reported import is_reported
from core.findings.stated_effects import effects
from core.findings.topicality import missing_topics
from core.findings.verdict import Judged, judge, of_a_subgroup, reports, weigh
from core.paper import Paper
from core.progress import Progress, silent
from core.summary.words import topic

_LONGEST = 60  # characters of a topic in a reason
_PART = 0.5  # of the outcome's words, which the deciding sentence should have at least
_NAMES_NOTHING = "The sentence does not name the outcome: check."
_NAMES_PART = "The sentence names less than half of the outcome: check."
_OF_A_SUBGROUP = "The result is a subgroup's: check."
K = 10  # sentences that the engine is asked for
_NEAREST = {PaperVerdict.NOT_REPORTED: 1, PaperVerdict.UNCLEAR: 3, None: 3}  # sentences to read where none decides
_REASONS = {
    PaperVerdict.SUPPORTS: "The model takes the paper to support the hypothesis.",
    PaperVerdict.REFUTES: "The model takes the paper to refute the hypothesis.",
    PaperVerdict.MIXED: "The model finds good evidence on both sides.",
    PaperVerdict.NOT_REPORTED: "The model finds no result of the paper on this question.",
    PaperVerdict.UNCLEAR: "The model finds too little to tell.",
}


def find(paper: Paper, hypothesis: str, *, engine: EvidenceEngine, k: int = K, progress: Progress = silent) -> Finding:
    """What the paper says of the hypothesis. Raises as the engine does, and `QueryError` for no hypothesis at all."""
    started = time.perf_counter()
    query = EvidenceQuery(hypothesis, k=k, results_only=True)
    evidence = engine.find(paper, query, progress=progress)
    found = _by_rules(paper, evidence) if evidence.run is None else _by_model(paper, evidence)
    nearest = tuple(_place(paper, one.index) for one in found.sentences[: _NEAREST.get(found.verdict, 0)])
    return replace(found, nearest=nearest, seconds=time.perf_counter() - started)


def _by_rules(paper: Paper, evidence: Evidence) -> Finding:
    """Engines that judge no stance: the rules judge each sentence, then the paper."""
    claim = claim_of(evidence.query.hypothesis)
    judged = judge(paper, claim, evidence.sentences)
    ruled = weigh(judged, claim)
    if missing := missing_topics(paper, claim, evidence.engine):
        topics = " or ".join(map(_quoted, missing))
        return _aside(evidence, f"The paper does not plainly speak of {topics}, so its results are not weighed.")
    if not is_reported(paper, claim, judged, evidence.engine):
        return _aside(
            evidence, f"No result that was found is plainly about {_quoted(claim.about)}, so none is weighed."
        )
    stances = {one.sentence.index: one.stance for one in judged}
    deciding = ruled.deciding.sentence.index if ruled.deciding else None
    return Finding(
        engine=evidence.engine,
        hypothesis=evidence.query.hypothesis,
        verdict=ruled.verdict,
        reason=ruled.reason,
        strongest_for=_passage(paper, ruled.strongest_for.sentence.index if ruled.strongest_for else None),
        strongest_against=_passage(paper, ruled.strongest_against.sentence.index if ruled.strongest_against else None),
        effect=_effect(paper, evidence, deciding),
        sentences=tuple(replace(one, stance=stances[one.index]) for one in evidence.sentences),
        cost_usd=evidence.cost_usd,
        check=_check(ruled.deciding, claim),
    )


def _check(deciding: Judged | None, claim: Claim) -> str:
    """What a reviewer should look at, in one sentence; empty where the deciding result is of all and names the outcome."""
    if deciding is None:
        return ""
    share = deciding.reading.outcome
    if share < _PART:
        return _NAMES_PART if share else _NAMES_NOTHING
    return _OF_A_SUBGROUP if of_a_subgroup(deciding.sentence.text, claim) else ""


def _aside(evidence: Evidence, why: str) -> Finding:
    """A paper on something else: nothing is weighed, and no sentence of it is for or against."""
    return Finding(
        engine=evidence.engine,
        hypothesis=evidence.query.hypothesis,
        verdict=PaperVerdict.UNCLEAR,
        reason=why,
        sentences=evidence.sentences,
        cost_usd=evidence.cost_usd,
        check="",
    )


def _quoted(topic: str) -> str:
    return f"“{shorten(topic, _LONGEST, placeholder=' …')}”"


def _by_model(paper: Paper, evidence: Evidence) -> Finding:
    """Engines that ask a language model: its stances and its verdict stand as they are."""
    run = evidence.run
    verdict = run.verdict if run else None
    judgement = verdict.judgement if verdict else None
    pro = verdict.strongest_for if verdict else _first(evidence, Stance.SUPPORTS)
    con = verdict.strongest_against if verdict else _first(evidence, Stance.REFUTES)
    decides = con if judgement is PaperVerdict.REFUTES else pro
    return Finding(
        engine=evidence.engine,
        hypothesis=evidence.query.hypothesis,
        verdict=judgement,
        reason=_REASONS[judgement] if judgement else "The model gave no verdict on the paper as a whole.",
        strongest_for=_passage(paper, pro),
        strongest_against=_passage(paper, con),
        effect=None if judgement is PaperVerdict.NOT_REPORTED else _effect(paper, evidence, decides),
        sentences=evidence.sentences,
        cost_usd=evidence.cost_usd,
        prompts=run.prompts if run else (),
    )


def _first(evidence: Evidence, stance: Stance) -> int | None:
    return next((one.index for one in evidence.sentences if one.stance is stance), None)


def _passage(paper: Paper, index: int | None) -> Passage | None:
    return None if index is None else _place(paper, index)


def _place(paper: Paper, index: int) -> Passage:
    sentence = paper.sentences[index]
    return Passage(index, sentence.text, sentence.page, paper.section_of(sentence).title)


def _effect(paper: Paper, evidence: Evidence, deciding: int | None) -> Effect | None:
    """The effect on the outcome that the deciding sentence states, or else the best-ranked result that names it; a subgroup's
    only where none is of all participants.
    """
    claim = in_words_of(paper, claim_of(evidence.query.hypothesis), [paper.sentences[one] for one in evidence.indices])
    places = dict.fromkeys((*([deciding] if deciding is not None else []), *evidence.indices))
    for index in sorted(places, key=lambda place: of_a_subgroup(paper.sentences[place].text, claim)):
        sentence = paper.sentences[index]
        named = claim.outcome_share(topic(sentence.text)) > 0 and results_in(sentence.text, claim).strip()
        if not (named and reports(paper, sentence)):
            continue
        if stated := effects(sentence.text, sentence=index):
            return _nearest(stated, sentence.text, claim)
    return None


def _nearest(stated: list[Effect], text: str, claim: Claim) -> Effect:
    """Of several effects, the one that most of the outcome's words stand right before; the first of equals."""
    places = [text.find(effect.text) for effect in stated]
    ends = [0, *(place + len(effect.text) for place, effect in zip(places, stated, strict=True))]
    shared = [claim.outcome_share(topic(text[ends[n] : ends[n + 1]])) for n in range(len(stated))]
    return stated[shared.index(max(shared))]
