"""Settled judgements on risk of bias, as gold in RoBBR's layouts (its appendix A.5)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.benchmarks.gold import Gold
from core.bias.model import Domain, Level, StudyContext
from core.export.gold import at_optimal
from core.paper import Paper

_MIDDLE = {Level.SOME_CONCERNS: Level.UNCLEAR}  # the layout has one word for both tools' middle


@dataclass(frozen=True, slots=True)
class BiasGold:
    """A domain of a study as the reviewers settled it. `gold`: aspects of the judgement and sentences that tell them."""

    id: str
    paper: Paper
    domain: Domain
    study: StudyContext
    level: Level
    gold: Gold


def robbr_main_json(judgements: Sequence[BiasGold]) -> str:
    """The main task's file: the paper and the level."""
    return _json({one.id: _common(one) | _level(one) for one in judgements})


def robbr_support_json(judgements: Sequence[BiasGold]) -> str:
    """Support Sentence Retrieval's file, of the judgements that rest on a sentence."""
    return _json({one.id: _common(one) | _support(one) for one in judgements if one.gold.by_sentence})


def _common(one: BiasGold) -> dict[str, Any]:
    return {
        "paper_doi": one.paper.doi or one.paper.id,
        "bias": _name(one.domain),
        "bias_definition": _definition(one.domain),
        "PICO": _pico(one.study),
        "objective": _line(one.study.objective),
    }


def _level(one: BiasGold) -> dict[str, Any]:
    elements = [_line(sentence.text) for sentence in one.paper.pool]
    return {"full_paper": "\n".join(filter(None, elements)), "label": _MIDDLE.get(one.level, one.level).value}


def _support(one: BiasGold) -> dict[str, Any]:
    aspects, sentences = one.gold.aspects, one.paper.pool
    return {
        "paper_as_candidate_pool": [sentence.text for sentence in sentences],
        "aspects": {id: one.gold.label(id) for id in aspects},
        "aspect2sentence_indices": {id: sorted(covering) for id, covering in aspects.items()},
        "sentence_index2aspects": {
            str(index): [id for id, covering in aspects.items() if index in covering] for index in range(len(sentences))
        },
        "bias_retrieval_at_optimal_evaluation": at_optimal(aspects),
    }


def _name(domain: Domain) -> str:
    """RoB 1 names the domain and the bias, RoB 2 the bias that it speaks of, as in RoBBR's table 12."""
    return domain.bias if domain.bias.startswith("bias ") else f"{domain.name} ({domain.bias})"


def _definition(domain: Domain) -> str:
    """The definition, and each level's criterion under its name."""
    levels = (f"{_word(level)}: {_line(text)}" for level, text in domain.criteria.items())
    return "\n\n".join([_line(domain.definition), *levels])


def _word(level: Level) -> str:
    return level.value if level is Level.SOME_CONCERNS else f"{level.value} risk"


def _pico(study: StudyContext) -> str:
    parts = {
        "Participants": study.population,
        "Interventions": study.intervention,
        "Comparators": study.comparator,
        "Outcomes": study.outcome,
    }
    return "\n\n\n".join(f"{name}: {_line(text)}" for name, text in parts.items() if text.strip())


def _line(text: str) -> str:
    return " ".join(text.split())


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
