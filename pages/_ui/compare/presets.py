"""Ready comparisons, taken from the papers on language models. Each fills the form at a click."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from core.engines import TaskKind, models_among
from pages._ui.compare.state import CompareChoices, NamedModels
from pages._ui.state import Session, prime

# ---- presets ----


@dataclass(frozen=True, slots=True)
class Preset:
    """A comparison without the models' names. In `engines`, MODEL, OTHER and ENCODER stand for the names."""

    title: str
    about: str
    task: TaskKind
    engines: tuple[str, ...]
    times: int = 1
    writes: bool = False  # each model writes a summary first, and both summaries are checked
    wants: tuple[str, ...] = field(default=("model",))  # the names that it needs


PRESETS = (
    Preset(
        "Regeneration",
        "The same question three times: how often the same sentences come back.",
        TaskKind.EVIDENCE,
        ("MODEL@digest", "MODEL@whole"),
        times=3,
    ),
    Preset(
        "Examples",
        "The whole paper with and without eight examples (EvidenceBench, section 4.1).",
        TaskKind.EVIDENCE,
        ("MODEL@whole", "MODEL@examples"),
    ),
    Preset(
        "Section by section",
        "Each section by itself and then a choice, in both wordings, or the whole paper at once (EvidenceBench, section 4.1).",
        TaskKind.EVIDENCE,
        ("MODEL@digest", "MODEL@sections", "MODEL@whole"),
    ),
    Preset(
        "Two stages",
        "A search first and then a judgement by what it found, or the whole paper at once (RoBBR, section 6.3).",
        TaskKind.BIAS,
        ("MODEL@whole", "MODEL@retrieved", "MODEL@highlights"),
    ),
    Preset(
        "Label alone",
        "A summary's sentences labelled with the sentences that they rest on, or without (FaReBio).",
        TaskKind.SUMMARY,
        ("MODEL@support", "MODEL@label"),
    ),
    Preset(
        "Self-preference",
        "Two models write a summary each, and check both: does a model let its own pass more easily?",
        TaskKind.SUMMARY,
        ("MODEL@support", "OTHER@support", "offline"),
        writes=True,
        wants=("model", "other"),
    ),
    Preset(
        "Instructions to encoders",
        "An encoder with and without being told what to look for (EvidenceBench, appendix D.6), beside words alone.",
        TaskKind.EVIDENCE,
        ("embedding:ENCODER", "embedding:ENCODER@instructed", "bm25"),
        wants=("encoder",),
    ),
)
_FIELDS = {
    "model": ("Language model", "openai:MODEL"),
    "other": ("Another one", "anthropic:MODEL"),
    "encoder": ("Encoder", "its folder, or ORGANISATION/MODEL"),
}


def engines_of(preset: Preset, named: NamedModels) -> tuple[str, ...]:
    """The engines with the typed names filled in. A strategy in a typed name is replaced by the preset's."""
    model, other = (_bare(name) for name in (named.model, named.other))
    typed = {"MODEL": model, "OTHER": other, "ENCODER": named.encoder.strip()}
    # replace all at once: a typed name may itself contain one of these words
    filled = (re.sub("|".join(typed), lambda found: typed[found[0]], one) for one in preset.engines)
    return tuple(dict.fromkeys(filled))


def why_not(preset: Preset, named: NamedModels) -> str | None:
    """What is missing for a comparison, as a sentence; None if it is complete."""
    for one in preset.wants:
        title, example = _FIELDS[one]
        typed = getattr(named, one).strip()
        if not typed:
            return f"{preset.title} needs a name in the field “{title}”: {example}."
        if one != "encoder" and not models_among([typed]):
            return f"“{typed}” is no language model. Write it as PROVIDER:MODEL, such as {example}."
    if preset.writes and _bare(named.model) == _bare(named.other):
        return f"{preset.title} needs two different models."
    return None


def _bare(name: str) -> str:
    """A model's name without a strategy."""
    found = models_among([name.strip()])
    return f"{found[0].provider}:{found[0].model}" if found else name.strip()


# ---- choosing ----


def show(session: Session) -> None:
    """Draw the list of ready comparisons, with the fields for the models' names."""
    named = session.part(CompareChoices).ready
    prime(**{f"ready-{one}": getattr(named, one) for one in _FIELDS})
    with st.popover("Ready comparisons", icon=":material/checklist:", width=560):
        for one, (title, example) in _FIELDS.items():
            setattr(named, one, st.text_input(title, key=f"ready-{one}", placeholder=example, autocomplete="off"))
        for number, preset in enumerate(PRESETS):
            st.button(preset.title, key=f"ready-preset-{number}", on_click=partial(fill, session, preset))
            st.caption(preset.about)


def fill(session: Session, preset: Preset) -> None:
    """Fill a ready comparison into the form. If a name is missing, say so instead."""
    choices, fields = session.part(CompareChoices), st.session_state
    for one in _FIELDS:
        setattr(choices.ready, one, str(fields.get(f"ready-{one}") or ""))
    session.problem = why_not(preset, choices.ready)
    if session.problem is not None:
        return
    choices.task, choices.times = preset.task, preset.times
    choices.engines[preset.task] = engines_of(preset, choices.ready)
    choices.writers = tuple(map(_bare, (choices.ready.model, choices.ready.other))) if preset.writes else ()
    fields["compare-task"], fields["compare-times"] = preset.task, preset.times
    fields[f"compare-engines-{preset.task}"] = list(choices.engines[preset.task])
