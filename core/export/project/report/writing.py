"""The report's text. Whatever comes from papers, people or engines is escaped in one place: the template's autoescape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from core.bias.agreement import FEWEST_FOR_INTERVAL, Estimate
from core.export.html_page import render
from core.export.plots.palette import LEVELS, NO_INFORMATION, Style, style_of
from core.export.plots.summary_bars import summary_bars
from core.export.plots.svg import svg_of
from core.export.plots.traffic_light import heading, traffic_light
from core.export.project.concordance import concordance
from core.export.project.disclosure import disclosure
from core.export.project.levels import LevelTable, open_places
from core.export.project.report.contents import paper_parts
from core.paper import Paper
from core.store.model import ProjectState

_FOLDER = Path(__file__).parent
_PANEL = 25  # studies in one plot: as many as fit on a printed page


def project_report(
    state: ProjectState,
    table: LevelTable,
    papers: Mapping[str, Paper],
    *,
    date: datetime,
    note: str = "",
    hidden: int = 0,
) -> str:
    """The report. `papers`, by id, give the quotations; a paper that is not there is named as unread.

    `note` is one sentence of the caller's on what the report leaves out, shown at its top; `hidden`: as for
    `disclosure`.
    """
    return render(
        _FOLDER / "report.html",
        _FOLDER / "report.css",
        filters={"slug": _slug, "share": _share, "figure": _figure},
        project=state.project.record,
        table=table,
        tool=table.tool,
        style_of=style_of,
        heading=heading,
        plots=list(_plots(table)),
        parts=list(paper_parts(state, table, papers)),
        pairs=list(concordance(state, table.tool)),
        fewest=FEWEST_FOR_INTERVAL,
        disclosure=disclosure(state, table.tool, hidden=hidden),
        open_places=open_places(table),
        note=note,
        date=date,
    )


def _plots(table: LevelTable) -> Iterator[Markup]:
    """The plots, which escape what they hold themselves."""
    if not table.studies:
        return
    parts = [table.studies[first : first + _PANEL] for first in range(0, len(table.studies), _PANEL)]
    yield Markup(svg_of(summary_bars(table), inline=True))  # noqa: S704
    for number, studies in enumerate(parts, 1):
        title = "Risk of bias" if len(parts) == 1 else f"Risk of bias ({number} of {len(parts)})"
        yield Markup(svg_of(traffic_light(replace(table, studies=studies), title=title), inline=True))  # noqa: S704


def _slug(style: Style) -> str:
    """The class of a level in the style sheet."""
    names = {LEVELS[level]: level.name.lower().replace("_", "-") for level in LEVELS}
    return names.get(style, "no-information" if style == NO_INFORMATION else "not-judged")


def _share(estimate: Estimate) -> str:
    return _with_interval(estimate, "{:.0%}")


def _figure(estimate: Estimate) -> str:
    return _with_interval(estimate, "{:.2f}")


def _with_interval(estimate: Estimate, form: str) -> str:
    """Value and interval; a dash for either where there is none, since that is not zero."""
    if estimate.value is None:
        return "–"
    value = form.format(estimate.value)
    if estimate.low is None or estimate.high is None:
        return f"{value} (–)"
    return f"{value} ({form.format(estimate.low)} to {form.format(estimate.high)})"
