"""FaReBio's two tasks on plain summaries; as in FaReBio, each sentence is asked about without the rest of the summary.

`farebio/faithfulness` (section 4, RQ3; tables 2 and 9) takes the sentences labelled supported or not supported.
`farebio/support` (section 5; tables 4 and 10) takes the supported ones that have support sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.benchmarks import selection_metrics
from core.benchmarks.bootstrap import Interval, estimate
from core.benchmarks.farebio import SCALE, FarebioFile, GoldSentence, GoldSummary, on_scale, read_farebio
from core.benchmarks.label_metrics import Labelled, accuracy, kappa, pearson, precision, recall, share_given, spearman
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.selection_metrics import Overlap, overlap
from core.benchmarks.task import EngineChoice, Task, data_file
from core.engines import TaskKind
from core.llm import CostEstimate, model_named
from core.paper import Paper
from core.progress import Progress
from core.summary import summary_engine_named
from core.summary.model import FaithfulnessReport, SummaryEngine, SummarySource, check_summary

_UNFAITHFUL = 1  # its index on the scale
_HIGH, _LOW = "high", "low"  # abstractiveness
_NOWHERE = 1_000_000  # indices from here on stand for gold sentences that are not in the paper
_OF_SELECTIONS = {
    "precision": selection_metrics.precision,
    "recall": selection_metrics.recall,
    "F1": selection_metrics.f1,
}

LabelItem = Item["SentenceQuestion", str]
SupportItem = Item["SentenceQuestion", frozenset[int]]


@dataclass(frozen=True, slots=True)
class SentenceQuestion:
    """A summary sentence, and the paper to check it against."""

    paper: Paper
    text: str


def open_engine(choice: EngineChoice) -> SummaryEngine:
    """Open the chosen summary engine."""
    return summary_engine_named(choice.name, key=choice.key, budget=choice.budget, seed=choice.seed)


def ask(engine: SummaryEngine, question: SentenceQuestion, progress: Progress) -> Response:
    """The engine's label and support. Quotations that are not in the paper count as chosen sentences -1, -2, ..."""
    report = check_summary(question.text, question.paper, engine=engine, source=SummarySource.WHOLE, progress=progress)
    failed = report.run.failed if report.run else ()
    error = failed[0].error if failed else None
    return Response(tuple(chosen(report)), (_label(report),), report.seconds, error=error).of_run(report.run)


def _label(report: FaithfulnessReport) -> str | None:
    """One label even if our splitter finds several sentences: not supported if any is not; None if none has a label."""
    labels = {on_scale(sentence.label) for sentence in report.sentences}
    return next((label for label in reversed(SCALE) if label in labels), None)


def chosen(report: FaithfulnessReport) -> Iterator[int]:
    """The support sentences of a report without duplicates; those that are not in the paper as -1, -2, ..."""
    indices = [support.index for sentence in report.sentences for support in sentence.support]
    yield from dict.fromkeys(index for index in indices if index is not None)
    yield from range(-1, -1 - indices.count(None), -1)


def estimated(engine: str, question: SentenceQuestion) -> CostEstimate | None:
    """Estimate a language model's cost for a question; None for an engine on this machine."""
    from core.summary.llm import estimate_check  # noqa: PLC0415

    model = model_named(engine)
    return estimate_check(model, question.text, question.paper, SummarySource.WHOLE) if model else None


def _sentences(file: FarebioFile) -> Iterator[tuple[str, GoldSummary, GoldSentence]]:
    """Yield (id, summary, sentence) for each gold sentence."""
    for summary in file.summaries:
        for number, sentence in enumerate(summary.sentences, 1):
            yield f"{summary.id}/{number}", summary, sentence


def items_of_labels(path: Path) -> list[LabelItem | BrokenRecord]:
    """One item for each sentence that people labelled as supported or wrong; its category is the summary."""
    file = read_farebio(path.read_bytes(), name=path.name)
    found: list[LabelItem | BrokenRecord] = [
        Item(id, summary.paper_id, SentenceQuestion(summary.paper, gold.text), label, summary.id, (label,))
        for id, summary, gold in _sentences(file)
        if (label := gold.on_scale) is not None
    ]
    return [*found, *file.broken]


def items_of_support(path: Path) -> list[SupportItem | BrokenRecord]:
    """One item for each supported sentence with support. Support that is not in the paper stays gold that is never found."""
    file = read_farebio(path.read_bytes(), name=path.name)
    found: list[SupportItem | BrokenRecord] = []
    for id, summary, gold in _sentences(file):
        if gold.on_scale == SCALE[0] and gold.support:
            indices = [support.index for support in gold.support]
            wanted = frozenset(index for index in indices if index is not None).union(
                range(_NOWHERE, _NOWHERE + indices.count(None))
            )
            question = SentenceQuestion(summary.paper, gold.text)
            found.append(Item(id, summary.paper_id, question, wanted, _HIGH if summary.abstractive else _LOW))
    return [*found, *file.broken]


def correct(item: LabelItem, response: Response) -> dict[str, float]:
    """Whether the label equals the gold label."""
    return {"correct": float(response.labels == item.labels)}


def counts(item: SupportItem, response: Response) -> dict[str, float]:
    """How many sentences were chosen, how many are gold, and how many are both."""
    found = overlap(response.sentences, item.gold)
    return {"chosen": found.chosen, "gold": found.gold, "both": found.both}


def faithfulness(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """Table 2 over the sentences, table 9 over the summaries, by the share of their sentences that is supported."""
    labelled = Labelled([result.labels[0] for result in results], [result.label for result in results], SCALE)
    measures = {
        "kappa": kappa,
        "agreement": accuracy,
        "recall not supported": recall(_UNFAITHFUL),
        "precision not supported": precision(_UNFAITHFUL),
        "given not supported": share_given(_UNFAITHFUL),
    }
    papers = [result.group for result in results]
    found = {name: estimate(labelled.statistic(measure), papers) for name, measure in measures.items()}
    summaries: dict[str, list[ItemResult]] = {}
    for result in results:
        summaries.setdefault(result.category, []).append(result)
    gold = [_share([result.labels[0] for result in own]) for own in summaries.values()]
    given = [_share([result.label for result in own]) for own in summaries.values()]
    papers = [own[0].group for own in summaries.values()]
    found |= {"pearson": estimate(pearson(gold, given), papers), "spearman": estimate(spearman(gold, given), papers)}
    return {name: figure for name, figure in found.items() if figure is not None}


def support(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """Table 4: precision, recall and F1, overall and for each level of abstractiveness."""
    parts = {"": results} | {f" {part}": [r for r in results if r.category == part] for part in (_HIGH, _LOW)}
    found: dict[str, Interval] = {}
    for part, own in parts.items():
        overlaps = [Overlap(*(int(result.scores[name]) for name in ("chosen", "gold", "both"))) for result in own]
        for name, measure in _OF_SELECTIONS.items():
            figure = estimate(measure(overlaps), [result.group for result in own]) if own else None
            if figure is not None:
                found[f"{name}{part}"] = figure
    return found


def _share(labels: Sequence[str | None]) -> float:
    return labels.count(SCALE[0]) / len(labels)


_FILE = partial(data_file, "farebio", "*farebio*.[cj]s[vo]*")
FAITHFULNESS: Task[SummaryEngine, SentenceQuestion, str] = Task(
    name="farebio/faithfulness",
    about="Whether the paper supports a sentence of a plain summary.",
    kind=TaskKind.SUMMARY,
    open=open_engine,
    source=_FILE,
    items=items_of_labels,
    ask=ask,
    score=correct,
    metrics=faithfulness,
    estimate=estimated,
)
SUPPORT: Task[SummaryEngine, SentenceQuestion, frozenset[int]] = Task(
    name="farebio/support",
    about="The sentences of the paper that support a sentence of a summary.",
    kind=TaskKind.SUMMARY,
    open=open_engine,
    source=_FILE,
    items=items_of_support,
    ask=ask,
    score=counts,
    metrics=support,
    estimate=estimated,
)
SUMMARY_TASKS = (FAITHFULNESS, SUPPORT)
