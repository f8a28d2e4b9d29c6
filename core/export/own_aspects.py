"""Aspects in reviewers' own words: write a table of the gold sentences to fill in, and read the filled table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from core.bias.model import Tool
from core.errors import DatasetError
from core.export.gold import OwnAspect, OwnAspects, accepted_evidence, settled_judgements
from core.export.table import safe, table_csv
from core.paper import Paper
from core.store.model import ProjectState

COLUMNS = ("paper", "about", "sentence", "text", "aspect", "result")
_RESULT = {"yes": True, "no": False, "": False}
_Taken = Mapping[tuple[str, str], tuple[Paper, frozenset[int]]]  # by the keys of `OwnAspects`


def aspects_table(state: ProjectState, tool: Tool, papers: Mapping[str, Paper]) -> str:
    """One row per gold sentence, in which `aspect` and `result` are to be filled in. Raises as `gold_files` does."""
    return table_csv(
        COLUMNS,
        (
            {
                "paper": id,
                "about": _cell(about),
                "sentence": index,
                "text": paper.sentences[index].text,
                "aspect": "",
                "result": "",
            }
            for (id, about), (paper, sentences) in _taken(state, tool, papers).items()
            for index in sorted(sentences)
        ),
    )


def own_aspects(data: bytes, state: ProjectState, tool: Tool, papers: Mapping[str, Paper], *, name: str) -> OwnAspects:
    """The aspects in a filled table. A sentence may be in several rows; rows with the same words are one aspect.

    Raises `DatasetError` if it is not such a table, or if a row with an aspect does not fit the project.
    """
    taken = _taken(state, tool, papers)
    keys = {(paper, _cell(about)): (paper, about) for paper, about in taken}
    found: dict[tuple[str, str], dict[str, OwnAspect]] = {}
    for number, row in _rows(data, name):
        place = f"Row {number} of “{name}”"
        words = " ".join(row["aspect"].split())
        if not words:
            continue
        key = keys.get((row["paper"], _cell(row["about"])))
        if key is None:
            raise DatasetError(
                f"{place}: nothing on this paper and question is gold. Leave both columns as they were written."
            )
        sentence, result = row["sentence"], _RESULT.get(row["result"].casefold())
        if not sentence.isdecimal() or int(sentence) not in taken[key][1]:
            raise DatasetError(f"{place}: sentence {sentence or '(none)'} is not among those that reviewers took in.")
        if result is None:
            raise DatasetError(
                f"{place}: “{row['result']}” is neither yes nor no. Say in “result” whether the aspect is a result."
            )
        here = found.setdefault(key, {})
        known = here.get(words, OwnAspect(words, frozenset()))
        here[words] = OwnAspect(words, known.sentences | {int(sentence)}, known.result or result)
    return {key: tuple(aspects.values()) for key, aspects in found.items()}


def _cell(about: str) -> str:
    """A question as written in its cell, with line breaks normalized."""
    return str(safe(" ".join(about.split())))


def _taken(state: ProjectState, tool: Tool, papers: Mapping[str, Paper]) -> _Taken:
    """The gold sentences."""
    pairs = [
        *((one.paper, one.id, one.gold) for one in settled_judgements(state, tool, papers)),
        *((one.paper, one.hypothesis, one.gold) for one in accepted_evidence(state, papers)),
    ]
    return {(paper.id, about): (paper, frozenset(gold.by_sentence)) for paper, about, gold in pairs if gold.by_sentence}


def _rows(data: bytes, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows, with the numbers that a spreadsheet shows."""
    try:
        text = data.decode("utf-8-sig")
        delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restkey="", strict=True)
        if missing := [column for column in COLUMNS if column not in (rows.fieldnames or ())]:
            raise DatasetError(
                f"“{name}” has no column {', '.join(missing)}. Fill the table that `gold --aspects` writes."
            )
        for number, row in enumerate(rows, 2):
            yield number, {column: (row[column] or "").strip() for column in COLUMNS}
    except (UnicodeDecodeError, csv.Error) as error:
        raise DatasetError(f"“{name}” is no table in UTF-8: {error}. Save it as CSV.") from error
