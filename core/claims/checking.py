"""Compare a paper's claims with a library, leaving out the paper itself and its duplicates.

If a reviewer agreed to literature services, these are searched first, and open texts are added to the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.answering.beyond import Beyond
from core.claims.model import Claim, ComparedClaim, Contested, ContradictionEngine, Statement
from core.claims.statements import comparison_in
from core.library.index import ANY_YEAR, Library
from core.library.model import LibraryPaper
from core.paper import Paper
from core.paper.identifiers import bare_doi
from core.progress import Progress, silent
from core.references.matching import names_one_paper, title_key

_CONTEXT = 1500  # characters of the text around a claim, which may explain a difference
_FETCHING = 0.5  # the share of services in the progress, if they are searched
_MOST = 80  # words of a claim with its abbreviations spelled out


def copies_of(paper: Paper, papers: Iterable[LibraryPaper]) -> frozenset[str]:
    """The ids of all copies of a paper in a library: with the same file, DOI, PMID or title."""
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
    """A claim as a statement to compare with a library, with the text around it in its paper."""
    section = paper.section_of(paper.sentences[claim.sentence])
    around = " ".join(one.text for one in paper.sentences[max(section.first, claim.sentence - 1) : claim.sentence + 2])
    return Statement(with_terms(claim), without, context=f"{paper.title or ''} {around}"[:_CONTEXT])


def with_terms(claim: Claim) -> str:
    """The claim's text with long forms added after abbreviations, so that other papers are found by either."""
    text = claim.text
    for short, long in claim.terms:
        found = re.search(rf"(?<!\w){re.escape(short)}(?!\w)", text)
        if found and long.lower() not in text.lower():
            text = f"{text[: found.end()]} ({long}){text[found.end() :]}"
    words = text.split()
    return text if len(words) <= _MOST else claim.text


def compare_claim(
    claim: Claim,
    paper: Paper,
    engine: ContradictionEngine,
    library: Library,
    *,
    beyond: Beyond | None = None,
    progress: Progress = silent,
) -> Contested:
    """Compare a claim with the library, after `beyond` has added papers to it. Raises as the engine does."""
    details: tuple[str, ...] = ()
    begins = 0.0
    if beyond is not None:
        own = LibraryPaper.of(paper, passages=0, made_by="")  # so that this paper is not fetched
        words = searched_words(claim.text)
        begins = _FETCHING
        brought = beyond.search(
            words, ANY_YEAR, [*library.papers(), own], lambda done, step: progress(done * _FETCHING, step)
        )
        details = brought.details
    without = copies_of(paper, library.papers())
    contested = engine.compare(
        statement_of(claim, paper, without),
        library,
        progress=lambda done, step: progress(begins + done * (1 - begins), step),
    )
    return replace(contested, outside=details)


def searched_words(text: str) -> str:
    """The words that services are searched for: the claim's arms and outcome if they can be parsed, else its text."""
    comparison = comparison_in(text)
    return text if comparison is None else f"{comparison.intervention} {comparison.comparator} {comparison.outcome}"


def compare_claims(
    claims: Sequence[Claim],
    paper: Paper,
    engine: ContradictionEngine,
    library: Library,
    *,
    beyond: Beyond | None = None,
    progress: Progress = silent,
) -> list[ComparedClaim]:
    """Compare each claim with the library, in order. Raises as the engine does."""
    held = []
    for number, claim in enumerate(claims):
        step = within(progress, number, len(claims), f"Claim {number + 1} of {len(claims)}")
        held.append(ComparedClaim(claim, compare_claim(claim, paper, engine, library, beyond=beyond, progress=step)))
    progress(1.0, "Done")
    return held


def within(progress: Progress, number: int, count: int, title: str, *, begins: float = 0.0) -> Progress:
    """The progress of one of several tasks, whose start is reported.

    `begins` is the progress at the first one's start.
    """

    def share(done: float, step: str) -> None:
        progress(begins + (1 - begins) * (number + done) / count, f"{title}: {step}" if step else title)

    share(0.0, "")
    return share
