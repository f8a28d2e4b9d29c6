"""A reference as a paper with title and abstract, and a paper as a reference."""

from __future__ import annotations

import re
from html import escape

from core.paper import Kind, Paper, read_paper
from core.references.model import Reference, bare_doi

# Markup around words that databases leave in titles and abstracts. A reader would see it as letters.
_INLINE = re.compile(r"</?(?:jats:)?(?:i|b|u|em|strong|sup|sub|sc|italic|bold|inf)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|br|sec|title|div|span)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_paper(reference: Reference, *, name: str) -> Paper:
    """Title and abstract as a paper: a candidate pool that can be screened and highlighted.

    It is `read_paper` of `as_file`, so that hidden text and prompt injection are set aside, and the identifier depends
    on the reference's content.
    Raises `NoText` if nothing is left.
    """
    return read_paper(as_file(reference), name=name)


def as_file(reference: Reference) -> bytes:
    """The reference as a small file of JATS that `read_paper` reads; the same reference gives the same bytes."""
    numbers = {"doi": reference.doi, "pmid": reference.pmid}
    authors = "".join(
        f'<contrib contrib-type="author">{_name(author)}</contrib>' for author in reference.authors if _xml(author)
    )
    parts = (
        *(
            f'<article-id pub-id-type="{kind}">{_xml(number)}</article-id>'
            for kind, number in numbers.items()
            if number
        ),
        f"<title-group><article-title>{_xml(_unmarked(reference.title))}</article-title></title-group>",
        f"<contrib-group>{authors}</contrib-group>" if authors else "",
        f'<pub-date pub-type="ppub"><year>{reference.year}</year></pub-date>' if reference.year else "",
        f"<abstract><p>{_xml(_unmarked(reference.abstract))}</p></abstract>" if reference.abstract else "",
        *(f"<custom-meta-group>Registered: {_xml(number)}</custom-meta-group>" for number in reference.registrations),
    )
    journal = f"<journal-meta><journal-title>{_xml(reference.journal)}</journal-title></journal-meta>"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<article><front>'
        f"{journal if reference.journal else ''}<article-meta>{''.join(parts)}</article-meta></front></article>"
    ).encode()


def of_paper(paper: Paper) -> Reference:
    """A paper as a reference to export. Without a title, it is named by its file."""
    return Reference(
        title=paper.title or paper.name,
        authors=paper.authors,
        year=paper.year,
        journal=paper.journal or "",
        doi=bare_doi(paper.doi or ""),
        pmid=paper.pmid,
        abstract=" ".join(sentence.text for sentence in paper.sentences if sentence.kind is Kind.ABSTRACT),
        registrations=paper.registrations,
    )


def _name(author: str) -> str:
    """A name with given names first, as papers have it."""
    family, comma, given = (part.strip() for part in author.partition(","))
    if not comma:
        return f"<string-name>{_xml(author)}</string-name>"
    return f"<name><surname>{_xml(family)}</surname><given-names>{_xml(given)}</given-names></name>"


def _unmarked(text: str) -> str:
    return _INLINE.sub("", _BLOCK.sub(" ", text))


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("", text), quote=False)
