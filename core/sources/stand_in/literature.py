"""Invented trials of walking and sleep in invented towns, and their articles as JATS and PDF."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Literal

_PEOPLE = ("Sørensen, Åse", "Nguyễn, Văn An", "Müller-Lüdenscheidt, Jörg", "O’Brien, Siân", "Žižková, Eliška", "李, 明")
_WORD = re.compile(r"[^\W_]+")

Access = Literal["xml", "pdf", "login", "closed"]


@dataclass(frozen=True, slots=True)
class Work:
    """One invented trial."""

    number: int
    title: str
    authors: tuple[str, ...]
    year: int
    journal: str
    doi: str
    pmid: str
    abstract: str
    access: Access
    pmcid: str | None = None
    trial: str | None = None
    retracted: str = ""  # the date
    cites: tuple[int, ...] = ()
    in_pubmed: bool = True
    republished: bool = False  # after it was retracted; its publication type then no longer says so

    @property
    def words(self) -> frozenset[str]:
        """The words by which a query can find it."""
        text = " ".join((self.title, self.abstract, " ".join(self.authors), self.trial or ""))
        return frozenset(_WORD.findall(text.casefold()))


def invented(number: int) -> Work:
    """The trial with this number; each number gives a different one."""
    helped = "improved sleep" if number % 2 == 0 else "did not change sleep"
    access: tuple[Access, ...] = ("xml", "xml", "pdf", "closed", "xml", "login")
    registered = f"NCT{90000000 + number:08}" if number % 4 == 1 else None
    return Work(
        number,
        f"Walking and sleep in town {number}: a randomised trial of {40 + number} adults with insomnia",
        (_PEOPLE[number % 6], _PEOPLE[(number + 1) % 6]),
        2010 + number % 14,
        "Journal of Invented Towns",
        f"10.5555/Town.{number}",
        str(90_000_000 + number),
        f"We asked whether walking improves sleep in {40 + number} adults with insomnia. Walking {helped} compared with "
        f"usual care (mean difference {1 + number / 10:.1f} points, 95% CI 0.5 to 9.0, p = 0.01)."
        + (f" Registered as {registered}." if registered else ""),
        access[number % 6],
        f"PMC{9_000_000 + number}" if access[number % 6] == "xml" else None,
        registered,
        "2024-05-01" if number == 4 else "",
        tuple(one for one in (1, 2, number - 1) if 0 <= one < number),
        in_pubmed=number % 3 != 0,
    )


def jats(work: Work, works: dict[int, Work]) -> bytes:
    """The article as Europe PMC gives it."""
    names = "".join(
        f'<contrib contrib-type="author"><name><surname>{escape(family)}</surname><given-names>{escape(given)}</given-names></name></contrib>'
        for family, _, given in (name.partition(", ") for name in work.authors)
    )
    cited = "".join(
        f'<ref id="r{one}"><element-citation publication-type="journal"><article-title>{escape(works[one].title)}</article-title>'
        f'<year>{works[one].year}</year><pub-id pub-id-type="doi">{escape(works[one].doi)}</pub-id></element-citation></ref>'
        for one in work.cites
        if one in works
    )
    sections = "".join(f"<sec><title>{title}</title><p>{escape(text)}</p></sec>" for title, text in sections_of(work))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<article article-type="research-article"><front>'
        f"<journal-meta><journal-title>{escape(work.journal)}</journal-title></journal-meta><article-meta>"
        f'<article-id pub-id-type="pmid">{work.pmid}</article-id><article-id pub-id-type="doi">{escape(work.doi)}</article-id>'
        f"<title-group><article-title>{escape(work.title)}</article-title></title-group>"
        f'<contrib-group>{names}</contrib-group><pub-date pub-type="epub"><year>{work.year}</year></pub-date>'
        f"<abstract><p>{escape(work.abstract)}</p></abstract></article-meta></front>"
        f"<body>{sections}</body><back><ref-list>{cited}</ref-list></back></article>"
    ).encode()


def sections_of(work: Work) -> tuple[tuple[str, str], ...]:
    """The article's sections after its abstract."""
    helped = "improved sleep significantly" if work.number % 2 == 0 else "did not change sleep"
    return (
        (
            "Methods",
            "Adults with insomnia were assigned by a computer-generated list to walking or usual care. The list was kept in "
            f"sealed opaque envelopes in town {work.number}. Assessors did not know the group. The primary outcome was sleep "
            "quality on a diary after eight weeks. A secondary outcome was daytime tiredness.",
        ),
        (
            "Results",
            f"After eight weeks walking {helped} in the walking group. Two people of {40 + work.number} left the trial.",
        ),
        ("Discussion", f"Walking in town {work.number} is easy to do."),
    )


def pdf(work: Work) -> bytes:
    """The article as a PDF of one page, in the letters that its built-in font has."""
    lines = [work.title, f"doi: {work.doi}", "Abstract", *_wrapped(work.abstract)]
    for title, text in sections_of(work):
        lines += [title, *_wrapped(text)]
    shown = " ".join(f"({_plain(line)}) Tj 0 -16 Td" for line in lines)
    page = f"BT /F1 11 Tf 60 780 Td {shown} ET".encode("latin-1")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
    )
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(made)
    made += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(made + b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)


def _wrapped(text: str) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 85:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line]


def _plain(line: str) -> str:
    return line.encode("latin-1", "replace").decode("latin-1").replace("\\", "").replace("(", "[").replace(")", "]")
