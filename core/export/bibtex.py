"""References as a BibTeX file, in UTF-8."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from core.export.table import displayable, latex
from core.paper import family_name
from core.references.model import Reference

_LETTERS = re.compile(r"[^A-Za-z]")
# LaTeX packages read a DOI verbatim, so a safe one is not escaped. One that could break out of its braces is escaped.
_SAFE_DOI = re.compile(r"10\.[\w.()/;:<>+-]+")


def bibtex(references: Iterable[tuple[Reference, str]]) -> str:
    """An entry for each (reference, text for its `annote`), with a key such as `Rossi2020`."""
    entries: list[str] = []
    taken: dict[str, int] = {}
    for reference, annote in references:
        key = _key(reference)
        taken[key] = taken.get(key, 0) + 1
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _fields(reference, annote) if value)
        kind = "article" if reference.journal else "misc"
        entries.append(f"@{kind}{{{key}{_suffix(taken[key])},\n{fields}}}\n")
    return "\n".join(entries)


def _key(reference: Reference) -> str:
    """The first author's family name, or the title's first word if there is no author, and the year."""
    words = reference.title.split()
    name = family_name(reference.authors[0]) if reference.authors else words[0] if words else ""
    ascii_name = _LETTERS.sub("", unicodedata.normalize("NFKD", name))
    return f"{ascii_name or 'Work'}{reference.year or ''}"


def _suffix(number: int) -> str:
    """The suffix of works with the same name and year: nothing, b, c and so on."""
    return "" if number == 1 else chr(ord("a") + number - 1) if number <= 26 else f"-{number}"


def _fields(reference: Reference, annote: str) -> Iterator[tuple[str, str]]:
    yield "author", " and ".join(_author(author) for author in reference.authors)
    yield "title", f"{{{_text(reference.title)}}}"  # in two pairs of braces: capitals stay as they are
    yield "journal", _text(reference.journal)
    yield "year", str(reference.year or "")
    doi = reference.doi or ""
    yield "doi", doi if _SAFE_DOI.fullmatch(doi) else _text(doi)
    yield "pmid", _text(reference.pmid or "")
    yield "annote", _text(annote)


def _author(author: str) -> str:
    """A name with its family name first. Any other name is put in braces, so that BibTeX does not split it."""
    family, comma, given = author.partition(",")
    parts = (family, given)
    whole = not comma or "," in given or any(" and " in f" {part.lower()} " for part in parts)
    return f"{{{_text(author)}}}" if whole else ", ".join(_text(part.strip()) for part in parts)


def _text(text: str) -> str:
    """A text on one line, escaped. Braces become commands, because BibTeX counts escaped braces as well."""
    return latex(displayable(text)).replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")
