"""What `bias` can be asked to make of a folder: a project, and files of it."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the files that a project can be written to."""
    outputs = parser.add_argument_group("a folder, or a paper, as a project")
    outputs.add_argument("--project-out", type=Path, metavar="F", help="JSON that the app opens; a later run goes on")
    outputs.add_argument("--report", type=Path, metavar="F", help="one HTML file with plots, judgements and sentences")
    outputs.add_argument("--robvis", type=Path, metavar="F", help="CSV for robvis")
    outputs.add_argument("--table", type=Path, metavar="F", help="CSV with a line for each paper, domain and person")
    outputs.add_argument("--plots", type=Path, metavar="DIR", help="traffic-light and summary plot, as SVG and PNG")
    outputs.add_argument(
        "--weights", type=Path, metavar="F", help="CSV with Study and Weight, for the summary plot and robvis"
    )
    outputs.add_argument("--name", metavar="T", help="the project's name (default: the folder's)")
    outputs.add_argument(
        "--reviewer", action="append", metavar="NAME", help="who will judge; once for each (default: two, numbered)"
    )


def wants_project(arguments: argparse.Namespace) -> bool:
    """Whether any of these files was asked for."""
    return any(getattr(arguments, name) for name in ("project_out", "report", "robvis", "table", "plots"))
