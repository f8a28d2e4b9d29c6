"""The cell of the evidence table: verdict, strongest sentences and effect, by the rules and by a language model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import QueryError
from core.evidence import engine_named
from core.evidence.bm25 import Bm25Engine
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence, ModelRun, PaperVerdict, Stance, Verdict
from core.findings import Finding, find
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


def test_a_result_for_the_hypothesis_supports_it() -> None:
    finding = find(bee_trial(), HYPOTHESIS, engine=Bm25Engine())
    assert finding.verdict is PaperVerdict.SUPPORTS
    assert finding.strongest_for is not None
    assert finding.strongest_for.text == "Memory scores were higher with a nap (82 versus 64 points; P = 0.003)."
    assert finding.strongest_against is None
    assert (finding.engine, finding.cost_usd) == ("bm25", 0.0)


@pytest.mark.parametrize(
    ("hypothesis", "reason"),
    [
        ("Tea improves pain in adults", "A result tells an improvement (“improved”), as claimed."),
        ("Tea worsens pain in adults", "A result tells an improvement (“improved”), other than claimed."),
    ],
)
def test_what_got_better_is_told_as_such(hypothesis: str, reason: str) -> None:
    paper = paper_of(heading("Results"), body("Pain improved with tea compared with water (P = 0.01)."))
    assert find(paper, hypothesis, engine=Bm25Engine()).reason == reason


@pytest.mark.parametrize(
    ("hypothesis", "verdict"),
    [
        ("Daily naps reduce memory in honey bees", PaperVerdict.REFUTES),
        ("Daily naps do not affect memory in honey bees", PaperVerdict.REFUTES),
        ("Daily naps affect memory in honey bees", PaperVerdict.SUPPORTS),
        ("It is not the case that daily naps improve memory in honey bees", PaperVerdict.REFUTES),
    ],
)
def test_the_direction_of_the_hypothesis_counts(hypothesis: str, verdict: PaperVerdict) -> None:
    assert find(bee_trial(), hypothesis, engine=Bm25Engine()).verdict is verdict


def test_no_difference_refutes_a_hypothesis_of_one() -> None:
    paper = paper_of(
        heading("Results"), body("Memory did not differ between bees that napped and the others (P = 0.4).")
    )
    finding = find(paper, HYPOTHESIS, engine=Bm25Engine())
    assert finding.verdict is PaperVerdict.REFUTES
    assert finding.strongest_against is not None
    assert find(paper, "Daily naps do not affect memory", engine=Bm25Engine()).verdict is PaperVerdict.SUPPORTS


def test_nothing_decides_but_results_of_this_paper() -> None:
    paper = paper_of(
        heading("Introduction"),
        body("Naps improved memory in bees significantly (P = 0.01)."),
        heading("Methods"),
        body("We assessed whether daily naps improve memory in honey bees."),
        heading("Discussion"),
        body("Previous studies found that naps improved memory in bees (P < 0.001)."),
    )
    finding = find(paper, HYPOTHESIS, engine=Bm25Engine())
    assert finding.verdict is PaperVerdict.UNCLEAR
    assert finding.strongest_for is None
    assert "No chosen sentence" in finding.reason


def test_the_effect_is_that_of_the_deciding_sentence() -> None:
    finding = find(bee_trial(more=(EFFECT,)), HYPOTHESIS, engine=Bm25Engine())
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


def test_an_effect_of_another_study_is_not_taken() -> None:
    paper = paper_of(
        heading("Discussion"), body("Previous studies found better memory with naps (MD 4.0, 95% CI 2.0 to 6.0).")
    )
    assert find(paper, HYPOTHESIS, engine=Bm25Engine()).effect is None


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


def test_passages_are_the_papers_own_with_their_pages() -> None:
    path = ROOT / "sample_data" / "sleep-app.pdf"
    paper = read_paper(path.read_bytes(), name=path.name)
    finding = find(paper, "The app improves sleep", engine=Bm25Engine())
    passages = [passage for passage in (finding.strongest_for, finding.strongest_against) if passage]
    assert passages
    for passage in passages:
        sentence = paper.sentences[passage.index]
        assert (passage.text, passage.page) == (sentence.text, sentence.page)
        assert passage.page is not None


def test_the_order_of_the_sentences_is_the_engines() -> None:
    paper = bee_trial()
    finding = find(paper, HYPOTHESIS, engine=Bm25Engine())
    query = EvidenceQuery(HYPOTHESIS, k=10, results_only=True)
    bare = [replace(one, stance=None) for one in finding.sentences]
    assert bare == list(Bm25Engine().find(paper, query).sentences)


@pytest.mark.parametrize("engine", ["bm25", "offline"])
def test_a_paper_on_something_else_is_unclear_whichever_way_it_points(engine: str) -> None:
    finding = find(bee_trial(), "Walking reduces blood pressure in adults", engine=engine_named(engine))
    assert finding.verdict is PaperVerdict.UNCLEAR
    assert finding.reason == (
        "The paper does not plainly speak of “Walking” or “blood pressure in adults”, so its results are not weighed."
    )
    assert (finding.strongest_for, finding.strongest_against, finding.effect) == (None, None, None)


def test_where_only_the_outcome_is_named_nothing_is_weighed() -> None:
    finding = find(bee_trial(), "Caffeine reduces memory in honey bees", engine=engine_named("bm25"))
    assert finding.verdict is PaperVerdict.UNCLEAR
    assert "“Caffeine”" in finding.reason
    assert (finding.strongest_for, finding.strongest_against) == (None, None)


def test_an_effect_on_another_outcome_is_none() -> None:
    stung = "Daily naps did not change stings (risk ratio 1.00, 95% CI 0.91 to 1.11; P = 0.9)."
    paper = paper_of(heading("Results"), body(stung), body("Daily naps improved memory (P = 0.01)."))
    assert find(paper, HYPOTHESIS, engine=Canned(EvidenceSentence(index_of(paper, stung), 1.0))).effect is None


def test_an_effect_on_the_outcome_by_its_abbreviation_is_taken() -> None:
    stated = "Daily naps improved the ST (mean difference 4.0, 95% CI 2.0 to 6.0)."
    paper = paper_of(heading("Methods"), body("We used the sting tally (ST)."), heading("Results"), body(stated))
    hypothesis = "Daily naps reduce the sting tally"
    assert find(paper, hypothesis, engine=Canned(EvidenceSentence(index_of(paper, stated), 1.0))).effect is not None


def test_an_effect_at_baseline_is_none() -> None:
    before = "At baseline, memory was better with naps (mean difference 4.0, 95% CI 2.0 to 6.0)."
    paper = paper_of(heading("Results"), body(before), body("Daily naps improved memory (P = 0.01)."))
    assert find(paper, HYPOTHESIS, engine=Canned(EvidenceSentence(index_of(paper, before), 1.0))).effect is None


def test_a_hypothesis_that_names_no_treatment_is_held_against_its_outcome_alone() -> None:
    finding = find(bee_trial(), "The intervention improves memory in honey bees", engine=engine_named("offline"))
    assert finding.verdict is PaperVerdict.SUPPORTS


@pytest.mark.parametrize(
    ("outcome", "check"),
    [
        ("memory", ""),
        ("memory and attention", ""),
        ("long-term spatial memory", "The sentence names less than half of the outcome: check."),
    ],
)
def test_a_verdict_says_where_its_sentence_does_not_plainly_name_the_outcome(outcome: str, check: str) -> None:
    told = "Daily naps improved memory compared with walks (P = 0.01)."
    more = "Long-term spatial memory of honey bees was tested in a maze during the summer."
    paper = paper_of(heading("Results"), body(told, more))
    hypothesis = f"Daily naps improve {outcome}"
    assert find(paper, hypothesis, engine=Canned(*(EvidenceSentence(one, 1.0) for one in (1, 2)))).check == check


@pytest.mark.parametrize(
    ("hypothesis", "check"),
    [
        ("Daily naps improve memory", "The result is a subgroup's: check."),
        ("Daily naps improve memory in the subgroup of old bees", ""),
    ],
)
def test_a_verdict_says_where_only_a_subgroup_decides(hypothesis: str, check: str) -> None:
    told = "In the subgroup of old bees, daily naps improved memory compared with walks (P = 0.01)."
    paper = paper_of(heading("Results"), body(told))
    assert find(paper, hypothesis, engine=Canned(EvidenceSentence(1, 1.0))).check == check


def test_what_a_language_model_says_is_not_checked() -> None:
    run = ModelRun("m", "whole", (), (), Verdict(PaperVerdict.SUPPORTS, 3, None))
    assert find(bee_trial(), HYPOTHESIS, engine=Canned(EvidenceSentence(3, 1.0), run=run)).check is None


SOME = "In the subgroup of old bees, naps did not change stings (hazard ratio 1.20, 95% CI 0.70 to 2.10; P = 0.5)."
ALL = "Naps reduced stings compared with walks (hazard ratio 0.80, 95% CI 0.70 to 0.90; P = 0.01)."


def test_a_subgroup_does_not_decide_against_all() -> None:
    paper = paper_of(heading("Results"), body(SOME, ALL))
    chosen = (EvidenceSentence(1, 1.0), EvidenceSentence(2, 0.1))
    finding = find(paper, "Naps reduce stings compared with walks", engine=Canned(*chosen))
    assert finding.verdict is PaperVerdict.SUPPORTS
    assert finding.strongest_against is None
    assert finding.effect is not None
    assert finding.effect.value == 0.8
    asked = find(paper, "Naps reduce stings compared with walks in the subgroup of old bees", engine=Canned(*chosen))
    assert asked.verdict is PaperVerdict.REFUTES, "where the hypothesis asks for it, it counts"


def test_a_subgroup_decides_where_nothing_else_does() -> None:
    paper = paper_of(heading("Results"), body(SOME))
    finding = find(paper, "Naps reduce stings compared with walks", engine=Canned(EvidenceSentence(1, 1.0)))
    assert finding.verdict is PaperVerdict.REFUTES
    assert finding.effect is not None
