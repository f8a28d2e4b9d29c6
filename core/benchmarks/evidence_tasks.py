"""What the evidence tasks share, sentences for a hypothesis; and that of Evidence Inference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.benchmarks.evidence_inference import article_files, count_prompts, read_evidence_inference
from core.benchmarks.metrics.selections import hit
from core.benchmarks.model import BrokenRecord, Item, Response, Scores
from core.benchmarks.task import EngineChoice, Kind, Stream, Task, data_file, means
from core.evidence.engines import engine_named
from core.evidence.llm.engine import strategy_of
from core.evidence.llm.estimating import estimate_run
from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery
from core.evidence.ranker.model import training_named, was_trained_on
from core.llm import Estimate, model_named
from core.paper import Paper
from core.progress import Progress
from core.settings import load_settings

SEEN = (
    "The engine offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/ranker.md gives those on papers that it had not seen."
)
_DEPTHS = (1, 3, 10)


@dataclass(frozen=True, slots=True)
class Question:
    """A hypothesis put to a paper."""

    paper: Paper
    query: EvidenceQuery


def open_engine(choice: EngineChoice) -> EvidenceEngine:
    """The evidence engine that was chosen."""
    return engine_named(choice.name, key=choice.key, budget=choice.budget, seed=choice.seed)


def ask(engine: EvidenceEngine, question: Question, progress: Progress) -> Response:
    """The engine's sentences. An answer from a paper of which parts were not read is a failure: it was not asked for."""
    evidence = engine.find(question.paper, question.query, progress=progress)
    found = Response(evidence.indices, seconds=evidence.seconds, cost_usd=evidence.cost_usd, error=unread(evidence))
    return found.of_run(evidence.run)


def unread(evidence: Evidence) -> str | None:
    """Which part of the paper a language model did not read, and why; None where it read all."""
    if not (evidence.run and evidence.run.failed):
        return None
    unread = evidence.run.failed[0]
    return f"“{unread.label}” was not read: {unread.error}"


def estimated(engine: str, question: Question) -> Estimate | None:
    """What a language model will use for a question; None for an engine on this machine."""
    model = model_named(engine)
    return estimate_run(model, strategy_of(model), question.paper, question.query) if model else None


def seen(engine: str, sha256: str) -> tuple[str, ...]:
    """Says so where the engine was trained on the file."""
    training = training_named(load_settings().ranker)
    return (SEEN,) if engine == "offline" and was_trained_on(training, sha256) else ()


def _prompts(path: Path) -> Stream[Item[Question, frozenset[int]] | BrokenRecord]:
    """The prompts of Evidence Inference; each article is read when its first prompt comes."""

    def read() -> Iterator[Item[Question, frozenset[int]] | BrokenRecord]:
        for prompt in read_evidence_inference(path.parent):
            if isinstance(prompt, BrokenRecord):
                yield prompt
                continue
            query = EvidenceQuery(prompt.hypothesis, k=max(_DEPTHS), results_only=True)
            yield Item(prompt.id, prompt.article, Question(prompt.paper, query), prompt.gold)

    return Stream(count_prompts(path.parent), read)


def _hits(item: Item[Question, frozenset[int]], response: Response) -> Scores:
    """Whether one of the first sentences overlaps an annotated span."""
    return {f"hit@{depth}": hit(response.sentences, item.gold, depth) for depth in _DEPTHS}


EVIDENCE_INFERENCE: Task[EvidenceEngine, Question, frozenset[int]] = Task(
    name="evidence-inference/hit",
    kind=Kind.EVIDENCE,
    open=open_engine,
    source=partial(data_file, "evidence_inference", "items.json"),
    items=_prompts,
    ask=ask,
    score=_hits,
    metrics=means,
    files=article_files,
    notes=seen,
    estimate=estimated,
)
