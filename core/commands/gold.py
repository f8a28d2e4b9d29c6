"""`gold PROJECT --out FOLDER`: what reviewers settled and accepted, as gold data that `bench` can run on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.commands.common import bytes_of, printable
from core.errors import QueryError
from core.export.gold import NO_ASPECTS, gold_files
from core.export.levels import papers_of, read_papers, study_names
from core.export.own_aspects import aspects_table, own_aspects
from core.store import tool_of
from core.store.project_file import project_from_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("project", type=Path, metavar="PROJECT", help="a whole project: .vouch, or its JSON document")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where to write the files")
    parser.add_argument(
        "--aspects",
        type=Path,
        metavar="TABLE",
        help="what each accepted sentence tells, in your own words; where there is no such file, it is written to be filled",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and print their names."""
    state = project_from_file(bytes_of(arguments.project))
    papers, tool = read_papers(state), tool_of(state.project.record)
    table: Path | None = arguments.aspects
    filled = table is not None and table.exists()
    own = own_aspects(bytes_of(table), state, tool, papers, name=table.name) if table and filled else NO_ASPECTS
    files = gold_files(state, tool, papers, own)
    names = study_names(papers_of(state).values())
    for id in names.keys() - papers.keys():
        print(printable(f"left out: the file of {names[id]} is not kept in the project"), file=sys.stderr)
    if not files:
        raise QueryError("The project holds no settled judgement and no accepted sentence yet: there is no gold in it.")
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (arguments.out / name).write_text(text, encoding="utf-8", newline="\n")
            print(arguments.out / name)
        if table and not filled:
            table.write_text(aspects_table(state, tool, papers), encoding="utf-8", newline="")
            print(f"{table}: fill “aspect” and “result”, and give it again")
    except OSError as error:
        raise QueryError(f"“{error.filename or arguments.out}” cannot be written: {error.strerror}.") from error
    return 0
