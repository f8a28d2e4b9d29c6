"""Typeset `sleep-app.source.md` as the two-column `sample_data/sleep-app.pdf`.

Run it after a change to the text: `python sample_data/build/pdf.py`. The same text gives the same bytes.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from reportlab.graphics.shapes import Drawing, Line, PolyLine
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    KeepTogether,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Table,
)

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "sample_data" / "build" / "sleep-app.source.md"
TARGET = ROOT / "sample_data" / "sleep-app.pdf"

MARGIN, GUTTER, HEAD = 18 * mm, 7 * mm, 30 * mm
WIDTH, HEIGHT = A4
COLUMN = (WIDTH - 2 * MARGIN - GUTTER) / 2

BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=10.5, leading=13, alignment=TA_JUSTIFY, firstLineIndent=9
)
FRONT = ParagraphStyle("front", BODY, fontSize=9, firstLineIndent=0, spaceAfter=2)
CAPTION = ParagraphStyle("caption", BODY, fontSize=8, leading=9.5, firstLineIndent=0, spaceBefore=6, spaceAfter=3)
TABLE_CAPTION = ParagraphStyle("table-caption", CAPTION, keepWithNext=1)
CELL = ParagraphStyle("cell", CAPTION, spaceBefore=0, spaceAfter=0, alignment=0)
HEADINGS = {
    1: ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=15, leading=18, spaceAfter=5),
    2: ParagraphStyle(
        "h2", fontName="Helvetica-Bold", fontSize=11, leading=13, spaceBefore=9, spaceAfter=3, keepWithNext=1
    ),
    3: ParagraphStyle(
        "h3", fontName="Helvetica-Oblique", fontSize=9.5, leading=12, spaceBefore=5, spaceAfter=2, keepWithNext=1
    ),
}


def main() -> None:
    """Write the PDF."""
    document = BaseDocTemplate(
        str(TARGET),
        pagesize=A4,
        title="A smartphone app for insomnia in shift-working nurses (an invented sample paper)",
        author="Vouch Sample Papers",
        subject="An invented sample paper, written for Vouch. No such study took place.",
        invariant=1,
    )
    top = HEIGHT - MARGIN - HEAD
    document.addPageTemplates(
        [
            PageTemplate("first", [_frame(MARGIN, top, 2 * COLUMN + GUTTER, HEAD), *_columns(top)], onPage=_furniture),
            PageTemplate("later", _columns(HEIGHT - MARGIN), onPage=_furniture),
        ]
    )
    document.build(_story(SOURCE.read_text(encoding="utf-8")))


def _frame(x: float, y: float, width: float, height: float) -> Frame:
    return Frame(x, y, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)


def _columns(top: float) -> list[Frame]:
    return [_frame(x, MARGIN, COLUMN, top - MARGIN) for x in (MARGIN, MARGIN + COLUMN + GUTTER)]


def _furniture(canvas: Canvas, document: BaseDocTemplate) -> None:
    canvas.setFont("Helvetica", 7.5)
    canvas.drawString(MARGIN, HEIGHT - 12 * mm, "Vouch Sample Papers 2026 - an invented paper")
    canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 12 * mm, "Placeholder and Template")
    canvas.drawCentredString(WIDTH / 2, 10 * mm, f"Page {document.page}")


def _story(source: str) -> list[Flowable]:
    """Blocks set apart by blank lines; the front matter spans both columns, which begin with the abstract."""
    story: list[Flowable] = [NextPageTemplate("later")]
    front = True
    for block in re.split(r"\n\s*\n", source.strip()):
        heading = re.match(r"(#+) (.*)", block)
        if heading and len(heading[1]) == 2 and front:
            story.append(FrameBreak())
            front = False
        if heading:
            story.append(Paragraph(escape(heading[2]), HEADINGS[len(heading[1])]))
        elif block.startswith("|"):
            story.append(_table(block))
        elif front:
            story.append(Paragraph(_inline(block), FRONT))
        elif block.startswith("Table 1."):
            story.append(Paragraph(_inline(block), TABLE_CAPTION))
        elif block.startswith("Figure 1."):
            story.append(KeepTogether([_figure(), Paragraph(_inline(block), CAPTION)]))
        else:
            story += [Paragraph(_inline(line), BODY) for line in _lines(block)]
    return story


def _figure() -> Drawing:
    """The mean scores of section 3.2 as two lines. The caption says what they are: a figure's text is not the paper's."""
    drawing = Drawing(COLUMN, 32 * mm)
    base, weeks, scale = 4 * mm, (0, 8, 26), 2.4 * mm
    drawing.add(Line(base, base, COLUMN - base, base, strokeWidth=0.6))
    drawing.add(Line(base, base, base, 30 * mm, strokeWidth=0.6))
    for scores, dash in (((16.2, 10.1, 12.0), None), ((16.0, 13.2, 13.3), [3, 2])):
        points = [
            coordinate
            for week, score in zip(weeks, scores, strict=True)
            for coordinate in (base + week / 26 * (COLUMN - 4 * base), base + (score - 8) * scale)
        ]
        drawing.add(PolyLine(points, strokeWidth=1.2, strokeDashArray=dash))
    return drawing


def _lines(block: str) -> list[str]:
    return block.split("\n") if re.match(r"1\. ", block) else [block]


def _inline(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))


def _table(block: str) -> Table:
    rows = [line.strip("| ").split("|") for line in block.split("\n") if not re.fullmatch(r"[|:-]+", line)]
    cells = [[Paragraph(escape(cell.strip()), CELL) for cell in row] for row in rows]
    rules = [("LINEABOVE", (0, row), (-1, row), 0.5, colors.black) for row in (0, 1)]
    rules.append(("LINEBELOW", (0, -1), (-1, -1), 0.5, colors.black))
    rules += [("LEFTPADDING", (0, 0), (-1, -1), 2), ("RIGHTPADDING", (0, 0), (-1, -1), 2)]
    return Table(cells, colWidths=[COLUMN * share for share in (0.4, 0.25, 0.35)], style=rules, spaceAfter=14)


if __name__ == "__main__":
    main()
