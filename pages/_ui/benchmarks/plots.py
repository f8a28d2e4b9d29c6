"""Plots of runs: figures with error bars, by part, positions of sentences, and price against quality.

Nothing is shown by colour alone: engines differ in shape too, and every mark is named on its axis or in the legend. The
colours can be told apart without colour vision (Okabe and Ito 2008, toned down), on light and dark backgrounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import altair as alt

from core.benchmarks.bootstrap import Interval
from core.benchmarks.run_comparison import Compared
from core.export.benchmark_runs import HERE, ResultTable, number, unit

OURS, THEIRS = "#2b8a94", "#98938a"
_COLOURS = ("#2b8a94", "#d08a2e", "#7f77b8", "#c0627a", "#6f9a4d", "#8f8b84")
_SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")
SURE, UNSURE = "more than chance", "may be chance"
_ALPHA = 0.05
_ROW = 30  # pixels
_AROUND = 140  # pixels for the axis, its title and the legend
_BINS = 10


Plot = alt.Chart | alt.LayerChart | alt.FacetChart


@dataclass(frozen=True, slots=True)
class Priced:
    """An engine's figure, and what an item took on average."""

    engine: str
    figure: Interval
    each: float  # seconds or dollars


def figures(table: ResultTable, metric: str) -> Plot:
    """Every system's figure for a metric: ours with 95% intervals, published ones with the margin from their paper."""
    rows = []
    names = [row.system for row in table.rows if metric in row.figures]
    for row in table.rows:
        figure = row.figures.get(metric)
        if figure is None:
            continue
        margin = figure.margin or 0.0
        low, high = figure.value - margin, figure.value + margin
        if figure.interval is not None:
            low, high = figure.interval.low, figure.interval.high
        shown = _scaled(metric, value=figure.value, low=low, high=high)
        system = row.system if names.count(row.system) == 1 else f"{row.system} ({row.source})"
        rows.append({"system": system, "of": HERE if row.source == HERE else "published", "is": row.source, **shown})
    base = _chart(rows).encode(
        y=alt.Y("system:N", sort=None, title=None, axis=_names(280)),
        color=_scale(alt.Color, [HERE, "published"], [OURS, THEIRS], "of:N"),
        tooltip=_tooltip("system", "is"),
    )
    shape = _scale(alt.Shape, [HERE, "published"], _SHAPES, "of:N")
    return alt.layer(*_with_bars(base, shape, "x", _title(metric))).properties(height=_ROW * len(rows) + _AROUND)


def by_part(metric: str, parts: Mapping[str, Mapping[str, Interval]]) -> Plot:
    """A measure by part of the items, for every engine. `parts` maps engine to part to figure."""
    rows = [
        {"engine": engine, "part": part, **_scaled(metric, value=one.value, low=one.low, high=one.high)}
        for engine, own in parts.items()
        for part, one in own.items()
    ]
    engines = list(parts)
    names = list(dict.fromkeys(part for own in parts.values() for part in own))
    base = _chart(rows).encode(
        y=alt.Y("part:N", sort=names, title=None, axis=_names(220)),
        yOffset=alt.YOffset("engine:N", sort=engines),
        color=_scale(alt.Color, engines, _COLOURS),
        tooltip=_tooltip("engine", "part"),
    )
    height = len(names) * max(_ROW, 18 * len(engines)) + _AROUND
    shape = _scale(alt.Shape, engines, _SHAPES)
    return alt.layer(*_with_bars(base, shape, "x", _title(metric))).properties(height=height)


def places(found: Sequence[float], *, most: float, colour: str) -> Plot:
    """The share of the sentences in each tenth of the paper. `most` is the end of the axis, in percent."""
    rows = [
        {"from": 10 * number, "to": 10 * (number + 1), "share": share} for number, share in enumerate(shares(found))
    ]
    plot: Plot = (
        _chart(rows)
        .mark_bar(color=colour, binSpacing=2)
        .encode(
            x=alt.X(
                "from:Q", bin="binned", title="Place in the paper (% of its sentences)", axis=alt.Axis(tickCount=10)
            ),
            x2="to:Q",
            y=alt.Y("share:Q", title="%", scale=alt.Scale(domain=[0, most])),
            tooltip=[alt.Tooltip("from:Q"), alt.Tooltip("to:Q"), alt.Tooltip("share:Q", format=".1f")],
        )
        .properties(height=170)
    )
    return plot


def shares(found: Sequence[float]) -> list[float]:
    """The share of positions (0 to 1) in each tenth, in percent. The last tenth includes 1."""
    bins = [min(_BINS - 1, int(position * _BINS)) for position in found]
    return [100 * bins.count(number) / max(1, len(bins)) for number in range(_BINS)]


def price(metric: str, priced: Sequence[Priced], *, title: str) -> Plot:
    """Each engine's figure, with its interval, against what an item took."""
    rows = [
        {
            "engine": one.engine,
            "each": one.each,
            **_scaled(metric, value=one.figure.value, low=one.figure.low, high=one.figure.high),
        }
        for one in priced
    ]
    engines = [one.engine for one in priced]
    scale = alt.Scale(type="log" if all(one.each > 0 for one in priced) else "linear", padding=40)
    base = _chart(rows).encode(
        x=alt.X("each:Q", title=title, scale=scale, axis=alt.Axis(grid=False)),
        color=_scale(alt.Color, engines, _COLOURS),
        tooltip=[*_tooltip("engine"), alt.Tooltip("each:Q", title=title, format=".4g")],
    )
    shape = _scale(alt.Shape, engines, _SHAPES)
    return alt.layer(*_with_bars(base, shape, "y", _title(metric))).properties(height=360)


def differences(found: Sequence[Compared], metric: str) -> Plot:
    """Each pair's difference on a metric, with its interval. Left of 0, the first engine is better."""
    rows = [
        {
            "pair": f"{one.other} minus {one.one}",
            "of": SURE if is_sure(one) else UNSURE,
            "is": f"p = {one.corrected_p:.3f}, corrected",
            **_scaled(metric, value=one.difference.value, low=one.difference.low, high=one.difference.high),
        }
        for one in found
        if one.metric == metric
    ]
    base = _chart(rows).encode(
        y=alt.Y("pair:N", sort=None, title=None, axis=_names(320)),
        color=_scale(alt.Color, [SURE, UNSURE], [OURS, THEIRS], "of:N"),
        tooltip=_tooltip("pair", "is"),
    )
    zero = _chart([{}]).mark_rule(strokeDash=[4, 4], color=THEIRS).encode(x=alt.datum(0))
    shape = _scale(alt.Shape, [SURE, UNSURE], _SHAPES, "of:N")
    bars = _with_bars(base, shape, "x", f"Difference, {_title(metric)}")
    return alt.layer(zero, *bars).properties(height=_ROW * max(2, len(rows)) + _AROUND)


def is_sure(one: Compared) -> bool:
    """Whether a difference is significant after the correction for the number of pairs."""
    return one.corrected_p < _ALPHA


def _chart(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    return alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]


def _with_bars(base: alt.Chart, shape: alt.Shape, axis: str, title: str) -> tuple[alt.Chart, alt.Chart]:
    """A mark for the value, on a bar from low to high."""
    channel: Any = alt.X if axis == "x" else alt.Y
    found = {"title": title, "scale": alt.Scale(zero=False, nice=False, padding=12), "axis": alt.Axis(tickCount=8)}
    bars = base.mark_rule(strokeWidth=2, opacity=0.75).encode(**{axis: channel("low:Q", **found), f"{axis}2": "high:Q"})
    points = base.mark_point(filled=True, size=90, opacity=1).encode(shape=shape, **{axis: channel("value:Q", **found)})
    return bars, points


def _scale(channel: Any, names: Sequence[str], values: Sequence[str], field: str = "engine:N") -> Any:
    """Colours or shapes by name, with a legend below."""
    scale = alt.Scale(domain=list(names), range=list(islice(cycle(values), len(names))))
    return channel(
        field, scale=scale, title=None, legend=alt.Legend(orient="bottom", direction="vertical", labelLimit=320)
    )


def _names(longest: int) -> alt.Axis:
    """An axis of names that skips none. `longest` is in pixels."""
    return alt.Axis(labelLimit=longest, labelOverlap=False)


def _tooltip(*fields: str) -> list[alt.Tooltip]:
    figures = [alt.Tooltip(f"{name}:Q", format=".3~f") for name in ("value", "low", "high")]
    return [*(alt.Tooltip(f"{name}:N") for name in fields), *figures]


def _scaled(metric: str, **values: float) -> dict[str, float]:
    """The values as the table shows them: shares in percent."""
    return {name: float(number(metric, value)) for name, value in values.items()}


def _title(metric: str) -> str:
    return f"{metric} ({unit(metric)})" if unit(metric) else metric
