"""Turn the bytes of a file into a `Paper`: decode, choose the reader, list what it left out, assemble."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from charset_normalizer import from_bytes

from core.errors import DamagedFile, NoText, UnknownFormat
from core.paper.draft import CELL_SEPARATOR, Block, PaperDraft
from core.paper.hidden import (
    Span,
    only_hidden_text,
    sentence_spans,
    set_hidden_text_aside,
    take_hidden,
    warnings_of,
    without_hidden_html,
)
from core.paper.jats import read_jats
from core.paper.metadata import own_registrations
from core.paper.model import (
    Account,
    Format,
    Kind,
    LeftOut,
    Paper,
    PaperWarning,
    PrintedLine,
    Section,
    SectionKind,
    Sentence,
)
from core.paper.sections import is_left_out, kind_of_title
from core.paper.symbols import restore_symbols
from core.paper.tei import read_tei
from core.paper.xml import (
    Element,
    all_text,
    children,
    descendants,
    first_child,
    local_name,
    parse_xml,
    spaced_text,
    squeeze,
)
from core.progress import Progress, silent

# ---- From bytes to text, in whatever encoding ----

_READABLE = "Upload the paper as PDF, JATS or TEI XML, BioC, Markdown or text."
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes, *, name: str) -> tuple[str, str | None]:
    """The text, and the encoding that had to be guessed (None for UTF-8 or a marked encoding).

    Raises `UnknownFormat` if the bytes are not text in any encoding.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), None
            except UnicodeDecodeError:
                break
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        guess = None if _looks_binary(data) else _guess(data)
        if guess is None:
            raise UnknownFormat(f"“{name}” is not text that Vouch can read. {_READABLE}") from None
        return data.decode(guess, errors="replace"), guess
    if _looks_binary(data):
        raise UnknownFormat(f"“{name}” holds binary data, not a paper. {_READABLE}")
    return text, None


def _guess(data: bytes) -> str | None:
    """Guess the encoding: Windows-1252 if the text is mostly ASCII, else what a detector says."""
    sample = data[:200_000]
    if sum(byte > 127 for byte in sample) < len(sample) // 5:
        return "cp1252"
    best = from_bytes(sample).best()
    return best.encoding if best is not None else None


def _looks_binary(data: bytes) -> bool:
    head = data[:65_536]
    control = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return 0 in head or control > max(8, len(head) // 100)


# ---- What an XML reader left out: references, notes, addresses and the like ----

_ACCOUNTS = {
    **dict.fromkeys(("front", "front-stub", "teiHeader", "permissions", "object-id", "sec-meta"), Account.FRONT),
    **dict.fromkeys(("ref-list", "listBibl"), Account.REFERENCES),
    **dict.fromkeys(("fn", "fn-group", "note", "table-wrap-foot"), Account.FOOTNOTE),
    **dict.fromkeys(
        ("fig", "fig-group", "figure", "graphic", "inline-graphic", "alt-text", "long-desc"), Account.FIGURE
    ),
    **dict.fromkeys(
        ("tex-math", "alternatives", "disp-formula", "inline-formula", "math", "formula"), Account.EQUATION
    ),
    **dict.fromkeys(("back", "ack", "supplementary-material", "media", "response", "sub-article"), Account.STATEMENT),
    **dict.fromkeys(("label", "sub", "sup", "ref", "xref"), Account.NUMBER),
}
_WHOLE = frozenset({Account.REFERENCES, Account.STATEMENT, Account.FRONT})  # one item, if all of it is unread
_MOST = 0.005  # the share of a file's words that may be unplaced without a warning
_UNPLACED = "{} words of the file are in no part of the paper that could be told, and were left out: “{}”."
_TELLING = 12  # letters and digits: a text of this length does not occur twice by chance
_LABEL = 20  # characters at the start of a caption, where its label is
_SHOWN = 80  # characters of such a text


def unread_texts(root: Element, blocks: Sequence[Block]) -> tuple[list[LeftOut], list[PaperWarning]]:
    """The texts of the file that no block has, and a warning if too many of them are of no known kind."""
    found = list(_unread(root, _Read.of(blocks), Account.UNPLACED, in_prose=False))
    unplaced = [item.text for item in found if item.kind is Account.UNPLACED]
    count = sum(len(text.split()) for text in unplaced)
    if count <= _MOST * len(all_text(root).split()):
        return found, []
    shown = max(unplaced, key=len)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN].rstrip()} …"
    return found, [PaperWarning("unplaced", _UNPLACED.format(count, shown))]


@dataclass(frozen=True, slots=True)
class _Read:
    """The letters and digits that were read: all together, and those of each heading, cell and label."""

    text: str
    pieces: frozenset[str]

    @staticmethod
    def of(blocks: Sequence[Block]) -> _Read:
        texts = [" ".join(block.sentences) if block.sentences else block.text for block in blocks]
        pieces = {_letters(piece) for text in texts for piece in (text, *text.split(CELL_SEPARATOR))}
        labels = (
            _letters(text[:_LABEL]) for block, text in zip(blocks, texts, strict=True) if block.kind is Kind.CAPTION
        )
        pieces.update(label[:end] for label in labels for end in range(1, len(label) + 1))
        return _Read(_letters(" ".join(texts)), frozenset(pieces))

    def has(self, letters: str, *, in_prose: bool) -> bool:
        """Whether these letters were read. A few letters occur anywhere, and count only if the text around was read."""
        return letters in self.pieces or ((in_prose or len(letters) >= _TELLING) and letters in self.text)


def _unread(element: Element, read: _Read, account: Account, *, in_prose: bool) -> Iterator[LeftOut]:
    """The unread texts below an element, each with the account of the nearest element that has one."""
    account = _account_of(element) or account
    text = spaced_text(element)
    letters = _letters(text)
    if not letters or read.has(letters, in_prose=in_prose):
        return
    own = [
        (piece, said)
        for piece in (element.text, *(child.tail for child in element))
        if piece and (said := _letters(piece))
    ]
    in_prose |= any(read.has(said, in_prose=False) for _, said in own if len(said) >= _TELLING)
    pieces = [squeeze(piece) for piece, said in own if not read.has(said, in_prose=in_prose)]
    inside = [item for child in children(element) for item in _unread(child, read, account, in_prose=in_prose)]
    left = sum(len(_letters(text)) for text in (*pieces, *(item.text for item in inside)))
    if left == len(letters) and account in _WHOLE and all(item.kind is account for item in inside):
        yield LeftOut(account, text)
        return
    yield from (LeftOut(account, piece) for piece in pieces)
    yield from inside


def _account_of(element: Element) -> Account | None:
    name = local_name(element)
    if name in {"sec", "div", "app", "notes"}:
        title = first_child(element, "title" if name != "div" else "head")
        return Account.STATEMENT if title is not None and is_left_out(all_text(title)) else None
    if name == "ref" and element.get("target") is None:  # in JATS, an entry of the bibliography
        return None
    return _ACCOUNTS.get(name)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, restore_symbols(text).casefold()))


# ---- From a draft to a paper with exact offsets ----

_KEPT, _BACK = b"\0with what was set aside", b"\0with what was left out"
_BACK_TITLE = "Left out, and put back by a reviewer"


def assemble(
    draft: PaperDraft, *, data: bytes, name: str, format: Format, keep_set_aside: bool = False, put_back: bool = False
) -> Paper:
    """Join the blocks into `Paper.text` and split them into sentences.

    Hidden text and prompt injection are set aside first, unless `keep_set_aside`. With `put_back`, what was left out
    and may be read becomes a section after the paper's own.
    Raises `NoText` if no block holds any text.
    """
    writer = _Writer()
    back = list(_put_back(draft)) if put_back else []
    draft.blocks, draft.about = [*draft.blocks, *back, *draft.about], []
    if keep_set_aside:
        for block in draft.blocks:
            writer.add(block, sentence_spans(block, block.text))
    else:
        for block, spans in set_hidden_text_aside(draft):
            writer.add(block, spans)
    if not writer.sentences:
        if draft.set_aside:
            raise only_hidden_text(name)
        raise NoText(
            f"“{name}” holds no text that could be read. Check that it is the full paper, and try another copy."
        )
    sections = writer.finished_sections()
    return Paper(
        id=_identifier(data, keep_set_aside=keep_set_aside, put_back=put_back),
        name=name,
        format=format,
        title=draft.title and _encodable(draft.title),
        doi=draft.doi and _encodable(draft.doi),
        text="".join(writer.pieces),
        sections=sections,
        sentences=tuple(writer.sentences),
        sections_left_out=tuple(draft.sections_left_out),
        left_out=tuple(draft.left_out),
        warnings=(*draft.warnings, *warnings_of(draft.set_aside)),
        set_aside=tuple(draft.set_aside),
        authors=tuple(map(_encodable, draft.authors)),
        journal=draft.journal and _encodable(draft.journal),
        year=draft.year,
        registrations=own_registrations(sections, writer.sentences, draft.aside),
        lines=tuple(writer.lines),
        pmid=draft.pmid,
        references=draft.references,
    )


def _identifier(data: bytes, *, keep_set_aside: bool, put_back: bool) -> str:
    digest = hashlib.sha256(data)
    if keep_set_aside:
        digest.update(_KEPT)
    if put_back:
        digest.update(_BACK)
    return digest.hexdigest()


def _put_back(draft: PaperDraft) -> Iterator[Block]:
    """Move what may be read from `left_out` to a section of its own."""
    back = [item for item in draft.left_out if item.kind.may_be_read]
    draft.left_out = [item for item in draft.left_out if not item.kind.may_be_read]
    if back:
        yield Block(Kind.HEADING, _BACK_TITLE, 1, SectionKind.OTHER)
    for item in back:
        lines = (PrintedLine(0, len(item.text), item.page, 0, 0),) if item.page is not None else ()
        yield Block(Kind.BODY, item.text, lines=lines)


class _Writer:
    """Writes blocks one after another, and records their offsets."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.sentences: list[Sentence] = []
        self.lines: list[PrintedLine] = []
        self.sections: list[Section] = []
        self.in_title = False  # the open section is the paper's title
        self.headed = False  # a heading of the paper itself, not of an account of it, opened a section
        self.heading_path: list[tuple[int, SectionKind]] = []  # (level, kind) of the headings we are under

    def add(self, block: Block, spans: list[Span]) -> None:
        """Write a block; `spans` are its sentences."""
        text = _encodable(" ".join(block.sentences) if block.sentences else block.text)
        if not text.strip() and not block.sentences:  # sentences that the file gives keep their number, even blank ones
            return
        self._open_section_for(block)
        self._write("\n" if self._continues_table(block) else "\n\n" if self.pieces else "")
        base = self.length
        self._write(text)
        self.lines += [line.moved(base) for line in block.lines]
        for start, end in spans:
            self.sentences.append(
                Sentence(
                    index=len(self.sentences),
                    text=text[start:end],
                    start=base + start,
                    end=base + end,
                    kind=block.kind,
                    section=len(self.sections) - 1,
                    page=block.page_at(start),
                )
            )

    def finished_sections(self) -> tuple[Section, ...]:
        """The sections, each closed where the next one begins.

        Text before the first heading counts as an introduction only if headings follow.
        """
        if not self.headed:
            self.sections = [
                replace(s, title="Text", kind=SectionKind.OTHER) if s.kind is SectionKind.INTRODUCTION else s
                for s in self.sections
            ]
        firsts = [section.first for section in self.sections[1:]] + [len(self.sentences)]
        return tuple(
            Section(s.index, s.title, s.kind, s.level, s.first, next_first - 1)
            for s, next_first in zip(self.sections, firsts, strict=True)
        )

    def _write(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)

    def _continues_table(self, block: Block) -> bool:
        return block.kind is Kind.TABLE and bool(self.sentences) and self.sentences[-1].kind is Kind.TABLE

    def _open_section_for(self, block: Block) -> None:
        """Open a section for a heading, or for a block that does not fit the current section."""
        current = self.sections[-1] if self.sections else None
        if block.kind is Kind.TITLE:
            if current is None:
                self._open("Title", SectionKind.OTHER, level=1)
                self.in_title = True
        elif block.kind is Kind.HEADING and block.level > 0:
            self._open(block.text, self._kind_of_heading(block), block.level)
        elif block.kind is Kind.ABSTRACT or (block.kind is Kind.HEADING and block.section_kind is SectionKind.ABSTRACT):
            if current is None or current.kind is not SectionKind.ABSTRACT:
                self._open("Abstract", SectionKind.ABSTRACT, level=1)
        elif current is None or self.in_title or current.kind is SectionKind.ABSTRACT:
            # Papers often begin without a heading: that text is the introduction.
            self._open("Introduction", SectionKind.INTRODUCTION, level=1)

    def _kind_of_heading(self, block: Block) -> SectionKind:
        while self.heading_path and self.heading_path[-1][0] >= block.level:
            self.heading_path.pop()
        parent = self.heading_path[-1][1] if self.heading_path else SectionKind.OTHER
        kind = block.section_kind or (parent if parent is not SectionKind.OTHER else kind_of_title(block.text))
        self.heading_path.append((block.level, kind))
        self.headed |= kind is not SectionKind.ABOUT
        return kind

    def _open(self, title: str, kind: SectionKind, level: int) -> None:
        self.in_title = False
        self.sections.append(
            Section(len(self.sections), _encodable(title), kind, level, len(self.sentences), len(self.sentences))
        )


def _encodable(text: str) -> str:
    """The text without lone surrogates, which JSON can carry but no file or screen can show."""
    return text.encode("utf-8", "replace").decode()


# ---- Which reader ----

_WANTED = "Upload the paper as PDF, JATS or TEI XML, BioC, Markdown or plain text."
# A Markdown heading: with number signs, or underlined.
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+\S|^[^\s|-][^\n]{0,200}\n {0,3}(?:={3,}|-{3,})[ \t]*$", re.MULTILINE)
_XML_START = re.compile(r"<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w.-]*[\s:>/])")
_JSON_START = re.compile(r"\[?\s*\{\s*(?:\"(?:[^\"\\\n]|\\.){0,200}\"\s*:|\})")
_BLANK = b"\0 \t\r\n"
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# The first bytes of files that people upload by mistake.
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


def _read_bioc_xml(root: Element) -> PaperDraft:
    from core.paper.bioc import read_bioc_xml  # imported only when needed, as the format is rare  # noqa: PLC0415

    return read_bioc_xml(root)


_XML_READERS: dict[str, tuple[Format, Callable[[Element], PaperDraft]]] = {
    "article": (Format.JATS, read_jats),
    "pmc-articleset": (Format.JATS, read_jats),
    "TEI": (Format.TEI, read_tei),
    "teiCorpus": (Format.TEI, read_tei),
    "collection": (Format.BIOC_XML, _read_bioc_xml),
}


def read_paper(data: bytes, *, name: str, keep_set_aside: bool = False, put_back: bool = False) -> Paper:
    """Read a paper; the format is recognised by content, never by the file's name.

    Text that readers cannot see and prompt injection are set aside (`Paper.set_aside`); with `keep_set_aside` they are
    read as ordinary text. With `put_back`, what is left out (`Paper.left_out`) is in the candidate pool too, except
    references, running heads and numbers.
    Raises a `PaperError` that says in one sentence what is wrong with the file and what to do.
    """
    draft, file_format = _read_draft(data, name, keep_hidden=keep_set_aside)
    return assemble(draft, data=data, name=name, format=file_format, keep_set_aside=keep_set_aside, put_back=put_back)


def _read_draft(data: bytes, name: str, *, keep_hidden: bool) -> tuple[PaperDraft, Format]:
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


def _read_decoded(data: bytes, text: str, name: str, *, keep_hidden: bool) -> tuple[PaperDraft, Format]:
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
    from core.paper.plain import read_markdown, read_text  # noqa: PLC0415

    shown, hidden = (text, []) if keep_hidden else without_hidden_html(text)
    if _HEADING.search(shown):
        draft, file_format = read_markdown(shown), Format.MARKDOWN
    else:
        draft, file_format = read_text(shown), Format.TEXT
    draft.set_aside += hidden
    return draft, file_format


def _is_json(start: str) -> bool:
    """Whether text that begins with a bracket is JSON, even cut off, and not prose."""
    return _JSON_START.match(start) is not None


def _read_xml(data: bytes, text: str, name: str, *, keep_hidden: bool) -> tuple[PaperDraft, Format]:
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
    if file_format is not Format.BIOC_XML:  # its reader lists what it leaves out, passage by passage
        left_out, warnings = unread_texts(paper, [*draft.blocks, *draft.about])
        draft.left_out += left_out
        draft.warnings += warnings
    return draft, file_format


# ---- Scans ----


def read_scan(
    data: bytes, *, name: str, keep_set_aside: bool = False, progress: Progress = silent
) -> tuple[Paper, bytes]:
    """Recognise the text of a scan.

    Returns the paper, with a warning that names the pages, and the PDF with its new text layer. Raises `OcrFailed`,
    what `read_paper` raises, and whatever `progress` raises to stop the work.
    """
    from core.paper.pdf.ocr import recognise  # noqa: PLC0415

    recognised, pages = recognise(data, name=name, progress=progress)
    paper = read_paper(recognised, name=name, keep_set_aside=keep_set_aside)
    return replace(paper, warnings=(_warning(pages), *paper.warnings)), recognised


def _warning(pages: list[int]) -> PaperWarning:
    where = "page " + str(pages[0]) if len(pages) == 1 else f"pages {_ranges(pages)}"
    message = (
        f"The text of {where} was recognised by machine (OCR): letters, decimal points, minus signs and the order of "
        "lines may be wrong. Check what you quote against the page itself."
    )
    return PaperWarning("ocr", message, pages[0] if len(pages) == 1 else None)


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers in words: "1 to 3, 7".

    >>> _ranges([1, 2, 3, 7])
    '1 to 3, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
