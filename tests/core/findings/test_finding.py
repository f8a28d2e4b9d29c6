"""The cell of the evidence table: verdict, strongest sentences and effect, by the rules and by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.errors import QueryError
from core.evidence import engine_named
from core.evidence.baselines import Bm25Engine
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence, Stance
from core.findings import Finding, find
from core.findings.finding import _kept
from core.grounding.model import ModelRun, PaperVerdict, Step, Verdict
from core.paper import Kind, Paper, read_paper
from core.paper.draft import Block
from core.progress import Progress, silent
from run import ROOT
from tests.core.evidence.papers import HYPOTHESIS, bee_trial, body, heading, paper_of

EFFECT = "Daily naps improved the memory of honey bees (mean difference 4.1 points, 95% CI 2.2 to 6.0; P < 0.001)."


class Canned:
    """An engine with an answer of its own."""

    name = "canned"

    def __init__(self, *sentences: EvidenceSentence, run: ModelRun | None = None) -> None:
        self._sentences, self._run = sentences, run

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        return Evidence(self.name, query, self._sentences, 0.0, 0.25, run=self._run)


def index_of(paper: Paper, text: str) -> int:
    return next(sentence.index for sentence in paper.sentences if sentence.text == text)


@pytest.mark.parametrize("engine", ["offline", "bm25"])
@pytest.mark.parametrize(
    ("hypothesis", "verdict"),
    [
        ("Daily naps improve memory in honey bees", PaperVerdict.SUPPORTS),
        ("Daily naps reduce memory in honey bees compared with no naps", PaperVerdict.REFUTES),
        ("There is no difference in memory between bees that nap and bees that do not", PaperVerdict.REFUTES),
    ],
)
def test_a_firm_verdict_rests_on_a_sentence_of_its_own(engine: str, hypothesis: str, verdict: PaperVerdict) -> None:
    finding = find(bee_trial(more=(EFFECT,)), hypothesis, engine=engine_named(engine))
    assert finding.verdict in (verdict, PaperVerdict.UNCLEAR), "never the other way"
    strongest = finding.strongest_for if verdict is PaperVerdict.SUPPORTS else finding.strongest_against
    if finding.verdict is verdict:
        assert strongest is not None
        assert finding.probability is not None
        assert finding.probability > 0.5
    else:
        assert len(finding.nearest) == 3
        assert finding.probability is None


@pytest.mark.parametrize(
    "hypothesis",
    [
        "Walking reduces blood pressure in adults",
        "Caffeine reduces the lifespan of wasps compared with water",
    ],
)
def test_a_paper_on_something_else_has_no_firm_verdict(hypothesis: str) -> None:
    finding = find(bee_trial(more=(EFFECT,)), hypothesis, engine=engine_named("offline"))
    assert finding.verdict in (PaperVerdict.NOT_REPORTED, PaperVerdict.UNCLEAR)
    assert (finding.strongest_for, finding.strongest_against, finding.effect) == (None, None, None)
    assert finding.nearest
    assert finding.reported is not None
    assert finding.reported < 0.5


def test_what_is_no_result_decides_nothing() -> None:
    paper = paper_of(
        heading("Introduction"),
        body("Naps improved memory in bees significantly (P = 0.01)."),
        heading("Methods"),
        body("We assessed whether daily naps improve memory in honey bees."),
    )
    finding = find(paper, HYPOTHESIS, engine=engine_named("offline"))
    assert finding.verdict not in (PaperVerdict.SUPPORTS, PaperVerdict.REFUTES)


def test_without_its_encoder_there_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.text.encoder_files.PACKAGE", "a_package_that_is_not_installed")
    finding = find(bee_trial(), HYPOTHESIS, engine=engine_named("bm25"))
    assert finding.verdict is None
    assert "not installed" in finding.reason


def test_the_effect_is_that_of_the_deciding_sentence() -> None:
    paper = bee_trial(more=(EFFECT,))
    run = ModelRun("m", "whole", (), (), Verdict(PaperVerdict.SUPPORTS, index_of(paper, EFFECT), None))
    finding = find(paper, HYPOTHESIS, engine=Canned(EvidenceSentence(3, 1.0, Stance.SUPPORTS), run=run))
    assert finding.effect is not None
    assert (finding.effect.value, finding.effect.low, finding.effect.high) == (4.1, 2.2, 6.0)
    assert finding.effect.text in EFFECT


def test_of_several_effects_the_outcomes_own_is_taken() -> None:
    several = (
        "Naps changed flights (MD 9.0, 95% CI 1.0 to 17.0) and memory (MD 4.0, 95% CI 2.0 to 6.0) in honey bees for the "
        "better."
    )
    at = index_of(paper := bee_trial(more=(several,)), several)
    run = ModelRun("m", "whole", (), (), Verdict(PaperVerdict.SUPPORTS, at, None))
    finding = find(paper, "Naps improve memory", engine=Canned(EvidenceSentence(at, 1.0, Stance.SUPPORTS), run=run))
    assert finding.effect is not None
    assert finding.effect.text == "MD 4.0, 95% CI 2.0 to 6.0"


def test_the_effect_of_a_sentence_that_is_neither_for_nor_against_is_not_taken() -> None:
    stung = "Daily naps did not change stings (risk ratio 1.00, 95% CI 0.91 to 1.11; P = 0.9)."
    paper = bee_trial(more=(stung,))
    at = index_of(paper, stung)
    run = ModelRun("m", "whole", (), (), Verdict(PaperVerdict.SUPPORTS, 3, None))
    chosen = (EvidenceSentence(3, 1.0, Stance.SUPPORTS), EvidenceSentence(at, 0.5, Stance.NEUTRAL))
    assert find(paper, HYPOTHESIS, engine=Canned(*chosen, run=run)).effect is None
    against = (chosen[0], EvidenceSentence(at, 0.5, Stance.REFUTES))
    assert find(paper, HYPOTHESIS, engine=Canned(*against, run=run)).effect is not None


def test_a_language_model_has_the_last_word() -> None:
    paper = bee_trial(more=(EFFECT,))
    at = index_of(paper, EFFECT)
    sentences = (EvidenceSentence(at, 1.0, Stance.REFUTES), EvidenceSentence(at - 1, 0.5, Stance.NEUTRAL))
    run = ModelRun("m", "whole", (("evidence-whole", "abc"),), (), Verdict(PaperVerdict.MIXED, None, at))
    finding = find(paper, HYPOTHESIS, engine=Canned(*sentences, run=run))
    assert finding.verdict is PaperVerdict.MIXED
    assert finding.sentences == sentences
    assert finding.strongest_for is None
    assert finding.strongest_against is not None
    assert finding.strongest_against.index == at
    assert finding.prompts == (("evidence-whole", "abc"),)
    assert finding.cost_usd == 0.25


def test_where_a_model_finds_no_report_the_nearest_sentence_stands_alone() -> None:
    paper = bee_trial(more=(EFFECT,))
    at = index_of(paper, EFFECT)
    sentences = (EvidenceSentence(at, 1.0, Stance.NEUTRAL), EvidenceSentence(at - 1, 0.5, Stance.NEUTRAL))
    run = ModelRun("m", "whole", (), (), Verdict(PaperVerdict.NOT_REPORTED, None, None))
    finding = find(paper, HYPOTHESIS, engine=Canned(*sentences, run=run))
    assert finding.verdict is PaperVerdict.NOT_REPORTED
    assert (finding.strongest_for, finding.strongest_against, finding.effect) == (None, None, None)
    assert [one.text for one in finding.nearest] == [EFFECT]
    unclear = replace(run, verdict=Verdict(PaperVerdict.UNCLEAR, None, None))
    assert [one.index for one in find(paper, HYPOTHESIS, engine=Canned(*sentences, run=unclear)).nearest] == [
        at,
        at - 1,
    ]
    firm = replace(run, verdict=Verdict(PaperVerdict.SUPPORTS, at, None))
    assert find(paper, HYPOTHESIS, engine=Canned(*sentences, run=firm)).nearest == ()


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (None, ""),
        (0.999, "very likely, 0.99"),
        (0.95, "very likely, 0.95"),
        (0.87, "likely, 0.87"),
        (0.6, "rather likely, 0.60"),
        (0.1, "not sure, 0.10"),
    ],
)
def test_a_probability_is_a_word_and_a_number(probability: float | None, words: str) -> None:
    assert Finding("offline", HYPOTHESIS, PaperVerdict.SUPPORTS, "", probability=probability).sureness == words


def test_a_model_without_a_verdict_leaves_the_paper_unjudged() -> None:
    paper = bee_trial()
    sentences = (EvidenceSentence(3, 1.0, Stance.NEUTRAL), EvidenceSentence(4, 0.5, Stance.REFUTES))
    finding = find(paper, HYPOTHESIS, engine=Canned(*sentences, run=ModelRun("m", "sections", (), ())))
    assert finding.verdict is None
    assert "no verdict" in finding.reason
    assert finding.strongest_for is None
    assert finding.strongest_against is not None
    assert finding.strongest_against.index == 4


def test_a_paper_without_sentences_is_unclear() -> None:
    finding = find(paper_of(Block(Kind.TITLE, "Naps")), HYPOTHESIS, engine=Canned())
    assert finding.verdict is PaperVerdict.UNCLEAR
    assert finding.sentences == ()


def test_an_empty_hypothesis_is_refused() -> None:
    with pytest.raises(QueryError, match="empty"):
        find(bee_trial(), " ", engine=Bm25Engine())


@pytest.mark.slow
def test_passages_are_the_papers_own_with_their_pages() -> None:
    path = ROOT / "sample_data" / "sleep-app.pdf"
    paper = read_paper(path.read_bytes(), name=path.name)
    finding = find(paper, "The app improves sleep", engine=Bm25Engine())
    passages = [one for one in (finding.strongest_for, finding.strongest_against, *finding.nearest) if one]
    assert passages
    for passage in passages:
        sentence = paper.sentences[passage.index]
        assert (passage.text, passage.page) == (sentence.text, sentence.page)
        assert passage.page is not None


def test_what_a_language_model_says_is_not_checked() -> None:
    run = ModelRun("m", "whole", (), (), Verdict(PaperVerdict.SUPPORTS, 3, None))
    assert find(bee_trial(), HYPOTHESIS, engine=Canned(EvidenceSentence(3, 1.0), run=run)).check is None


def test_what_a_language_model_did_not_read_is_told() -> None:
    steps = (Step("Methods", "", (), error="Too slow."), Step("Results", "", (3,), left_out=7))
    run = ModelRun("m", "sections", (), steps, Verdict(PaperVerdict.SUPPORTS, 3, None))
    check = find(bee_trial(), HYPOTHESIS, engine=Canned(EvidenceSentence(3, 1.0), run=run)).check
    assert check is not None
    assert "of “Results” the last 7 lines were not read" in check
    assert "Not read: “Methods”. Too slow." in check


@pytest.mark.parametrize(
    ("strongest", "k", "kept"),
    [
        ((4, None), 3, [0, 1, 4]),
        ((9, 12), 10, [0, 1, 2, 3, 4, 5, 6, 7, 9, 12]),
        ((3, 5), 1, [3, 5]),
        ((0, None), 2, [0, 1]),
        ((None, None), 2, [0, 1]),
    ],
)
def test_the_strongest_sentences_are_among_those_kept(strongest: Sequence[int | None], k: int, kept: list[int]) -> None:
    sentences = [EvidenceSentence(row, 1 - row / 100) for row in range(38)]
    assert [one.index for one in _kept(sentences, strongest, k)] == kept


def test_without_the_reader_what_was_found_is_still_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.findings.finding.reader", lambda: None)
    finding = find(bee_trial(more=(EFFECT,)), "Daily naps improve memory in honey bees", engine=engine_named("bm25"))
    assert finding.verdict is None
    assert len(finding.nearest) == 3
    assert "pip install" in finding.reason
