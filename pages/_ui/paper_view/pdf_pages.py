"""The pages of a PDF, as the plain data that the desk's scripts expect."""

from __future__ import annotations

from base64 import b64encode

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
    boxes: bool = False
    width: int = Field(1, ge=1, le=2400)  # of the pictures, in pixels
    pages: list[PositiveInt] = Field([], max_length=4)  # those whose pictures are wanted


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


def box_rows(data: bytes, paper: Paper) -> list[tuple[float, ...]]:
    """The boxes of all sentences as (sentence, page, left, top, width, height)."""
    found = sentence_boxes(data, paper, range(len(paper.sentences)))
    return [
        (index, box.page, *(round(share, 4) for share in (box.left, box.top, box.width, box.height)))
        for index, boxes in found.items()
        for box in boxes
    ]
