"""Files of a project that `bias` writes beside its JSON: report, plots, the table and the file for robvis."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from datetime import datetime

from core.bias import Tool
from core.commands.bias_weights import weights_of
from core.commands.files import write_whole
from core.commands.terminal import printable
from core.export.plots.png import png_of
from core.export.plots.summary_bars import summary_bars
from core.export.plots.svg import svg_of
from core.export.plots.traffic_light import traffic_light
from core.export.project.levels import (
    LevelTable,
    judged_by_people,
    open_places,
    settled_levels,
    suggested_levels,
)
from core.export.project.papers import read_papers
from core.export.project.report import project_report
from core.export.project.robvis import left_out_of_robvis, project_robvis
from core.export.project.table import project_csv
from core.paper import Paper
from core.store import ProjectState


def write_outputs(
    arguments: argparse.Namespace, state: ProjectState, tool: Tool, engine: str, papers: Mapping[str, Paper]
) -> None:
    """Write what was asked for. Levels are the reviewers' as soon as there are any, and until then the engine's.

    Raises `QueryError` if a file cannot be written, or the weights do not fit.
    """
    table = settled_levels(state, tool) if judged_by_people(state) else suggested_levels(state, tool, engine)
    weights = weights_of(arguments.weights, state, table) if arguments.weights else None
    now = datetime.now().astimezone()
    if not arguments.json:
        print("\n".join(_lines(table)))
    if arguments.report or arguments.table:
        papers = read_papers(state, known=papers)
    if arguments.report:
        write_whole(arguments.report, project_report(state, table, papers, date=now))
    if arguments.table:
        write_whole(arguments.table, project_csv(state, table, papers, date=now))
    if arguments.robvis:
        write_whole(arguments.robvis, project_robvis(table, weights=weights))
        if missing := open_places(table):
            print(
                printable(f"robvis: {missing} Written as “No information” where another domain has a level."),
                file=sys.stderr,
            )
        if left_out := left_out_of_robvis(table):
            print(printable(left_out), file=sys.stderr)
    if arguments.plots:
        lights, bars = traffic_light(table, title=state.project.record.name), summary_bars(table, weights=weights)
        for name, plot in (("traffic-light", lights), ("summary", bars)):
            write_whole(arguments.plots / f"{name}.svg", svg_of(plot))
            write_whole(arguments.plots / f"{name}.png", png_of(plot))


def _lines(table: LevelTable) -> list[str]:
    lines = [f"{table.basis_in_words}."]
    for study in table.studies:
        said = (f"{id} {study.cells[id].level or 'no judgement'}" for id in table.columns)
        lines.append(printable(f"{study.name}: {', '.join(said)}"))
    return lines
