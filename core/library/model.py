"""What a library holds: papers and their passages, and what a search finds in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.paper import RETRACTED, Paper

# As journals and PubMed mark the title of a paper that was taken back.
_RETRACTED = re.compile(r"\W*retracted(?: article| paper)?\s*[:.\])-]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LibraryPaper:
    """A paper as the library knows it: what a citation needs, and what its passages were made with."""

    id: str  # `Paper.id`
    name: str  # the file's name
    title: str | None
    authors: tuple[str, ...]
    journal: str | None
    year: int | None
    doi: str | None
    pmid: str | None
    passages: int
    made_by: str = ""  # the encoder and the splitter: another of either makes it stale
    designs: tuple[str, ...] = ()  # by its own account, such as "randomised trial": `core.screening.offline.designs`
    retracted: bool = False  # by its own title or file
    cited: int | None = None  # by how many papers of the library; None: nobody counted

    @classmethod
    def of(cls, paper: Paper, *, passages: int, made_by: str, designs: Sequence[str] = ()) -> LibraryPaper:
        """The entry of a paper that was read."""
        told = any(one.kind == RETRACTED for one in paper.warnings)
        retracted = told or _RETRACTED.match(paper.title or "") is not None
        return cls(
            paper.id, paper.name, paper.title, paper.authors, paper.journal, paper.year, paper.doi, paper.pmid,
            passages, made_by, tuple(designs), retracted,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences of one section that follow each other: at most 8, or 200 words; a longer sentence stands alone."""

    paper: str  # `Paper.id`
    first: int  # index of its first sentence in the paper; the others follow
    section: str  # the section's title
    part: str  # "table" or "caption", or else the section's kind
    page: int | None  # of its first sentence
    sentences: tuple[str, ...]
    findings: tuple[float, ...]  # how likely each sentence tells a finding, by its own words
    before: str = ""  # the sentence before the first, where both are prose of one section

    @property
    def id(self) -> str:
        """A name for it in the library."""
        return f"{self.paper}/{self.first}"

    @property
    def last(self) -> int:
        """The index of its last sentence."""
        return self.first + len(self.sentences) - 1

    @property
    def text(self) -> str:
        """Its sentences, a blank between them."""
        return " ".join(self.sentences)


class SearchMethod(StrEnum):
    """By what passages are found."""

    HYBRID = "hybrid"  # both of the following, joined by reciprocal ranks
    WORDS = "words"  # BM25
    MEANING = "meaning"  # the encoder's vectors


@dataclass(frozen=True, slots=True)
class Years:
    """Years of publication, both inclusive; None: open at that end. A paper without a year is outside, if any is set."""

    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that a search found, best first."""

    passage: Passage
    words: float  # its BM25 score; 0 where no word is shared, or nobody looked
    meaning: float  # the cosine to the question
