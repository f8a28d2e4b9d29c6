"""From bytes to text when nobody says which encoding they are in."""

from __future__ import annotations

import codecs

from charset_normalizer import from_bytes

from core.errors import UnknownFormat

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

    Raises `UnknownFormat` if the bytes are no text in any encoding.
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
    """Mostly ASCII is English or another western language, as Windows wrote it; for the rest, ask a detector."""
    sample = data[:200_000]
    if sum(byte > 127 for byte in sample) < len(sample) // 5:
        return "cp1252"
    best = from_bytes(sample).best()
    return best.encoding if best is not None else None


def _looks_binary(data: bytes) -> bool:
    head = data[:65_536]
    control = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return 0 in head or control > max(8, len(head) // 100)
