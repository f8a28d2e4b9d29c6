"""Files for robvis, by its own rules."""

from __future__ import annotations

import csv
import io

import pytest

from core.bias import Tool, known_tools, tool_named
from core.bias.model import HIGH, LOW
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.errors import QueryError
from core.export.robvis import StudyLevels, has_row, left_out, robvis_csv, robvis_problems

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
ROB1_HEADER = (
    "Study,Random.sequence.generation,Allocation.concealment,Blinding.of.participants.and.personnel,"
    "Blinding.of.outcome.assessment,Incomplete.outcome.data,Selective.reporting,Other.sources.of.bias,Overall"
)


ALL_LOW = dict.fromkeys((domain.id for domain in ROB2.domains), LOW)


def test_rob_2_has_its_headers_words_and_columns() -> None:
    study = StudyLevels("Müller, 2020", ALL_LOW | {"D2": SOME_CONCERNS, "D4": HIGH}, HIGH)
    assert robvis_csv(ROB2, [study]).splitlines() == [
        "Study,D1,D2,D3,D4,D5,Overall",
        '"Müller, 2020",Low,Some concerns,Low,High,Low,High',
    ]


@pytest.mark.parametrize("tool", known_tools().values(), ids=lambda tool: tool.id)
def test_what_nobody_has_judged_is_no_category(tool: Tool) -> None:
    levels = dict.fromkeys((domain.id for domain in tool.domains), tool.scale[0])
    last = [domain for domain in tool.domains if domain.robvis][-1]
    done, begun = StudyLevels("Ito", levels, tool.scale[0]), StudyLevels("Ivy", levels | {last.id: None})
    studies = [done, begun, StudyLevels("Zoe", {})]
    assert [line.split(",")[0] for line in robvis_csv(tool, studies).splitlines()] == ["Study", "Ito"]
    and_whole = ", Overall" if tool.overall else ""
    assert left_out(tool, studies) == (
        "The file for robvis leaves out 2 results, which would need a level in every domain, because robvis knows no blank: "
        f"Ivy (none in {last.name}{and_whole}); Zoe (none in any domain)."
    )
    assert left_out(tool, [done]) == ""
    with pytest.raises(QueryError, match=r"no file for robvis yet: it needs a level in every domain.*Missing: Zoe"):
        robvis_csv(tool, [StudyLevels("Zoe", {})])


def test_where_the_whole_is_open_there_is_no_row() -> None:
    assert "Ito (none in Overall)" in left_out(ROB2, [StudyLevels("Ito", ALL_LOW)])
    assert has_row(ROB1, StudyLevels("Ito", dict.fromkeys((domain.id for domain in ROB1.domains), LOW)))


def test_rob_1_has_its_headers_and_words() -> None:
    study = StudyLevels("Ito 2019", dict.fromkeys((domain.id for domain in ROB1.domains), UNCLEAR), HIGH)
    lines = robvis_csv(ROB1, [study]).splitlines()
    assert lines == [f"{ROB1_HEADER},Weight", "Ito 2019," + "Unclear," * 7 + "High,100.000"]


def test_weights_are_percentages_that_r_prints_whole() -> None:
    studies = [StudyLevels(name, ALL_LOW, LOW, weight) for name, weight in (("A", 1e6), ("B", 3e6), ("C", 0.0001))]
    rows = list(csv.reader(io.StringIO(robvis_csv(ROB2, studies))))
    assert [row[-1] for row in rows] == ["Weight", "25.000", "75.000", "0.001"]


@pytest.mark.parametrize(
    ("studies", "message"),
    [
        ([], "no study"),
        ([StudyLevels(" ", ALL_LOW, LOW)], "line 2 has no study name"),
        ([StudyLevels("A", ALL_LOW, LOW), StudyLevels("A", ALL_LOW, LOW)], "line 3 names “A” again"),
        ([StudyLevels("A", ALL_LOW | {"D1": UNCLEAR}, LOW)], "line 2 says “Unclear” under D1; RoB 2 has"),
    ],
)
def test_what_robvis_would_refuse_is_refused_here(studies: list[StudyLevels], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        robvis_csv(ROB2, studies)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line must be Study,D1,D2,D3,D4,D5,Overall, and is nothing."),
        ("Study,D1,D2,D3,D4,D5,Overall,Weight\n", "the first line must be"),
        ("Study,D1,D2,D3,D4,D5,Overall\nA,Low,Low,Low,Low,Low\n", "line 2 has 6 columns, and must have 7."),
        ("Study,D1,D2,D3,D4,D5,Overall\nA,low,Low,Low,Low,Low,Low\n", "line 2 says “low” under D1"),
        ("Study,D1,D2,D3,D4,D5,Overall\nA,NI,Low,Low,Low,Low,Low\n", "line 2 says “NI” under D1"),
    ],
)
def test_a_file_made_elsewhere_is_checked_too(text: str, message: str) -> None:
    assert message in robvis_problems(ROB2, text)[0]


def test_a_study_name_is_no_formula() -> None:
    text = robvis_csv(ROB2, [StudyLevels("=1+1", ALL_LOW, LOW)])
    assert text.splitlines()[1].startswith("'=1+1,")


# What robvis' own templates take (its development version: R/rob_traffic_light.R and the example data there): columns by their place,
# and words by their first letters, of which each template knows its own.
TEMPLATES = {
    "ROB2": ("D1,D2,D3,D4,D5", {"Low", "Some concerns", "High", "No information"}),
    "ROB2-Cluster": ("D1,D1b,D2,D3,D4,D5", {"Low", "Some concerns", "High", "No information"}),
    "ROBINS-I": ("D1,D2,D3,D4,D5,D6,D7", {"Low", "Moderate", "Serious", "Critical", "No information"}),
    "QUADAS-2": ("D1,D2,D3,D4", {"Low", "Some concerns", "High", "No information"}),
    "Generic": (None, {"Low", "Unclear", "Some concerns", "Moderate", "Serious", "High", "Critical", "No information"}),
}


@pytest.mark.parametrize("tool", known_tools().values(), ids=lambda tool: tool.id)
def test_every_tool_has_the_columns_and_words_of_its_template(tool: Tool) -> None:
    columns, words = TEMPLATES[tool.robvis.name]
    studies = [
        StudyLevels(f"At {level}", dict.fromkeys((domain.id for domain in tool.domains), level), level)
        for level in tool.scale
    ]
    [header, *lines] = csv.reader(io.StringIO(robvis_csv(tool, studies)))
    if tool.robvis.name == "Generic":  # robvis 0.3.0 takes the last column of such a file for the weights
        assert header.pop() == "Weight"
        assert {line.pop() for line in lines} == {f"{100 / len(lines):.3f}"}
    assert (header[0], header[-1]) == ("Study", "Overall")
    assert columns is None or ",".join(header[1:-1]) == columns
    assert len(header) == 2 + sum(not domain.applicability for domain in tool.domains)
    assert {word for line in lines for word in line[1:]} <= words
    assert len(set(header)) == len(header)


def test_what_quadas_2_calls_unclear_robvis_calls_no_information() -> None:
    tool = tool_named("quadas-2")
    levels = {"patients": UNCLEAR, "index": HIGH, "reference": LOW, "flow": LOW, "patients-applicability": HIGH}
    assert robvis_csv(tool, [StudyLevels("Ito 2019", levels)]).splitlines() == [
        "Study,D1,D2,D3,D4,Overall",
        "Ito 2019,No information,High,Low,Low,No information",
    ]
