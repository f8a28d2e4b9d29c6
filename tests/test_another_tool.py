"""Adding a tool for risk of bias is adding a file: from a judgement by hand to every screen and file, in its own words."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.__main__ import main
from core.bias import Answer, StudyContext, Tool, bias_engine_named, judge, known_tools, tool_named
from core.bias import tools as folder_of_tools
from core.bias.assessment import Assessment, OwnJudgement
from core.bias.llm.wording import BiasPrompts, ShownText
from core.bias.model import OVERALL
from core.errors import QueryError
from core.export.assessment import assessment_csv, assessment_json, read_assessment
from core.export.bias_plots import summary_bars, traffic_light
from core.export.drawing import svg_of
from core.export.evidence_table import BiasCell, TableRow
from core.export.evidence_table_files import as_html
from core.export.gold import BiasGold, own_gold, robbr_main_json
from core.export.levels import settled_levels
from core.export.report import assessment_report, project_report
from core.export.robvis import StudyLevels, robvis_csv
from core.grounding.checking import Part
from core.paper import Paper, read_paper
from core.store import project_from_json, project_to_json
from core.store.model import ReviewerJudgement
from pages._ui.paper_view.bias import consensus_from, judgements_from, judging_payload, levels_payload, settling_payload
from tests.another_tool import steeping
from tests.another_tool.steeping import CALM, SPILT, STIRRED
from tests.core.export import reviews

DATE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
STIRRED_ANSWERS = {"1.1": Answer.YES, "1.2": Answer.NO}


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tool]:
    """The tool, as if its file lay beside the others."""
    folder = str(Path(steeping.__file__).parent)
    monkeypatch.setattr(folder_of_tools, "__path__", [*folder_of_tools.__path__, folder])
    known_tools.cache_clear()
    yield tool_named("steeping")
    known_tools.cache_clear()
    del sys.modules["core.bias.tools.steeping"]


@pytest.fixture
def paper() -> Paper:
    text = b"# Tea\n\n## Methods\n\nA computer generated the random list. Participants and staff were blinded.\n"
    return read_paper(text, name="tea.md")


@pytest.fixture
def assessment(tool: Tool) -> Assessment:
    return Assessment(tool, {"pouring": OwnJudgement(STIRRED_ANSWERS), "leaves": OwnJudgement(level=STIRRED)})


def test_judged_by_hand(assessment: Assessment) -> None:
    assert assessment.levels == {"pouring": STIRRED, "leaves": STIRRED}
    assert assessment.overall == STIRRED
    set_ = {OVERALL: OwnJudgement(level=SPILT, comment="Wet.")}
    assert Assessment(assessment.tool, {**assessment.own, **set_}).overall == SPILT


def test_a_question_of_the_same_number_is_not_answered_by_rob_2s_rule(tool: Tool, paper: Paper) -> None:
    offline = bias_engine_named("offline")
    theirs = judge(tool_named("rob2").domain("D1"), paper, StudyContext(), engine=offline)
    ours = judge(tool.domain("pouring"), paper, StudyContext(), engine=offline)
    assert theirs.answers["1.1"] is Answer.YES
    assert (ours.answers, ours.level) == ({}, None)
    assert judge(tool.domain("leaves"), paper, StudyContext(), engine=offline).level is None


def test_a_level_without_a_criterion_is_described_by_its_rank(tool: Tool, paper: Paper) -> None:
    domain = replace(tool.domain("leaves"), criteria={CALM: "Whole.", STIRRED: "", SPILT: ""})
    request = BiasPrompts(StudyContext()).judgement(domain, Part.whole(paper, paper.pool), ShownText.WHOLE)
    assert "- spilt: " in request.task
    assert "3" in next(line for line in request.task.splitlines() if line.startswith("- spilt: "))


def test_on_the_desk(assessment: Assessment) -> None:
    tool = assessment.tool
    payload = json.loads(json.dumps(judging_payload(assessment)))
    assert [(one["id"], one["word"], one["sign"]) for one in payload["levels"]] == [
        ("calm", "Calm", "~"),
        ("stirred", "Stirred", "∿"),
        ("spilt", "Spilt", "✖"),
    ]
    assert payload["levels"][2]["colour"] == "#5B2A86"
    assert payload["domains"][0]["level"] == "stirred"
    assert [one["id"] for one in payload["domains"]] == ["pouring", "leaves", OVERALL]
    assert (payload["domains"][2]["given"], payload["domains"][2]["follows"]) == ("stirred", "domains")
    sent = {"answers": {}, "level": "spilt", "comment": "", "decisions": [], "edit": 1, "version": 0}
    known = judgements_from({"domains": {"leaves": sent}}, tool, sentences=9)
    assert known is not None
    assert known.own["leaves"].level == SPILT
    for level in ("high", "some concerns"):
        other = {"domains": {"leaves": sent | {"level": level}}}
        assert judgements_from(other, tool, sentences=9) is None


def test_reviewers_side_by_side(tool: Tool) -> None:
    assert [one["id"] for one in settling_payload(tool, {}, ("Ann", "Ben"))] == ["pouring", "leaves", OVERALL]
    said = {"question": "q", "number": 1, "domain": OVERALL, "level": "spilt", "reason": "Wet.", "version": 0}
    assert consensus_from(said, tool)
    assert consensus_from(said | {"level": "high"}, tool) is None


def test_plots_tables_and_reports_of_a_project(tool: Tool) -> None:
    everyone = [*reviews.both("x", "pouring", CALM), *reviews.both("x", "leaves", SPILT)]
    project = reviews.state(reviews.paper("x", "Ito 2019"), *everyone, tool="steeping")
    again = project_from_json(project_to_json(project))
    assert {one.record.level for one in again.judgements} == {CALM, SPILT}
    table = settled_levels(project, tool)
    for drawing in (traffic_light(table), summary_bars(table)):
        text = svg_of(drawing)
        assert all(told in text for told in ("Calm", "Stirred", "Spilt", "✖", "#5B2A86"))
        assert "Some concerns" not in text
    page = project_report(project, table, {}, date=DATE)
    assert ".level-spilt > .sign { background: #5B2A86; color: #FFFFFF; }" in page
    assert "follows from those of the domains, unless the reviewers set another and say why" in page
    row = TableRow("x", "Ito 2019", bias=BiasCell(SPILT))
    assert 'class="chip level-spilt"><span class="sign" aria-hidden="true">✖</span>Spilt' in as_html(
        [row], ["Tea calms."], tool.levels, date=DATE
    )
    assert [one["word"] for one in levels_payload(tool)] == ["Calm", "Stirred", "Spilt"]
    foreign = reviews.state(
        reviews.paper("x"),
        ReviewerJudgement("p", "x", "steeping", "leaves", "Ann", reviews.LOW),
        tool="steeping",
        reviewers=("Ann",),
    )
    with pytest.raises(QueryError, match="no level of Steeping"):
        settled_levels(foreign, tool)


def test_files_of_one_paper(assessment: Assessment, paper: Paper) -> None:
    tool, study = assessment.tool, StudyContext("Does tea calm?")
    rows = list(csv.DictReader(io.StringIO(assessment_csv(paper, assessment, date=DATE).removeprefix("\ufeff"))))
    assert [(row["tool"], row["level"], row["overall"]) for row in rows] == [("Steeping", "stirred", "stirred")] * 2
    written = assessment_json(paper, assessment, study, date=DATE)
    assert read_assessment(written.encode(), paper, known_tools()) == (assessment, study)
    assert "∿" in assessment_report(paper, [assessment], study, date=DATE, blind=False)
    robvis = robvis_csv(tool, [StudyLevels("Ito 2019", assessment.levels, assessment.overall)])
    assert robvis.splitlines() == ["Study,Pouring,Leaves,Overall,Weight", "Ito 2019,Stirred,Stirred,Stirred,100.000"]
    gold = BiasGold("x", paper, tool.domain("leaves"), study, STIRRED, own_gold(paper, (), []))
    assert json.loads(robbr_main_json([gold]))["x"]["label"] == "unclear"


def test_on_the_command_line(tool: Tool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tea.md"
    file.write_text("# Tea\n\n## Methods\n\nTea was poured.\n", encoding="utf-8")
    assert main(["bias", str(file), "--tool", "steeping", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["tool"] == tool.id
    assert [one["domain"] for one in document["domains"]] == ["pouring", "leaves"]
    own = tmp_path / "own.json"
    own.write_text('{"name": "Cups", "definition": "Cracks.", "criteria": {"stirred": "One."}}', encoding="utf-8")
    assert main(["bias", str(file), "--definition", str(own), "--json"]) == 0


def test_levels_of_one_name_look_alike_in_every_tool_and_domains_are_told_apart() -> None:
    tools = list(known_tools().values())
    looks = {(level, style) for tool in tools for level, style in tool.levels.items()}
    assert len({level for level, _ in looks}) == len(looks)
    ids = [id for id, _ in {(domain.id, tool.family) for tool in tools for domain in tool.domains}]
    assert len(set(ids)) == len(ids), "no two families share one"
