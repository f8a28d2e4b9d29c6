"""Export benchmark runs: one as a document with which it can be repeated, several as a table with published figures."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.benchmarks.bootstrap import Interval
from core.benchmarks.model import CompleteRun, ItemResult, RunSetup
from core.benchmarks.published import PublishedFigure
from core.benchmarks.run_comparison import Compared
from core.export.table import table_csv, table_latex, table_markdown

# ---- One run as JSON, with everything that is needed to repeat it ----


def run_document(complete: CompleteRun) -> dict[str, Any]:
    """The document: what was run, how to repeat it, the results, and every item."""
    setup, origin, run = complete.setup, complete.origin, complete.run
    usage = run.usage
    return {
        "run": setup.id,
        "task": setup.task,
        "engine": setup.engine,
        "seed": setup.seed,
        "limit": setup.limit,
        "n": len(run.items),
        "papers": len({item.group for item in run.items}),
        "failed": run.failed,
        "broken": list(run.broken),
        "seconds": round(run.seconds, 3),
        "cost_usd": run.cost_usd,
        "tokens": usage and {"input": usage.input_tokens, "output": usage.output_tokens},
        "metrics": {name: asdict(found) for name, found in run.metrics.items()},
        "notes": list(origin.notes),
        "repeat": {
            "command": command(setup),
            "started": origin.started.isoformat(timespec="seconds"),
            "data": {"name": origin.data, "sha256": origin.file_sha256, "all_files_sha256": setup.data_sha256},
            "commit": origin.commit,
            "changed_since_commit": origin.changed,
            "code_sha256": setup.code_sha256,
            "versions": dict(origin.versions),
            "options": dict(setup.options),
            "prompts": dict(run.prompts),
        },
        "items": [_item(result) for result in run.items],
    }


def command(setup: RunSetup) -> str:
    """The command that repeats a run; PATH stands for the data."""
    words = ["bench", setup.task, "--data", "PATH", "--engine", setup.engine]
    words += ["--seed", str(setup.seed)] if setup.seed else []
    words += ["--limit", str(setup.limit)] if setup.limit is not None else []
    return f"python -m core {shlex.join(words)}"


def _item(result: ItemResult) -> dict[str, Any]:
    response = result.response
    usage = response.usage
    return {
        "id": result.id,
        "paper": result.group,
        "category": result.category,
        "labels": list(result.labels),
        "sentences": list(response.sentences),
        "answers": list(response.labels),
        "probability": response.probability,
        "reported": response.reported,
        "score": response.score,
        "scores": dict(result.scores),
        "seconds": round(response.seconds, 4),
        "cost_usd": response.cost_usd,
        "tokens": usage and {"input": usage.input_tokens, "output": usage.output_tokens},
        "error": response.error,
    }


# ---- Several runs in a table, beside published figures ----

_NO_SHARES = ("kappa", "pearson", "spearman")  # figures from -1 to 1
HERE = "this machine"
_MANY = 100  # items; with fewer, a share is uncertain by ten points to either side
FEW_ITEMS = f"“few”: fewer than {_MANY} items, so that chance alone moves the figure by ten points and more."


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, with Vouch's interval or a paper's margin."""

    value: float
    interval: Interval | None = None
    margin: float | None = None
    margin_is: str = ""

    def in_words(self, metric: str) -> str:
        """The figure as a table shows it: shares in percent, the interval in brackets."""
        text = number(metric, self.value)
        if self.interval is not None:
            return f"{text} ({number(metric, self.interval.low)} to {number(metric, self.interval.high)})"
        return f"{text} ± {number(metric, self.margin)}" if self.margin is not None else text


@dataclass(frozen=True, slots=True)
class ResultRow:
    """An engine, or a paper's model, with its figures by metric; values are None if a paper does not give them."""

    system: str
    source: str  # `HERE`, or the paper and its table
    data: str
    items: int | None
    failed: int | None
    seconds: float | None
    cost_usd: float | None
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The results of a task: Vouch's rows first, then those of papers."""

    task: str
    metrics: tuple[str, ...]
    rows: tuple[ResultRow, ...]

    def is_few(self, row: ResultRow) -> bool:
        """Whether a row has few items and is shown with published figures."""
        published = any(one.source != HERE for one in self.rows)
        return published and row.items is not None and row.items < _MANY

    @property
    def has_few(self) -> bool:
        """Whether there is such a row."""
        return any(map(self.is_few, self.rows))


def number(metric: str, value: float) -> str:
    """A figure as shown: a share in percent, a coefficient with two decimals."""
    return f"{value:.2f}" if metric in _NO_SHARES else f"{100 * value:.1f}"


def unit(metric: str) -> str:
    """The unit of a metric's figures; empty for a coefficient."""
    return "" if metric in _NO_SHARES else "%"


def result_table(runs: Sequence[CompleteRun], figures: Sequence[PublishedFigure] = ()) -> ResultTable:
    """The table of one or more runs of one task. `figures` are limited to the metrics of the runs."""
    metrics = tuple(dict.fromkeys(name for run in runs for name in run.run.metrics))
    ours = tuple(_of_run(complete) for complete in runs)
    return ResultTable(runs[0].setup.task, metrics, (*ours, *_of_papers(metrics, figures)))


def with_unique_names(runs: Sequence[CompleteRun]) -> tuple[CompleteRun, ...]:
    """The runs with unique names: the engine, its seed if any, and its start if that is not enough."""
    names = [f"{run.setup.engine}, seed {run.setup.seed}" if run.setup.seed else run.setup.engine for run in runs]
    begun = [run.origin.started.isoformat(sep=" ", timespec="seconds").removesuffix("+00:00") for run in runs]
    return tuple(
        replace(run, run=replace(run.run, engine=f"{name}, {at}" if names.count(name) > 1 else name))
        for run, name, at in zip(runs, names, begun, strict=True)
    )


def _of_run(complete: CompleteRun) -> ResultRow:
    setup, run = complete.setup, complete.run
    return ResultRow(
        system=run.engine,
        source=HERE,
        data=complete.origin.data if setup.limit is None else f"{complete.origin.data}, first {setup.limit:,}",
        items=len(run.items),
        failed=run.failed,
        seconds=run.seconds,
        cost_usd=run.cost_usd,
        figures={name: Figure(found.value, found) for name, found in run.metrics.items()},
    )


def _of_papers(metrics: Sequence[str], figures: Sequence[PublishedFigure]) -> tuple[ResultRow, ...]:
    rows: dict[tuple[str, str, str], dict[str, Figure]] = {}
    for own in figures:
        if own.metric in metrics:
            place = f"table {own.table}" if own.table[0].isdigit() else own.table
            key = own.model, f"{own.paper}, {place}", own.data
            rows.setdefault(key, {})[own.metric] = Figure(own.value, margin=own.margin, margin_is=own.margin_is)
    return tuple(
        ResultRow(model, source, data, None, None, None, None, found) for (model, source, data), found in rows.items()
    )


def results_csv(table: ResultTable) -> str:
    """One line per system, with columns for each figure, its interval, its margin, and what the margin is."""
    columns = ["system", "source", "data", "items", "failed", "seconds", "cost_usd"]
    for metric in table.metrics:
        columns += [metric, f"{metric} low", f"{metric} high", f"{metric} margin", f"{metric} margin is"]
    return table_csv(columns, [_flat(table, row) for row in table.rows])


def results_markdown(table: ResultTable, *, note: str) -> str:
    """The table as Markdown, with the note below."""
    columns, rows = in_words(table)
    return f"{table_markdown(columns, rows)}\n{_with_few(table, note)}\n"


def results_latex(table: ResultTable, *, note: str) -> str:
    """The table as LaTeX, with the note in its caption."""
    columns, rows = in_words(table)
    return table_latex(columns, rows, caption=f"{table.task}. {_with_few(table, note)}")


def _with_few(table: ResultTable, note: str) -> str:
    return f"{note} {FEW_ITEMS}" if table.has_few else note


def in_words(table: ResultTable) -> tuple[list[str], list[dict[str, str]]]:
    """The columns, and the rows as texts."""
    heads = {metric: f"{metric} ({unit(metric)})" if unit(metric) else metric for metric in table.metrics}
    rows = [
        {
            "system": row.system,
            "source": row.source,
            **{
                head: row.figures[metric].in_words(metric) if metric in row.figures else ""
                for metric, head in heads.items()
            },
            "items": "" if row.items is None else f"{row.items:,}{' (few)' * table.is_few(row)}",
            "failed": "" if row.failed is None else f"{row.failed:,}",
            "data": row.data,
        }
        for row in table.rows
    ]
    return ["system", "source", *heads.values(), "items", "failed", "data"], rows


def _flat(table: ResultTable, row: ResultRow) -> dict[str, Any]:
    flat: dict[str, Any] = {
        "system": row.system,
        "source": row.source,
        "data": row.data,
        "items": row.items,
        "failed": row.failed,
        "seconds": row.seconds,
        "cost_usd": row.cost_usd,
    }
    for metric in table.metrics:
        figure = row.figures.get(metric)
        interval = figure and figure.interval
        flat |= {
            metric: figure and figure.value,
            f"{metric} low": interval and interval.low,
            f"{metric} high": interval and interval.high,
            f"{metric} margin": figure and figure.margin,
            f"{metric} margin is": figure and figure.margin_is,
        }
    return flat


# ---- Pairs of engines ----

COLUMNS = (
    "measure",
    "first",
    "second",
    "second minus first",
    "95% interval",
    "p",
    "p, corrected",
    "only first right",
    "only second right",
    "McNemar p",
)


def comparison_rows(found: Sequence[Compared]) -> list[dict[str, str]]:
    """A row of texts for each pair and measure, with McNemar's test if items are right or wrong."""
    rows = []
    for one in found:
        difference, test = one.difference, one.mcnemar
        low, high = number(one.metric, difference.low), number(one.metric, difference.high)
        cells = (
            f"{one.metric} ({unit(one.metric)})" if unit(one.metric) else one.metric,
            one.one,
            one.other,
            f"{'+' if difference.value > 0 else ''}{number(one.metric, difference.value)}",
            f"{low} to {high}",
            f"{difference.p:.4f}",
            f"{one.corrected_p:.4f}",
            "" if test is None else str(test.only_one),
            "" if test is None else str(test.only_other),
            "" if test is None else f"{test.p:.4f}",
        )
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    return rows
