"""`bias/papers`: whole trials judged with RoB 1, against careful readers' levels and the sentences behind them.

A file has one judgement per record: a paper's name, a domain of RoB 1, the level, the deciding sentences verbatim (none if
the text is silent), a reason, and whether the reader was sure. Papers are read from Evidence Inference's articles in the
same data folder. Readers saw only the paper's text, no registry and no protocol.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ValidationError

from core.benchmarks.articles import Article, articles_of, files_of
from core.benchmarks.bootstrap import Interval, estimate, ratio
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.records import Text, first_fault, opened, records
from core.benchmarks.selection_metrics import hit
from core.bias.engine import BiasEngine, suggest
from core.bias.llm.engine import estimate_run
from core.bias.model import HIGH, LOW, Level, StudyContext
from core.bias.tools import tool_named
from core.llm import CostEstimate, model_named
from core.paper import Paper
from core.progress import Progress

DEPTH = 3  # sentences that are scored: those that the reader of a suggestion sees first
_FIRM = (LOW, HIGH)


class _Record(BaseModel):
    paper: Text
    domain: str
    level: Level
    support: list[Text]


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    """A domain of RoB 1 to judge from a whole paper."""

    domain: str
    paper: Paper


@dataclass(frozen=True, slots=True)
class PaperGold:
    """The level, and the indices of the sentences that it is based on; None if the text is silent."""

    level: Level
    support: frozenset[int] | None


PaperItem = Item[PaperQuestion, PaperGold]


def read_paper_items(path: Path) -> list[PaperItem | BrokenRecord]:
    """One item per judgement, and a `BrokenRecord` for each record that is broken or whose article is missing.

    Every article is read once. Raises `DatasetError` if the file is not JSON.
    """
    tool = tool_named("rob1")
    domains = {domain.id for domain in tool.domains}
    article_named = articles_of(path)
    found: list[PaperItem | BrokenRecord] = []
    for number, record in _records(path):
        if isinstance(record, BrokenRecord):
            found.append(record)
            continue
        article = article_named(record.paper)
        if record.domain not in domains:
            found.append(BrokenRecord(path.name, number, "domain", "it is none of RoB 1's"))
        elif record.level not in tool.scale:
            found.append(BrokenRecord(path.name, number, "level", "it is none of RoB 1's levels"))
        elif article is None:
            found.append(BrokenRecord(path.name, number, "paper", f"“{record.paper}” is missing or cannot be read"))
        else:
            found.append(_item(record, article))
    return found


def paper_files(path: Path) -> list[Path]:
    """All files that the items of `path` are read from."""
    return files_of(path, (record.paper for _, record in _records(path) if isinstance(record, _Record)))


def _records(path: Path) -> Iterator[tuple[str, _Record | BrokenRecord]]:
    with opened(path) as stream:
        for number, raw in records(stream, name=path.name, fields=_Record.model_fields):
            try:
                yield number, _Record.model_validate(raw)
            except ValidationError as error:
                yield number, BrokenRecord(path.name, number, *first_fault(error))


def _item(record: _Record, article: Article) -> PaperItem:
    support = article.quoted(record.support) if record.support else None
    gold = PaperGold(record.level, support)
    question = PaperQuestion(record.domain, article.paper)
    labels = (record.level,)
    return Item(f"{record.paper}/{record.domain}", record.paper, question, gold, record.domain, labels)


def ask(engine: BiasEngine, question: PaperQuestion, progress: Progress) -> Response:
    """The engine's level, None if it shows none, and the sentences that it shows first."""
    started = time.perf_counter()
    domain = tool_named("rob1").domain(question.domain)
    found = suggest(domain, question.paper, StudyContext(), engine=engine, progress=progress)
    judgement = found.judgement
    shown = tuple(support.index for support in judgement.support) or judgement.rejected
    level = judgement.level
    return Response(shown[:DEPTH], (level,), time.perf_counter() - started).of_run(found.run)


def estimated(engine: str, question: PaperQuestion) -> CostEstimate | None:
    """Estimate a language model's cost for a question; None for an engine on this machine."""
    model, domain = model_named(engine), tool_named("rob1").domain(question.domain)
    return estimate_run(model, [domain], question.paper, StudyContext()) if model else None


def score(item: PaperItem, response: Response) -> Scores:
    """Whether the level is right and, if there are gold sentences, whether one is among the first three."""
    scores = {"level right": float(response.labels == item.labels)}
    if item.gold.support is not None:
        scores["sentence in three"] = hit(response.sentences, item.gold.support, DEPTH)
    return scores


def metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """Each figure over all items and by domain, with intervals from resampling papers; see `_FIGURES`."""
    domains = dict.fromkeys(result.category for result in results)
    parts = {"": list(results)} | {f" {d}": [result for result in results if result.category == d] for d in domains}
    found = {
        f"{name}{part}": share_of(own, counted) for name, counted in _FIGURES.items() for part, own in parts.items()
    }
    return {name: value for name, value in found.items() if value is not None}


Counted = Callable[[ItemResult], tuple[bool, bool]]  # -> (in the denominator, in the numerator)


def share_of(results: Sequence[ItemResult], counted: Counted) -> Interval | None:
    """The share that `counted` defines, over the results in its denominator; None if there are none."""
    pairs = np.array([counted(result) for result in results], dtype=np.float64)
    whole, part = pairs[:, 0], pairs[:, 0] * pairs[:, 1]
    return estimate(lambda weights: ratio(weights @ part, weights @ whole), [result.group for result in results])


def _right(result: ItemResult) -> tuple[bool, bool]:
    return True, result.scores["level right"] == 1


def _shown_right(result: ItemResult) -> tuple[bool, bool]:
    return result.label in _FIRM, result.scores["level right"] == 1


def _shown(result: ItemResult) -> tuple[bool, bool]:
    return result.labels[0] in _FIRM, result.label in _FIRM


def _in_three(result: ItemResult) -> tuple[bool, bool]:
    return "sentence in three" in result.scores, result.scores.get("sentence in three") == 1


_FIGURES: Mapping[str, Counted] = {
    "levels right": _right,  # of all judgements
    "shown right": _shown_right,  # of the low and high levels that are shown
    "shown of low and high": _shown,  # of the judgements that are low or high
    "sentence in three": _in_three,  # of those that are based on a sentence
}
