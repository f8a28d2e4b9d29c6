"""The papers that a data set names, and where texts that were copied from them stand in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from core.errors import VouchError
from core.paper import Paper, read_paper
from core.settings import load_settings

_NAME = re.compile(r"[\w-][\w.-]*")  # of a file without its ending, and never the way to another folder
_PAPERS = frozenset({".nxml", ".xml", ".pdf", ".md", ".txt"})
_SHORTEST = 5  # letters and digits: a shorter span could be anywhere in the paper
_NOWHERE = 1_000_000  # from here on: gold sentences that the paper as it was read does not have


class Article:
    """A paper, and where texts that were copied from it stand in it."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self._letters = _Letters(paper.text)

    def overlapping(self, span: str) -> frozenset[int]:
        """The sentences that share a letter with a place where the span stands, space and signs apart; none if it is short."""
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
        """The sentences of all texts; a text may be part of a sentence, or span several. One that is not there stays gold that cannot be found."""
        found: set[int] = set()
        for number, text in enumerate(texts):
            found |= self.overlapping(text) or {_NOWHERE + number}
        return frozenset(found)


def read_article(path: Path) -> Article | None:
    """The article; None if it is missing or cannot be read."""
    try:
        return Article(read_paper(path.read_bytes(), name=path.name))
    except (OSError, VouchError):
        return None


class _Letters:
    """A text's letters and digits in lower case, and where each stood: spans differ from the article in spaces and signs."""

    def __init__(self, text: str) -> None:
        self.places = [place for place, character in enumerate(text) if character.isalnum()]
        self.text = "".join(text[place].lower()[0] for place in self.places)


def article_file(data: Path, name: str) -> Path | None:
    """The file of a paper that the data at `data` name: in the folder `papers` next to them, or in their folder and its `evidence_inference/xml`.

    None if there is none, or the name is not one of a file.
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
    """A function that gives the papers that the data at `data` name, each read once; None for one that is missing or unreadable."""

    @cache
    def named(name: str) -> Article | None:
        file = article_file(data, name)
        return read_article(file) if file else None

    return named


def files_of(data: Path, names: Iterable[str]) -> list[Path]:
    """The data, and the files of the papers that they name, each once."""
    return [data, *filter(None, (article_file(data, name) for name in dict.fromkeys(names)))]
