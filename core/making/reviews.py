"""Find evidence summaries in reviews by their citations, with EvidenceBench's exclusions (appendix G.1).

A review is an article in JATS, or rows of a table with the columns `review`, `sentence`, `paper`, and optionally
`section`, `paragraph` and `licence`. Only one review is in memory at a time.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from core.errors import DatasetError, PaperError
from core.paper.identifiers import bare_doi, bare_pmid
from core.paper.jats_citing import CITATION, CitingArticle, CitingParagraph, bare_pmcid, citing_article
from core.paper.sentences import split_sentences

THIS, ANOTHER = "[this paper]", "[another paper]"
TOGETHER = "several papers are cited at once"
TWICE = "the paper is cited twice in the section"
UNKNOWN = "the list of references tells no DOI, PMID or PMC number of the paper"
UNREADABLE = "the review cannot be read"
_SUFFIXES = {".xml", ".nxml", ".jats"}
_NEEDED = ("review", "sentence", "paper")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A citation of a paper in a review, with the text around it. `excluded`: why it cannot be used; "" if it can."""

    key: str  # the same in every run on the same reviews
    review: str
    papers: tuple[str, ...]  # the paper's DOI, PMC number, PMID
    sentences: tuple[str, ...] = ()  # of the paragraph; citations are marked `THIS` for the paper, else `ANOTHER`
    citing: int = 0  # the index of the sentence with the citation
    surroundings: str = ""  # the paragraphs before and after
    licence: str | None = None  # according to a table
    excluded: str = ""


def candidates(source: Path) -> Iterator[Candidate]:
    """All candidates in a folder of JATS files, in one such file, or in a CSV table, in the order of files and text.

    Raises `DatasetError` if there is no such file, if the table lacks a column, or if a review's rows are not together.
    """
    if source.is_dir():
        files = sorted(file for file in source.iterdir() if file.suffix.lower() in _SUFFIXES)
        if not files:
            raise DatasetError(f"“{source}” holds no review in JATS. Put their .xml files there, or name a table.")
        seen: set[str] = set()
        for file in files:
            yield from _of_file(file, seen)
    elif not source.is_file():
        raise DatasetError(f"“{source}” is not there. Name a folder of reviews in JATS, or a table of them.")
    elif source.suffix.lower() in _SUFFIXES:
        yield from _of_file(source, set())
    else:
        yield from _of_table(source)


# ---- JATS ----


def _of_file(file: Path, seen: set[str]) -> Iterator[Candidate]:
    """The candidates of a file. If its article is in `seen`, their keys also have the file's name, to be unique."""
    try:
        article = citing_article(file.read_bytes(), name=file.name)
    except PaperError as error:
        yield Candidate(file.name, file.name, (), excluded=f"{UNREADABLE}: {error}")
        return
    own = f"{article.id} ({file.name})" if article.id in seen else article.id
    seen.add(article.id)
    cited = Counter(
        (one.section, work) for one in article.paragraphs for citation in one.citations for work in citation.works
    )
    for place, paragraph in enumerate(article.paragraphs):
        for number, citation in enumerate(paragraph.citations):
            key = f"{own}#{place}.{number}"
            if len(citation.works) != 1:
                yield Candidate(key, article.id, (), excluded=TOGETHER)
            elif cited[paragraph.section, citation.works[0]] > 1:
                yield Candidate(key, article.id, (), excluded=TWICE)
            else:
                yield _in_paragraph(key, article, place, paragraph, number)


def _in_paragraph(key: str, article: CitingArticle, place: int, paragraph: CitingParagraph, number: int) -> Candidate:
    work, pmcid = article.works.get(paragraph.citations[number].works[0], (None, None))
    ids = tuple(id for id in (work and work.doi, pmcid, work and work.pmid) if id)
    if not ids:
        return Candidate(key, article.id, (), excluded=UNKNOWN)
    # Sentences are split while each citation is a mark of its own length, so that offsets stay valid.
    spans = split_sentences(paragraph.text)
    at = paragraph.citations[number].start
    # A citation after the full stop belongs to the sentence before it.
    citing = max((place for place, (start, _) in enumerate(spans) if start < at), default=0)
    sentences = tuple(_marked(paragraph, span, number) for span in spans)
    around = [article.paragraphs[near] for near in (place - 1, place + 1) if 0 <= near < len(article.paragraphs)]
    same = [one.text.replace(CITATION, "").strip() for one in around if one.section == paragraph.section]
    return Candidate(key, article.id, ids, sentences, citing, "\n\n".join(same))


def _marked(paragraph: CitingParagraph, span: tuple[int, int], number: int) -> str:
    """A sentence in which the paper's citation and others have different marks."""
    start, end = span
    pieces, at = "", start
    for place, citation in enumerate(paragraph.citations):
        if start <= citation.start < end:
            pieces += paragraph.text[at : citation.start] + (THIS if place == number else ANOTHER)
            at = min(citation.end, end)
    return (pieces + paragraph.text[at:end]).strip()


# ---- tables ----


def _of_table(file: Path) -> Iterator[Candidate]:
    seen: set[str] = set()
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream, restkey="")
            if missing := [name for name in _NEEDED if name not in (rows.fieldnames or ())]:
                raise DatasetError(
                    f"“{file.name}” has no column {' and '.join(missing)}. It needs: {', '.join(_NEEDED)}."
                )
            for review, members in groupby(rows, key=lambda row: row["review"] or ""):
                if review in seen:
                    raise DatasetError(
                        f"The rows of “{review}” do not stand together in “{file.name}”. Sort it by review."
                    )
                seen.add(review)
                yield from _of_rows(review, list(members))
    except OSError as error:
        raise DatasetError(f"“{file}” cannot be opened ({error.strerror}). Name a table of reviews.") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise DatasetError(f"“{file.name}” is no table in UTF-8: {error}. Save it as CSV.") from error


def _of_rows(review: str, rows: list[dict[str, str]]) -> Iterator[Candidate]:
    cited = Counter(
        (row.get("section") or "", paper)
        for row in rows
        for paper in dict.fromkeys(map(_id, (row["paper"] or "").split(";")))
    )
    for number, row in enumerate(rows, 1):
        key, papers = f"{review}#{number}", [_id(paper) for paper in (row["paper"] or "").split(";") if paper.strip()]
        if len(papers) != 1:
            yield Candidate(key, review, (), excluded=TOGETHER if papers else UNKNOWN)
        elif cited[row.get("section") or "", papers[0]] > 1:
            yield Candidate(key, review, (), excluded=TWICE)
        else:
            summary = " ".join((row["sentence"] or "").split())
            sentences = tuple(summary[start:end] for start, end in split_sentences(summary))
            last = max(0, len(sentences) - 1)
            marked = tuple(f"{one} {THIS}" if place == last else one for place, one in enumerate(sentences))
            around = " ".join((row.get("paragraph") or "").split())
            yield Candidate(key, review, (papers[0],), marked, last, around, (row.get("licence") or "").strip() or None)


def _id(text: str) -> str:
    """An identifier of any kind, normalized."""
    text = text.strip()
    return bare_doi(text) or (bare_pmcid(text) if text[:3].upper() == "PMC" else None) or bare_pmid(text) or text
