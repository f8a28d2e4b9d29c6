"""Judgements as the CSV file that robvis reads, and checks for what robvis would refuse or misread."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from core.bias.model import OVERALL, Domain, Level, Tool
from core.errors import QueryError
from core.export.levels import LevelTable, Study
from core.export.table import safe

# ---- One file ----
# robvis compares headers and words exactly: a short form, or another tool's word, is drawn wrongly or not at all.

NO_INFORMATION = "No information"
_DRAWN = {"Low", "Unclear", "Some concerns", "High", "Critical", NO_INFORMATION}  # by its template "Generic"


@dataclass(frozen=True, slots=True)
class StudyLevels:
    """A study's levels by domain id; None or missing: no judgement."""

    study: str
    levels: Mapping[str, Level | None]
    overall: Level | None = None
    weight: float | None = None  # for a weighted bar plot; all studies have one or none has


def robvis_csv(tool: Tool, studies: Sequence[StudyLevels]) -> str:
    """The file for robvis' template `tool.robvis.name`. A missing judgement is "No information".

    Raises `QueryError` if robvis would misread it: no study, a study without a name, two with the same name, a
    level of another tool, or a weight that is missing or not above zero where others have one.
    """
    weighted = any(study.weight is not None for study in studies)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(headers(tool, weighted=weighted))
    for study in studies:
        levels = [*(study.levels.get(domain.id) for domain in _domains(tool)), study.overall]
        words = [_word(tool, level) for level in levels]
        writer.writerow([safe(study.study), *words, *([study.weight] if weighted else [])])
    text = buffer.getvalue()
    problems = robvis_problems(tool, text, weighted=weighted)
    if problems:
        raise QueryError(f"robvis would not read this file: {problems[0]}")
    return text


def _word(tool: Tool, level: Level | None) -> str:
    if level is None:
        return NO_INFORMATION
    known = tool.levels[level].word if level in tool.levels else level.capitalize()  # another tool's is refused below
    return tool.robvis.words.get(level, known)


def _domains(tool: Tool) -> list[Domain]:
    """Those that robvis draws: it knows no concerns about applicability."""
    return [domain for domain in tool.domains if domain.robvis]


def headers(tool: Tool, *, weighted: bool = False) -> list[str]:
    """The columns that robvis expects, in order; the weight, for weighted bar plots only, comes last."""
    return ["Study", *(domain.robvis for domain in _domains(tool)), "Overall", *(["Weight"] if weighted else [])]


def robvis_problems(tool: Tool, text: str, *, weighted: bool = False) -> list[str]:
    """What robvis would refuse or misread in a file, in a sentence each."""
    rows = list(csv.reader(io.StringIO(text)))
    expected = headers(tool, weighted=weighted)
    if not rows or rows[0] != expected:
        found = ",".join(rows[0]) if rows else "nothing"
        return [f"the first line must be {','.join(expected)}, and is {found}."]
    words = {*(_word(tool, level) for level in tool.levels), NO_INFORMATION}
    if tool.own and (foreign := words - _DRAWN):
        return [f"it draws {_listed(_DRAWN)}, and no level called {_listed(foreign)}."]
    problems = [] if len(rows) > 1 else ["it holds no study."]
    seen: set[str] = set()
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(expected):
            problems.append(f"line {number} has {len(row)} columns, and must have {len(expected)}.")
            continue
        if not row[0].strip():
            problems.append(f"line {number} has no study name.")
        elif row[0] in seen:
            problems.append(f"line {number} names “{row[0]}” again; robvis draws one row a name.")
        seen.add(row[0])
        if weighted and not _is_weight(row.pop()):
            problems.append(f"line {number} has no weight above zero.")
        wrong = [(name, word) for name, word in zip(expected[1:], row[1:], strict=False) if word not in words]
        problems += [
            f"line {number} says “{word}” under {name}; {tool.name} has {_listed(words)}." for name, word in wrong
        ]
    return problems


def _is_weight(word: str) -> bool:
    try:
        return 0 < float(word) < inf
    except ValueError:
        return False


def _listed(words: set[str]) -> str:
    return ", ".join(sorted(words))


# ---- A project's levels ----


def project_robvis(table: LevelTable, *, weights: Mapping[str, float] | None = None) -> str:
    """One line for each paper that somebody has judged: robvis has no word for the others (`left_out_of_robvis`).

    An open domain is "No information", so show `open_places` beside the file. `weights`, by the
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
    """One sentence that names the papers missing from the file; empty if none is."""
    names = [study.name for study in table.studies if not is_judged(study)]
    if not names:
        return ""
    papers = f"1 {table.noun} that has" if len(names) == 1 else f"{len(names)} {table.noun}s that have"
    level = "suggested" if table.suggested_by is not None else "settled"
    return f"The file for robvis leaves out {papers} no {level} level in any domain: {', '.join(names)}."


def is_judged(study: Study) -> bool:
    """Whether any domain was judged; an engine that found nothing to judge by counts too."""
    return any(cell.level is not None or cell.no_information for cell in study.cells.values())
