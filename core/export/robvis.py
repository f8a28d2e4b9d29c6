"""Export judgements as the CSV file that robvis reads, and check for what robvis would refuse or misread."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf

from core.bias.model import OVERALL, Domain, Level, Tool
from core.errors import QueryError
from core.export.levels import LevelTable, Study
from core.export.table import safe

# ---- One file ----
# robvis compares headers and levels exactly: an abbreviation, or another tool's level, is drawn wrongly or not at all.

NO_INFORMATION = "No information"
GENERIC = "Generic"  # robvis' template for tools that it does not know
_DRAWN = {"Low", "Unclear", "Some concerns", "High", "Critical", NO_INFORMATION}  # levels that this template draws


@dataclass(frozen=True, slots=True)
class StudyLevels:
    """A study's levels by domain id; None or missing: no judgement."""

    study: str
    levels: Mapping[str, Level | None]
    overall: Level | None = None
    weight: float | None = None  # for a weighted bar plot; either all studies have one or none has
    searched: frozenset[str] = frozenset()  # domains, or `OVERALL`, with no information by an engine


def robvis_csv(tool: Tool, studies: Sequence[StudyLevels]) -> str:
    """The file for robvis' template `tool.robvis.name`, with a row for each study that has a level in every column.

    Other studies are left out (`left_out` names them), because robvis does not allow blanks, and “No information” would
    be a judgement that nobody made. Raises `QueryError` if there is no row, or if robvis would misread one: a study
    without a name, two with the same name, a level of another tool, or a weight that is missing or not above zero
    although others have one.

    Weights are written as percentages, because R prints 100000 as 1e+05, which robvis does not take for a number. If
    there are no weights, files for “Generic” have equal ones, because robvis 0.3.0 uses the last column of such a file
    as the weights.
    """
    rows = [study for study in studies if has_row(tool, study)]
    if studies and not rows:
        raise QueryError(left_out(tool, studies))
    given = any(study.weight is not None for study in rows)
    weighted = _has_weights(tool, given)
    weights = [study.weight if given else 1.0 for study in rows]
    whole = sum(weight for weight in weights if weight is not None and 0 < weight < inf)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(headers(tool, weighted=weighted))
    for study, weight in zip(rows, weights, strict=True):
        levels = [*(study.levels.get(domain.id) for domain in _domains(tool)), study.overall]
        words = [_word(tool, level) for level in levels]
        writer.writerow([safe(study.study), *words, *([_percent(weight, whole)] if weighted else [])])
    text = buffer.getvalue()
    problems = robvis_problems(tool, text, weighted=given)
    if problems:
        raise QueryError(f"robvis would not read this file: {problems[0]}")
    return text


def has_row(tool: Tool, study: StudyLevels) -> bool:
    """Whether the study gets a row in the file."""
    return not _without_level(tool, study)


def left_out(
    tool: Tool, studies: Sequence[StudyLevels], *, noun: str = "result", level: str = "level", by_domain: bool = True
) -> str:
    """A text on the studies without a row, what each of them lacks, and why it is needed; empty if all have a row."""
    columns = len(_domains(tool)) + tool.overall
    lacking = []
    for study in studies:
        if missing := _without_level(tool, study):
            where = "any domain" if len(missing) == columns else ", ".join(missing)
            lacking.append(f"{study.study} (none in {where})" if by_domain else study.study)
    if not lacking:
        return ""
    listed, why = "; ".join(lacking), f"a {level} in every domain, because robvis knows no blank"
    if len(lacking) == len(studies):
        return f"There is no file for robvis yet: it needs {why}. Missing: {listed}."
    rows = f"1 {noun}" if len(lacking) == 1 else f"{len(lacking)} {noun}s"
    return f"The file for robvis leaves out {rows}, which would need {why}: {listed}."


def _without_level(tool: Tool, study: StudyLevels) -> list[str]:
    """The columns without a level.

    If an engine searched and found nothing, that is “No information” and not missing, unless a level of the tool has
    this name.
    """
    searched = set() if NO_INFORMATION in map(partial(_word, tool), tool.levels) else study.searched
    names = [
        domain.name for domain in _domains(tool) if study.levels.get(domain.id) is None and domain.id not in searched
    ]
    if tool.overall and study.overall is None and OVERALL not in searched:
        names.append("Overall")
    return names


def _word(tool: Tool, level: Level | None) -> str:
    if level is None:
        return NO_INFORMATION
    known = tool.levels[level].word if level in tool.levels else level.capitalize()  # another tool's is refused below
    return tool.robvis.words.get(level, known)


def _domains(tool: Tool) -> list[Domain]:
    """The domains that robvis draws, which exclude concerns about applicability."""
    return [domain for domain in tool.domains if domain.robvis]


def headers(tool: Tool, *, weighted: bool = False) -> list[str]:
    """The columns that robvis expects, in order. The weight, for weighted bar plots and “Generic”, is the last."""
    weight = ["Weight"] if _has_weights(tool, weighted) else []
    return ["Study", *(domain.robvis for domain in _domains(tool)), "Overall", *weight]


def _has_weights(tool: Tool, given: bool) -> bool:
    return given or tool.robvis.name == GENERIC


def robvis_problems(tool: Tool, text: str, *, weighted: bool = False) -> list[str]:
    """What robvis would refuse or misread in a file, one sentence each."""
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
        if _has_weights(tool, weighted) and not _is_weight(row.pop()):
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


def _percent(weight: float | None, whole: float) -> str:
    """A weight as a percentage of all weights; empty if it is not a valid weight, which `robvis_problems` reports."""
    if weight is None or not 0 < weight < inf:
        return ""
    return f"{max(0.001, 100 * weight / whole):.3f}"


def _listed(words: set[str]) -> str:
    return ", ".join(sorted(words))


# ---- A project's levels ----


def project_robvis(table: LevelTable, *, weights: Mapping[str, float] | None = None) -> str:
    """One row per paper or result that has a level in every domain; `left_out_of_robvis` names the others.

    `weights`, by the papers' ids, are for robvis' weighted bar plots. Raises `QueryError` if there is no row, or if
    robvis would misread the file.
    """
    if table.studies and not any_row(table):
        raise QueryError(left_out_of_robvis(table))
    return robvis_csv(table.tool, _rows(table, weights))


def left_out_of_robvis(table: LevelTable) -> str:
    """`left_out` for a project."""
    level = "suggested level" if table.suggested_by is not None else "settled level"
    return left_out(table.tool, _rows(table), noun=table.noun, level=level)


def any_row(table: LevelTable) -> bool:
    """Whether the file for robvis would have a row."""
    return any(has_row(table.tool, study) for study in _rows(table))


def _rows(table: LevelTable, weights: Mapping[str, float] | None = None) -> list[StudyLevels]:
    rows = []
    for study in table.studies:
        if study.unreported:
            continue
        levels = {domain: cell.level for domain, cell in study.cells.items()}
        searched = {domain for domain, cell in study.cells.items() if cell.no_information}
        if searched and all(levels[domain.id] or domain.id in searched for domain in table.tool.domains):
            searched.add(OVERALL)  # the overall level does not follow if a domain has no information
        weight = weights.get(study.paper) if weights else None
        rows.append(StudyLevels(study.name, levels, levels.get(OVERALL), weight, frozenset(searched)))
    return rows


def is_judged(study: Study) -> bool:
    """Whether any domain was judged; “No information” by an engine counts too."""
    return any(cell.level is not None or cell.no_information for cell in study.cells.values())
