"""The papers that a data set names, and the positions in them of texts that were copied from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from core.errors import VouchError
from core.paper import Paper, read_paper
from core.settings import load_settings

_NAME = re.compile(r"[\w-][\w.-]*")  # a file name without its extension, and never a path to another folder
_PAPERS = frozenset({".nxml", ".xml", ".pdf", ".md", ".txt"})
_SHORTEST = 5  # letters and digits: a shorter span could occur anywhere in the paper
_NOWHERE = 1_000_000  # indices from here on stand for gold texts that the paper, as parsed, does not have


class Article:
    """A paper that can locate texts copied from it."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self._letters = _Letters(paper.text)

    def overlapping(self, span: str) -> frozenset[int]:
        """The sentences that overlap an occurrence of the span, ignoring spaces and signs; none if the span is short."""
        wanted = _Letters(span).text
        found: set[int] = set()
        letters = self._letters
        at = letters.text.find(wanted) if len(wanted) >= _SHORTEST else -1
        while at >= 0:
            start, end = letters.places[at], letters.places[at + len(wanted) - 1] + 1
            found |= {one.index for one in self.paper.pool if one.start < end and one.end > start}
            at = letters.text.find(wanted, at + 1)
        return frozenset(found)

    def quoted(self, texts: Iterable[str]) -> frozenset[int]:
        """The sentences that overlap the texts, each of which may be part of a sentence or span several.

        A text that is not in the paper gets an index that no sentence has, so that it counts as gold but cannot be found.
        """
        found: set[int] = set()
        for number, text in enumerate(texts):
            found |= self.overlapping(text) or {_NOWHERE + number}
        return frozenset(found)


def read_article(path: Path) -> Article | None:
    """Read an article; None if it is missing or cannot be read."""
    try:
        return Article(read_paper(path.read_bytes(), name=path.name))
    except (OSError, VouchError):
        return None


class _Letters:
    """A text's letters and digits in lower case, and their offsets, because spans and article differ in spaces and signs."""

    def __init__(self, text: str) -> None:
        self.places = [place for place, character in enumerate(text) if character.isalnum()]
        self.text = "".join(text[place].lower()[0] for place in self.places)


def article_file(data: Path, name: str) -> Path | None:
    """The file of a paper that the data at `data` name; None if there is none, or `name` is not a valid file name.

    It is looked for in `papers` beside the data; then in the data's folder, its parent and the data folder of the settings,
    in each of them first in `evidence_inference/xml`.
    """
    if not _NAME.fullmatch(name):
        return None
    roots = [*data.resolve().parents[:2], *filter(None, [load_settings().data])]
    folders = (
        data.parent / "papers",
        *(folder for root in roots for folder in (root / "evidence_inference" / "xml", root)),
    )
    files = (file for folder in folders for file in sorted(folder.glob(f"{name}.*")))
    return next((file for file in files if file.suffix in _PAPERS), None)


def articles_of(data: Path) -> Callable[[str], Article | None]:
    """A function from the names of papers in the data to articles, each read once; None for missing or unreadable ones."""

    @cache
    def named(name: str) -> Article | None:
        file = article_file(data, name)
        return read_article(file) if file else None

    return named


def files_of(data: Path, names: Iterable[str]) -> list[Path]:
    """The data file, and the files of the papers that it names, without duplicates."""
    return [data, *filter(None, (article_file(data, name) for name in dict.fromkeys(names)))]
