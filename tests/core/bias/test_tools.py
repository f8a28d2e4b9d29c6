"""Tools as data, and RoB 2's algorithms against tables written down apart from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from itertools import product

import pytest

from core.bias import Answer, Domain, Level, Tool, known_tools, tool_named
from core.bias.model import HIGH, LOW
from core.bias.signalling import flips
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.errors import QueryError
from tests.core.bias.rob2_tables import TABLES, lookup

# ---- tools ----
# Tools as data.


def test_every_tool_is_found_by_its_file() -> None:
    assert list(known_tools()) == ["rob1", "rob2"]
    assert tool_named(" RoB1 ") is known_tools()["rob1"]
    with pytest.raises(QueryError, match="rob1, rob2"):
        tool_named("robins-i")


@pytest.mark.parametrize("tool", known_tools().values(), ids=lambda tool: tool.id)
def test_every_domain_has_criteria_for_every_level_of_its_scale(tool: Tool) -> None:
    for domain in tool.domains:
        assert tuple(domain.criteria) == domain.scale == tool.scale
        assert domain.definition.endswith(".")
    assert len({domain.id for domain in tool.domains}) == len(tool.domains)


def test_scales_never_mix() -> None:
    assert SOME_CONCERNS not in tool_named("rob1").scale
    assert UNCLEAR not in tool_named("rob2").scale


def test_a_tool_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        tool_named("rob1").name = "RoB 3"  # type: ignore[misc]


def test_rob_1_has_seven_domains_and_no_overall_judgement() -> None:
    rob1 = tool_named("rob1")
    assert len(rob1.domains) == 7
    assert rob1.overall_level(dict.fromkeys((domain.id for domain in rob1.domains), LOW)) is None


# ---- rob2 ----
# RoB 2's algorithms, every combination of complete answers, against tables that were written down apart from them.

ROB2 = tool_named("RoB 2")
LETTERS = {
    Answer.YES: "y",
    Answer.PROBABLY_YES: "y",
    Answer.PROBABLY_NO: "n",
    Answer.NO: "n",
    Answer.NO_INFORMATION: "?",
}


def complete(domain: Domain, answers: dict[str, Answer] | None = None) -> Iterator[dict[str, Answer]]:
    """Every complete set of answers to a domain."""
    answers = answers or {}
    missing = domain.missing(answers)
    if not missing:
        yield answers
        return
    for answer in missing[0].allowed:
        yield from complete(domain, {**answers, missing[0].id: answer})


def expected(domain: Domain, answers: dict[str, Answer]) -> str:
    letters = {
        question.id: LETTERS[answers[question.id]] if question.id in answers else "-" for question in domain.questions
    }
    parts = [name for name in TABLES if name.split()[0] == domain.id]
    levels = [Level(lookup(part, letters)) for part in parts]
    return max(levels, key=ROB2.scale.index)


@pytest.mark.slow
@pytest.mark.parametrize("domain", ROB2.domains, ids=lambda domain: domain.id)
def test_every_complete_set_of_answers_gives_what_the_tables_say(domain: Domain) -> None:
    sets = list(complete(domain))
    assert len(sets) > 50
    assert {domain.level(answers) for answers in sets} == set(ROB2.scale)
    for answers in sets:
        assert domain.level(answers) == expected(domain, answers), answers


@pytest.mark.parametrize("domain", ROB2.domains, ids=lambda domain: domain.id)
def test_answers_that_do_not_apply_never_matter(domain: Domain) -> None:
    for answers in complete(domain):
        hidden = [question.id for question in domain.questions if question.id not in answers]
        for stray in product(Answer, repeat=min(1, len(hidden))):
            polluted = {**dict.fromkeys(hidden, stray[0]), **answers} if hidden else answers
            assert domain.level(polluted) == domain.level(answers)


@pytest.mark.parametrize("domain", ROB2.domains, ids=lambda domain: domain.id)
def test_a_missing_answer_means_no_judgement(domain: Domain) -> None:
    for answers in complete(domain):
        for question in answers:
            assert domain.level({**answers, question: Answer.NOT_APPLICABLE}) is None
            assert domain.level({other: answers[other] for other in answers if other != question}) is None


def test_there_are_22_questions_in_five_domains() -> None:
    assert [len(domain.questions) for domain in ROB2.domains] == [3, 7, 4, 5, 3]
    assert all(q.condition or q in domain.applicable({}) for domain in ROB2.domains for q in domain.questions)


def test_the_overall_judgement_is_the_worst_and_needs_all() -> None:
    low = dict.fromkeys((domain.id for domain in ROB2.domains), LOW)
    assert ROB2.overall_level(low) == LOW
    assert ROB2.overall_level({**low, "D2": SOME_CONCERNS, "D3": SOME_CONCERNS}) == SOME_CONCERNS
    assert ROB2.overall_level({**low, "D5": HIGH}) == HIGH
    assert ROB2.overall_level({**low, "D4": None}) is None
    assert ROB2.overall_level({}) is None


def test_what_flips_a_judgement_is_what_decided_it() -> None:
    domain = ROB2.domain("D1")
    answers = {"1.1": Answer.YES, "1.2": Answer.PROBABLY_YES, "1.3": Answer.NO}
    found = {(flip.question.id, flip.answer, flip.level) for flip in flips(domain, answers)}
    assert found == {
        ("1.1", Answer.NO, SOME_CONCERNS),
        ("1.2", Answer.NO, HIGH),
        ("1.2", Answer.NO_INFORMATION, SOME_CONCERNS),
        ("1.3", Answer.YES, SOME_CONCERNS),
    }


def test_a_flip_that_opens_questions_names_them() -> None:
    domain = ROB2.domain("D3")
    [flip] = [flip for flip in flips(domain, {"3.1": Answer.YES}) if flip.answer is Answer.NO]
    assert (flip.level, flip.opens) == (None, ("3.2",))


def test_incomplete_answers_have_nothing_to_flip() -> None:
    assert flips(ROB2.domain("D1"), {"1.1": Answer.YES}) == ()


@pytest.mark.slow
@pytest.mark.parametrize("domain", ROB2.domains, ids=lambda domain: domain.id)
def test_a_flip_gives_what_it_says(domain: Domain) -> None:
    for answers in complete(domain):
        for flip in flips(domain, answers):
            changed = {**answers, flip.question.id: flip.answer}
            assert domain.level(changed) == flip.level
            assert flip.level != domain.level(answers)
            assert (flip.level is None) == bool(flip.opens)
