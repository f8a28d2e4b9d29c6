"""How much each study of a project counts, as a spreadsheet says."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from core.commands.files import bytes_of
from core.errors import QueryError
from core.export.project.levels import LevelTable, papers_of
from core.store import ProjectState

_COLUMNS = ["Study", "Weight"]


def weights_of(path: Path, state: ProjectState, table: LevelTable) -> dict[str, float]:
    """Weights by the papers' ids; the file names a study as plots do, or by its file.

    Raises `QueryError` if the file is no such table, or names a study that the project does not have.
    """
    named = {record.name: id for id, record in papers_of(state).items()}
    named |= {study.name: study.paper for study in table.studies}
    rows = list(csv.reader(io.StringIO(_text(path))))
    if not rows or [name.strip() for name in rows[0]] != _COLUMNS:
        raise QueryError(f"“{path}” is no table of weights: its first line must be {','.join(_COLUMNS)}.")
    weights = {}
    for number, row in enumerate(rows[1:], 2):
        try:
            study, weight = row
            weights[named[study.strip()]] = float(weight)
        except (KeyError, ValueError):
            raise QueryError(
                f"“{path}”, line {number}: expected a study of the project and a number. The studies are: {', '.join(named)}."
            ) from None
    return weights


def _text(path: Path) -> str:
    try:
        return bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QueryError(f"“{path}” is not text in UTF-8. Save it again as CSV in UTF-8.") from None
