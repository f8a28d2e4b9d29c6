"""A project's levels as the CSV file that robvis reads."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import QueryError
from core.export.project.levels import LevelTable, Study
from core.export.robvis import StudyLevels, robvis_csv
from core.store.judging import OVERALL


def project_robvis(table: LevelTable, *, weights: Mapping[str, float] | None = None) -> str:
    """One line a paper, those apart that nobody has judged: robvis has no word for that (`left_out_of_robvis`).

    In the others a domain that is open is "No information", so show `open_places` beside the file. `weights`, by the
    papers' ids, are for robvis' weighted bar plots. Raises `QueryError` if nothing was judged, or if robvis would not
    read the file right.
    """
    studies = []
    for study in table.studies:
        if not is_judged(study):
            continue
        levels = {domain: cell.level for domain, cell in study.cells.items()}
        weight = weights.get(study.paper) if weights else None
        studies.append(StudyLevels(study.name, levels, levels.get(OVERALL), weight))
    if table.studies and not studies:
        raise QueryError("There is no file for robvis yet: no domain of any paper has a level.")
    return robvis_csv(table.tool, studies)


def left_out_of_robvis(table: LevelTable) -> str:
    """One sentence that names the papers that are not in the file; empty if all are."""
    names = [study.name for study in table.studies if not is_judged(study)]
    if not names:
        return ""
    papers = "1 paper that has" if len(names) == 1 else f"{len(names)} papers that have"
    level = "suggested" if table.suggested_by is not None else "settled"
    return f"The file for robvis leaves out {papers} no {level} level in any domain: {', '.join(names)}."


def is_judged(study: Study) -> bool:
    """Whether any of its domains was: an engine that found nothing to judge by has looked, too."""
    return any(cell.level is not None or cell.no_information for cell in study.cells.values())
