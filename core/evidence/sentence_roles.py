"""The role of a sentence in its paper: it sets the scene, or says who was eligible, what was done, or what was found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.evidence.ranker.sentence_features import wording_features
from core.paper import Kind, Paper, SectionKind, Sentence
from core.paper.sections import main_kind, normalise_title
from core.text.terms import Vocabulary, terms_of

FILE = Path(__file__).parent / "sentence_roles.json"
Matrix = NDArray[np.float64]


class SentenceRole(StrEnum):
    """The roles that matter to a reader who looks for results."""

    SCENE = "scene"  # background, aims, registration
    ELIGIBILITY = "eligibility"  # who could take part
    CONDUCT = "conduct"  # what was done, with whom, what was measured
    FINDING = "finding"  # results and conclusions


ROLES = tuple(SentenceRole)
PLACES = ("in abstract", "place in abstract", "its square", "first of abstract", "last of abstract")
_FEW = 0.15  # share of an abstract that counts as its beginning, or as its end


@dataclass(frozen=True, slots=True)
class RoleModel:
    """A multinomial logistic regression over terms, wording and the position in an abstract (`core.training roles`)."""

    vocabulary: Vocabulary
    term_weights: Matrix  # (terms, roles)
    columns: tuple[str, ...]
    column_weights: Matrix  # (columns, roles)
    intercepts: Matrix  # (roles,)

    def probabilities(self, paper: Paper, sentences: Sequence[Sentence]) -> Matrix:
        """The probability of each role, without regard to titles. Shape: (len(sentences), len(ROLES))."""
        odds: Matrix = columns_of(paper, sentences) @ self.column_weights + self.intercepts
        for number, sentence in enumerate(sentences):
            places, weights = self.vocabulary.weigh(terms_of(sentence.text))
            odds[number] += weights @ self.term_weights[places]
        powers: Matrix = np.exp(odds - odds.max(axis=1, keepdims=True, initial=-np.inf))
        result: Matrix = powers / powers.sum(axis=1, keepdims=True)
        return result


def columns_of(paper: Paper, sentences: Sequence[Sentence]) -> Matrix:
    """Wording and position in the abstract, in the order of `column_names`. Shape: (len(sentences), columns)."""
    wording = wording_features([sentence.text for sentence in sentences])
    roles = paper.section_roles
    abstract = [one.index for one in paper.pool if roles[one.section] is SectionKind.ABSTRACT]
    order = {index: number / max(1, len(abstract) - 1) for number, index in enumerate(abstract)}
    place = np.array([order.get(sentence.index, np.nan) for sentence in sentences], dtype=np.float64)
    there = ~np.isnan(place)
    place = np.where(there, place, 0.0)
    return np.column_stack(
        [*wording.values(), there, place, place**2, there & (place < _FEW), there & (place > 1 - _FEW)]
    ).astype(np.float64)


def column_names() -> tuple[str, ...]:
    """The names of the columns of `columns_of`."""
    return (*wording_features([]), *PLACES)


def role_by_title(paper: Paper) -> list[SentenceRole | None]:
    """The role of each of the paper's sentences by the nearest title above it; None if the title does not tell."""
    roles = paper.section_roles
    divided = SectionKind.RESULTS in roles  # else the whole paper may be under its introduction's title
    found: list[SentenceRole | None] = []
    section, title = -1, ""
    for sentence in paper.sentences:
        if sentence.section != section:
            section, title = sentence.section, normalise_title(paper.section_of(sentence).title)
        if sentence.kind is Kind.HEADING:
            title = normalise_title(sentence.text)
        part = roles[sentence.section]
        if part is SectionKind.ABSTRACT:
            found.append(_IN_ABSTRACT.get(title) or _BY_KIND.get(main_kind(title) or SectionKind.OTHER))
        elif part is SectionKind.METHODS and title in _WHO:
            found.append(SentenceRole.ELIGIBILITY)
        else:
            found.append(_BY_KIND.get(part) if divided else None)
    return found


_BY_KIND = {
    SectionKind.INTRODUCTION: SentenceRole.SCENE,
    SectionKind.METHODS: SentenceRole.CONDUCT,
    SectionKind.RESULTS: SentenceRole.FINDING,
}
# Titles of an abstract's parts that differ from those of a paper's sections (ICMJE, CONSORT for abstracts).
_IN_ABSTRACT = {
    **dict.fromkeys(
        ("background", "context", "rationale", "importance", "aim", "aims", "objective", "objectives", "purpose",
         "question", "hypothesis", "trial registration", "trial registrations", "registration", "funding"),
        SentenceRole.SCENE,
    ),
    **dict.fromkeys(("design", "setting", "participants", "interventions", "main outcome measures"), SentenceRole.CONDUCT),
    **dict.fromkeys(("findings", "conclusion", "conclusions", "interpretation"), SentenceRole.FINDING),
}  # fmt: skip
_WHO = frozenset(
    {"eligibility", "eligibility criteria", "inclusion criteria", "exclusion criteria", "entry criteria",
     "inclusion and exclusion criteria", "selection criteria"}
)  # fmt: skip


def to_json(model: RoleModel) -> str:
    """The model as a text file, one term per line: its rarity, then one weight per role."""
    rows = np.column_stack([model.vocabulary.rarity, model.term_weights]).round(2).tolist()
    content = {
        "roles": ROLES,
        "intercepts": model.intercepts.round(3).tolist(),
        "columns": dict(zip(model.columns, model.column_weights.round(3).tolist(), strict=True)),
        "terms": dict(zip(model.vocabulary.place, rows, strict=True)),
    }
    return json.dumps(content, separators=(",", ":")).replace("],", "],\n") + "\n"


@cache
def load_roles() -> RoleModel:
    """The shipped model. Raises `ValueError` if its columns differ from this version's."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    if tuple(content["columns"]) != column_names() or tuple(content["roles"]) != ROLES:
        raise ValueError("the model was trained on other features: run python -m core.training roles")
    terms = np.array(list(content["terms"].values()))
    return RoleModel(
        vocabulary=Vocabulary({term: place for place, term in enumerate(content["terms"])}, terms[:, 0]),
        term_weights=terms[:, 1:],
        columns=tuple(content["columns"]),
        column_weights=np.array(list(content["columns"].values())),
        intercepts=np.array(content["intercepts"]),
    )
