"""Support sentences for definitions that nobody trained for: what words stand for, what is left out, and the ranking."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.bias import Domain, StudyContext, bias_engine_named
from core.bias.definitions.contrast import TrialSentences, load_trial_sentences, save_trial_sentences
from core.bias.definitions.features import Definition
from core.bias.definitions.model import ALL, from_json, load_model, load_topics, ranked_for, to_json
from core.bias.definitions.words import load_trial_words, save_trial_words, terms_of
from core.bias.engine import LearnedEngine
from core.errors import QueryError
from core.paper import Paper, read_paper
from core.settings import load_settings
from core.text.similarity import Embedder
from run import ROOT

WORDS = load_trial_words()


@pytest.fixture(scope="module")
def cramps() -> Paper:
    path = ROOT / "sample_data" / "leg-cramps.xml"
    return read_paper(path.read_bytes(), name=path.name)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder.installed(load_settings().embeddings)


def test_a_trials_own_numbers_are_all_the_same() -> None:
    assert terms_of("184 adults, 60 years") == ("#", terms_of("adults")[0], "#", terms_of("years")[0])


def test_words_of_one_meaning_lie_together_though_they_share_no_letter() -> None:
    knew, unaware, dose = (WORDS.vector(text) for text in ("they know", "unaware", "daily dose"))
    assert knew @ unaware > 0.3 > knew @ dose
    assert np.linalg.norm(knew) == pytest.approx(1, abs=1e-5)
    assert not WORDS.vector("zzzzqq").any()


def test_a_question_is_widened_by_what_trials_say() -> None:
    asked, said = WORDS.vector("foreseeing the next assignment"), WORDS.vector("sealed opaque envelopes")
    assert WORDS.widened(asked) @ said > asked @ said


def test_rarer_words_cover_more() -> None:
    texts = [frozenset(WORDS.known(text)) for text in ("opaque", "patients", "opaque envelopes of patients", "")]
    rare, common, both, nothing = WORDS.coverage("opaque patients", texts)
    assert both == pytest.approx(1)
    assert rare > common > nothing == 0


def test_words_survive_being_written(tmp_path: Path) -> None:
    file = tmp_path / "words.npz"
    save_trial_words(WORDS, file)
    with np.load(file, allow_pickle=False) as kept:
        assert tuple(kept["words"]) == WORDS.words
        again = kept["vectors"] * kept["vectors_scale"][:, None]
    assert np.abs(again - WORDS.vectors).max() < 1e-4


def test_what_every_report_says_counts_little() -> None:
    random = np.random.default_rng(0)
    words = np.stack([random.normal(0, 1, 500), random.normal(0, 0.05, 500)], axis=1).astype(np.float32)
    words[:10] = (1, 1)  # what is asked for: it lies one deviation off on the common side, twenty on the other
    meaning = random.normal(0, 1, (500, 1)).astype(np.float32)
    asked = np.array([0.1, 1], dtype=np.float32)
    weights, _ = TrialSentences.of(words, meaning).told_apart(asked, np.zeros(1, dtype=np.float32))
    assert weights.shape == (3,)
    assert weights[1] > 5 * abs(weights[0])


def test_a_definition_is_told_apart_by_what_only_its_sentences_say() -> None:
    sentences, vector = load_trial_sentences(), WORDS.vector("whether staff could foresee the next assignment")
    no_meaning = np.zeros(sentences.basis.shape[0] - len(vector), dtype=np.float32)
    weights, near = sentences.told_apart(WORDS.widened(vector), no_meaning)
    texts = ["sealed opaque envelopes", "patients were randomised", "blood was drawn", "the trial ended"]
    scores = WORDS.vectors_of(texts) @ weights[: len(vector)]
    assert scores.argmax() == 0
    assert np.linalg.norm(near) == pytest.approx(1, abs=1e-5)


def test_sentences_of_trials_survive_being_written(tmp_path: Path) -> None:
    found = load_trial_sentences()
    save_trial_sentences(found, tmp_path / "sentences.npz")
    with np.load(tmp_path / "sentences.npz", allow_pickle=False) as kept:
        again = kept["rows"] * kept["rows_scale"][:, None]
        assert np.abs(again - found.rows).max() < 1e-3
        assert np.abs(kept["basis"] - found.basis).max() < 1e-3
        assert kept["mean"] == pytest.approx(found.mean, abs=1e-6)


def test_weights_survive_being_written() -> None:
    model = load_model()
    again = from_json(to_json(model))
    assert (again.names, again.left_out, again.sha256) == (model.names, model.left_out, model.sha256)
    assert all(np.array_equal(again.weights[part], weights) for part, weights in model.weights.items())


def test_what_is_left_out_is_a_whole_family() -> None:
    left_out = load_model().left_out
    assert set(left_out["sequence"]) == set(left_out["concealment"]) >= {"sequence", "concealment", "restriction"}
    assert set(left_out["blinding"]) == {"blinding", "blinded assessment"}
    others = load_topics().without(left_out["sequence"])
    assert not {"sequence", "concealment", "randomisation"} & set(others.ids)
    assert others.definitions.shape[0] == others.weights.shape[1] == len(others.ids) > 20


@pytest.mark.parametrize(
    ("name", "definition", "words"),
    [
        ("Taking it", "Whether people took what they were given.", "returned sachets"),
        (
            "Size",
            "Whether enough people were recruited to find a difference, by a calculation made beforehand.",
            "power",
        ),
        ("Secrecy", "Whether patients and doctors were unaware of the treatment.", "did not know"),
    ],
)
def test_a_definition_is_followed(cramps: Paper, embedder: Embedder, name: str, definition: str, words: str) -> None:
    found = ranked_for(Definition(name, definition), cramps, embedder, k=5)
    assert len({support.index for support in found}) == 5
    assert list(found) == sorted(found, key=lambda support: -support.score)
    assert words in " ".join(cramps.sentences[support.index].text for support in found)


def test_another_set_of_weights_ranks_otherwise(cramps: Paper, embedder: Embedder) -> None:
    asked = Definition("Blinding", "Whether anybody knew the treatment.")
    scores = [ranked_for(asked, cramps, embedder, k=5, without=part) for part in (ALL, "blinding")]
    assert scores[0] != scores[1]


def test_what_cannot_be_asked_is_said(cramps: Paper, embedder: Embedder) -> None:
    with pytest.raises(QueryError, match="The definition is empty"):
        ranked_for(Definition("", " "), cramps, embedder, k=3)
    with pytest.raises(QueryError, match="sequence, concealment, blinding, attrition, reporting"):
        ranked_for(Definition("Funding", "Who paid."), cramps, embedder, k=3, without="other")


def test_the_engine_follows_an_own_definition_and_can_forget_a_domain(cramps: Paper, embedder: Embedder) -> None:
    engine = bias_engine_named("offline")
    own = Domain("own:money", "Money", "", "Who paid for the study.", {}, "")
    found = engine.support(own, cramps, StudyContext(), k=3).support
    assert found == ranked_for(Definition("Money", "Who paid for the study."), cramps, embedder, k=3)
    assert isinstance(engine, LearnedEngine)
    assert engine.without("blinding").support(own, cramps, StudyContext(), k=3).support != found
