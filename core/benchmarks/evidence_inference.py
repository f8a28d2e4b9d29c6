"""Read Evidence Inference: questions on randomised trials, with the spans of the articles that answer them.

Lehman et al. 2019; DeYoung et al. 2020. A folder holds `items.json` (one prompt an item: intervention, comparator,
outcome, annotated spans) and `xml/` with one JATS file an article. The direction of the effect, which the file also
holds, is never read: it is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from core.errors import DatasetError, VouchError
from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.paper import Paper, read_paper

_SHORTEST = 5  # letters and digits: a shorter span could be anywhere in the paper


class _Annotation(BaseModel):
    """A span, verbatim. Its label, the direction of the effect, is left unread."""

    evidence: str | None = None


class _Item(BaseModel):
    pmcid: str
    prompt_id: int
    intervention: str
    comparator: str
    outcome: str
    annotations: list[_Annotation]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question on one trial."""

    id: str
    article: str  # the article's PMC number
    hypothesis: str  # intervention, comparator and outcome
    paper: Paper
    gold: frozenset[int]  # sentences that overlap an annotated span; empty where no span is found in the paper


def read_evidence_inference(folder: Path) -> Iterator[Prompt]:
    """Every prompt in the file's order; each article is read once.

    Raises `DatasetError` if the folder does not have the layout told above, or an article is missing or unreadable.
    """
    articles: dict[str, tuple[Paper, _Letters]] = {}
    for item in _items(folder):
        if item.pmcid not in articles:
            paper = _article(_article_path(folder, item.pmcid))
            articles[item.pmcid] = paper, _Letters(paper.text)
        paper, letters = articles[item.pmcid]
        spans = {annotation.evidence or "" for annotation in item.annotations}
        yield Prompt(str(item.prompt_id), item.pmcid, _hypothesis(item), paper, _overlapping(paper, letters, spans))


def count_prompts(folder: Path) -> int:
    """How many prompts there are; no article is read. Raises `DatasetError` as `read_evidence_inference` does."""
    return len(_items(folder))


def article_files(path: Path) -> list[Path]:
    """All that `items.json`, at `path`, and its prompts are read from."""
    articles = dict.fromkeys(item.pmcid for item in _items(path.parent))
    return [path, *(_article_path(path.parent, article) for article in articles)]


def _items(folder: Path) -> list[_Item]:
    path = folder / "items.json"
    try:
        return TypeAdapter(list[_Item]).validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetError(f"“{path}” cannot be opened. Name the folder that holds items.json and xml.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise DatasetError(f"“{path}”, {place}: {first['msg'].lower()}. Download it again.") from error


def _article_path(folder: Path, article: str) -> Path:
    return folder / "xml" / f"{article}.nxml"


def _hypothesis(item: _Item) -> str:
    words = f"{item.intervention} compared with {item.comparator}: {item.outcome}".split()
    return " ".join(words[:MAX_HYPOTHESIS_WORDS])


def _article(path: Path) -> Paper:
    try:
        return read_paper(path.read_bytes(), name=path.name)
    except (OSError, VouchError) as error:
        raise DatasetError(f"The article “{path}” cannot be read. Download it again.") from error


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
            found |= {sentence.index for sentence in paper.sentences if sentence.start < end and sentence.end > start}
            at = letters.text.find(wanted, at + 1)
    return frozenset(found)
