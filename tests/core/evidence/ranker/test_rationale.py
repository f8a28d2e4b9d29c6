"""Why this sentence? Reasons in words."""

from __future__ import annotations

import numpy as np

from core.evidence.model import EvidenceQuery
from core.evidence.ranker.features import Meaning, features
from core.evidence.ranker.rationale import READING, Explained, rationales
from core.paper import Paper, Sentence
from tests.core.evidence.papers import HYPOTHESIS, bee_trial, body, paper_of


def explained(paper: Paper, chosen: list[Sentence], *, read: float = -np.inf, **gains: float) -> Explained:
    """The chosen sentences' true features, with made-up contributions; `read` are the cross-encoder's log-odds."""
    vectors = np.ones((len(paper.sentences), 4)) / 2
    found = features(
        paper, EvidenceQuery(HYPOTHESIS).candidates(paper), HYPOTHESIS, Meaning(vectors, vectors[0], vectors[:2])
    )
    rows = [[s.index for s in EvidenceQuery(HYPOTHESIS).candidates(paper)].index(sentence.index) for sentence in chosen]
    names = (*found.names, READING)
    contributions = np.zeros((len(chosen), len(names)))
    for name, gain in gains.items():
        contributions[:, names.index(name)] = gain
    return Explained(names, np.column_stack([found.values[rows], np.full(len(rows), read)]), contributions)


def sentence_with(paper: Paper, text: str) -> Sentence:
    return next(sentence for sentence in paper.sentences if text in sentence.text)


def test_what_spoke_for_it_comes_strongest_first_after_the_hypothesis() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, "82 versus 64")]
    line = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, p_value=2.0, cosine=1.0, in_abstract=0.5))[0]
    assert line == "Similar to the hypothesis; reports a statistical test; stands in the abstract."


def test_a_pattern_is_named_only_where_it_stands() -> None:
    paper = bee_trial()
    chosen = [
        sentence_with(paper, "Hives stood")
    ]  # the absence of a test may raise a score, but is not "reports a test"
    line = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, p_value=2.0, cosine=1.0))[0]
    assert line == "Similar to the hypothesis."


def test_a_spread_is_no_interval_and_a_registration_no_figure() -> None:
    texts = (
        "We studied 82 bees (age 6.2 ± 1.1 days), ISRCTN04567890, grant 007149.",
        "Naps were 4.1 minutes longer (95% CI 1.2 to 7.0).",
        "Naps of 30 honey bees were 4.1 minutes longer (1.2–7.0).",
    )
    paper = paper_of(body(*texts))
    chosen = list(paper.sentences)
    lines = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, interval=2.0, numbers=1.0))
    assert lines[0] == "Gives figures."
    assert lines[1].startswith("Reports a result with an interval; first to name “naps”")
    assert lines[2].startswith("Reports a result with an interval; first to name “honey”.")
    again = rationales(paper, [chosen[1], chosen[0]], "x", explained(paper, [chosen[1], chosen[0]], numbers=1.0))
    assert again[1].endswith("adds figures not given before (1.1, 6.2, 82).")


def test_what_speaks_against_is_no_reason() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, "82 versus 64")]
    assert rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, cosine=-1.0)) == [
        "Ranked next by all measures together."
    ]


def test_it_says_what_each_adds_to_those_before() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, text) for text in ("82 versus 64", "Bees visit many", "82 versus 64")]
    first, second, third = rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, cosine=1.0))
    assert "first to name" not in first
    assert second.endswith("first to name “bees”.")
    assert third.endswith("says it in another way.")


def test_a_second_reading_is_named_only_where_it_speaks_for_the_sentence() -> None:
    paper = bee_trial()
    chosen = [sentence_with(paper, "Hives stood")]

    def line(read: float, moved: float) -> str:
        return rationales(paper, chosen, HYPOTHESIS, explained(paper, chosen, read=read, reading=moved, cosine=1.0))[0]

    assert line(1.0, 2.0).startswith("Bears on the hypothesis when the two are read together")
    assert "read together" not in line(-1.0, 2.0)  # above the others that were read, and still unlikely
    assert "read together" not in line(1.0, -2.0)
    assert "read together" not in line(-np.inf, -2.0)  # not read
