"""A paper's claims, each held against a library from which the paper itself and its doubles are left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.claims.model import Claim, ContradictionEngine, HeldClaim, Statement
from core.library.index import Library
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
        if long.lower() not in text.lower():
            text = text.replace(short, f"{short} ({long})", 1)
    words = text.split()
    return text if len(words) <= _MOST else claim.text


def hold_claims(
    claims: Sequence[Claim],
    paper: Paper,
    engine: ContradictionEngine,
    library: Library,
    *,
    progress: Progress = silent,
) -> list[HeldClaim]:
    """Each claim held against the library, in order. Raises as the engine does."""
    without = copies_of(paper, library.papers())
    held = []
    for number, claim in enumerate(claims):
        progress(number / len(claims), f"Claim {number + 1} of {len(claims)}")
        held.append(HeldClaim(claim, engine.hold(statement_of(claim, paper, without), library)))
    progress(1.0, "Done")
    return held
