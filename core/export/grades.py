"""Export statements as a table in which people fill in grades."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.export.table import table_csv
from core.grading.model import Grade, GradedStatement

COLUMNS = ("id", "statement", "sources", "grade")


def statements_csv(statements: Sequence[GradedStatement], grades: Mapping[str, Grade]) -> str:
    """The statements in their order, without their origin. Sources are numbered, one per line."""
    return table_csv(
        COLUMNS,
        (
            {
                "id": one.id,
                "statement": one.text,
                "sources": "\n".join(f"[{number}] {source}" for number, source in enumerate(one.sources, 1)),
                "grade": grades.get(one.id, ""),
            }
            for one in statements
        ),
    )


def origins_json(statements: Sequence[GradedStatement]) -> str:
    """The origin of each statement as JSON, which graders should not see."""
    return json.dumps({one.id: one.origin for one in statements}, indent=1)


def key_of(file: Path) -> Path:
    """The file of the origins, beside that of the statements."""
    return file.with_name(f"{file.stem}.key.json")
