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

from core.benchmarks.json_records import count_records, opened, records
from core.benchmarks.model import BrokenRecord
from core.benchmarks.record_fields import Text, first_fault
from core.errors import VouchError
from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.paper import Paper, read_paper

_FILE = "items.json"
_SHORTEST = 5  # letters and digits: a shorter span could be anywhere in the paper


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
    articles: dict[str, tuple[Paper, _Letters] | None] = {}
    for item in _items(folder):
        if isinstance(item, BrokenRecord):
            yield item
            continue
        if item.pmcid not in articles:
            articles[item.pmcid] = _article(_article_path(folder, item.pmcid))
        article = articles[item.pmcid]
        if article is None:
            name = _article_path(folder, item.pmcid).name
            yield BrokenRecord(
                _FILE, str(item.prompt_id), "pmcid", f"its article “{name}” is missing or cannot be read"
            )
            continue
        paper, letters = article
        spans = {annotation.evidence or "" for annotation in item.annotations}
        gold = _overlapping(paper, letters, spans)
        asked = (item.intervention, item.comparator, item.outcome)
        yield Prompt(str(item.prompt_id), item.pmcid, _hypothesis(item), *asked, paper, gold)


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


def _article(path: Path) -> tuple[Paper, _Letters] | None:
    """The article; None if it is missing or cannot be read."""
    try:
        paper = read_paper(path.read_bytes(), name=path.name)
    except (OSError, VouchError):
        return None
    return paper, _Letters(paper.text)


class _Letters:
    """A text's letters and digits in lower case, and where each stood: spans differ from the article in spaces and signs."""

    def __init__(self, text: str) -> None:
        self.places = [place for place, character in enumerate(text) if character.isalnum()]
        self.text = "".join(text[place].lower()[0] for place in self.places)


def _overlapping(paper: Paper, letters: _Letters, spans: set[str]) -> frozenset[int]:
    """The sentences that share a letter with a place where a span stands."""
    found: set[int] = set()
    for span in spans:
        wanted = _Letters(span).text
        at = letters.text.find(wanted) if len(wanted) >= _SHORTEST else -1
        while at >= 0:
            start, end = letters.places[at], letters.places[at + len(wanted) - 1] + 1
            found |= {sentence.index for sentence in paper.pool if sentence.start < end and sentence.end > start}
            at = letters.text.find(wanted, at + 1)
    return frozenset(found)
