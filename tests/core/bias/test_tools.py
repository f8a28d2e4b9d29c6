"""Tools as data, and RoB 2's algorithms against tables written down apart from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError, replace

import pytest

from core.bias import Answer, Domain, Level, Tool, known_tools, tool_named
from core.bias.model import HIGH, LOW
from core.bias.signalling import flips
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.errors import QueryError
from tests.core.bias import other_tables
from tests.core.bias.rob2_tables import TABLES, TABLES_OF, lookup

# ---- tools ----
# Tools as data.


def test_every_tool_is_found_by_its_file() -> None:
    assert {"quadas-2", "rob1", *TABLES_OF, "robins-i", "robins-i-adhering"} <= set(known_tools())
    assert tool_named(" RoB1 ") is known_tools()["rob1"]
    with pytest.raises(QueryError, match="rob1, rob2"):
        tool_named("nothing")


def test_tools_of_a_family_are_told_apart_by_design_and_effect() -> None:
    found = [(tool.family, tool.design, tool.effect) for tool in known_tools().values()]
    assert len(set(found)) == len(found)
    assert ("RoB 2", "crossover trial", "adhering to the intervention") in found
    assert ("RoB 1", "", "") in found
    assert len({tool.name for tool in known_tools().values()}) == len(found)


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
FAMILY = [tool for tool in known_tools().values() if tool.family == "RoB 2"]
LETTERS = {
    Answer.YES: "y",
    Answer.PROBABLY_YES: "y",
    Answer.PROBABLY_NO: "n",
    Answer.NO: "n",
    Answer.NO_INFORMATION: "?",
    Answer.NOT_APPLICABLE: "a",
}
# One of each kind that algorithms tell apart. That Y and PY come to the same, as N and PN do, is tested by itself.
KINDS = (Answer.YES, Answer.NO, Answer.NO_INFORMATION, Answer.NOT_APPLICABLE)


def each_domain(tools: Iterable[Tool]) -> list[object]:
    """The domains of tools as parameters, each that several tools share once."""
    seen: dict[int, object] = {}
    for tool in tools:
        for place, domain in enumerate(tool.domains):
            seen.setdefault(id(domain.questions), pytest.param(tool, place, id=f"{tool.id} {domain.id}"))
    return list(seen.values())


def complete(
    domain: Domain, answers: dict[str, Answer] | None = None, *, among: Sequence[Answer] = KINDS
) -> Iterator[dict[str, Answer]]:
    """Every complete set of answers to a domain, of these answers."""
    answers = answers or {}
    missing = domain.missing(answers)
    if not missing:
        yield answers
        return
    for answer in missing[0].allowed:
        if answer in among:
            yield from complete(domain, {**answers, missing[0].id: answer}, among=among)


def expected(tool: Tool, place: int, answers: dict[str, Answer]) -> str:
    questions = tool.domains[place].questions
    letters = {one.id: LETTERS[answers[one.id]] if one.id in answers else "-" for one in questions}
    levels = [Level(lookup(TABLES[name], letters)) for name in TABLES_OF[tool.id][place]]
    return max(levels, key=tool.scale.index)


@pytest.mark.parametrize(("tool", "place"), each_domain(FAMILY))
def test_every_complete_set_of_answers_gives_what_the_tables_say(tool: Tool, place: int) -> None:
    domain = tool.domains[place]
    sets = list(complete(domain))
    assert len(sets) > 10
    assert {domain.level(answers) for answers in sets} == set(tool.scale)
    for answers in sets:
        assert domain.level(answers) == expected(tool, place, answers), answers


def test_every_table_is_some_domains() -> None:
    assert {name for domains in TABLES_OF.values() for names in domains for name in names} == set(TABLES)
    assert {tool.id: len(tool.domains) for tool in FAMILY} == {id: len(names) for id, names in TABLES_OF.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "place"), each_domain(known_tools().values()))
def test_what_is_probable_counts_as_what_is_certain(tool: Tool, place: int) -> None:
    domain, certain = tool.domains[place], {Answer.PROBABLY_YES: Answer.YES, Answer.PROBABLY_NO: Answer.NO}
    probable = {given: word for word, given in certain.items()}
    for answers in complete(domain):
        for question in domain.applicable(answers):
            other = probable.get(answers[question.id])
            if other in question.allowed:
                assert domain.level({**answers, question.id: other}) == domain.level(answers)


@pytest.mark.parametrize(("tool", "place"), each_domain(map(tool_named, other_tables.TABLES)))
def test_answers_give_the_level_whose_criteria_they_meet_and_none_where_they_do_not_decide(
    tool: Tool, place: int
) -> None:
    domain = tool.domains[place]
    if domain.applicability:
        assert (domain.questions, domain.robvis, domain.by_hand({})) == ((), "", True)
        return
    for answers in complete(domain):
        letters = {one.id: LETTERS[answers[one.id]] if one.id in answers else "-" for one in domain.questions}
        table = lookup(other_tables.TABLES[tool.id][domain.id], letters)
        assert (domain.level(answers) or "open") == table, answers
        assert domain.by_hand(answers) == (table == "open")


@pytest.mark.parametrize(("tool", "place"), each_domain(known_tools().values()))
def test_answers_that_do_not_apply_never_matter(tool: Tool, place: int) -> None:
    domain = tool.domains[place]
    for answers in complete(domain):
        hidden = [question.id for question in domain.questions if question.id not in answers]
        for stray in Answer:
            assert domain.level({**dict.fromkeys(hidden, stray), **answers}) == domain.level(answers)


@pytest.mark.parametrize(("tool", "place"), each_domain(known_tools().values()))
def test_a_missing_answer_means_no_judgement(tool: Tool, place: int) -> None:
    domain = tool.domains[place]
    for answers in complete(domain):
        for question in domain.applicable(answers):
            without = {other: answers[other] for other in answers if other != question.id}
            assert (domain.level(without), domain.by_hand(without)) == (None, False)
            if Answer.NOT_APPLICABLE not in question.allowed:
                assert domain.level({**without, question.id: Answer.NOT_APPLICABLE}) is None


def test_na_is_for_departures_that_a_review_does_not_count() -> None:
    na = {
        question.id
        for tool in FAMILY
        for domain in tool.domains
        for question in domain.questions
        if Answer.NOT_APPLICABLE in question.allowed
    }
    assert na == {"2.3", "2.4", "2.5"}


def test_there_are_22_questions_in_five_domains() -> None:
    assert [len(domain.questions) for domain in ROB2.domains] == [3, 7, 4, 5, 3]
    domains = [domain for tool in known_tools().values() for domain in tool.domains]
    assert all(q.condition or q in domain.applicable({}) for domain in domains for q in domain.questions)


def test_the_overall_judgement_is_the_worst_and_needs_all() -> None:
    low = dict.fromkeys((domain.id for domain in ROB2.domains), LOW)
    assert ROB2.overall_level(low) == LOW
    assert ROB2.overall_level({**low, "D2": SOME_CONCERNS, "D3": SOME_CONCERNS}) == SOME_CONCERNS
    assert ROB2.overall_level({**low, "D5": HIGH}) == HIGH
    assert ROB2.overall_level({**low, "D4": None}) is None
    assert ROB2.overall_level({}) is None


def test_on_the_whole_too_little_told_is_worse_than_moderate_and_better_than_serious() -> None:
    robins = tool_named("robins-i")
    low = dict.fromkeys((domain.id for domain in robins.domains), LOW)
    assert robins.overall_level(low) == LOW
    assert robins.overall_level({**low, "result": Level("moderate")}) == "moderate"
    unknown = {**low, "result": Level("moderate"), "missing": Level("no information")}
    assert robins.overall_level(unknown) == "no information"
    assert robins.overall_level({**unknown, "outcomes": Level("serious")}) == "serious"
    assert (
        robins.overall_level({**unknown, "outcomes": Level("serious"), "confounding": Level("critical")}) == "critical"
    )


def test_concerns_about_applicability_are_no_part_of_the_whole() -> None:
    quadas = tool_named("quadas-2")
    assert [domain.label for domain in quadas.domains] == ["D1", "D2", "D3", "D4", "A1", "A2", "A3"]
    of_bias = {domain.id: LOW for domain in quadas.domains if not domain.applicability}
    assert replace(quadas, overall=True).overall_level(of_bias) == LOW
    assert quadas.overall_level(of_bias) is None


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
@pytest.mark.parametrize(("tool", "place"), each_domain(FAMILY))
def test_a_flip_gives_what_it_says(tool: Tool, place: int) -> None:
    domain = tool.domains[place]
    for answers in complete(domain):
        for flip in flips(domain, answers):
            changed = {**answers, flip.question.id: flip.answer}
            assert domain.level(changed) == flip.level
            assert flip.level != domain.level(answers)
            assert (flip.level is None) == bool(flip.opens)
