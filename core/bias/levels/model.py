"""The shipped model of levels: a logistic regression a domain over words and signs (docs/bias.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.bias.levels.signs import SAFE_ENVELOPES, SIGNS, Seen, signs_in
from core.bias.model import Level
from core.bias.ranker.features import Matrix, terms_of
from core.bias.ranker.model import Vocabulary

FILE = Path(__file__).parent / "levels.json"
LEVELS = (Level.LOW, Level.UNCLEAR, Level.HIGH)
DOMAINS = tuple(SIGNS)  # of RoB 1; no reader has judged "other"
PAPER, GIVEN = "paper", "given"  # sentences that were found in a paper, or that a reviewer gives as support
KINDS = (PAPER, GIVEN)
_BEST = 3  # of whose ranks the model is told
SIGN_NAMES = tuple(dict.fromkeys(sign.name for signs in SIGNS.values() for sign in (*signs, SAFE_ENVELOPES)))
COLUMNS = (*SIGN_NAMES, "registered", *(f"rank {place + 1}" for place in range(_BEST)))


@dataclass(frozen=True, slots=True)
class Read:
    """What is told of a domain: sentences, best first; of a paper, their scores and whether it names its registration."""

    domain: str
    sentences: tuple[str, ...]
    scores: tuple[float, ...] = ()  # by the ranker; () for sentences that were given
    registered: bool = False

    @property
    def kind(self) -> str:
        return PAPER if self.scores else GIVEN

    @property
    def signs(self) -> tuple[Seen, ...]:
        """Each sign of the domain at its first place."""
        return signs_in(self.domain, self.sentences)

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(term for sentence in self.sentences for term in terms_of(sentence))

    @property
    def columns(self) -> Matrix:
        """One value a name of `COLUMNS`."""
        values = np.zeros(len(COLUMNS))
        for seen in self.signs:
            values[SIGN_NAMES.index(seen.sign.name)] = 1
        values[len(SIGN_NAMES)] = self.registered
        best = self.scores[:_BEST]
        values[len(SIGN_NAMES) + 1 :][: len(best)] = best
        return values


@dataclass(frozen=True, slots=True)
class LevelModel:
    """Weights by kind and domain, (terms + columns + 1, levels), the last row being the intercepts.

    `shown_from` is the probability from which a level is right in at least 85% of papers not seen, by kind and level.
    """

    vocabulary: Vocabulary
    weights: Mapping[tuple[str, str], Matrix]
    shown_from: Mapping[str, Mapping[Level, float]]
    sha256: Mapping[str, str]  # of the files that it was trained on

    def probabilities(self, read: Read) -> Mapping[Level, float]:
        """How likely each level is."""
        weights = self.weights[read.kind, read.domain]
        places, values = self.vocabulary.weigh(read.terms)
        odds = values @ weights[places] + read.columns @ weights[len(self.vocabulary.place) : -1] + weights[-1]
        powers = np.exp(odds - odds.max())
        return dict(zip(LEVELS, (powers / powers.sum()).tolist(), strict=True))

    def likeliest(self, read: Read) -> tuple[Level, float, bool]:
        """The likeliest level, its probability, and whether that is enough for it to be shown."""
        found = self.probabilities(read)
        level = max(found, key=found.__getitem__)
        return level, found[level], found[level] >= self.shown_from[read.kind][level]


def to_json(model: LevelModel) -> str:
    """The model as a text file, one term a line: its rarity, then its weights, by kind, domain and level."""
    terms = list(model.vocabulary.place)
    stacked = np.hstack([model.weights[kind, domain] for kind in KINDS for domain in DOMAINS]).round(2)
    words = np.column_stack([model.vocabulary.rarity.round(2), stacked[: len(terms)]])
    content = {
        "sha256": model.sha256,
        "shown_from": model.shown_from,
        "domains": DOMAINS,
        "columns": dict(zip((*COLUMNS, ""), stacked[len(terms) :].tolist(), strict=True)),
        "words": dict(zip(terms, words.tolist(), strict=True)),
    }
    return json.dumps(content, separators=(",", ":")).replace("],", "],\n").replace(".0,", ",") + "\n"


def from_json(text: str) -> LevelModel:
    """The model of a text that `to_json` wrote. Raises `ValueError` if it knows other columns than this version."""
    content = json.loads(text)
    if tuple(content["columns"]) != (*COLUMNS, "") or tuple(content["domains"]) != DOMAINS:
        raise ValueError("the model was trained on other features: run python -m core.training.train_bias")
    words = np.array(list(content["words"].values()))
    stacked = np.vstack([words[:, 1:], np.array(list(content["columns"].values()))])
    pairs = [(kind, domain) for kind in KINDS for domain in DOMAINS]
    parts = np.split(stacked, len(pairs), axis=1)
    return LevelModel(
        vocabulary=Vocabulary({term: place for place, term in enumerate(content["words"])}, words[:, 0]),
        weights=dict(zip(pairs, parts, strict=True)),
        shown_from={
            kind: {Level(level): value for level, value in levels.items()}
            for kind, levels in content["shown_from"].items()
        },
        sha256=content["sha256"],
    )


@cache
def load_levels() -> LevelModel:
    """The shipped model, read once per process."""
    return from_json(FILE.read_text(encoding="utf-8"))
