"""Characters that take no room on the screen, and can carry a message past every reader."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_NO_WIDTH = "\u200b-\u200f\u2060-\u2064\u206a-\u206f\u034f\u061c\u180e\ufeff\u115f\u1160\u3164\uffa0"
_DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
# A stretch whose letters an override shows in another order than they are written in.
_OVERRIDDEN = re.compile("[\u202d\u202e]([^\u202a-\u202e\n]{1,2000})\u202c?")
_UNSEEN = re.compile(f"[{_TAGS}]+|[{_SELECTORS}]+|[{_NO_WIDTH}{_DIRECTIONS}]+")
_ANY = re.compile(f"[{_TAGS}{_SELECTORS}{_NO_WIDTH}{_DIRECTIONS}]")  # all of them; most texts have none
_JOINERS = re.compile("[\u200c\u200d]")
_NEEDS_JOINERS = re.compile("[\u0590-\u0dff\U0001f000-\U0001faff\u2190-\u2bff\ufe0f]")
_MESSAGE = 8  # so many characters that do not show, in a row, are no accident of typesetting


@dataclass(frozen=True, slots=True)
class InvisibleSpan:
    """A stretch of text that does not show; `text` is the message it carries, or empty if it carries none."""

    start: int
    end: int
    text: str = ""


def invisible_spans(text: str) -> list[InvisibleSpan]:
    """Where characters stand that do not show, or show in another order.

    Joiners stay where a script, or a picture letter, needs them.
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
    """What a run of characters says that do not show: tags are letters, selectors are bytes."""
    if run[0] >= "\U000e0000" and run[0] <= "\U000e007f":
        return "".join(chr(ord(c) - 0xE0000) for c in run).strip("\0\x01\x7f ") if len(run) > 1 else ""
    if len(run) < _MESSAGE:
        return ""
    if re.fullmatch(f"[{_SELECTORS}]+", run):
        data = bytes(ord(c) - 0xFE00 if c < "\ufe10" else ord(c) - 0xE0100 + 16 for c in run)
        return data.decode("utf-8", "replace")
    return f"({len(run)} characters without width)"


def _joined(spans: list[InvisibleSpan]) -> list[InvisibleSpan]:
    """Spans that touch as one."""
    joined: list[InvisibleSpan] = []
    for span in spans:
        if joined and span.start <= joined[-1].end:
            last = joined[-1]
            text = " ".join(filter(None, (last.text, span.text)))
            joined[-1] = InvisibleSpan(last.start, max(last.end, span.end), text)
        else:
            joined.append(span)
    return joined
