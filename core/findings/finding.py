"""One cell of the evidence table: the verdict comes from a language model or, on this machine, from the trained reader."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.engines import asks_model, is_trained
from core.entailment import Direction, reader
from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery, EvidenceSentence, Stance
from core.findings.model import Effect, Finding, Passage
from core.findings.stated_effects import effects
from core.findings.verdict import (
    READ,
    SentenceReadings,
    WeighedVerdict,
    read_sentences,
    reading_order,
    shipped,
    stances,
    strongest,
    weigh,
)
from core.grounding.model import PaperVerdict
from core.paper import Paper
from core.progress import Progress, silent
from core.settings import load_settings
from core.text.encoder_files import MISSING
from core.text.similarity import Embedder
from core.text.words import word_starts

K = 10  # sentences that a finding keeps, and that a language model is asked for
_NEAREST = {PaperVerdict.NOT_REPORTED: 1, PaperVerdict.UNCLEAR: 3, None: 3}  # sentences to show if none decides
_REASONS = {
    PaperVerdict.SUPPORTS: "The model takes the paper to support the hypothesis.",
    PaperVerdict.REFUTES: "The model takes the paper to refute the hypothesis.",
    PaperVerdict.MIXED: "The model finds good evidence on both sides.",
    PaperVerdict.NOT_REPORTED: "The model finds no result of the paper on this question.",
    PaperVerdict.UNCLEAR: "The model finds too little to tell.",
}
_TOLD = {Direction.UP: "more of it", Direction.DOWN: "less of it", Direction.SAME: "no difference"}
_NOT_REPORTED = "No sentence reads like a result on this question."
_UNSURE = "Whether the paper reports on this cannot be told on this machine: read the nearest sentences."
_WHICH_WAY = (
    "The paper seems to report on this, but which way cannot be told on this machine: read the nearest sentences."
)
_BOTH_WAYS = "Other sentences point the other way: check."
_NO_READER = f"No verdict. {MISSING}"


def find(paper: Paper, hypothesis: str, *, engine: EvidenceEngine, k: int = K, progress: Progress = silent) -> Finding:
    """Return what the paper says about the hypothesis. Raises what the engine raises, and `QueryError` if it is empty.

    `offline` reads the sentences nearest to the hypothesis; `bm25` and `embedding` read those that they find.
    """
    started = time.perf_counter()
    query = EvidenceQuery(hypothesis, k=k, results_only=True)
    if is_trained(engine.name):
        found = _by_reader(paper, query, None, engine=engine.name, progress=progress)
    else:
        asked = query if asks_model(engine.name) else replace(query, k=READ)
        evidence = engine.find(paper, asked, progress=progress)
        found = (
            _by_reader(paper, query, evidence, engine=engine.name, progress=progress)
            if evidence.run is None
            else _by_model(paper, evidence)
        )
    nearest = tuple(_place(paper, one.index) for one in found.sentences[: _NEAREST.get(found.verdict, 0)])
    return replace(found, nearest=nearest, seconds=time.perf_counter() - started)


def _by_reader(
    paper: Paper, query: EvidenceQuery, evidence: Evidence | None, *, engine: str, progress: Progress
) -> Finding:
    """`evidence`: the sentences to be read; None for those nearest to the hypothesis."""
    model, embedder = reader(), Embedder.if_installed(load_settings().embeddings)
    if model is None or embedder is None:
        found = evidence.sentences[: query.k] if evidence else ()
        return Finding(engine, query.hypothesis, None, _NO_READER, sentences=found)
    among = evidence.indices if evidence else None
    reading = read_sentences(paper, query.hypothesis, model, embedder, among=among, progress=progress)
    progress(1.0, "Done")
    if reading is None:
        return Finding(engine, query.hypothesis, PaperVerdict.UNCLEAR, "The paper has no sentences to read.")
    weighed, stance = weigh(reading, shipped()), stances(reading)
    rows = reading_order(reading, shipped().order)
    sentences = tuple(
        EvidenceSentence(
            reading.sentences[row].index,
            round(float(reading.about[row]), 4),
            stance=stance[row],
            rationale=_rationale(reading, row),
        )
        for row in rows
    )
    own = {PaperVerdict.SUPPORTS: Stance.SUPPORTS, PaperVerdict.REFUTES: Stance.REFUTES}.get(weighed.verdict)
    chosen = {
        side: strongest(reading, rows, side, shipped(), against_verdict=side is not own)
        for side in (Stance.SUPPORTS, Stance.REFUTES)
        if own is not None
    }
    told = {side: reading.sentences[row].index for side, row in chosen.items() if row is not None}
    pro, con = told.get(Stance.SUPPORTS), told.get(Stance.REFUTES)
    decides = told.get(own) if own else None
    deciding = chosen.get(own) if own else None
    return Finding(
        engine=engine,
        hypothesis=query.hypothesis,
        verdict=weighed.verdict,
        reason=_reason(reading, weighed, rows[0] if deciding is None else deciding),
        strongest_for=_passage(paper, pro),
        strongest_against=_passage(paper, con),
        effect=_effect(paper, query.hypothesis, [decides]) if decides is not None else None,
        sentences=_kept(sentences, (pro, con), query.k),
        check=_BOTH_WAYS if pro is not None and con is not None else "",
        probability=weighed.probability,
        reported=round(weighed.reported, 4),
    )


def _kept(
    sentences: Sequence[EvidenceSentence], strongest: Iterable[int | None], k: int
) -> tuple[EvidenceSentence, ...]:
    """The first `k` sentences, the strongest among them wherever they stand."""
    told = {one for one in strongest if one is not None}
    others = [one.index for one in sentences if one.index not in told][: max(0, k - len(told))]
    return tuple(one for one in sentences if one.index in told.union(others))


def _rationale(reading: SentenceReadings, row: int) -> str:
    about = f"a result on this question: {reading.about[row]:.0%} likely"
    told = Direction(int(reading.told[row].argmax()) + 1)
    return f"{about}; it tells {_TOLD[told]}" if reading.about[row] >= 0.5 else about


def _reason(reading: SentenceReadings, weighed: WeighedVerdict, row: int) -> str:
    told = _TOLD[Direction(int(reading.told[row].argmax()) + 1)]
    match weighed.verdict:
        case PaperVerdict.SUPPORTS:
            return f"A result on this question is read to tell {told}, as claimed."
        case PaperVerdict.REFUTES:
            return f"A result on this question is read to tell {told}, other than claimed."
        case PaperVerdict.NOT_REPORTED:
            return _NOT_REPORTED
        case _:
            return _WHICH_WAY if weighed.reported >= 0.5 else _UNSURE


def _by_model(paper: Paper, evidence: Evidence) -> Finding:
    """The finding of an engine that asks a language model, whose stances and verdict are taken unchanged."""
    run = evidence.run
    verdict = run.verdict if run else None
    judgement = verdict.judgement if verdict else None
    pro = verdict.strongest_for if verdict else _first(evidence.sentences, Stance.SUPPORTS)
    con = verdict.strongest_against if verdict else _first(evidence.sentences, Stance.REFUTES)
    decides = con if judgement is PaperVerdict.REFUTES else pro
    return Finding(
        engine=evidence.engine,
        hypothesis=evidence.query.hypothesis,
        verdict=judgement,
        reason=_REASONS[judgement] if judgement else "The model gave no verdict on the paper as a whole.",
        strongest_for=_passage(paper, pro),
        strongest_against=_passage(paper, con),
        effect=None
        if judgement is PaperVerdict.NOT_REPORTED
        else _effect(paper, evidence.query.hypothesis, _from(decides, evidence)),
        sentences=evidence.sentences,
        check=" ".join(run.gaps) or None if run else None,
        cost_usd=evidence.cost_usd,
        prompts=run.prompts if run else (),
    )


def _from(decides: int | None, evidence: Evidence) -> list[int]:
    """The deciding sentence, then the others for or against; neutral ones are about something else."""
    told = [one.index for one in evidence.sentences if one.stance in (Stance.SUPPORTS, Stance.REFUTES)]
    return list(dict.fromkeys((*([decides] if decides is not None else []), *told)))


def _first(sentences: Iterable[EvidenceSentence], stance: Stance) -> int | None:
    return next((one.index for one in sentences if one.stance is stance), None)


def _passage(paper: Paper, index: int | None) -> Passage | None:
    return None if index is None else _place(paper, index)


def _place(paper: Paper, index: int) -> Passage:
    sentence = paper.sentences[index]
    return Passage(index, sentence.text, sentence.page, paper.section_of(sentence).title)


def _effect(paper: Paper, hypothesis: str, places: Iterable[int]) -> Effect | None:
    """The effect in the first of these sentences that states one.

    If it states several, take the one whose preceding text shares the most words with the hypothesis.
    """
    asked = word_starts(hypothesis)
    for index in places:
        text = paper.sentences[index].text
        if stated := effects(text, sentence=index):
            starts = [text.find(effect.text) for effect in stated]
            ends = [0, *(start + len(effect.text) for start, effect in zip(starts, stated, strict=True))]
            shared = [len(asked & word_starts(text[ends[n] : ends[n + 1]])) for n in range(len(stated))]
            # A tie goes to the last: a sentence starts with the treatment, and the outcome comes later.
            return stated[max(range(len(stated)), key=lambda n: (shared[n], n))]
    return None
