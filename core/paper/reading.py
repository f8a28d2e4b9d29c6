"""`read_paper`: from the bytes of a file to a `Paper`, whatever its format and name."""

from __future__ import annotations

from core.paper.assemble import assemble
from core.paper.jats import read_jats
from core.paper.model import Format, Paper
from core.paper.xml import parse_xml


def read_paper(data: bytes, *, name: str) -> Paper:
    """Read a paper; the format is recognised by content, never by the file's name.

    Raises a `PaperError` that says in one sentence what is wrong with the file and what to do.
    """
    return assemble(read_jats(parse_xml(data, name=name)), data=data, name=name, format=Format.JATS)
