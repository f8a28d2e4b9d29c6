"""Read reviewers' judgements of risk of bias from a table: a row per judgement, or per study as RevMan exports them."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.benchmarks.robbr import level_named
from core.bias.model import Level
from core.errors import DatasetError

NO_JUDGEMENT = "the judgement is none of low, unclear (or some concerns) and high"
NO_SUPPORT = "the judgement has no support text"
_LONG = ("study", "domain", "judgement", "support")
_REVMAN = re.compile(r"^Domain \((judgement|support)\): (.+?)(?:: All outcomes)?$", re.IGNORECASE)
_RISK = re.compile(r"\s*\brisk(?: of bias)?\b\s*", re.IGNORECASE)
_PICO = ("Methods", "Participants", "Interventions", "Outcomes", "Notes")
_OTHERS = 12  # judgements of other papers that a question shows
_KEPT = 40  # judgements per bias's name that are kept in memory to sample these from


@dataclass(frozen=True, slots=True)
class Judgement:
    """A review's judgement of one bias of one study. `excluded`: why it cannot be used; "" if it can."""

    key: str
    review: str
    study: str
    papers: tuple[str, ...]
    bias: str
    support: str = ""
    level: Level | None = None
    pico: str = ""
    objective: str = ""
    licence: str | None = None  # of the paper, according to the table
    excluded: str = ""


def judgements(table: Path) -> Iterator[Judgement]:
    """Every judgement in the table, in its order.

    A column `paper` (or `doi`) names the study's paper; without it, the study's name must be the name of the paper's
    file. The columns `review`, `objective`, `licence` and the parts of the PICO are optional. Raises `DatasetError` if
    the table cannot be read or has neither form.
    """
    try:
        with table.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream, restkey="")
            columns = [name for name in rows.fieldnames or () if name]
            own = {name.strip().lower(): name for name in columns}
            biases = _biases(columns)
            if not set(_LONG) <= own.keys() and not ("study" in own and biases):
                raise DatasetError(
                    f"“{table.name}” has neither the columns {', '.join(_LONG)} nor those of RevMan, "
                    "Study and “Domain (judgement): ...”. Name its columns so."
                )
            for number, row in enumerate(rows, 1):
                cells = {name: (row[column] or "").strip() for name, column in own.items()}
                if set(_LONG) <= own.keys():
                    yield _judgement(
                        f"{cells['study']}#{number}", cells, cells["domain"], cells["judgement"], cells["support"]
                    )
                else:
                    for place, (bias, (judged, told)) in enumerate(biases.items(), 1):
                        said = [(row[column] or "").strip() if column else "" for column in (judged, told)]
                        if any(said):
                            yield _judgement(f"{cells['study']}#{number}.{place}", cells, bias, *said)
    except OSError as error:
        raise DatasetError(f"“{table}” cannot be opened ({error.strerror}). Name a table of judgements.") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise DatasetError(f"“{table.name}” is no table in UTF-8: {error}. Save it as CSV.") from error


class OtherJudgements:
    """Support texts for the same bias of other studies, by the bias's name; at most `_KEPT` of a name are kept."""

    def __init__(self, table: Path) -> None:
        self._by_name: dict[str, list[tuple[str, str]]] = {}
        seen: dict[str, int] = {}
        draw = random.Random(0)  # noqa: S311  a draw, not a secret
        for one in judgements(table):
            if one.excluded:
                continue
            name, known = _name(one.bias), self._by_name.setdefault(_name(one.bias), [])
            seen[name] = seen.get(name, 0) + 1
            if len(known) < _KEPT:
                known.append((one.study, one.support))
            elif (place := draw.randrange(seen[name])) < _KEPT:
                known[place] = (one.study, one.support)

    def of(self, judgement: Judgement) -> tuple[str, ...]:
        """A random sample of texts on other studies, which depends on the judgement but is the same in every run."""
        texts = list(
            dict.fromkeys(
                text for study, text in self._by_name.get(_name(judgement.bias), ()) if study != judgement.study
            )
        )
        texts = [text for text in texts if text != judgement.support]
        chance = random.Random(judgement.key)  # noqa: S311  as above
        return tuple(chance.sample(texts, min(_OTHERS, len(texts))))


def _biases(columns: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
    """RevMan's columns: bias -> (column of the judgement, column of the support)."""
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        if match := _REVMAN.match(column.strip()):
            found.setdefault(match[2].strip(), {})[match[1].lower()] = column
    return {bias: (own.get("judgement"), own.get("support")) for bias, own in found.items()}


def _judgement(key: str, cells: Mapping[str, str], bias: str, judged: str, support: str) -> Judgement:
    level: Level | None = None
    excluded = "" if support else NO_SUPPORT
    try:
        level = level_named(_RISK.sub("", judged))
    except ValueError:
        excluded = NO_JUDGEMENT
    paper = cells.get("paper") or cells.get("doi") or cells["study"]
    pico = "\n\n".join(f"{part}: {cells[part.lower()]}" for part in _PICO if cells.get(part.lower()))
    return Judgement(
        key, cells.get("review") or cells["study"], cells["study"], (paper,), " ".join(bias.split()),
        " ".join(support.split()), level, pico, cells.get("objective", ""), cells.get("licence") or None, excluded,
    )  # fmt: skip


def _name(bias: str) -> str:
    return bias.casefold()
