"""A project's levels as the CSV file that robvis reads."""

from __future__ import annotations

from collections.abc import Mapping

from core.export.project.levels import LevelTable
from core.export.robvis import StudyLevels, robvis_csv
from core.store.judging import OVERALL


def project_robvis(table: LevelTable, *, weights: Mapping[str, float] | None = None) -> str:
    """One line a paper. robvis knows no blank: what is open is "No information", so show `open_places` beside it.

    `weights`, by the papers' ids, are for robvis' weighted bar plots. Raises `QueryError` if robvis would not read the
    file right.
    """
    studies = []
    for study in table.studies:
        levels = {domain: cell.level for domain, cell in study.cells.items()}
        weight = weights.get(study.paper) if weights else None
        studies.append(StudyLevels(study.name, levels, levels.get(OVERALL), weight))
    return robvis_csv(table.tool, studies)
