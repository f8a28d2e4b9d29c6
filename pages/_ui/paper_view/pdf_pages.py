"""The pages of a PDF, as the plain data that the desk's scripts expect."""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, ValidationError

from core.errors import VouchError
from core.paper import Paper
from core.paper.pdf.pictures import page_picture
from core.paper.pdf.sentence_boxes import sentence_boxes


class Asked(BaseModel):
    """What the browser lacks (see asking.js)."""

    model_config = ConfigDict(frozen=True, strict=True)

    number: NonNegativeInt  # of the question
    paper: bool = False
    boxes: list[PositiveInt] = Field([], max_length=20)  # pages whose boxes are wanted
    pictures: list[PositiveInt] = Field([], max_length=4)  # pages whose pictures are wanted
    width: int = Field(1, ge=1, le=2400)  # of the pictures, in pixels


def asked_from(sent: object) -> Asked | None:
    """The question in what the browser sent, or None if it is not one."""
    try:
        return Asked.model_validate(sent)
    except ValidationError:
        return None


def picture_source(data: bytes, page: int, *, width: int) -> str | None:
    """A page's picture as the source of an image; None for a page that cannot be drawn."""
    try:
        picture = page_picture(data, page, width=width)
    except VouchError:
        return None
    kind = "png" if picture.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{b64encode(picture).decode('ascii')}"


def page_boxes(data: bytes, paper: Paper, pages: Iterable[int]) -> list[tuple[int, list[tuple[float, ...]]]]:
    """Each page with the boxes on it, as (sentence, left, top, width, height)."""
    rows: dict[int, list[tuple[float, ...]]] = {page: [] for page in pages}
    for index, boxes in sentence_boxes(data, paper, _sentences_on(paper, rows.keys())).items():
        for box in boxes:
            if box.page in rows:
                place = (round(share, 4) for share in (box.left, box.top, box.width, box.height))
                rows[box.page].append((index, *place))
    return list(rows.items())


def _sentences_on(paper: Paper, pages: Container[int]) -> Iterator[int]:
    """The sentences that have a printed line on one of the pages; some more than once."""
    starts = [sentence.start for sentence in paper.sentences]
    for line in paper.lines:
        if line.page in pages:
            yield from range(max(0, bisect_right(starts, line.start) - 1), bisect_left(starts, line.end))
