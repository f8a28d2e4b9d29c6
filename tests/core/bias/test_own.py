"""Definitions of the reviewers' own: what a tool may be, as a file and back, and on a scale of their own."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.bias import known_tools
from core.bias.model import GREEN, RED, Level
from core.bias.own import OwnDomain, OwnTool, added_to, as_tool, filled, own_id, own_tool_json, read_own_tool
from core.bias.pasted import cut
from core.errors import QueryError

FUNDING = OwnDomain("D1", "Funding", "Whether the maker paid.", ("The public paid.", "", "The maker paid."))
TOOL = OwnTool("own-tea", "Tea review", domains=(FUNDING, OwnDomain("D3", "Adherence", "Whether tea was drunk.")))
FOUR = ("Good", "Fair", "Poor", "Useless")


@pytest.mark.parametrize("between", ["; ", ". ", ", "])
def test_a_definition_in_one_line_is_cut_where_it_says_so(between: str) -> None:
    told = ("low risk if groups were alike", "high risk if they differed", "unclear risk otherwise")
    first, second, third = told
    text = f"Baseline imbalance. Trials were judged to be at {first}{between}{second}{between}{third}."
    own = cut(text)
    [domain] = own.domains
    assert domain.name == "Baseline imbalance"
    assert domain.definition == ""
    assert dict(zip(own.levels, domain.criteria, strict=True)) == {
        "Low": f"Trials were judged to be at {first}{between.strip() if between == ', ' else ''}{'.' if between == '. ' else ''}",
        "Unclear": "otherwise.",
        "High": f"if they differed{between.strip() if between != '; ' else ''}",
    }


def test_a_level_named_in_passing_cuts_nothing() -> None:
    text = (
        "Attrition bias arises when losses differ. Few trials are at low risk of it, and reviewers judge it with care."
    )
    own = cut(text)
    assert [domain.definition for domain in own.domains] == [text]


def test_a_tool_judges_with_the_reviewers_words() -> None:
    tool = as_tool(replace(TOOL, overall=True))
    assert (tool.id, tool.name, tool.own, tool.overall) == ("own-tea", "Tea review", True, True)
    assert [style.word for style in tool.levels.values()] == ["Low", "Unclear", "High"]
    first, second = tool.domains
    assert (first.id, first.name, first.definition) == ("D1", "Funding", "Whether the maker paid.")
    assert first.criteria == {"low": "The public paid.", "unclear": "", "high": "The maker paid."}
    assert (first.robvis, second.id, second.scale) == ("Funding", "D3", tool.scale)
    assert tool.overall_level({"D1": Level("low"), "D3": Level("high")}) == "high"
    assert tool.overall_level({"D1": Level("low"), "D3": None}) is None


def test_levels_look_as_in_published_tools_and_others_by_their_place() -> None:
    published = known_tools()["rob2"].levels
    assert dict(as_tool(replace(TOOL.with_levels(("Low", "some  concerns", "High")))).levels) == published
    styles = list(as_tool(TOOL.with_levels(FOUR)).levels.values())
    assert [(style.word, style.sign) for style in styles] == [
        ("Good", "1"),
        ("Fair", "2"),
        ("Poor", "3"),
        ("Useless", "4"),
    ]
    assert [style.colour for style in styles][::2] == [GREEN, RED]
    assert len({style.colour for style in styles}) == 4
    mixed = as_tool(TOOL.with_levels(("Low", "Middling", "Bad", "High"))).levels
    assert mixed[Level("high")] == published[Level("high")]
    assert len({style.colour for style in mixed.values()}) == 4


def test_columns_for_robvis_are_told_apart() -> None:
    named = [OwnDomain(f"D{number}", name, "x") for number, name in enumerate(["Study", "A b", "A-b", ""], 1)]
    assert [one.robvis for one in as_tool(replace(TOOL, domains=tuple(named))).domains] == [
        "Study.1",
        "A.b",
        "A.b.3",
        "Domain.4",
    ]


def test_what_is_half_done_is_kept_and_says_what_it_needs() -> None:
    new = OwnTool("own-new")
    assert new.title == as_tool(new).name == "My own definition"
    assert "Give your definition a name" in new.missing
    named = replace(new, domains=(replace(new.domains[0], name="Funding"),))
    assert (named.title, named.missing[:24]) == ("Funding", "Say what “Funding” is ab")
    assert TOOL.missing == ""
    assert replace(TOOL, name="").title == "2 own definitions"
    assert "Give domain 3 a name" in TOOL.with_domain().missing
    twice = replace(TOOL, domains=(FUNDING, replace(FUNDING, id="D2", name="funding ")))
    assert "Two domains are called “funding”" in twice.missing


def test_a_new_domain_takes_a_free_id_and_another_scale_keeps_the_criteria() -> None:
    assert [domain.id for domain in TOOL.with_domain().domains] == ["D1", "D3", "D2"]
    assert TOOL.with_levels(("Low", "Some concerns", "High")).domains[0].criteria == FUNDING.criteria  # renamed
    assert TOOL.with_levels(("High", "Low")).domains[0].criteria == ("The maker paid.", "The public paid.")
    assert TOOL.with_levels(FOUR).domains[0].criteria == ("", "", "", "")
    # "High" has moved, and its criterion with it: "Very high", in its old place, has none.
    assert TOOL.with_levels(("Low", "High", "Very high")).domains[0].criteria == (
        "The public paid.",
        "The maker paid.",
        "",
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "rob1"}, "begins with"),
        (
            {"levels": ("Low",), "domains": (OwnDomain("D1", criteria=("",)),)},
            "needs 2 to 5 levels, from best to worst, and has 1",
        ),
        ({"levels": ("Low", "low ", "High")}, "names the level “low” twice"),
        ({"levels": ("Low", "<b>", "High")}, "“<b>” cannot be a level"),
        ({"domains": ()}, "has 0 domains"),
        ({"domains": (FUNDING, FUNDING)}, "two domains with the id “D1”"),
        ({"domains": (replace(FUNDING, id="D 1"),)}, "the id of a domain is a short word"),
        ({"domains": (replace(FUNDING, criteria=("", "")),)}, "another number of criteria"),
        ({"name": "x" * 121}, "a name is longer than 120 letters"),
        ({"domains": (replace(FUNDING, definition="x" * 8001),)}, "longer than 8,000 letters"),
    ],
)
def test_what_no_tool_can_be(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(TOOL, **change)  # type: ignore[arg-type]


def test_there_and_back_as_a_file() -> None:
    for tool in (TOOL, replace(TOOL.with_levels(FOUR), overall=True), cut("Funding: Whether the maker paid.")):
        assert read_own_tool(own_tool_json(tool)) == tool
    document = json.loads(own_tool_json(TOOL))
    assert document["format"] == 1
    assert document["domains"][0]["criteria"] == {"Low": "The public paid.", "High": "The maker paid."}


def test_the_shortest_file_is_one_domain() -> None:
    short = '{"name": "Funding", "definition": "Who paid.", "criteria": {"some concerns": "Nobody says."}}'
    tool = read_own_tool(short)
    assert (tool.title, tool.levels, tool.domains[0].criteria) == (
        "Funding",
        ("Low", "Some concerns", "High"),
        ("", "Nobody says.", ""),
    )
    assert tool.id == read_own_tool(short).id == own_id(tool)
    assert tool.id != read_own_tool(short.replace("Who", "Whoever")).id


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Funding", "no bias definition in JSON"),
        ("[]", "no bias definition in JSON"),
        ('{"name": "Funding"}', "domains.0.definition: field required"),
        ('{"name": "Funding", "definition": " "}', "Say what “Funding” is about"),
        ('{"name": "", "definition": "Who paid."}', "Give your definition a name"),
        ('{"name": "A", "definition": "B", "criteria": {"Dear": "C"}}', "name its “levels”"),
        ('{"name": "A", "definition": "B", "criteria": {"unclear": "C", "some concerns": "D"}}', "name its “levels”"),
        (
            '{"name": "A", "definition": "B", "levels": ["Yes", "No"], "criteria": {"Low": "C"}}',
            "the levels are Yes, No",
        ),
        ('{"name": "A", "definition": "B", "levels": ["Yes"]}', "2 to 5 levels"),
        ('{"name": "A", "definition": "B", "colour": "red"}', "domains.0.colour: extra"),
        ('{"format": 2, "domains": []}', "A newer version of Vouch wrote"),
    ],
)
def test_a_file_with_a_fault_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(QueryError, match=said) as caught:
        read_own_tool(text, "mine.json")
    assert "“mine.json”" in str(caught.value)


def test_another_tool_under_the_same_id_gets_its_own() -> None:
    tools, same = added_to((TOOL,), TOOL)
    assert (tools, same) == ((TOOL,), TOOL)
    tools, other = added_to((TOOL,), replace(TOOL, name="Coffee review"))
    assert tools == (TOOL, other)
    assert other.id != TOOL.id
    assert added_to(tools, replace(TOOL, name="Coffee review")) == (tools, other)


def test_what_was_cut_fills_what_is_empty_and_loses_nothing() -> None:
    proposal = cut(METHODS)
    into_nothing = filled(OwnTool("own-new"), proposal)
    assert (into_nothing.id, into_nothing.domains) == ("own-new", proposal.domains)
    begun = OwnTool("own-begun", levels=("Low", "High"), domains=(OwnDomain("D2", "Recall", criteria=("", "")),))
    beside = filled(begun, proposal)
    assert [(one.id, one.name) for one in beside.domains] == [
        ("D2", "Recall"),
        ("D1", "Funding bias"),
        ("D3", "Baseline imbalance"),
    ]
    assert beside.domains[1].criteria == ("paid by public bodies", "paid by the maker, or written by its staff.")
    assert beside.domains[1].definition.endswith("Unclear: nothing is said of funding.")


METHODS = """1. Funding bias
We considered whether whoever paid could sway the results.
• Low risk of bias: paid by public bodies;
• High risk of bias: paid by the maker, or
  written by its staff.
Unclear risk: nothing is said of funding.

Baseline imbalance: Whether groups were alike. Low risk if no difference. High risk if two or more differ.
"""


def test_a_methods_section_is_cut_word_for_word() -> None:
    tool = cut(METHODS)
    assert tool.levels == ("Low", "Unclear", "High")
    assert tool.domains == (
        OwnDomain(
            "D1",
            "Funding bias",
            "We considered whether whoever paid could sway the results.",
            (
                "paid by public bodies",
                "nothing is said of funding.",
                "paid by the maker, or written by its staff.",
            ),
        ),
        OwnDomain(
            "D2",
            "Baseline imbalance",
            "Whether groups were alike.",
            ("if no difference.", "", "if two or more differ."),
        ),
    )


def test_what_has_no_name_or_no_levels_is_left_to_the_reviewer() -> None:
    (one,) = cut("We asked whether the sachets were taken as planned, by counting those that were left.").domains
    assert (one.name, one.criteria) == ("", ("", "", ""))
    assert one.definition.startswith("We asked")
    assert cut("Recall\nSome concerns: now and then\nLow: never").levels == ("Low", "Some concerns", "High")
    assert cut("Recall\nSome concerns: a\nUnclear: b").levels == ("Some concerns", "Unclear")
    for nothing in ("", "  \n "):
        with pytest.raises(QueryError, match="nothing to cut"):
            cut(nothing)
    with pytest.raises(QueryError, match="too much"):
        cut("word " * 2000)
