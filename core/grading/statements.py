"""Extract the statements of an article, or of another text, without citation marks but with their references.

Only their content can reveal their origin: all references have the same form, and the order is random.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from core.grading.model import GradedStatement, Origin
from core.library.model import LibraryPaper
from core.paper import cite_authors
from core.paper.identifiers import bare_doi
from core.paper.sentences import split_sentences
from core.references.matching import names_one_paper, title_key

if TYPE_CHECKING:
    from core.articles.model import Article

_LEAST_WORDS = 4  # in a sentence of another text; shorter ones are headings
_LISTED = re.compile(r"^\s*(?:\[(\d{1,3})\]|(\d{1,3})[.)])\s+(\S.*)$")  # a line of the list of references
_NUMBERS = r"\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*"
_MARK = re.compile(rf"\s*(?:\[({_NUMBERS})\]|\[[^\]\n]{{1,80}}\]|\(([^()\n]*\b(?:19|20)\d\d[a-z]?[^()\n]*)\))")
_AFTER_STOP = re.compile(r"([.!?])((?:\[[^\]\n]{1,80}\])+)")  # “It helps.[3]”, the style of encyclopaedias
_DOI = re.compile(r"\b10\.\d{4,9}/\S+")


def statements_of(article: Article) -> Iterator[GradedStatement]:
    """Every sentence that a model wrote, and every quotation in a section that consists of quotations."""
    answers = [section.answer for section in article.sections]
    papers = {paper.id: paper for answer in answers for paper in answer.sources}
    written = [
        *(article.overview.statements if article.overview else ()),
        *(one for answer in answers for one in answer.statements),
    ]
    for statement in written:
        cited = dict.fromkeys(citation.passage.rpartition("/")[0] for citation in statement.citations)
        yield _statement("article", statement.text, [reference_to(papers[id]) for id in cited if id in papers])
    for answer in answers:
        for one in answer.papers if answer.answered and not answer.statements else ():
            yield _statement("article", one.sentence, [reference_to(one.paper)])


def statements_of_text(text: str) -> Iterator[GradedStatement]:
    """Every sentence of another article, with the references that its marks name in its numbered list of references."""
    lines = text.splitlines()
    listed = {match[1] or match[2]: match[3].strip() for line in lines if (match := _LISTED.match(line))}
    for line in lines:
        if _LISTED.match(line):
            continue
        moved = _AFTER_STOP.sub(r" \2\1", line)
        for start, end in split_sentences(moved):
            sentence = moved[start:end].strip()
            said = " ".join(_MARK.sub("", sentence).split())
            if len(said.split()) >= _LEAST_WORDS:
                yield _statement("other", said, list(dict.fromkeys(_cited(sentence, listed))))


def _cited(sentence: str, listed: dict[str, str]) -> Iterator[str]:
    for mark in _MARK.finditer(sentence):
        if mark[1] is None:
            words = mark[2] or mark[0].strip(" []")
            for one in filter(None, map(str.strip, words.split(";"))):
                named = _named(one, listed.values())
                if named != one or re.search(r"\d", one):  # “[citation needed]” cites nothing
                    yield named
            continue
        for part in re.split(r"\s*[,;]\s*", mark[1]):
            first, *last = map(int, re.split(r"\s*[–-]\s*", part))
            yield from (listed.get(str(number), f"[{number}]") for number in range(first, max([first, *last]) + 1))


def _named(mark: str, listed: Iterable[str]) -> str:
    """The reference that a mark such as “Rossi, 2019” names, if only one has all its words; else the mark."""
    words = set(re.findall(r"\w{4,}", mark.lower()))
    fit = [one for one in listed if words and words <= set(re.findall(r"\w{4,}", one.lower()))]
    return fit[0] if len(fit) == 1 else mark


def reference_to(paper: LibraryPaper) -> str:
    """A paper in the form of a list of references."""
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    title, doi = (paper.title or paper.name).rstrip(" ."), bare_doi(paper.doi or "")
    parts = (cite_authors(paper.authors), title, published, f"doi:{doi}" if doi else "")
    return " ".join(". ".join(filter(None, parts)).split())


def paper_named(reference: str, papers: Iterable[LibraryPaper]) -> LibraryPaper | None:
    """The paper that a reference names, by its DOI or by a distinctive title; None if it is not among the papers.

    Of several titles in the reference the longest counts, because one title may be part of another.
    """
    every = tuple(papers)
    dois = {bare_doi(one.rstrip(".,;)")) for one in _DOI.findall(reference)} - {None}
    key = title_key(reference)

    def is_titled(paper: LibraryPaper) -> bool:
        contradicts = bool(dois and bare_doi(paper.doi or ""))
        return not contradicts and names_one_paper(paper.title or "") and title_key(paper.title or "") in key

    by_doi = [paper for paper in every if bare_doi(paper.doi or "") in dois]
    longest_first = sorted(filter(is_titled, every), key=lambda paper: -len(title_key(paper.title or "")))
    return next(iter(by_doi or longest_first), None)


def _statement(origin: Origin, text: str, sources: Sequence[str]) -> GradedStatement:
    said = "\n".join((f"{origin}: {text}", *sources))  # the same words with other sources get another grade
    return GradedStatement(sha256(said.encode()).hexdigest()[:10], origin, text, tuple(sources))


def drawn(statements: Iterable[GradedStatement], seed: int) -> list[GradedStatement]:
    """The statements without duplicates, in random order."""
    each = list({one.id: one for one in statements}.values())
    random.Random(seed).shuffle(each)  # noqa: S311 - an order, no secret
    return each
