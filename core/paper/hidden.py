"""What is set aside in every format: text that readers cannot see, and prompt injection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from core.errors import NoText
from core.paper.draft import Block, PaperDraft
from core.paper.model import Kind, PaperWarning, Reason, SetAside
from core.paper.prompt_injection import flag_injections_in
from core.paper.sentences import split_sentences
from core.paper.xml import Element, all_text, local_name

# ---- Characters that do not show and can carry a hidden message ----

_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_NO_WIDTH = "\u200b-\u200f\u2060-\u2064\u206a-\u206f\u034f\u061c\u180e\ufeff\u115f\u1160\u3164\uffa0"
_DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
# Letters that an override character shows in another order than the stored one.
_OVERRIDDEN = re.compile("[\u202d\u202e]([^\u202a-\u202e\n]{1,2000})\u202c?")
_UNSEEN = re.compile(f"[{_TAGS}]+|[{_SELECTORS}]+|[{_NO_WIDTH}{_DIRECTIONS}]+")
_ANY = re.compile(f"[{_TAGS}{_SELECTORS}{_NO_WIDTH}{_DIRECTIONS}]")  # a quick test: most texts have none
_JOINERS = re.compile("[\u200c\u200d]")
_NEEDS_JOINERS = re.compile("[\u0590-\u0dff\U0001f000-\U0001faff\u2190-\u2bff\ufe0f]")
_MESSAGE = 8  # invisible characters in a row: fewer can be an accident of typesetting


@dataclass(frozen=True, slots=True)
class InvisibleSpan:
    """A span of invisible text; `text` is the message that it carries, or empty."""

    start: int
    end: int
    text: str = ""


def invisible_spans(text: str) -> list[InvisibleSpan]:
    """The spans of characters that do not show, or show in another order.

    Joiners are kept where a script or an emoji needs them.
    """
    if text.isascii() or not _ANY.search(text):
        return []
    spans = [
        InvisibleSpan(m.start(), m.end(), " ".join(_UNSEEN.sub("", m[1]).split())) for m in _OVERRIDDEN.finditer(text)
    ]
    overridden = {at for span in spans for at in range(span.start, span.end)}
    for match in _UNSEEN.finditer(text):
        if match.start() in overridden:
            continue
        around = text[max(match.start() - 1, 0) : match.start()] + text[match.end() : match.end() + 1]
        if len(match[0]) == 1 and _NEEDS_JOINERS.search(around) and (_JOINERS.match(match[0]) or match[0] == "\ufe0f"):
            continue
        if match[0] == "\ufe0e" or match[0] == "\ufe0f":
            continue
        spans.append(InvisibleSpan(match.start(), match.end(), _message(match[0])))
    return _joined(sorted(spans, key=lambda span: span.start))


def _message(run: str) -> str:
    """The message in a run of invisible characters: tags encode letters, selectors encode bytes."""
    if run[0] >= "\U000e0000" and run[0] <= "\U000e007f":
        return "".join(chr(ord(c) - 0xE0000) for c in run).strip("\0\x01\x7f ") if len(run) > 1 else ""
    if len(run) < _MESSAGE:
        return ""
    if re.fullmatch(f"[{_SELECTORS}]+", run):
        data = bytes(ord(c) - 0xFE00 if c < "\ufe10" else ord(c) - 0xE0100 + 16 for c in run)
        return data.decode("utf-8", "replace")
    return f"({len(run)} characters without width)"


def _joined(spans: list[InvisibleSpan]) -> list[InvisibleSpan]:
    """Join spans that touch."""
    joined: list[InvisibleSpan] = []
    for span in spans:
        if joined and span.start <= joined[-1].end:
            last = joined[-1]
            text = " ".join(filter(None, (last.text, span.text)))
            joined[-1] = InvisibleSpan(last.start, max(last.end, span.end), text)
        else:
            joined.append(span)
    return joined


# ---- Markup that hides text: not displayed, white on white, without size, off the page ----

_KEYWORD_ATTRIBUTES = frozenset("style style-type content-type specific-use rend rendition class".split())
_KEYWORDS = frozenset(
    "hidden hide invisible visually-hidden visuallyhidden sr-only screen-reader-only display-none nodisplay no-display "
    "offscreen off-screen".split()
)
_HIDDEN_ELEMENTS = frozenset({"mphantom"})  # MathML: takes up the room of its content but shows nothing
_WHITE = (255, 255, 255)
_NAMED_COLOURS = {"white": _WHITE, "snow": (255, 250, 250), "ivory": (255, 255, 240), "black": (0, 0, 0)}
_OTHER_COLOUR = (-1, -1, -1)  # an impossible colour, far from all others
_NEAR = 24  # of 255: colours that differ by no more than this in each part are nearly the same
_NUMBER = re.compile(r"-?\d*\.?\d+")
_FAR = -300.0  # in any unit: so far outside that nothing is left on the page

_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]{0,30})((?:\s[^<>]{0,2000})?)(/?)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_BLANK_LINE = re.compile(r"\n[ \t]*\n")

Colour = tuple[int, int, int]


def take_hidden(root: Element) -> list[SetAside]:
    """Remove the elements below `root` that are marked as hidden, but keep the text that follows them."""
    found: list[SetAside] = []
    hidden: list[tuple[Element, Reason]] = []
    _look(root, _WHITE, hidden)
    for element, reason in hidden:
        found += _listed(all_text(element), reason)
        _remove(element)
    return found


def without_hidden_html(text: str) -> tuple[str, list[SetAside]]:
    """Remove comments, and elements marked as hidden, from a text that may hold HTML."""
    spans = sorted([*_comments(text), *_hidden_elements(text)])
    pieces: list[str] = []
    found: list[SetAside] = []
    end = 0
    for start, stop, inner, reason in spans:
        if start >= end:
            pieces.append(text[end:start])
            found += _listed(" ".join(_TAG.sub(" ", inner).split()), reason)
            end = stop
    return "".join([*pieces, text[end:]]), found


def _listed(text: str, reason: Reason) -> list[SetAside]:
    """The text, if it may be a message and not just a word or two that a program left ("image", "page 3")."""
    return [SetAside(text, reason)] if len(text.split()) > 2 or len(text) > 40 else []


def _look(element: Element, background: Colour, hidden: list[tuple[Element, Reason]]) -> None:
    stack = [(element, background)]
    while stack:
        current, behind = stack.pop()
        attributes = {str(name).rpartition("}")[2]: str(value) for name, value in current.attrib.items()}
        reason, behind = _judged(attributes, behind)
        if reason is None and local_name(current) in _HIDDEN_ELEMENTS:
            reason = Reason.INVISIBLE
        if reason is not None and current is not element:
            hidden.append((current, reason))
        else:
            stack += [(child, behind) for child in current]


def _remove(element: Element) -> None:
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _judged(attributes: Mapping[str, str], background: Colour) -> tuple[Reason | None, Colour]:
    """Why an element with such attributes does not show (None if it does), and the colour behind it."""
    if not attributes:
        return None, background
    style = _declarations(attributes.get("style", ""))
    own = _colour(style.get("background-color") or style.get("background") or attributes.get("bgcolor"))
    background = own or background
    keywords = {
        word.lower()
        for name in _KEYWORD_ATTRIBUTES
        for word in attributes.get(name, "").split()
        if ":" not in attributes[name]
    }
    if "hidden" in attributes or keywords & _KEYWORDS or _does_not_show(style):
        return Reason.INVISIBLE, background
    if _has_no_size(style) or attributes.get("size") == "0" or attributes.get("mathsize", "").startswith("0"):
        return Reason.TINY, background
    if _is_off_page(style):
        return Reason.OFF_PAGE, background
    letters = style.get("color") or attributes.get("color") or attributes.get("mathcolor")
    if letters is None and "white" in keywords:
        letters = "white"
    colour = _colour(letters)
    if letters == "transparent" or (colour and _near(colour, background)):
        return Reason.SAME_COLOUR, background
    return None, background


def _declarations(style: str) -> dict[str, str]:
    pairs = (declaration.partition(":") for declaration in style.lower().replace("!important", "").split(";"))
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def _does_not_show(style: Mapping[str, str]) -> bool:
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or ("opacity" in style and _number(style["opacity"], 1) < (5 if style["opacity"].endswith("%") else 0.05))
        or style.get("content-visibility") == "hidden"
        or bool(
            re.search(
                r"inset\((?:50|100)%|circle\(0|rect\((?:0|1)(?:px)?[ ,]+(?:0|1)",
                style.get("clip-path", "") + style.get("clip", ""),
            )
        )
    )


def _has_no_size(style: Mapping[str, str]) -> bool:
    cut = style.get("overflow", "").startswith(("hidden", "clip"))
    sides = [style.get(name) for name in ("width", "height", "max-width", "max-height")]
    return (
        ("font-size" in style and _number(style["font-size"], 10) <= (0.1 if "em" in style["font-size"] else 1))
        or (cut and any(side is not None and _number(side, 10) <= 1 for side in sides))
        or "scale(0" in style.get("transform", "")
    )


def _is_off_page(style: Mapping[str, str]) -> bool:
    placed = style.get("position") in {"absolute", "fixed"}
    names = ("text-indent", "margin-left", "margin-top", *(("left", "top", "right", "bottom") if placed else ()))
    return any(_number(style[name], 0) <= _FAR for name in names if name in style)


def _number(value: str, otherwise: float) -> float:
    found = _NUMBER.match(value)
    return float(found[0]) if found else otherwise


def _colour(value: str | None) -> Colour | None:
    """A colour of CSS as red, green and blue from 0 to 255; None if there is none."""
    value = (value or "").strip().lower()
    if not value or value in {"none", "inherit", "initial", "transparent", "currentcolor", "auto"}:
        return None
    if match := re.match(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", value):
        digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := re.match(r"rgba?\(([^)]{1,60})\)", value):
        parts = [_number(p, 0) * (2.55 if p.endswith("%") else 1) for p in re.split(r"[\s,/]+", match[1].strip())[:3]]
        return (int(parts[0]), int(parts[1]), int(parts[2])) if len(parts) == 3 else _OTHER_COLOUR
    return _NAMED_COLOURS.get(value.split()[0], _OTHER_COLOUR)


def _near(one: Colour, other: Colour) -> bool:
    return min(one) >= 0 and min(other) >= 0 and max(abs(a - b) for a, b in zip(one, other, strict=True)) <= _NEAR


def _comments(text: str) -> Iterator[tuple[int, int, str, Reason]]:
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        yield start, end + 3, text[start + 4 : end], Reason.INVISIBLE
        start = text.find("<!--", end)


def _hidden_elements(text: str) -> Iterator[tuple[int, int, str, Reason]]:
    """The outermost elements marked as hidden; one that is never closed ends with its paragraph."""
    open_tags: list[tuple[str, Colour]] = []
    hiding: tuple[re.Match[str], Reason] | None = None
    depth = 0
    for tag in _TAG.finditer(text):
        closing, name = bool(tag[1]), tag[2].lower()
        if hiding is not None:
            if name == hiding[0][2].lower() and not tag[4]:
                depth += -1 if closing else 1
                if depth == 0:
                    yield hiding[0].start(), tag.end(), text[hiding[0].end() : tag.start()], hiding[1]
                    hiding = None
            continue
        if closing:
            if open_tags and any(other == name for other, _ in open_tags):
                while open_tags.pop()[0] != name:
                    pass
            continue
        attributes = {match[1].lower(): (match[2] or "").strip("\"'") for match in _ATTRIBUTE.finditer(tag[3])}
        reason, background = _judged(attributes, open_tags[-1][1] if open_tags else _WHITE)
        if name in _VOID or tag[4]:
            continue
        if reason is not None:
            hiding, depth = (tag, reason), 1
        elif attributes:
            open_tags.append((name, background))
    if hiding is not None:
        blank = _BLANK_LINE.search(text, hiding[0].end())
        end = blank.start() if blank else len(text)
        yield hiding[0].start(), end, text[hiding[0].end() : end], hiding[1]


# ---- Setting it aside, in every format ----

Span = tuple[int, int]  # where something begins and ends in a text

# Kinds that are one sentence, however many full stops they have.
_WHOLE = frozenset({Kind.TITLE, Kind.HEADING, Kind.TABLE})


def set_hidden_text_aside(draft: PaperDraft) -> list[tuple[Block, list[Span]]]:
    """The draft's blocks and the spans of their sentences, without hidden text and prompt injection.

    The text that is taken out is listed in the draft's `set_aside`.
    """
    shown = [_without_invisible(block) for block in draft.blocks]
    spans = [sentence_spans(block, block.text) for block, _ in shown]
    texts = [
        block.sentences or [block.text[a:b] for a, b in where] for (block, _), where in zip(shown, spans, strict=True)
    ]
    *flags, of_title = flag_injections_in([*texts, [draft.title or ""]])
    if any(of_title):
        draft.title = None
    result: list[tuple[Block, list[Span]]] = []
    for (block, hidden), where, flagged in zip(shown, spans, flags, strict=True):
        draft.set_aside += hidden
        if not any(flagged):
            result.append((block, where))
        elif kept := _without_flagged(block, where, flagged, draft.set_aside):
            result.append((kept, sentence_spans(kept, kept.text)))
    return result


def sentence_spans(block: Block, text: str) -> list[Span]:
    """Where the sentences of a block begin and end in its text."""
    if block.sentences:
        spans, start = [], 0
        for sentence in block.sentences:
            spans.append((start, start + len(sentence)))
            start += len(sentence) + 1
        return spans
    if block.kind in _WHOLE:
        return [(0, len(text))]
    return split_sentences(text)


def warnings_of(set_aside: Iterable[SetAside]) -> Iterator[PaperWarning]:
    """One warning for each page and reason."""
    order = list(Reason)
    listed = sorted(set_aside, key=lambda item: (item.page or 0, order.index(item.reason)))
    for (page, reason), group in groupby(listed, key=lambda item: (item.page, item.reason)):
        count = sum(1 for _ in group)
        where = f" on page {page}" if page else ""
        if reason is Reason.ADDRESSED:
            what = f"{count} sentences{where} speak" if count > 1 else f"A sentence{where} speaks"
            message = f"{what} to a language model, not to a reader, and was set aside."
            kind = "addressed-to-machine"
        else:
            what = f"{count} texts{where} were set aside: each" if count > 1 else f"A text{where} was set aside: it"
            message, kind = f"{what} {reason.in_words}.", "hidden-text"
        yield PaperWarning(kind, message.replace("reader, and was", "reader, and were") if count > 1 else message, page)


def only_hidden_text(name: str) -> NoText:
    """The error for a file with nothing that readers can see."""
    return NoText(
        f"“{name}” holds only text that readers cannot see, or that is not meant for them. Check where it comes from; "
        "the command line reads such text with --keep-set-aside."
    )


def _without_invisible(block: Block) -> tuple[Block, list[SetAside]]:
    """The block without invisible characters, and what they say. Sentences split by the file itself are not changed."""
    hidden = [] if block.sentences else invisible_spans(block.text)
    if not hidden:
        return block, []
    said = [SetAside(item.text, Reason.CHARACTERS, block.page) for item in hidden if item.text]
    return block.without([(item.start, item.end) for item in hidden]), said


def _without_flagged(block: Block, spans: list[Span], flags: list[bool], set_aside: list[SetAside]) -> Block | None:
    """The block without the flagged sentences; None if nothing is left.

    Sentences that the file itself splits become empty instead, so that the others keep their number.
    """
    if block.sentences:
        set_aside += [SetAside(s, Reason.ADDRESSED) for s, flag in zip(block.sentences, flags, strict=True) if flag]
        kept = tuple("" if flag else s for s, flag in zip(block.sentences, flags, strict=True))
        return replace(block, sentences=kept)
    set_aside += [
        SetAside(block.text[start:end], Reason.ADDRESSED, block.page_at(start))
        for (start, end), flag in zip(spans, flags, strict=True)
        if flag
    ]
    return None if all(flags) else block.without(list(_runs(spans, flags, len(block.text))))


def _runs(spans: list[Span], flags: list[bool], length: int) -> Iterator[tuple[int, int]]:
    """The spans of runs of flagged sentences, with the white space that would be left over."""
    starts = [*(start for start, _ in spans), length]
    for flag, group in groupby(range(len(spans)), key=flags.__getitem__):
        indices = list(group)
        if flag:
            last = indices[-1] == len(spans) - 1
            start = spans[indices[0] - 1][1] if last and indices[0] else starts[indices[0]]
            yield start, starts[indices[-1] + 1]
