"""What of an XML file became no part of the paper, element by element: references, notes, addresses and the like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.paper.draft import Block
from core.paper.model import Account, Kind, LeftOut, PaperWarning
from core.paper.sections import is_left_out
from core.paper.symbols import restore_symbols
from core.paper.tables import CELL_SEPARATOR
from core.paper.xml import Element, all_text, children, first_child, local_name, spaced_text, squeeze

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
_WHOLE = frozenset({Account.REFERENCES, Account.STATEMENT, Account.FRONT})  # told in one piece, if none of it is read
_MOST = 0.005  # of the words of a file that may be in no account without a word about it
_UNPLACED = "{} words of the file are in no part of the paper that could be told, and were left out: “{}”."
_TELLING = 12  # letters and digits, of which no paper has the same twice by chance
_LABEL = 20  # characters at the start of a caption that its label is among
_SHOWN = 80  # characters of such a text


def unread(root: Element, blocks: Sequence[Block]) -> tuple[list[LeftOut], list[PaperWarning]]:
    """What the file says and no block does, and a warning where much of it has no name."""
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
    """The letters and digits that were read, in one piece, and those of headings, cells and the like by themselves."""

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
        """Whether they were read; a few letters are found anywhere, and tell nothing unless what is around was read."""
        return letters in self.pieces or ((in_prose or len(letters) >= _TELLING) and letters in self.text)


def _unread(element: Element, read: _Read, account: Account, *, in_prose: bool) -> Iterator[LeftOut]:
    """The texts below an element that were not read; each is of the account of the element around it that has one."""
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
