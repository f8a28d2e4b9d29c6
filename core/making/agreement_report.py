"""Read the labels of people and a model from a table, and report their agreement in sentences and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from core.errors import DatasetError, QueryError
from core.export.table import table_csv
from core.making.agreement import Judged, MeasureAgreement

_YES = frozenset({"yes", "y", "true", "1", "covers", "supported"})
_NO = frozenset({"no", "n", "false", "0", "none", "not supported"})
_OWN = ("paper", "item")
_LONG = frozenset({"paper", "item", "annotator", "label"})
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class LabelTable:
    """The labels of each annotator; None for an item without a label."""

    papers: tuple[str, ...]
    labels: Mapping[str, tuple[bool | None, ...]]  # annotator -> a label for each item

    def judged(self, people: Sequence[str], model: str | None) -> tuple[Judged, int]:
        """The items that all of these annotators have labelled, and how many items were left out.

        Raises `QueryError` if an annotator is not in the table, or if there are not two people.
        """
        names = [*people, *([model] if model else [])]
        if len(people) != 2 or len(set(names)) != len(names):
            raise QueryError("Name two different people, and a model beside them if there is one.")
        for name in names:
            if name not in self.labels:
                raise QueryError(f"The table has no annotator “{name}”. It has: {', '.join(self.labels)}.")
        rows = list(zip(self.papers, *(self.labels[name] for name in names), strict=True))
        whole = [row for row in rows if None not in row]
        sides = [[bool(row[place]) for row in whole] for place in range(1, len(names) + 1)]
        papers = [str(row[0]) for row in whole]
        return Judged(papers, sides[0], sides[1], sides[2] if model else None), len(rows) - len(whole)


def read_labels(data: bytes, *, name: str, positive: str | None = None) -> LabelTable:
    """The labels in a CSV table: `paper`, `item`, and a column for each annotator; or `paper`, `item`, `annotator`, `label`.

    Labels are yes or no, true or false, 1 or 0. With `positive`, that label means yes and every other one no. An empty
    cell means no label. Raises `DatasetError` for any other label, a row without paper or item, or a repeated item.
    """
    rows = _rows(data, name)
    if not rows:
        raise DatasetError(f"“{name}” holds no row. Give a table with paper, item and a column for each annotator.")
    columns = list(rows[0])
    if missing := [column for column in _OWN if column not in columns]:
        raise DatasetError(f"“{name}” has no column {' and '.join(missing)}. Its columns are: {', '.join(columns)}.")
    long = set(columns) >= _LONG
    annotators = (
        dict.fromkeys(row["annotator"] for row in rows) if long else [name for name in columns if name not in _OWN]
    )
    items: dict[tuple[str, str], dict[str, bool | None]] = {}
    for number, row in enumerate(rows, 2):
        place = f"line {number:,} of “{name}”"
        if not row["paper"] or not row["item"]:
            raise DatasetError(f"There is no paper or no item in {place}. Fill both in.")
        known = items.setdefault((row["paper"], row["item"]), {})
        said = {row["annotator"]: row["label"]} if long else {column: row[column] for column in annotators}
        if known.keys() & said.keys():
            raise DatasetError(f"The item in {place} was labelled before by the same annotator. Remove one of the two.")
        known.update({who: _label(label, positive, place) for who, label in said.items()})
    labels = {who: tuple(said.get(who) for said in items.values()) for who in annotators}
    return LabelTable(tuple(paper for paper, _ in items), labels)


def as_table(labels: Iterable[tuple[str, str, str, bool]]) -> str:
    """(paper, item, annotator, label) as a table that `read_labels` can read and that is safe to open."""
    columns = ("paper", "item", "annotator", "label")
    return table_csv(
        columns,
        (
            dict(zip(columns, (paper, item, who, "yes" if label else "no"), strict=True))
            for paper, item, who, label in labels
        ),
    )


def in_words(found: MeasureAgreement, *, items: int, papers: int) -> Iterator[str]:
    """The results of a measure, in sentences."""
    told, ways = found.surest, "papers first, then items within them" if found.by_papers else "items"
    people = f"{found.measure}: two people agree {_figure(told.people.value, told.people.low, told.people.high)}"
    if told.with_model is None or told.difference is None:
        yield f"{people}, drawing {ways}."
        return
    model, difference = told.with_model, told.difference
    yield f"{people}; people and the model {_figure(model.value, model.low, model.high)}."
    yield (
        f"The model's minus the people's is {_signed(difference.value)} ({_signed(difference.low)} to {_signed(difference.high)}), "
        f"{_p(difference.p)}, drawing {ways}"
        + (
            f"; {_p(found.by_items.difference.p)} drawing items alone."
            if found.by_papers and found.by_items.difference
            else "."
        )
    )
    yield from _settled(found, difference.p, items, papers)


def document(found: Sequence[MeasureAgreement], *, items: int, papers: int, left_out: int) -> dict[str, object]:
    """The figures and their sentences, as JSON."""
    return {
        "items": items,
        "papers": papers,
        "left_out": left_out,
        "measures": [asdict(one) | {"words": list(in_words(one, items=items, papers=papers))} for one in found],
    }


def _settled(found: MeasureAgreement, p: float, items: int, papers: int) -> Iterator[str]:
    """What follows from both tests together, and how much more data would decide."""
    if found.equivalence is None:
        yield "Whether they are equivalent cannot be told: leaving out one paper leaves nothing to compare."
        return
    margin, differs = f"{100 * found.equivalence.margin:.1f} points", p < _LEVEL
    within = found.equivalence.p < _LEVEL
    by = f"{_p(found.equivalence.p)}, {found.equivalence.units:,} {'papers' if found.by_papers else 'items'}"
    if within:
        yield (
            f"{'There is a difference, but it is' if differs else 'The two are equivalent: the difference is'} within "
            f"{margin} either way ({by})."
        )
    elif differs:
        yield f"The model agrees with people otherwise than they agree with each other; that it is within {margin} is not shown ({by})."
    else:
        yield f"Neither is shown: no difference, and not that it is within {margin} either ({by})."
    if found.power is not None:
        yield f"A difference of {margin} would have been found with a chance of {found.power:.0%}."
    if found.more_items:
        more_papers = max(1, round(found.more_items * papers / items))
        yield f"About {found.more_items:,} more items like these ({more_papers:,} papers) would settle it, four times in five."


def _rows(data: bytes, name: str) -> list[dict[str, str]]:
    try:
        text = data.decode("utf-8-sig")
        delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
        found = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restkey="", strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise DatasetError(f"“{name}” is no table in UTF-8: {error}. Save it as CSV.") from error
    if any("" in row for row in found):
        raise DatasetError(f"“{name}” has a row with more cells than columns. Save it as CSV again.")
    return [{str(key).strip(): (value or "").strip() for key, value in row.items()} for row in found]


def _label(text: str, positive: str | None, place: str) -> bool | None:
    word = text.casefold()
    if not word:
        return None
    if positive is not None:
        return word == positive.casefold()
    if word not in _YES | _NO:
        raise DatasetError(f"“{text}” in {place} is neither yes nor no. Name the label that is a yes with --positive.")
    return word in _YES


def _figure(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _signed(value: float) -> str:
    return f"{100 * value:+.1f}".replace("-", "−")


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}" if value < 0.1 else f"p = {value:.2f}"
