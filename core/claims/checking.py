"""A paper's claims, each held against a library from which the paper itself and its doubles are left out.

Where a reviewer agreed to literature services, they are searched first, and what is open comes into the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.answering.beyond import Beyond
from core.claims.model import Claim, Contested, ContradictionEngine, HeldClaim, Statement
from core.claims.statements import comparison_in
from core.library.index import ANY_YEAR, Library
from core.library.model import LibraryPaper
from core.paper import Paper
from core.paper.identifiers import bare_doi
from core.progress import Progress, silent
from core.references.matching import names_one_paper, title_key

_CONTEXT = 1500  # characters around a claim that may explain a difference
_MOST = 80  # words of a statement with its terms


def copies_of(paper: Paper, papers: Iterable[LibraryPaper]) -> frozenset[str]:
    """The ids of a paper in a library: of the same file, the same DOI or PMID, or the same title."""
    doi, title = bare_doi(paper.doi or ""), title_key(paper.title or "")
    telling = names_one_paper(paper.title or "")
    return frozenset({paper.id}) | {
        one.id
        for one in papers
        if (doi and bare_doi(one.doi or "") == doi)
        or (paper.pmid and one.pmid == paper.pmid)
        or (telling and title_key(one.title or "") == title)
    }


def statement_of(claim: Claim, paper: Paper, without: frozenset[str]) -> Statement:
    """A claim as a library is asked about it, with what its paper says around it."""
    section = paper.section_of(paper.sentences[claim.sentence])
    around = " ".join(one.text for one in paper.sentences[max(section.first, claim.sentence - 1) : claim.sentence + 2])
    return Statement(with_terms(claim), without, context=f"{paper.title or ''} {around}"[:_CONTEXT])


def with_terms(claim: Claim) -> str:
    """The claim's words, abbreviations followed by what they stand for, so that other papers are found by either."""
    text = claim.text
    for short, long in claim.terms:
        found = re.search(rf"(?<!\w){re.escape(short)}(?!\w)", text)
        if found and long.lower() not in text.lower():
            text = f"{text[: found.end()]} ({long}){text[found.end() :]}"
    words = text.split()
    return text if len(words) <= _MOST else claim.text


def hold_claim(
    claim: Claim,
    paper: Paper,
    engine: ContradictionEngine,
    library: Library,
    *,
    beyond: Beyond | None = None,
    progress: Progress = silent,
) -> Contested:
    """A claim held against the library, and first against what `beyond` brings into it. Raises as the engine does."""
    details: tuple[str, ...] = ()
    if beyond is not None:
        own = LibraryPaper.of(paper, passages=0, made_by="")  # it is not fetched where the library lacks it
        words = searched_words(claim.text)
        details = beyond.search(words, ANY_YEAR, [*library.papers(), own], progress).details
    without = copies_of(paper, library.papers())
    return replace(engine.hold(statement_of(claim, paper, without), library), outside=details)


def searched_words(text: str) -> str:
    """What services are asked of a claim: its arms and its outcome where its form tells them, else its own words."""
    comparison = comparison_in(text)
    return text if comparison is None else f"{comparison.intervention} {comparison.comparator} {comparison.outcome}"


def hold_claims(
    claims: Sequence[Claim],
    paper: Paper,
    engine: ContradictionEngine,
    library: Library,
    *,
    beyond: Beyond | None = None,
    progress: Progress = silent,
) -> list[HeldClaim]:
    """Each claim held against the library, in order. Raises as the engine does."""
    held = []
    for number, claim in enumerate(claims):
        step = within(progress, number, len(claims), f"Claim {number + 1} of {len(claims)}")
        held.append(HeldClaim(claim, hold_claim(claim, paper, engine, library, beyond=beyond, progress=step)))
    progress(1.0, "Done")
    return held


def within(progress: Progress, number: int, count: int, title: str, *, begins: float = 0.0) -> Progress:
    """The progress of one of several pieces of work, which is told to begin. `begins`: where the first does."""

    def share(done: float, step: str) -> None:
        progress(begins + (1 - begins) * (number + done) / count, f"{title}: {step}" if step else title)

    share(0.0, "")
    return share
