"""The evidence table with a line for each paper and hypothesis, as spreadsheets want it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from core.export.evidence_table.model import TableCell, TableRow
from core.export.table import table_csv
from core.findings.model import Effect, Finding, Passage


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its stable name, its title for readers, and its width in letters."""

    name: str
    title: str
    width: int


COLUMNS = (
    Column("study", "Study", 22),
    Column("title", "Title", 40),
    Column("citation", "Citation", 30),
    Column("doi", "DOI", 24),
    Column("screening", "Screening", 11),
    Column("screening_note", "Screening note", 24),
    Column("hypothesis", "Hypothesis", 40),
    Column("verdict", "Verdict", 11),
    Column("probability", "Probability", 9),
    Column("reason", "Reason", 44),
    Column("check", "Check", 24),
    Column("missing", "Why blank", 30),
    Column("reviewers_verdict", "Reviewers' verdict", 11),
    Column("reviewers_whose", "Whose (verdict)", 20),
    Column("reviewers_given", "Given by", 24),
    Column("reviewers_sentence", "Reviewers' sentence", 60),
    Column("reviewers_page", "Page (reviewers)", 9),
    Column("reviewers_section", "Section (reviewers)", 18),
    Column("reviewers_index", "Sentence no. (reviewers)", 10),
    Column("reviewers_effect", "Reviewers' effect", 24),
    Column("reviewers_comment", "Reviewers' comments", 40),
    Column("for_sentence", "Strongest for", 60),
    Column("for_page", "Page (for)", 8),
    Column("for_section", "Section (for)", 18),
    Column("for_index", "Sentence no. (for)", 10),
    Column("against_sentence", "Strongest against", 60),
    Column("against_page", "Page (against)", 9),
    Column("against_section", "Section (against)", 18),
    Column("against_index", "Sentence no. (against)", 10),
    Column("nearest_sentences", "Nearest, where none decides", 60),
    Column("nearest_indexes", "Sentence nos. (nearest)", 12),
    Column("effect_measure", "Effect measure", 12),
    Column("effect_value", "Effect", 9),
    Column("effect_low", "Lower limit", 9),
    Column("effect_high", "Upper limit", 9),
    Column("effect_level", "Interval, %", 9),
    Column("effect_p", "P as printed", 12),
    Column("effect_text", "Effect as printed", 30),
    Column("effect_index", "Sentence no. (effect)", 10),
    Column("bias_overall", "Risk of bias", 14),
    Column("bias_whose", "Risk of bias by", 20),
    Column("bias_missing", "Why blank (risk of bias)", 30),
    Column("engine", "Engine", 22),
    Column("cost_usd", "Cost, USD", 9),
    Column("prompts", "Prompts (hash)", 30),
    Column("paper_id", "Paper id", 18),
)
Line = dict[str, Any]


def as_csv(rows: Iterable[TableRow], hypotheses: Sequence[str]) -> str:
    """The lines under the columns' stable names; what is not known is empty, with its reason in `missing`.

    Safe to open in a spreadsheet (`core.export.table`). A sentence's number counts the paper's sentences from 0.
    """
    return table_csv([column.name for column in COLUMNS], lines_of(rows, hypotheses))


def lines_of(rows: Iterable[TableRow], hypotheses: Sequence[str]) -> Iterator[Line]:
    """A line for each paper and hypothesis, in their order; a number that is none is left blank."""
    for row in rows:
        paper = {
            "study": row.study,
            "title": row.title,
            "citation": row.citation,
            "doi": row.doi,
            "screening": _word(row.screening),
            "screening_note": row.screening_note,
            "bias_overall": _word(row.bias.level),
            "bias_whose": row.bias.whose,
            "bias_missing": row.bias.missing,
            "paper_id": row.paper,
        }
        for hypothesis in hypotheses:
            cell = row.cell(hypothesis)
            said = {"hypothesis": hypothesis, "missing": cell.missing}
            yield {**paper, **said, **_people(cell), **_finding(cell.finding)}


def _people(cell: TableCell) -> Line:
    view, deciding = cell.people, cell.deciding
    comments = [f"{one.reviewer}: {one.comment}" for one in view.given if one.comment]
    return {
        "reviewers_verdict": _word(view.final),
        "reviewers_whose": cell.whose,
        "reviewers_given": "; ".join(f"{one.reviewer}: {one.verdict}" for one in view.given),
        **_passage("reviewers", deciding.sentence if deciding else None),
        "reviewers_effect": deciding.effect if deciding else None,
        "reviewers_comment": "; ".join([*([view.consensus.why] if view.consensus else []), *comments]),
    }


_OF_ENGINE = (
    *("verdict", "probability", "reason", "check", "nearest_sentences", "nearest_indexes"),
    *("engine", "cost_usd", "prompts"),
)


def _finding(finding: Finding | None) -> Line:
    if finding is None:
        return {**dict.fromkeys(_OF_ENGINE), **_passage("for", None), **_passage("against", None), **_effect(None)}
    return {
        "verdict": _word(finding.verdict),
        "probability": number(finding.probability),
        "reason": finding.reason if finding.verdict else None,
        "check": finding.check,
        **_passage("for", finding.strongest_for),
        **_passage("against", finding.strongest_against),
        "nearest_sentences": "\n".join(one.text for one in finding.nearest) or None,
        "nearest_indexes": "; ".join(str(one.index) for one in finding.nearest) or None,
        **_effect(finding.effect),
        "engine": finding.engine,
        "cost_usd": number(finding.cost_usd),
        "prompts": ", ".join(f"{name} {digest}" for name, digest in finding.prompts),
    }


def _passage(side: str, passage: Passage | None) -> Line:
    names = (f"{side}_{name}" for name in ("sentence", "page", "section", "index"))
    values = (None,) * 4 if passage is None else (passage.text, passage.page, passage.section, passage.index)
    return dict(zip(names, values, strict=True))


def _effect(effect: Effect | None) -> Line:
    names = (f"effect_{name}" for name in ("measure", "value", "low", "high", "level", "p", "text", "index"))
    if effect is None:
        return dict.fromkeys(names)
    numbers = (number(value) for value in (effect.value, effect.low, effect.high, effect.level))
    return dict(zip(names, (effect.measure, *numbers, effect.p, effect.text, effect.sentence), strict=True))


def number(value: float | None) -> float | None:
    """The value, or None where it is no number that a spreadsheet has."""
    return value if value is not None and isfinite(value) else None


def _word(value: str | None) -> str | None:
    return None if value is None else str(value)
