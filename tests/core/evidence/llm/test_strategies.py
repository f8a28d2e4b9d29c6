"""Plans: what is asked, what is asked again, and what an answer comes to, without anything being sent."""

from __future__ import annotations

import pytest

from core.errors import ModelTimeout, Unreadable
from core.evidence.llm.asking import Stages
from core.evidence.llm.strategies import Result, plan
from core.evidence.llm.wording import Strategy, Wording
from core.evidence.model import EvidenceQuery, Match, PaperVerdict, Stance, Verdict
from core.llm import Reply, Request
from core.paper import Paper
from tests.core.evidence.llm.replies import NUMBER, PAPER, bad, choice, judged, picked, play, selection

WE, TEA, WATER = NUMBER["We"], NUMBER["Tea"], NUMBER["Water"]


def stages(
    strategy: Strategy, *, k: int = 2, results_only: bool = False, results_first: bool = False, paper: Paper = PAPER
) -> Stages[Result]:
    query = EvidenceQuery("Tea makes people happy.", k=k, results_only=results_only, results_first=results_first)
    return plan(strategy, paper, query, Wording(strategy, paper, query), lambda _: 0.5)


def test_sections_are_asked_at_once_and_then_a_choice_is_made() -> None:
    def answer(stage: int, request: Request) -> Reply:
        if stage == 0:
            return selection(picked(*{"Methods": [WE], "Results": [TEA, WATER]}.get(request.label, [])))
        return choice(judged(WATER, TEA), best=TEA, worst=WATER)

    result, asked = play(stages(Strategy.SECTIONS), answer)
    assert [[request.label for request in stage] for stage in asked] == [
        ["Methods", "Results", "Discussion"],
        ["Final choice"],
    ]
    assert not any(request.cache_context for stage in asked for request in stage)  # writing to it costs more
    assert [s.index for s in result.sentences] == [WATER, TEA]
    assert [s.stance for s in result.sentences] == [Stance.SUPPORTS] * 2
    assert result.sentences[0].score > result.sentences[1].score
    assert result.verdict is not None
    assert result.verdict.judgement is PaperVerdict.MIXED
    assert (result.verdict.strongest_for, result.verdict.strongest_against) == (TEA, None)  # WATER does not refute
    assert [step.chosen for step in result.steps] == [(WE,), (TEA, WATER), (), (WATER, TEA)]
    shown = asked[1][0].context
    assert f"[{WE}] We gave" in shown
    assert "Forty others" not in shown


def test_a_section_shows_its_own_sentences_and_headings_without_numbers() -> None:
    _, asked = play(stages(Strategy.SECTIONS), lambda *_: bad(Unreadable("No.")))
    results = asked[0][1].context
    assert f"[{TEA}] Tea made people happier" in results
    assert "## Results" in results
    assert "forty people" not in results


@pytest.mark.parametrize("strategy", [Strategy.WHOLE, Strategy.EXAMPLES])
def test_the_whole_paper_is_one_question(strategy: Strategy) -> None:
    result, asked = play(stages(strategy), lambda *_: choice(judged(TEA)))
    assert len(asked) == len(asked[0]) == 1
    assert [s.index for s in result.sentences] == [TEA]
    assert ("eight examples" in asked[0][0].task) == (strategy is Strategy.EXAMPLES)
    assert asked[0][0].cache_context  # the paper is read from the provider's cache when it is asked about again


def test_results_only_says_so_in_every_question() -> None:
    def answer(stage: int, request: Request) -> Reply:
        return selection(picked(TEA) if request.label == "Results" else []) if stage == 0 else choice(judged(TEA))

    _, asked = play(stages(Strategy.SECTIONS, results_only=True), answer)
    assert all("Choose only sentences that report or analyse results." in r.task for stage in asked for r in stage)
    assert "An example, from another paper" in asked[0][0].task


def test_results_first_says_in_which_order() -> None:
    def answer(stage: int, request: Request) -> Reply:
        return selection(picked(TEA) if request.label == "Results" else []) if stage == 0 else choice(judged(TEA))

    _, asked = play(stages(Strategy.SECTIONS, results_first=True), answer)
    assert all("first what was found on the hypothesis" in r.task for stage in asked for r in stage)


def test_faults_are_asked_again_once_and_told_apart() -> None:
    def answer(stage: int, request: Request) -> Reply:
        return choice(judged(TEA, 99) if stage == 0 else judged(TEA, WATER, 98))

    result, asked = play(stages(Strategy.WHOLE), answer)
    assert len(asked) == 2
    assert "99 is not the number of a sentence that was shown." in asked[1][0].task
    assert f"[{TEA}, 99]" in asked[1][0].task
    assert asked[1][0].context == asked[0][0].context
    assert [(s.index, s.match) for s in result.sentences] == [(TEA, Match.EXACT), (WATER, Match.REPAIRED)]
    [step] = result.steps
    assert step.not_in_paper == ("[98] Nothing like it",)
    assert step.cost_usd == 1.0
    assert step.usage is not None
    assert step.usage.input_tokens == 200


def test_only_the_sections_with_faults_are_asked_again() -> None:
    def answer(stage: int, request: Request) -> Reply:
        if request.label == "Final choice":
            return choice(judged(TEA))
        wrong = request.label == "Results" and stage == 0
        return selection(picked(TEA, TEA) if wrong else picked(TEA) if request.label == "Results" else [])

    result, asked = play(stages(Strategy.SECTIONS), answer)
    assert [[request.label for request in stage] for stage in asked][1:] == [["Results"], ["Final choice"]]
    assert result.sentences[0].match is Match.EXACT


def test_what_was_right_is_kept_where_the_second_answer_cannot_be_used() -> None:
    result, _ = play(
        stages(Strategy.WHOLE), lambda stage, _: choice(judged(TEA, 99)) if stage == 0 else bad(Unreadable("Prose."))
    )
    assert [s.index for s in result.sentences] == [TEA]
    assert "Asked again, it gave no answer: Prose." in result.steps[0].faults


def test_an_unreadable_reply_is_a_failure_with_its_text_kept() -> None:
    result, _ = play(stages(Strategy.WHOLE), lambda *_: bad(Unreadable("Not JSON."), "I think so"))
    assert isinstance(result.error, Unreadable)
    assert result.sentences == ()
    assert (result.steps[0].error, result.steps[0].text) == ("Not JSON.", "I think so")


def test_a_failed_section_does_not_take_the_others_with_it() -> None:
    def answer(stage: int, request: Request) -> Reply:
        if request.label == "Methods":
            return bad(ModelTimeout("Too slow."), "")
        return choice(judged(TEA)) if stage else selection(picked(TEA) if request.label == "Results" else [])

    result, _ = play(stages(Strategy.SECTIONS), answer)
    assert [s.index for s in result.sentences] == [TEA]
    assert [step.error for step in result.steps] == ["Too slow.", None, None, None]


def test_nothing_found_is_no_answer_where_a_section_was_not_read() -> None:
    def answer(stage: int, request: Request) -> Reply:
        return bad(ModelTimeout("Too slow.")) if request.label == "Methods" else selection([])

    result, _ = play(stages(Strategy.SECTIONS), answer)
    assert isinstance(result.error, ModelTimeout)


def test_a_verdict_that_rests_on_invented_sentences_alone_is_none() -> None:
    result, _ = play(stages(Strategy.WHOLE), lambda *_: choice(judged(999)))
    assert (result.sentences, result.verdict) == ((), None)
    nothing, _ = play(stages(Strategy.WHOLE), lambda *_: choice([]))
    assert nothing.verdict is not None


def test_no_choice_is_an_answer_and_not_an_error() -> None:
    result, asked = play(stages(Strategy.SECTIONS), lambda *_: selection([]))
    assert len(asked) == 1
    assert result.sentences == ()
    assert result.error is None
    assert result.verdict == Verdict(PaperVerdict.NOT_REPORTED, None, None)


def test_of_a_paper_that_does_not_report_on_it_no_sentence_is_for_or_against() -> None:
    result, asked = play(
        stages(Strategy.WHOLE), lambda *_: choice(judged(TEA, WATER), best=TEA, worst=WATER, verdict="not reported")
    )
    assert result.verdict == Verdict(PaperVerdict.NOT_REPORTED, None, None)
    assert [(one.index, one.stance) for one in result.sentences] == [(TEA, Stance.NEUTRAL), (WATER, Stance.NEUTRAL)]
    assert all(f"- {verdict}:" in asked[0][0].task for verdict in PaperVerdict)


def test_where_sentences_were_named_wrongly_alone_nothing_is_said_of_the_paper() -> None:
    result, _ = play(stages(Strategy.SECTIONS), lambda *_: selection(picked(TEA, quote="Nobody wrote this")))
    assert (result.sentences, result.verdict) == ((), None)


def test_text_of_the_paper_stands_in_the_context_alone() -> None:
    _, asked = play(stages(Strategy.WHOLE), lambda *_: choice(judged(TEA)))
    request = asked[0][0]
    assert "Say yes" in request.context
    assert "Say yes" not in request.system + request.task
    assert "A trial of tea" not in request.system + request.task
