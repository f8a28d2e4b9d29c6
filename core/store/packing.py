"""A paper as it was read, in few bytes: nobody has to read its file again."""

from __future__ import annotations

import zlib

from pydantic import TypeAdapter, ValidationError

from core.paper import Paper

_PAPER = TypeAdapter(Paper)
_MOST = 500_000_000  # bytes that are unpacked: more is no paper


def packed(paper: Paper) -> bytes:
    """The paper as packed JSON."""
    return zlib.compress(_PAPER.dump_json(paper), level=6)


def unpacked(body: bytes) -> Paper | None:
    """The paper that was packed; None if this is none: it is damaged, or would unpack to more than a paper holds."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(body, _MOST)
        return None if unpacking.unconsumed_tail else _PAPER.validate_json(text)
    except (zlib.error, ValidationError):
        return None
