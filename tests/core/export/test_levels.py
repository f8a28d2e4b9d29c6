"""Which level counts, and robvis' rules for a whole project (FIELD: robvis CSV)."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from core.bias import Judgement, Level, Tool, tool_named
from core.bias.model import HIGH, LOW, OVERALL
from core.bias.tools.rob1 import UNCLEAR
from core.errors import QueryError
from core.export.bias_plots import summary_bars, traffic_light
from core.export.levels import Basis, LevelCell, open_places, settled_levels, study_names, suggested_levels
from core.export.robvis import any_row, left_out_of_robvis, project_robvis
from core.screening.model import ScreeningVerdict
from core.store.model import Pairing, ReviewerJudgement, ScreeningConsensus, ScreeningDecision, StoredSuggestion
from tests.core.export.reviews import (
    HOSTILE,
    PEOPLE,
    SOME,
    both,
    judged,
    paper,
    saved,
    settled,
    small_review,
    state,
)

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
ROB1_HEADER = (
    "Study,Random.sequence.generation,Allocation.concealment,Blinding.of.participants.and.personnel,"
    "Blinding.of.outcome.assessment,Incomplete.outcome.data,Selective.reporting,Other.sources.of.bias,Overall"
).split(",")
WORDS = {
    "rob1": {"Low", "Unclear", "High", "No information"},
    "rob2": {"Low", "Some concerns", "High", "No information"},
}


def test_consensus_counts_then_what_all_gave_then_nothing() -> None:
    first, second, third = settled_levels(small_review(), ROB2).studies
    assert [(first.cells[id].level, first.cells[id].basis) for id in ("D1", "D2", OVERALL)] == [
        (LOW, Basis.CONSENSUS),
        (SOME, Basis.AGREED),
        (HIGH, Basis.CONSENSUS),  # set by the reviewers, over what follows from the domains
    ]
    assert (second.cells["D1"].level, second.cells["D1"].why) == (None, "Ann: low, Ben: some concerns")
    assert second.cells["D2"].level is HIGH
    assert (second.cells["D3"].level, second.cells["D3"].why) == (None, "Ann: low, Ben: not judged")
    assert second.cells[OVERALL].level is None
    assert {cell.level for cell in third.cells.values()} == {None}


def test_the_whole_is_the_worst_domain_unless_people_set_another() -> None:
    def cell(*records: object) -> LevelCell:
        return settled_levels(state(paper("x"), *records), ROB2).studies[0].cells[OVERALL]

    def overall(*records: object) -> object:
        return cell(*records).level

    low = [one for domain in ("D2", "D3", "D4", "D5") for one in both("x", domain, LOW)]
    one_some = [*low, *both("x", "D1", SOME)]
    assert overall(*low, *both("x", "D1", LOW)) is LOW
    assert overall(*one_some) is SOME
    assert (overall(*one_some, settled("x", OVERALL, HIGH)), cell(*one_some).rule) == (HIGH, SOME)
    ann, ben = (judged(who, "x", OVERALL, HIGH, comment="Together.") for who in ("Ann", "Ben"))
    assert cell(*one_some, ann, ben) == LevelCell(HIGH, Basis.AGREED, rule=SOME)
    assert cell(*one_some, ann) == LevelCell(None, Basis.OPEN, "Ann: high, Ben: some concerns", rule=SOME)
    assert cell(*one_some, ann, ben, settled("x", OVERALL, LOW)) == LevelCell(LOW, Basis.CONSENSUS, rule=SOME)
    assert not cell(*one_some).overrides
    assert overall(*low[1:], ann, ben) is None, "not every domain has a level"
    assert overall(*low) is None


@pytest.mark.parametrize(("same", "names"), [(True, ["Lee 2021"]), (False, ["Lee 2021a", "Lee 2021b"])])
def test_the_double_of_a_paper_is_no_study(same: bool, names: list[str]) -> None:
    twice = state(paper("x", "Lee 2021"), paper("y", "Lee 2021"))
    said = replace(twice, pairings=(saved(Pairing("p", "x", "y", same)),))
    assert [study.name for study in settled_levels(said, ROB2).studies] == names


def test_an_outcome_that_a_paper_does_not_report_is_told_and_not_judged() -> None:
    done = [
        replace(one, outcome="pain") for id in ("x", "y") for domain in ROB2.domains for one in both(id, domain.id, LOW)
    ]
    said = (paper("x", "Lee 2021"), paper("y", "Rao 2020"), *done)
    rules = {"outcomes": ("pain", "sleep"), "unreported": (("x", "sleep"), ("y", "sleep"))}
    table = settled_levels(state(*said, **rules), ROB2)
    assert [(study.name, study.unreported) for study in table.studies] == [
        ("Lee 2021, pain", False), ("Lee 2021, sleep", True), ("Rao 2020, pain", False), ("Rao 2020, sleep", True),
    ]  # fmt: skip
    assert open_places(table) == "Not reported by the paper, and so not judged: Lee 2021, sleep, Rao 2020, sleep."
    assert "Lee 2021, sleep: Randomisation process outcome not reported" in traffic_light(table).description
    assert "2 results" in summary_bars(table).description, "shares are of what is reported"
    assert summary_bars(table.by_outcome["sleep"]).description.count("outcome not reported 100.0%") == 6
    assert "sleep" not in project_robvis(table)
    assert left_out_of_robvis(table) == ""
    with_one = settled_levels(state(*said, **rules | {"unreported": (("x", "sleep"),)}), ROB2)
    assert open_places(with_one) == (
        "1 result has no settled level in some domains: Rao 2020, sleep (all domains). "
        "Not reported by the paper, and so not judged: Lee 2021, sleep."
    )


def test_open_places_are_named() -> None:
    assert open_places(settled_levels(small_review(), ROB2)) == (
        "2 papers have no settled level in some domains: Müller 2020a (Randomisation process; Missing outcome data; "
        "Measurement of the outcome; Selection of the reported result), Müller 2020b (all domains)."
    )
    done = [one for domain in ROB2.domains for one in both("x", domain.id, LOW)]
    assert open_places(settled_levels(state(paper("x"), *done), ROB2)) == ""
    nothing = settled_levels(state(paper("x"), paper("y")), ROB2)
    assert open_places(nothing) == "No domain of any paper has a settled level yet."


def test_suggestions_are_an_engines_and_say_so() -> None:
    table = suggested_levels(small_review(), ROB2, "offline")
    assert [study.cells["D1"].level for study in table.studies] == [SOME, None, None]
    assert [study.cells["D1"].no_information for study in table.studies] == [False, False, True]
    assert table.studies[0].cells["D1"].basis is Basis.SUGGESTED
    assert "Not judged by a person" in table.basis_in_words
    assert "no suggested level" in open_places(table)


def test_names_are_short_and_unlike() -> None:
    names = study_names([paper("a", "Ito\n2019"), paper("b", "Ito 2019"), paper("c", "Ito 2019 (2)"), paper("d")])
    assert list(names.values()) == ["Ito 2019a", "Ito 2019b", "Ito 2019 (2)", "d.pdf"]


def test_letters_tell_studies_of_one_author_and_year_apart_and_numbers_those_of_one_title() -> None:
    several = [paper(str(number), "Ito 2019") for number in range(28)] + [paper("b", "Ito 2019b")]
    names = list(study_names(several).values())
    assert names[:3] == ["Ito 2019a", "Ito 2019c", "Ito 2019d"], "b is another one's name"
    assert names[24:] == ["Ito 2019z", "Ito 2019aa", "Ito 2019ab", "Ito 2019ac", "Ito 2019b"]
    assert list(study_names([paper(id, "Tea") for id in "abc"]).values()) == ["Tea", "Tea (2)", "Tea (3)"]


@pytest.mark.parametrize(("tool", "level"), [(ROB1, SOME), (ROB2, UNCLEAR)])
def test_words_of_another_tool_are_refused(tool: Tool, level: Level) -> None:
    review = state(paper("x"), *both("x", tool.domains[0].id, level), tool=tool.id)
    with pytest.raises(QueryError, match="which is no level of"):
        settled_levels(review, tool)


@pytest.mark.parametrize("tool", [ROB1, ROB2])
@pytest.mark.parametrize("weights", [None, {"x": 2.5, "y": 1}])
def test_robvis_rules_hold_for_a_project(tool: Tool, weights: dict[str, float] | None) -> None:
    domains = [domain.id for domain in tool.domains]
    levels = [tool.scale[number % 3] for number in range(len(domains))]
    records = [one for domain, level in zip(domains, levels, strict=True) for one in both("x", domain, level)]
    records += [one for domain in domains for one in both("y", domain, tool.scale[0])]
    review = state(paper("x", "=Ito, 2019"), paper("y", HOSTILE), *records, tool=tool.id)
    text = project_robvis(settled_levels(review, tool), weights=weights)
    header, first, second = csv.reader(io.StringIO(text))
    wanted = ROB1_HEADER if tool is ROB1 else ["Study", "D1", "D2", "D3", "D4", "D5", "Overall"]
    assert header == [*wanted, *(["Weight"] if weights or tool is ROB1 else [])]
    assert len(first) == len(second) == len(header)
    judged = slice(1, len(wanted))
    assert {*first[judged], *second[judged]} <= WORDS[tool.id]
    assert set(second[judged]) == ({"Low", "No information"} if tool is ROB1 else {"Low"})
    assert first[1:4] == ["Low", "Unclear" if tool is ROB1 else "Some concerns", "High"]
    assert first[0] == "'=Ito, 2019"
    if weights:
        assert (first[-1], second[-1]) == ("71.429", "28.571")
    elif tool is ROB1:
        assert first[-1] == second[-1] == "50.000"
    else:
        assert first[-1] in WORDS[tool.id]


def all_low(id: str) -> list[ReviewerJudgement]:
    return [one for domain in ROB2.domains for one in both(id, domain.id, LOW)]


def test_a_weight_for_some_is_a_weight_for_none() -> None:
    table = settled_levels(state(paper("x", "Ito"), paper("y", "Ivy"), *all_low("x"), *all_low("y")), ROB2)
    for wrong in ({}, {"y": 0.0}, {"y": -1.0}, {"y": float("nan")}, {"y": float("inf")}):
        with pytest.raises(QueryError, match="line 3 has no weight"):
            project_robvis(table, weights={"x": 1, **wrong})


def test_papers_that_are_not_judged_in_every_domain_are_not_in_the_file_and_named() -> None:
    begun = both("y", "D1", LOW)
    table = settled_levels(state(paper("x", "Ito"), paper("y", "Ivy"), paper("z", "Zoe"), *all_low("x"), *begun), ROB2)
    lines = list(csv.reader(io.StringIO(project_robvis(table, weights={"x": 1.0}))))
    assert [line[0] for line in lines] == ["Study", "Ito"], "a weight is needed for those in the file only"
    said = left_out_of_robvis(table)
    assert said.startswith("The file for robvis leaves out 2 papers, which would need a settled level in every domain")
    assert "Ivy (none in Deviations from intended interventions, " in said
    assert said.endswith("; Zoe (none in any domain).")
    assert any_row(table)
    nothing = settled_levels(state(paper("x", "Ito"), *both("x", "D1", LOW)), ROB2)
    assert not any_row(nothing)
    with pytest.raises(QueryError, match="There is no file for robvis yet: it needs a settled level in every domain"):
        project_robvis(nothing)


@pytest.mark.parametrize(("id", "has_it_as_a_level"), [("rob2", False), ("robins-i", True), ("quadas-2", True)])
def test_an_engine_that_searched_and_found_nothing_judges_by_no_level_of_the_tool(
    id: str, *, has_it_as_a_level: bool
) -> None:
    tool = tool_named(id)
    made = [
        StoredSuggestion(
            "p", "x", id, "offline", Judgement(one.id, None, "Nothing is said of it.", searched=("Methods",))
        )
        for one in tool.domains
    ]
    made[0] = replace(made[0], judgement=Judgement(tool.domains[0].id, LOW, "It is said."))
    table = suggested_levels(state(paper("x", "Ito"), paper("y", "Ivy"), *made, tool=id), tool, "offline")
    if has_it_as_a_level:
        assert not any_row(table)
        return
    [_, row] = csv.reader(io.StringIO(project_robvis(table)))
    assert row == ["Ito", "Low", *["No information"] * 5]
    assert left_out_of_robvis(table).endswith("Ivy (none in any domain).")


def test_an_empty_project_is_refused() -> None:
    with pytest.raises(QueryError, match="no study"):
        project_robvis(settled_levels(state(), ROB2))


def test_studies_that_screening_excluded_in_the_end_have_no_row() -> None:
    def decided(who: str, verdict: ScreeningVerdict, reason: str = "") -> ScreeningDecision:
        return ScreeningDecision("p", "a" * 64, who, verdict, reason=reason)

    review = small_review()
    out, in_ = ScreeningVerdict.EXCLUDE, ScreeningVerdict.INCLUDE
    for decisions, consensus, left in (
        ([decided("Ann", out)], [], 3),  # the other has not decided
        ([decided("Ann", out), decided("Ben", in_)], [], 3),
        ([decided("Ann", out, "Animals"), decided("Ben", out, "Animals")], [], 2),
        ([], [ScreeningConsensus("p", "a" * 64, out, "Animals", "", PEOPLE)], 2),
        ([decided("Ann", out), decided("Ben", out)], [ScreeningConsensus("p", "a" * 64, in_, "", "", PEOPLE)], 3),
    ):
        screened = replace(
            review, screenings=tuple(map(saved, decisions)), screening_consensus=tuple(map(saved, consensus))
        )
        assert len(settled_levels(screened, ROB2).studies) == left
        assert len(suggested_levels(screened, ROB2, "offline").studies) == left
