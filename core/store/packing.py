"""A paper as it was read, in few bytes: nobody has to read its file again."""

from __future__ import annotations

import zlib

from pydantic import TypeAdapter

from core.paper import Paper

_PAPER = TypeAdapter(Paper)


def packed(paper: Paper) -> bytes:
    """The paper as packed JSON."""
    return zlib.compress(_PAPER.dump_json(paper), level=6)


def unpacked(body: bytes) -> Paper:
    """The paper that was packed."""
    return _PAPER.validate_json(zlib.decompress(body))
