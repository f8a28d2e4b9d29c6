"""Compose results of invented trials: sentences that state in many ways which of two arms had more of an outcome.

Real sentences hardly teach a small network to distinguish the arms, because nearly all of them name the treated arm
first. Here either arm can come first in every construction, and the question can ask for either. Arms and outcomes are
taken from real questions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.entailment import Direction

_UP, _DOWN, _SAME, _NOT = Direction.UP, Direction.DOWN, Direction.SAME, Direction.NOT_ON_THIS
OPPOSITE = {_UP: _DOWN, _DOWN: _UP, _SAME: _SAME, _NOT: _NOT}
_TREATED = (
    "intervention group", "treatment group", "experimental group", "active group", "intervention arm", "treated patients",
    "study group",
)  # fmt: skip
_UNTREATED = ("control group", "controls", "control arm", "comparison group", "placebo group", "untreated group")
_COMPARATORS = ("placebo", "usual care", "control", "standard care", "no treatment", "saline", "sham")
_PEOPLE = ("patients", "participants", "women", "children", "subjects", "infants", "volunteers", "people")
_WHEN = (
    "", "", "", " at 6 months", " after 12 weeks", " at follow-up", " at one year", " after treatment", " on day 7",
    " at the end of the study", " at week 24", " post-intervention",
)  # fmt: skip
_BEFORE = (
    "In the intention-to-treat analysis, ", "After adjustment, ", "At the primary end point, ", "Overall, ", "However, ",
    "In addition, ", "Furthermore, ", "As shown in Table 2, ",
)  # fmt: skip
_MORE = ("higher", "greater", "more", "increased", "elevated", "larger")
_LESS = ("lower", "smaller", "less", "reduced", "decreased")
_SURELY = ("significantly ", "", "markedly ", "significantly ", "considerably ", "statistically significantly ")
_AGAINST = ("v", "vs", "versus", "vs.", "compared with", "against")
_BESIDE = ("compared with", "Compared to", "Relative to", "in comparison with")
_BRACKETS = (("(", ")"), ("(", ")"), ("[", "]"), (", ", ""))
_JOINED = ("; ", ", whereas ", ", and ", ". ", ", while ", ", but ")

Arms = tuple[str, str]  # intervention, comparator


@dataclass(frozen=True, slots=True)
class ComposedResult:
    """A question, a sentence, and the direction that the sentence tells."""

    intervention: str
    comparator: str
    outcome: str
    sentence: str
    told: Direction


def compose(draw: random.Random, arms: Sequence[Arms], outcomes: Sequence[str]) -> ComposedResult:
    """A random result.

    About half ask for the arm that a trial would call the comparator, a tenth for an untold outcome.
    """
    intervention, comparator = draw.choice(arms)
    if draw.random() < 0.25:
        comparator = draw.choice(_COMPARATORS)
    outcome, told = draw.choice(outcomes), draw.choices((_UP, _DOWN, _SAME), (0.37, 0.37, 0.26))[0]
    sentence = _Clause(draw, intervention, comparator, outcome).telling(told)
    chance = draw.random()
    if chance < 0.35:
        other = _Clause(draw, intervention, comparator, draw.choice(outcomes)).telling(draw.choice((_UP, _DOWN, _SAME)))
        sentence = _two(draw, sentence, other)
    strange = draw.choice(outcomes)
    if (chance < 0.04 or 0.35 <= chance < 0.48) and strange.lower() not in sentence.lower():
        outcome, told = strange, _NOT
    elif draw.random() < 0.5:
        intervention, comparator, told = comparator, intervention, OPPOSITE[told]
    if draw.random() < 0.15:
        sentence = draw.choice(_BEFORE) + sentence[0].lower() + sentence[1:]
    return ComposedResult(intervention, comparator, outcome, _sentence(sentence), told)


def _two(draw: random.Random, one: str, other: str) -> str:
    first, second = draw.sample((one, other), 2)
    joined = draw.choice(_JOINED)
    return first + joined + (second[0].upper() + second[1:] if joined == ". " else second)


def _sentence(text: str) -> str:
    clean = text.replace(" , ", ", ").replace(" ,", ",").strip()
    return f"{clean[0].upper()}{clean[1:]}."


# ---- figures ----


def _significant(draw: random.Random) -> str:
    return draw.choice((
        "p < 0.001", "P < 0.05", f"p = 0.00{draw.randint(1, 9)}", f"P = 0.0{draw.randint(1, 4)}", f"p=0.0{draw.randint(10, 49)}",
        "P<0.01", f"p = .0{draw.randint(1, 4)}", "P ≤ 0.05", "p < 0.0001", f"p-value 0.0{draw.randint(1, 4)}",
    ))  # fmt: skip


def _not_significant(draw: random.Random) -> str:
    return draw.choice((
        f"p = 0.{draw.randint(6, 98)}", f"P = 0.{draw.randint(6, 99):02d}", "p > 0.05", "P=NS", "n.s.",
        f"p=0.{draw.randint(55, 990):03d}", f"P > 0.{draw.choice((1, 2, 3))}", "not significant", f"p = .{draw.randint(6, 95):02d}",
    ))  # fmt: skip


def _size(draw: random.Random) -> float:
    chance = draw.random()
    if chance < 0.35:
        return draw.uniform(0.2, 9.9)
    return draw.uniform(10, 99) if chance < 0.75 else float(draw.randint(100, 900))


def _two_sizes(draw: random.Random, ratio: float) -> tuple[str, str]:
    """The larger and the smaller of two figures, formatted."""
    low = _size(draw)
    digits = 0 if low >= 100 else 1 if low >= 10 else 2
    return f"{low * ratio:.{digits}f}", f"{low:.{digits}f}"


def _with_spread(draw: random.Random, mean: str) -> str:
    spread = float(mean) * draw.uniform(0.1, 0.5)
    sd = f"{spread:.1f}" if spread >= 1 else f"{spread:.2f}"
    forms = ("{m} ± {s}", "{m} ({s})", "{m} (SD {s})", "{m} [SD {s}]", "{m}±{s}", "{m}", "{m}", "mean {m} [{s}]")
    return draw.choice(forms).format(m=mean, s=sd)


def _two_counts(draw: random.Random, ratio: float) -> tuple[str, str]:
    """The numbers of events in a group that has more, and in one that has less, formatted."""
    of_more, of_less, rate = draw.randint(40, 400), draw.randint(40, 400), draw.uniform(0.05, 0.4)
    more, less = round(of_more * min(0.95, rate * ratio)), round(of_less * rate)
    form = draw.choice(("{n}/{of}", "{n} of {of}", "{n} ({share:.1f}%)", "{n}/{of} ({share:.0f}%)", "{share:.1f}%"))
    return (
        form.format(n=more, of=of_more, share=100 * more / of_more),
        form.format(n=less, of=of_less, share=100 * less / of_less),
    )


def _interval(draw: random.Random, told: Direction) -> str:
    """An effect with its interval, as a ratio or as a difference."""
    if draw.random() < 0.5:
        name = draw.choice(("odds ratio", "OR", "relative risk", "RR", "hazard ratio", "HR", "risk ratio", "adjusted OR", "rate ratio"))  # fmt: skip
        width = draw.uniform(1.1, 1.5)
        middle = {_SAME: draw.uniform(0.93, 1.07), _UP: draw.uniform(1.05, 1.6) * width}.get(
            told, draw.uniform(0.6, 0.95) / width
        )
        shown = [f"{one:.2f}" for one in (middle / width, middle, middle * width)]
    else:
        name = draw.choice(("mean difference", "difference", "MD", "between-group difference", "treatment effect"))
        width = _size(draw) / 4 + 0.2
        shift = {_SAME: draw.uniform(-0.6, 0.6), _UP: draw.uniform(1.3, 3)}.get(told, draw.uniform(-3, -1.3))
        minus = draw.choice("-−–")
        shown = [f"{one * width:.1f}".replace("-", minus) for one in (shift - 1, shift, shift + 1)]
    (low, effect, high), (before, after) = shown, draw.choice(((", ", ""), ("; ", ""), (" (", ")")))
    percent = draw.choice(("95% CI", "95% confidence interval", "95% CI:"))
    return f"{name} {effect}{before}{percent} {low}{draw.choice((' to ', ', '))}{high}{after}"


# ---- clauses ----


class _Clause:
    """Sentences about one outcome in two arms."""

    def __init__(self, draw: random.Random, intervention: str, comparator: str, outcome: str) -> None:
        self._draw, self._arms, self._outcome = draw, (intervention, comparator), outcome
        self._groups = self._group(intervention, _TREATED), self._group(comparator, _UNTREATED)

    def telling(self, told: Direction) -> str:
        """A sentence that says that the intervention has more of the outcome, less, or as much."""
        forms = self._same() if told is _SAME else self._differing(told)
        return self._draw.choice(forms)()

    def _group(self, arm: str, called: Sequence[str]) -> str:
        chance, people = self._draw.random(), self._draw.choice(_PEOPLE)
        if chance < 0.6:
            return self._draw.choice((
                f"the {arm} group", f"the {arm} group", f"the {arm} arm", f"{people} given {arm}", f"those who received {arm}",
                f"{people} treated with {arm}", f"the group assigned to {arm}", f"{people} randomised to {arm}", f"those on {arm}",
            ))  # fmt: skip
        return arm if chance < 0.75 else f"the {self._draw.choice(called)}"

    def _same(self) -> Sequence[Callable[[], str]]:
        draw, o, (i, c) = self._draw, self._outcome, self._arms
        x, y = draw.sample(self._groups, 2)
        a, b = (_with_spread(draw, one) for one in draw.sample(_two_sizes(draw, draw.uniform(1, 1.12)), 2))
        m, n = draw.sample(_two_counts(draw, draw.uniform(1, 1.15)), 2)
        interval, (op, cl), when, p = (
            _interval(draw, _SAME),
            draw.choice(_BRACKETS),
            draw.choice(_WHEN),
            _not_significant(draw),
        )
        pick = draw.choice
        return (
            lambda: f"there was no significant difference in {o} between {x} and {y}{when} {op}{p}{cl}",
            lambda: f"{o} did not differ {pick(('', 'significantly '))}between {x} and {y}{when} {op}{p}{cl}",
            lambda: f"{o} {pick(('was', 'were'))} similar in {x} and {y}{when}",
            lambda: f"{o} was {a} in {x} and {b} in {y}{when} {op}{p}{cl}",
            lambda: (
                f"{i} had no {pick(('significant ', '', 'clear '))}effect on {o} compared with {c}{when} {op}{p}{cl}"
            ),
            lambda: (
                f"{o} was {pick(('slightly', 'numerically', 'somewhat'))} {pick(_MORE + _LESS)} in {x} than in {y}, but "
                f"{pick(('this was not significant', 'this did not reach significance', 'not significantly so'))} {op}{p}{cl}"
            ),
            lambda: (
                f"no {pick(('', 'between-group ', 'statistically significant '))}difference was {pick(('found', 'seen'))} for {o}"
                f"{when} {op}{a} v {b}; {p}{cl}"
            ),
            lambda: f"{o} occurred in {m} of {x} and {n} of {y} {op}{p}{cl}",
            lambda: f"{o} changed to a similar extent with {i} and with {c} {op}{interval}{cl}",
            lambda: f"{o}: {a} {pick(('v', 'vs', 'versus'))} {b} {op}{p}{cl}",
            lambda: (
                f"compared with {c}, {i} did not {pick(('change', 'affect', 'improve', 'reduce', 'increase'))} {o} {op}{interval}{cl}"
            ),
            lambda: f"the effect of {i} on {o} was not significant{when} {op}{interval}{cl}",
        )

    def _differing(self, told: Direction) -> Sequence[Callable[[], str]]:
        draw, o, (i, c) = self._draw, self._outcome, self._arms
        more, less = self._groups if told is _UP else self._groups[::-1]
        raising, lowering = (i, c) if told is _UP else (c, i)
        sizes = _two_sizes(draw, draw.uniform(1.15, 2.2))
        spread, counts = [_with_spread(draw, one) for one in sizes], _two_counts(draw, draw.uniform(1.4, 2.4))
        first = draw.choice((0, 1))  # whether the arm that is named first has more (0) or less (1)
        f, s = (more, less)[first], (more, less)[1 - first]
        a, b, m, n = spread[first], spread[1 - first], counts[first], counts[1 - first]
        word, rise = draw.choice((_MORE, _LESS)[first]), draw.random() < 0.5
        went = draw.choice(
            ("increased", "rose", "went up", "climbed") if rise else ("decreased", "fell", "dropped", "declined")
        )
        change = draw.choice(("increase", "rise") if rise else ("reduction", "decrease", "fall", "decline"))
        far, near = (
            (more, less) if rise else (less, more)
        )  # the arm with the greater change: for a fall, the one that ends up with less
        surely, against, interval = draw.choice(_SURELY), draw.choice(_AGAINST), _interval(draw, told)
        (op, cl), when, p, pick = draw.choice(_BRACKETS), draw.choice(_WHEN), _significant(draw), draw.choice
        return (
            lambda: f"{o} was {surely}{word} in {f} than in {s}{when} {op}{p}{cl}",
            lambda: f"{o} {pick(('was', 'were'))} {surely}{word} in {f} compared with {s}{when} {op}{a} {against} {b}, {p}{cl}",
            lambda: f"{f} had {surely}{word} {o} than {s}{when} {op}{p}{cl}",
            lambda: f"{pick(_BESIDE)} {s}, {f} {pick(('had', 'showed', 'reported'))} {surely}{word} {o}{when} {op}{p}{cl}",
            lambda: f"{o} was {a} in {f} and {b} in {s}{when} {op}{p}{cl}",
            lambda: f"{o} in {f} and {s} was {a} and {b}, respectively{when} {op}{p}{cl}",
            lambda: f"{a} {against} {b} for {o} in {f} and {s}, respectively {op}{p}{cl}",
            lambda: f"{o} occurred in {m} in {f} and {n} in {s} {op}{p}{cl}",
            lambda: f"{m} of {f} {against} {n} of {s} had {o}{when} {op}{p}{cl}",
            lambda: f"{raising} {surely}{pick(('increased', 'raised', 'prolonged', 'enhanced'))} {o} compared with {lowering}{when} {op}{p}{cl}",
            lambda: f"{lowering} {surely}{pick(('reduced', 'lowered', 'decreased', 'suppressed'))} {o} compared with {raising}{when} {op}{p}{cl}",
            lambda: f"{lowering} led to {pick(('a reduction in', 'lower', 'a fall in', 'less'))} {o} relative to {raising} {op}{p}{cl}",
            lambda: f"{raising} was associated with {pick(('an increase in', 'higher', 'more', 'greater'))} {o} than {lowering} {op}{p}{cl}",
            lambda: f"{o} {went} {surely}more in {far} than in {near}{when} {op}{p}{cl}",
            lambda: f"{o} {went} by {sizes[0]} in {far} but only by {sizes[1]} in {near}{when} {op}{p}{cl}",
            lambda: f"{o} {went} by {sizes[1]} in {near} and by {sizes[0]} in {far} {op}{p}{cl}",
            lambda: f"{o} {went} {surely}in {far}{when} but did not change in {near} {op}{p}{cl}",
            lambda: f"the {change} in {o} was {surely}{pick(('greater', 'larger', 'more pronounced'))} in {far} than in {near} {op}{p}{cl}",
            lambda: f"the {change} in {o} was {surely}{pick(('smaller', 'less', 'less pronounced'))} in {near} than in {far} {op}{p}{cl}",
            lambda: f"{o} differed significantly between {f} and {s} {op}{a} {against} {b}; {p}{cl}",
            lambda: f"{i} {against} {c} for {o}: {interval}",
            lambda: f"the highest {o} was {pick(('seen', 'found', 'observed'))} in {more}, {surely}above that of {less} {op}{p}{cl}",
            lambda: f"{o}: {a} in {f}, {b} in {s} {op}{p}{cl}",
        )  # fmt: skip
