"""`read_paper`: from the bytes of a file to a `Paper`, whatever its format and name."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.errors import DamagedFile, NoText, UnknownFormat
from core.paper.assemble import assemble
from core.paper.decoding import decode
from core.paper.draft import Draft
from core.paper.hidden_markup import take_hidden, without_hidden_html
from core.paper.jats import read_jats
from core.paper.model import Format, Paper, PaperWarning
from core.paper.plain import read_text
from core.paper.tei import read_tei
from core.paper.unread import unread
from core.paper.xml import Element, descendants, local_name, parse_xml

_WANTED = "Upload the paper as PDF, JATS or TEI XML, BioC, Markdown or plain text."
# A Markdown heading, with number signs or underlined.
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+\S|^[^\s|-][^\n]{0,200}\n {0,3}(?:={3,}|-{3,})[ \t]*$", re.MULTILINE)
_XML_START = re.compile(r"<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w.-]*[\s:>/])")
_JSON_START = re.compile(r"\[?\s*\{\s*(?:\"(?:[^\"\\\n]|\\.){0,200}\"\s*:|\})")
_BLANK = b"\0 \t\r\n"
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# Files that people take for papers, by their first bytes.
_OTHER_FILES = (
    (b"PK\x03\x04", "a ZIP archive or an Office document", "Unpack it, or save the document as PDF."),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "Save it as PDF."),
    (b"{\\rtf", "an RTF document", "Save it as PDF."),
    (b"\x89PNG", "an image", _WANTED),
    (b"\xff\xd8\xff", "an image", _WANTED),
    (b"GIF8", "an image", _WANTED),
    (b"\x1f\x8b", "a compressed archive", "Unpack it first."),
    (b"%!PS", "PostScript", "Convert it to PDF."),
)


def _read_bioc_xml(root: Element) -> Draft:
    from core.paper.bioc import read_bioc_xml  # readers of rarer formats load when they are needed  # noqa: PLC0415

    return read_bioc_xml(root)


_XML_READERS: dict[str, tuple[Format, Callable[[Element], Draft]]] = {
    "article": (Format.JATS, read_jats),
    "pmc-articleset": (Format.JATS, read_jats),
    "TEI": (Format.TEI, read_tei),
    "teiCorpus": (Format.TEI, read_tei),
    "collection": (Format.BIOC_XML, _read_bioc_xml),
}


def read_paper(data: bytes, *, name: str, keep_set_aside: bool = False, put_back: bool = False) -> Paper:
    """Read a paper; the format is recognised by content, never by the file's name.

    Text that readers cannot see, and sentences that speak to a language model, are set aside (`Paper.set_aside`);
    with `keep_set_aside` they are read as ordinary text. With `put_back`, what is left out (`Paper.left_out`) stands in
    the candidate pool too, but for references, running heads and numbers.
    Raises a `PaperError` that says in one sentence what is wrong with the file and what to do.
    """
    draft, file_format = _read_draft(data, name, keep_hidden=keep_set_aside)
    return assemble(draft, data=data, name=name, format=file_format, keep_set_aside=keep_set_aside, put_back=put_back)


def _read_draft(data: bytes, name: str, *, keep_hidden: bool) -> tuple[Draft, Format]:
    if not (data[:1024].strip(_BLANK) or data.strip(_BLANK)):
        raise NoText(f"“{name}” is empty. Download or export the file again.")
    if b"%PDF-" in data[:1024]:
        from core.paper.pdf import read_pdf  # noqa: PLC0415

        return read_pdf(data, name=name, keep_hidden=keep_hidden), Format.PDF
    for start, what, cure in _OTHER_FILES:
        if data.startswith(start):
            raise UnknownFormat(f"“{name}” is {what}, not a paper that Vouch can read. {cure}")
    if b" obj" in data[:4096] and b"endobj" in data:
        raise DamagedFile(f"“{name}” is a PDF whose beginning is missing. Download the file again.")
    text, guessed = decode(data, name=name)
    draft, file_format = _read_decoded(data, text, name, keep_hidden=keep_hidden)
    if guessed is not None and file_format in {Format.TEXT, Format.MARKDOWN}:
        message = f"The file is not UTF-8; it was read as {guessed}. Look for wrong accents and symbols."
        draft.warnings.append(PaperWarning("encoding-guessed", message))
    return draft, file_format


def _read_decoded(data: bytes, text: str, name: str, *, keep_hidden: bool) -> tuple[Draft, Format]:
    start = text.lstrip("\ufeff \t\r\n")
    if start[:100].lower().startswith(("<!doctype html", "<html")):
        raise UnknownFormat(
            f"“{name}” is a web page. Download the paper's PDF or XML from that page and upload it instead."
        )
    if _XML_START.match(start):
        return _read_xml(data, text, name, keep_hidden=keep_hidden)
    if start.startswith(("{", "[")) and _is_json(start):
        if '"passages"' not in start:
            raise UnknownFormat(
                f"“{name}” is JSON, but not a paper in BioC. {_WANTED} Benchmark files open on the evidence page."
            )
        from core.paper.bioc import read_bioc_json  # noqa: PLC0415

        return read_bioc_json(start, name=name), Format.BIOC_JSON
    shown, hidden = (text, []) if keep_hidden else without_hidden_html(text)
    if _HEADING.search(shown):
        from core.paper.markdown import read_markdown  # noqa: PLC0415

        draft, file_format = read_markdown(shown), Format.MARKDOWN
    else:
        draft, file_format = read_text(shown), Format.TEXT
    draft.set_aside += hidden
    return draft, file_format


def _is_json(start: str) -> bool:
    """Whether text that begins with a bracket is JSON, cut off or not; prose may begin with one too."""
    return _JSON_START.match(start) is not None


def _read_xml(data: bytes, text: str, name: str, *, keep_hidden: bool) -> tuple[Draft, Format]:
    try:
        root = parse_xml(data, name=name)
    except DamagedFile:
        # The declaration may name the wrong encoding; the text itself is known to be readable.
        root = parse_xml(_XML_DECLARATION.sub("", text.lstrip("\ufeff"), count=1).encode(), name=name)
    hidden = [] if keep_hidden else take_hidden(root)
    tag = local_name(root)
    paper = root if tag in _XML_READERS else next(descendants(root, "article", "TEI"), None)  # as OAI services wrap it
    if paper is None:
        raise UnknownFormat(
            f"“{name}” is XML, but not a paper in JATS, TEI or BioC (its root is <{tag[:40]}>). {_WANTED}"
        )
    file_format, read = _XML_READERS[local_name(paper)]
    draft = read(paper)
    draft.set_aside += hidden
    if file_format is not Format.BIOC_XML:  # which tells by itself, passage by passage
        left_out, warnings = unread(paper, [*draft.blocks, *draft.about])
        draft.left_out += left_out
        draft.warnings += warnings
    return draft, file_format
