"""Shared parts of the evidence tasks, and Evidence Inference: questions on trials, with the spans that answer them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ValidationError

from core.benchmarks.articles import Article, read_article
from core.benchmarks.model import BrokenRecord, Item, Response, Scores
from core.benchmarks.records import Text, count_records, first_fault, opened, records
from core.benchmarks.selection_metrics import hit
from core.benchmarks.task import EngineChoice, Stream, Task, data_file, means
from core.engines import TaskKind, is_trained
from core.evidence import engine_named
from core.evidence.llm import estimate_run
from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery, cut_to_question
from core.evidence.ranker.model import training_named, was_trained_on
from core.llm import CostEstimate, model_named
from core.paper import Paper
from core.progress import Progress
from core.settings import load_settings

# ---- evidence inference ----
# Read Evidence Inference: questions on randomised trials, with the spans of the articles that answer them.
#
# Lehman et al. 2019; DeYoung et al. 2020. A folder has `items.json` (one prompt per item: intervention, comparator, outcome,
# annotated spans) and `xml/` with one JATS file per article. The file also has the direction of the effect. Because that is
# an answer, it is read separately, by `read_directions`.

_FILE = "items.json"


class _Annotation(BaseModel):
    """A span, verbatim, and the direction of the effect, such as "significantly increased"."""

    evidence: str | None = None
    label: str | None = None


class _Item(BaseModel):
    pmcid: Text
    prompt_id: int
    intervention: Text
    comparator: Text
    outcome: Text
    annotations: list[_Annotation]


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """One question on one trial."""

    id: str
    article: str  # the article's PMC number
    hypothesis: str  # intervention, comparator and outcome
    intervention: str
    comparator: str
    outcome: str
    paper: Paper
    gold: frozenset[int]  # sentences that overlap an annotated span; empty if no span is found in the paper


def read_evidence_inference(
    folder: Path, wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[TrialQuestion | BrokenRecord]:
    """Yield every prompt in the file's order, and a `BrokenRecord` for records that are broken or whose article is missing.

    `wanted` filters prompts by id. Each article is read once. Raises `DatasetError` if `items.json` is missing or not JSON.
    """
    articles: dict[str, Article | None] = {}
    for item in _items(folder):
        if isinstance(item, BrokenRecord):
            yield item
            continue
        if not wanted(str(item.prompt_id)):
            continue
        if item.pmcid not in articles:
            articles[item.pmcid] = read_article(_article_path(folder, item.pmcid))
        article = articles[item.pmcid]
        if article is None:
            name = _article_path(folder, item.pmcid).name
            yield BrokenRecord(
                _FILE, str(item.prompt_id), "pmcid", f"its article “{name}” is missing or cannot be read"
            )
            continue
        gold = frozenset().union(*(article.overlapping(one.evidence or "") for one in item.annotations))
        asked = (item.intervention, item.comparator, item.outcome)
        yield TrialQuestion(str(item.prompt_id), item.pmcid, _hypothesis(item), *asked, article.paper, gold)


def read_directions(folder: Path) -> dict[str, str]:
    """The annotators' most frequent direction, by prompt id; prompts with a tie are left out.

    Raises `DatasetError` as `read_evidence_inference` does.
    """
    found = {}
    for item in _items(folder):
        if isinstance(item, _Item):
            given = Counter(one.label for one in item.annotations if one.label).most_common(2)
            if given and (len(given) == 1 or given[0][1] > given[1][1]):
                found[str(item.prompt_id)] = given[0][0]
    return found


def count_prompts(folder: Path) -> int:
    """Count the records without reading articles. Raises `DatasetError` as `read_evidence_inference` does."""
    return count_records(folder / _FILE, fields=_Item.model_fields)


def article_files(path: Path) -> list[Path]:
    """All files that the prompts of `items.json`, at `path`, are read from."""
    wanted = dict.fromkeys(item.pmcid for item in _items(path.parent) if isinstance(item, _Item))
    articles = (_article_path(path.parent, article) for article in wanted)
    return [path, *(article for article in articles if article.is_file())]


def _items(folder: Path) -> Iterator[_Item | BrokenRecord]:
    """The records in order; a broken one is identified by its prompt's id, or else by its number."""
    with opened(folder / _FILE) as stream:
        for number, raw in records(stream, name=_FILE, fields=_Item.model_fields):
            try:
                yield _Item.model_validate(raw)
            except ValidationError as error:
                named = raw.get("prompt_id") if isinstance(raw, dict) else None
                yield BrokenRecord(_FILE, str(named or number), *first_fault(error))


def _article_path(folder: Path, article: str) -> Path:
    return folder / "xml" / f"{article}.nxml"


def _hypothesis(item: _Item) -> str:
    return cut_to_question(f"{item.intervention} compared with {item.comparator}: {item.outcome}")


# ---- evidence tasks ----
# What the evidence tasks share, all of which ask for sentences on a hypothesis; and the task on Evidence Inference.

SEEN = (
    "The engine offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/ranker.md gives those on papers that it had not seen."
)
_DEPTHS = (1, 3, 10)


@dataclass(frozen=True, slots=True)
class EvidenceQuestion:
    """A query to a paper."""

    paper: Paper
    query: EvidenceQuery


def open_engine(choice: EngineChoice) -> EvidenceEngine:
    """Open the chosen evidence engine."""
    return engine_named(choice.name, key=choice.key, budget=choice.budget, seed=choice.seed)


def ask(engine: EvidenceEngine, question: EvidenceQuestion, progress: Progress) -> Response:
    """The engine's sentences. If parts of the paper were not read, the item has failed, because it is about all of it."""
    evidence = engine.find(question.paper, question.query, progress=progress)
    found = Response(evidence.indices, seconds=evidence.seconds, cost_usd=evidence.cost_usd, error=unread(evidence))
    return found.of_run(evidence.run)


def unread(evidence: Evidence) -> str | None:
    """Which part of the paper a language model did not read, and why; None if it read all."""
    if not (evidence.run and evidence.run.failed):
        return None
    unread = evidence.run.failed[0]
    return f"“{unread.label}” was not read: {unread.error}"


def estimated(engine: str, question: EvidenceQuestion) -> CostEstimate | None:
    """Estimate a language model's cost for a question; None for an engine on this machine."""
    model = model_named(engine)
    return estimate_run(model, question.paper, question.query) if model else None


def seen(engine: str, sha256: str) -> tuple[str, ...]:
    """A note for engines that were trained on the file."""
    training = training_named(load_settings().ranker)
    return (SEEN,) if is_trained(engine) and was_trained_on(training, sha256) else ()


def _prompts(path: Path) -> Stream[Item[EvidenceQuestion, frozenset[int]] | BrokenRecord]:
    """The prompts of Evidence Inference; each article is read at its first prompt."""

    def read() -> Iterator[Item[EvidenceQuestion, frozenset[int]] | BrokenRecord]:
        for prompt in read_evidence_inference(path.parent):
            if isinstance(prompt, BrokenRecord):
                yield prompt
                continue
            query = EvidenceQuery(prompt.hypothesis, k=max(_DEPTHS), results_only=True)
            yield Item(prompt.id, prompt.article, EvidenceQuestion(prompt.paper, query), prompt.gold)

    return Stream(count_prompts(path.parent), read)


def _hits(item: Item[EvidenceQuestion, frozenset[int]], response: Response) -> Scores:
    """Whether one of the first sentences overlaps an annotated span."""
    return {f"hit@{depth}": hit(response.sentences, item.gold, depth) for depth in _DEPTHS}


EVIDENCE_INFERENCE: Task[EvidenceEngine, EvidenceQuestion, frozenset[int]] = Task(
    name="evidence-inference/hit",
    about="Whether one of the first sentences is one that annotators marked, in reports of trials.",
    kind=TaskKind.EVIDENCE,
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
