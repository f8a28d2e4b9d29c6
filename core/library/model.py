"""The types of a library: papers, passages and search results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.paper import RETRACTED, Paper

# How journals and PubMed mark the title of a retracted paper.
_RETRACTED = re.compile(r"\W*retracted(?: article| paper)?\s*[:.\])-]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LibraryPaper:
    """A paper's entry in the library: the details for a citation, and what its passages were made with."""

    id: str  # `Paper.id`
    name: str  # the file's name
    title: str | None
    authors: tuple[str, ...]
    journal: str | None
    year: int | None
    doi: str | None
    pmid: str | None
    passages: int
    made_by: str = ""  # the encoder and the splitter; the entry is stale if either has changed
    designs: tuple[str, ...] = ()  # study designs that it reports, see `core.screening.offline.designs`
    retracted: bool = False  # according to its title or file
    cited: int | None = None  # how many papers of the library cite it; None: not counted

    @classmethod
    def of(cls, paper: Paper, *, passages: int, made_by: str, designs: Sequence[str] = ()) -> LibraryPaper:
        """The entry of a paper."""
        told = any(one.kind == RETRACTED for one in paper.warnings)
        retracted = told or _RETRACTED.match(paper.title or "") is not None
        return cls(
            paper.id, paper.name, paper.title, paper.authors, paper.journal, paper.year, paper.doi, paper.pmid,
            passages, made_by, tuple(designs), retracted,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive sentences of one section: at most 8 sentences and 200 words; a longer sentence is its own passage."""

    paper: str  # `Paper.id`
    first: int  # index of its first sentence in the paper; the others follow
    section: str  # the section's title
    part: str  # "table", "caption", or the section's kind
    page: int | None  # of its first sentence
    sentences: tuple[str, ...]
    findings: tuple[float, ...]  # the probability that each sentence reports a finding, by its own words
    before: str = ""  # the sentence before the first, if it is in the same section and of the same kind

    @property
    def id(self) -> str:
        """Its id in the library."""
        return f"{self.paper}/{self.first}"

    @property
    def last(self) -> int:
        """The index of its last sentence."""
        return self.first + len(self.sentences) - 1

    @property
    def text(self) -> str:
        """Its sentences, separated by spaces."""
        return " ".join(self.sentences)


class SearchMethod(StrEnum):
    """How passages are searched."""

    HYBRID = "hybrid"  # both of the following, merged by reciprocal ranks
    WORDS = "words"  # BM25
    MEANING = "meaning"  # the encoder's vectors


@dataclass(frozen=True, slots=True)
class Years:
    """A range of publication years, both inclusive; None: no limit.

    With a limit, papers without a year are excluded.
    """

    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that a search found."""

    passage: Passage
    words: float  # its BM25 score; 0 if no word is shared, or if the search did not use words
    meaning: float  # the cosine to the question
