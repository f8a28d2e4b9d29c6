"""How the commands that take a paper read it: the file, and what a reviewer may ask of the reading."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.commands.files import bytes_of
from core.commands.terminal import printable, terminal_progress
from core.errors import NoTextLayer
from core.paper import Paper, read_paper


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may be asked of the reading."""
    parser.add_argument(
        "--keep-set-aside",
        action="store_true",
        help="read hidden text, and sentences that speak to a language model, as ordinary text",
    )
    parser.add_argument("--ocr", action="store_true", help="recognise the text of scanned pages first (ocrmypdf)")


def read_file(path: Path, arguments: argparse.Namespace) -> Paper:
    """The paper at `path`; its warnings go to standard error.

    Raises `VouchError` if there is no such file, or no paper in it.
    """
    data = bytes_of(path)
    if arguments.ocr:
        from core.paper.scans import read_scan  # few papers need it  # noqa: PLC0415

        with terminal_progress() as progress:
            paper, _ = read_scan(data, name=path.name, keep_set_aside=arguments.keep_set_aside, progress=progress)
    else:
        try:
            paper = read_paper(data, name=path.name, keep_set_aside=arguments.keep_set_aside)
        except NoTextLayer as error:
            raise NoTextLayer(f"{error} On the command line, add --ocr.") from None
    for warning in paper.warnings:
        print(printable(f"{path}: warning: {warning.message}"), file=sys.stderr)
    return paper
