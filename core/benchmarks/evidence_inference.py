"""Read Evidence Inference: questions on randomised trials, with the spans of the articles that answer them.

Lehman et al. 2019; DeYoung et al. 2020. A folder holds `items.json` (one prompt an item: intervention, comparator,
outcome, annotated spans) and `xml/` with one JATS file an article. The direction of the effect, which the file also
holds, is never read: it is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from core.benchmarks.articles import Article, read_article
from core.benchmarks.json_records import count_records, opened, records
from core.benchmarks.model import BrokenRecord
from core.benchmarks.record_fields import Text, first_fault
from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.paper import Paper

_FILE = "items.json"


class _Annotation(BaseModel):
    """A span, verbatim. Its label, the direction of the effect, is left unread."""

    evidence: str | None = None


class _Item(BaseModel):
    pmcid: Text
    prompt_id: int
    intervention: Text
    comparator: Text
    outcome: Text
    annotations: list[_Annotation]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question on one trial."""

    id: str
    article: str  # the article's PMC number
    hypothesis: str  # intervention, comparator and outcome
    intervention: str
    comparator: str
    outcome: str
    paper: Paper
    gold: frozenset[int]  # sentences that overlap an annotated span; empty where no span is found in the paper


def read_evidence_inference(folder: Path) -> Iterator[Prompt | BrokenRecord]:
    """Every prompt in the file's order, and what is wrong with those that are none, or have no article to read.

    Each article is read once. Raises `DatasetError` if `items.json` is missing or not JSON.
    """
    articles: dict[str, Article | None] = {}
    for item in _items(folder):
        if isinstance(item, BrokenRecord):
            yield item
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
        yield Prompt(str(item.prompt_id), item.pmcid, _hypothesis(item), *asked, article.paper, gold)


def count_prompts(folder: Path) -> int:
    """How many records there are; no article is read. Raises `DatasetError` as `read_evidence_inference` does."""
    return count_records(folder / _FILE, fields=_Item.model_fields)


def article_files(path: Path) -> list[Path]:
    """All that `items.json`, at `path`, and its prompts are read from."""
    wanted = dict.fromkeys(item.pmcid for item in _items(path.parent) if isinstance(item, _Item))
    articles = (_article_path(path.parent, article) for article in wanted)
    return [path, *(article for article in articles if article.is_file())]


def _items(folder: Path) -> Iterator[_Item | BrokenRecord]:
    """The records in order; a broken one goes by its prompt's id, or else by its number."""
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
    words = f"{item.intervention} compared with {item.comparator}: {item.outcome}".split()
    return " ".join(words[:MAX_HYPOTHESIS_WORDS])
