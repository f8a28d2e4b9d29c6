"""The evidence table as a page: a row for each paper, a column for each hypothesis, to sort and to filter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from core.bias.model import Level
from core.evidence.model import PaperVerdict
from core.export.evidence_table.links import doi_link
from core.export.evidence_table.model import BLANK_MEANS, MEANING, TableRow
from core.export.html_page import render
from core.export.plots.palette import LEVELS
from core.findings.model import Effect, Passage
from core.screening.model import ScreeningVerdict

_FOLDER = Path(__file__).parent
SIGNS = {
    PaperVerdict.SUPPORTS: "✓",
    PaperVerdict.REFUTES: "✕",
    PaperVerdict.MIXED: "±",
    PaperVerdict.NOT_REPORTED: "∅",
    PaperVerdict.UNCLEAR: "?",
}


def as_html(rows: Sequence[TableRow], hypotheses: Sequence[str], *, date: datetime, name: str = "") -> str:
    """The page as HTML text, complete in itself; it says everything without its script. `name`: the review's."""
    levels = [level for level in Level if any(row.bias.level is level for row in rows)]
    engines = sorted({cell.finding.engine for row in rows for cell in row.cells.values() if cell.finding})
    return render(
        _FOLDER / "page.html",
        _FOLDER / "page.css",
        script=_FOLDER / "page.js",
        filters={
            "doi_link": doi_link,
            "place": place_in_words,
            "effect": effect_in_words,
            "slug": lambda word: "" if word is None else str(word).replace(" ", "-"),
        },
        rows=rows,
        hypotheses=hypotheses,
        name=name,
        date=date,
        engines=engines,
        signs=SIGNS,
        meanings=MEANING,
        blank_means=BLANK_MEANS,
        screenings=list(ScreeningVerdict),
        levels=levels,
        styles=LEVELS,
    )


def place_in_words(passage: Passage) -> str:
    """Page and section, as far as they are known."""
    page = "" if passage.page is None else f"p. {passage.page}"
    return ", ".join(filter(None, (page, " ".join(passage.section.split()))))


def effect_in_words(effect: Effect) -> str:
    """Such as "HR 0.72 (95% CI 0.6 to 0.86), p = 0.001"."""
    said = f"{effect.measure} {_short(effect.value)}".strip()
    if effect.low is not None and effect.high is not None:
        kind = "interval" if effect.level is None else f"{_short(effect.level)}% CI"
        said += f" ({kind} {_short(effect.low)} to {_short(effect.high)})"
    p = effect.p.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{said}, {p}" if p else said


def _short(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")
