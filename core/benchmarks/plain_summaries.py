"""Plain sentences on trial reports, each checked by itself against the whole paper.

`summary/sentences` has sentences that people wrote and labelled; a third are wrong, each in one way. `summary/editors` has
what the journals' own editors wrote about trials, which readers take to be right; the editors' text is not part of the paper
that it is checked against. A line is a JSON object: paper, n, sentence, and for the first task label (supported, not
supported), kind (contradicts, not in the paper), error, part and support. The papers are in `evidence_inference/xml` of the
data folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from core.benchmarks.articles import Article, articles_of, files_of
from core.benchmarks.bootstrap import Interval, estimate
from core.benchmarks.label_metrics import auroc
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.records import Text, first_fault, opened, records
from core.benchmarks.seen import seen_by_reader
from core.benchmarks.summary_tasks import SentenceQuestion, chosen, estimated, open_engine
from core.benchmarks.task import Task, data_file, means
from core.engines import TaskKind
from core.progress import Progress
from core.summary.model import WRONG, Label, SummaryEngine, SummarySource, check_summary

_KINDS = {"contradicts": (Label.CONTRADICTS,), "not in the paper": (Label.NOT_IN_PAPER,), None: WRONG}
# If our splitter finds several sentences in an item, the item gets the first of these labels that occurs.
_WORST_FIRST = (*WRONG, Label.CANNOT_TELL, Label.SUPPORTED, Label.NOT_JUDGED)
_BY_LABEL = {Label.SUPPORTED: 1.0, Label.CONTRADICTS: 0.0, Label.NOT_IN_PAPER: 0.0}  # if an engine gives no score
_UNTOLD = 0.5

SentenceItem = Item[SentenceQuestion, frozenset[int]]  # gold: sentences that show whether it is right


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    paper: Text
    n: int
    sentence: Text


class _LabelledRow(_Row):
    label: Literal["supported", "not supported"]
    kind: Literal["contradicts", "not in the paper"] | None = None
    error: Text | None = None
    support: tuple[Text, ...] = ()


def ask(engine: SummaryEngine, question: SentenceQuestion, progress: Progress) -> Response:
    """The engine's label, score and support."""
    report = check_summary(question.text, question.paper, engine=engine, source=SummarySource.WHOLE, progress=progress)
    failed = report.run.failed if report.run else ()
    given = {sentence.label for sentence in report.sentences}
    scores = [sentence.score for sentence in report.sentences if sentence.score is not None]
    return Response(
        sentences=tuple(chosen(report)),
        labels=(next((label.value for label in _WORST_FIRST if label in given), None),),
        seconds=report.seconds,
        error=failed[0].error if failed else None,
        score=min(scores, default=None),
    ).of_run(report.run)


def labelled_items(path: Path) -> list[SentenceItem | BrokenRecord]:
    """One item per sentence. Its labels are the right ones, and its category is what is wrong with the sentence."""
    return list(_items(path, _LabelledRow))


def editors_items(path: Path) -> list[SentenceItem | BrokenRecord]:
    """One item per sentence, without gold."""
    return list(_items(path, _Row))


def _items(path: Path, layout: type[_Row]) -> Iterator[SentenceItem | BrokenRecord]:
    article_named = articles_of(path)
    with opened(path) as stream:
        for number, raw in records(stream, name=path.name, fields=layout.model_fields):
            try:
                row = layout.model_validate(raw)
            except ValidationError as error:
                yield BrokenRecord(path.name, number, *first_fault(error))
                continue
            article = article_named(row.paper)
            if article is None:
                yield BrokenRecord(path.name, number, "paper", f"“{row.paper}” is missing or cannot be read")
            else:
                yield _item(row, article)


def _item(row: _Row, article: Article) -> SentenceItem:
    id, question = f"{row.paper}/{row.n}", SentenceQuestion(article.paper, row.sentence)
    if not isinstance(row, _LabelledRow):
        return Item(id, row.paper, question, frozenset())
    right = (Label.SUPPORTED,) if row.label == "supported" else _KINDS[row.kind]
    category = "" if row.label == "supported" else row.error or "other"
    return Item(id, row.paper, question, article.quoted(row.support), category, tuple(label.value for label in right))


def _files(path: Path) -> Sequence[Path]:
    """The file at `path` and the papers that it names."""
    with opened(path) as stream:
        raws = [raw for _, raw in records(stream, name=path.name, fields=_Row.model_fields)]
    return files_of(path, (str(raw["paper"]) for raw in raws if isinstance(raw, dict) and "paper" in raw))


def score_labelled(item: SentenceItem, response: Response) -> Scores:
    """The scores that apply to an item. A failure counts as flagging a right sentence, or as missing a wrong one."""
    given = None if response.error else _given(response)
    flagged = given in WRONG
    if item.labels == (Label.SUPPORTED,):
        scores = {"right flagged": float(flagged or response.error is not None)}
    else:
        scores = {"wrong flagged": float(flagged), "right kind": float(given in item.labels)}
    if item.gold:
        scores["support found"] = float(not item.gold.isdisjoint(response.sentences))
    return scores


def score_editors(item: SentenceItem, response: Response) -> Scores:
    """Whether the sentence was flagged. A failure counts as flagged, and as called a contradiction."""
    given = _given(response)
    failed = response.error is not None
    return {
        "flagged": float(failed or given in WRONG),
        "flagged as contradictions": float(failed or given is Label.CONTRADICTS),
    }


def labelled_metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """The means of the scores, and the AUROC of right against wrong sentences: over all, and by what is wrong."""
    found = means(results)
    names = {"AUROC": None} | {f"AUROC {error}": error for error in sorted({r.category for r in results} - {""})}
    for name, error in names.items():
        own = [result for result in results if not result.category or error in (None, result.category)]
        figure = _auroc(own)
        if figure is not None:
            found[name] = figure
    return found


def _auroc(results: Sequence[ItemResult]) -> Interval | None:
    right = [result.labels == (Label.SUPPORTED,) for result in results]
    scores = [_score(result, right=one) for result, one in zip(results, right, strict=True)]
    return estimate(auroc(right, scores), [result.group for result in results])


def _score(result: ItemResult, *, right: bool) -> float:
    """The engine's score for support or, without one, a score by its label. A failed item gets the worst score."""
    if result.error is not None:
        return -inf if right else inf
    if result.response.score is not None:
        return result.response.score
    label = _given(result.response)
    return _UNTOLD if label is None else _BY_LABEL.get(label, _UNTOLD)


def _given(response: Response) -> Label | None:
    return next((Label(label) for label in response.labels if label), None)


SENTENCES: Task[SummaryEngine, SentenceQuestion, frozenset[int]] = Task(
    name="summary/sentences",
    about="Right and wrong plain sentences on trials: how many of each are flagged?",
    kind=TaskKind.SUMMARY,
    open=open_engine,
    source=partial(data_file, "plain_summaries", "dev*.jsonl"),
    items=labelled_items,
    ask=ask,
    score=score_labelled,
    metrics=labelled_metrics,
    files=_files,
    notes=seen_by_reader,
    estimate=estimated,
)
EDITORS: Task[SummaryEngine, SentenceQuestion, frozenset[int]] = Task(
    name="summary/editors",
    about="What journals' editors wrote about trials: how much of it is flagged?",
    kind=TaskKind.SUMMARY,
    open=open_engine,
    source=partial(data_file, "plain_summaries", "editors*.jsonl"),
    items=editors_items,
    ask=ask,
    score=score_editors,
    metrics=means,
    files=_files,
    estimate=estimated,
)
PLAIN_SUMMARY_TASKS = (SENTENCES, EDITORS)
