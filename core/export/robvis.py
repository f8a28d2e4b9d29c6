"""Judgements as the CSV file that robvis reads, and the rules by which robvis would refuse or misread a file.

robvis compares headers and words exactly: a short form, or a word of another tool, is drawn wrongly or not at all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.bias.model import Level, Tool
from core.errors import QueryError
from core.export.table import safe

NO_INFORMATION = "No information"
_WORDS = {
    Level.LOW: "Low",
    Level.UNCLEAR: "Unclear",
    Level.SOME_CONCERNS: "Some concerns",
    Level.HIGH: "High",
}


@dataclass(frozen=True, slots=True)
class StudyLevels:
    """A study's levels by the domains' ids; None, or not there: no judgement."""

    study: str
    levels: Mapping[str, Level | None]
    overall: Level | None = None


def robvis_csv(tool: Tool, studies: Sequence[StudyLevels]) -> str:
    """The file for robvis' tool "Generic" (RoB 1) or "ROB2". A missing judgement is "No information".

    Raises `QueryError` if robvis would not read it right: no study, a study without a name, two of the same name, or a
    level of another tool.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(headers(tool))
    for study in studies:
        levels = [*(study.levels.get(domain.id) for domain in tool.domains), study.overall]
        writer.writerow([safe(study.study), *(_WORDS[level] if level else NO_INFORMATION for level in levels)])
    text = buffer.getvalue()
    problems = robvis_problems(tool, text)
    if problems:
        raise QueryError(f"robvis would not read this file: {problems[0]}")
    return text


def headers(tool: Tool) -> list[str]:
    """The columns that robvis expects, in order."""
    return ["Study", *(domain.robvis for domain in tool.domains), "Overall"]


def robvis_problems(tool: Tool, text: str) -> list[str]:
    """What robvis would refuse or misread in a file, a sentence each; empty if nothing."""
    rows = list(csv.reader(io.StringIO(text)))
    expected = headers(tool)
    if not rows or rows[0] != expected:
        found = ",".join(rows[0]) if rows else "nothing"
        return [f"the first line must be {','.join(expected)}, and is {found}."]
    words = {*(_WORDS[level] for level in tool.scale), NO_INFORMATION}
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
        wrong = [(name, word) for name, word in zip(expected[1:], row[1:], strict=True) if word not in words]
        problems += [
            f"line {number} says “{word}” under {name}; {tool.name} has {_listed(words)}." for name, word in wrong
        ]
    return problems


def _listed(words: set[str]) -> str:
    return ", ".join(sorted(words))
