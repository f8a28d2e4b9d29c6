"""What a review asks of every paper: the fields of its criteria, reasons, hypotheses and engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.bias import StudyContext
from core.bias.engines import ENGINES as BIAS_ENGINES
from core.errors import EngineError
from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.findings.verdict import how_often_right
from core.llm import model_named
from core.screening.engines import ENGINES as SCREENING_ENGINES
from core.screening.model import Criterion, CriterionKind
from core.store import REASONS, Plan

_KINDS = {
    CriterionKind.POPULATION: ("Population", "Adults with chronic insomnia"),
    CriterionKind.INTERVENTION: ("Intervention", "A supplement of magnesium, by mouth"),
    CriterionKind.COMPARATOR: ("Comparator", "Placebo or no treatment"),
    CriterionKind.OUTCOME: ("Outcome", "Sleep, as people report it or as measured"),
    CriterionKind.DESIGN: ("Design", "Randomised trial"),
    CriterionKind.OWN: ("Other", "Followed up for at least four weeks"),
}
_NOBODY = "nobody"  # the work is left to people
_ENGINES = {
    "criteria": ("Criteria of screening", SCREENING_ENGINES),
    "evidence": ("Evidence for the hypotheses", BIAS_ENGINES),
    "bias": ("Risk of bias", BIAS_ENGINES),
}


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked of every paper."""

    criteria: tuple[Criterion, ...] = ()
    reasons: tuple[str, ...] = REASONS
    hypotheses: tuple[str, ...] = ()

    @property
    def wrong(self) -> str | None:
        """Why they cannot be asked, in a sentence; None where they can."""
        for what, texts in (("criterion", [one.text for one in self.criteria]), ("hypothesis", self.hypotheses)):
            for text in texts:
                if (words := len(text.split())) > MAX_HYPOTHESIS_WORDS:
                    start = " ".join(text.split()[:6])
                    return f"The {what} “{start} …” has {words:,} words; at most {MAX_HYPOTHESIS_WORDS} are allowed. Shorten it."
        return None


def fields(asked: Questions, study: StudyContext, place: str) -> Questions:
    """Draw the fields. Without a criterion yet, they begin with the review's PICO."""
    given = {kind: "\n".join(one.text for one in asked.criteria if one.kind is kind) for kind in CriterionKind}
    if not asked.criteria:
        given |= of_study(study)
    st.caption(
        "What a paper must have to be included, **one criterion a line**. A criterion whose words change is a new one: "
        "what was said of the old words stays in the history."
    )
    written, columns = {}, st.columns(2)
    for number, (kind, (label, example)) in enumerate(_KINDS.items()):
        written[kind] = columns[number % 2].text_area(
            label, value=given.get(kind, ""), placeholder=example, key=f"{place}-criterion-{kind}", height=68
        )
    reasons = st.text_area(
        "Reasons to exclude, one a line",
        value="\n".join(asked.reasons),
        key=f"{place}-reasons",
        height=120,
        help="The first nine have a number key. One that is typed while screening is added here.",
    )
    hypotheses = st.text_area(
        "Hypotheses, one a line",
        value="\n".join(asked.hypotheses),
        placeholder="Magnesium shortens the time to fall asleep",
        key=f"{place}-hypotheses",
        height=100,
        help="Each is a column of the evidence table. More can be added later; papers are not read again for them.",
    )
    return Questions(criteria_in(written), lines_in(reasons), lines_in(hypotheses))


def plan_fields(plan: Plan, place: str) -> Plan:
    """Draw the choice of the engines that go over every paper. Raises `EngineError` for a name that is none."""
    st.caption(
        "Which engines the queue runs over every paper. For a language model type its name, such as openai:MODEL."
    )
    chosen = {}
    for name, (label, _) in _ENGINES.items():
        given = getattr(plan, name) or _NOBODY
        options = list(dict.fromkeys(["offline", _NOBODY, given]))
        chosen[name] = st.selectbox(
            label,
            options,
            index=options.index(given),
            accept_new_options=True,
            key=f"{place}-plan-{name}",
        )
        if name == "evidence":
            st.caption(how_often_right())
    return Plan(**{name: engine_in(value, name) for name, value in chosen.items()})


def engine_in(value: str | None, task: str) -> str | None:
    """The engine that was named for a task; None: nobody. Raises `EngineError` for a name that is none."""
    name = " ".join((value or _NOBODY).split())
    label, local = _ENGINES[task]
    if name.lower() == _NOBODY:
        return None
    if name.lower() in local:
        return name.lower()
    if model_named(name) is None:
        raise EngineError(
            f"There is no engine called “{name}” for “{label}”. Choose one of: {', '.join(local)}, or a language model "
            "such as openai:MODEL."
        )
    return name


def of_study(study: StudyContext) -> dict[CriterionKind, str]:
    """What the review's PICO says, as criteria."""
    said = {kind: getattr(study, kind.value, "").strip() for kind in CriterionKind}
    return {kind: words for kind, words in said.items() if words}


def criteria_in(written: Mapping[CriterionKind, str]) -> tuple[Criterion, ...]:
    """The criteria in the fields, each once."""
    found = (Criterion(kind, line) for kind in CriterionKind for line in lines_in(written.get(kind, "")))
    return tuple({one.id: one for one in found}.values())


def lines_in(text: str) -> tuple[str, ...]:
    """The lines of a field that say something, each once, without the signs that lists have."""
    lines = (" ".join(line.split()).lstrip("-–•* ") for line in text.splitlines())
    return tuple(dict.fromkeys(line for line in lines if line))
