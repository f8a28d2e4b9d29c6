"""Assessments as files, and back, and the report of one paper's assessment."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from core.bias import Answer, Judgement, StudyContext, Tool, known_tools, tool_named
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import HIGH, LOW, OVERALL, Support
from core.errors import AssessmentError
from core.evidence.model import Decision
from core.export.assessment import assessment_csv, assessment_json, read_assessment
from core.export.report import assessment_report
from core.grounding.model import Match
from core.paper import Paper, read_paper

# ---- Assessments as files, and back ----

DATE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
STUDY = StudyContext("Does tea help?", "adults", "tea", "water", "pain", "age, milk")
ROB2 = tool_named("rob2")
ASSESSMENT = Assessment(
    ROB2,
    own={
        "D1": OwnJudgement(
            {"1.1": Answer.PROBABLY_YES, "1.2": Answer.YES, "1.3": Answer.NO},
            HIGH,
            "=A list on the wall",
            {2: Decision.ACCEPTED, 3: Decision.ADDED},
        ),
        # 2.5 does not apply, and its answer is kept.
        "D2": OwnJudgement({"2.1": Answer.NO, "2.2": Answer.NO, "2.5": Answer.NO}),
    },
    suggestions={
        "D1": Suggestion(
            "offline",
            Judgement(
                "D1",
                LOW,
                "Named.",
                (Support(2, 0.75, "coin", Match.REPAIRED), Support(4)),
                {"1.1": Answer.YES},
                ("coin",),
                not_in_paper=("[99] A wheel",),
            ),
        ),
        "D3": Suggestion(
            "offline", Judgement("D3", None, "Nothing.", searched=("Methods", "Results"), rejected=(1, 2))
        ),
    },
    outcome="pain at 6 weeks",
)


@pytest.fixture
def paper() -> Paper:
    return read_paper(b"# Tea\n\n## Methods\n\nTea was tried. A coin was tossed. It fell.\n", name="tea.md")


def document(paper: Paper, assessment: Assessment = ASSESSMENT) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(assessment_json(paper, assessment, STUDY, date=DATE))
    return found


@pytest.mark.parametrize("assessment", [ASSESSMENT, Assessment(ROB2), Assessment(tool_named("rob1"))])
def test_json_reads_back_to_the_same_state(paper: Paper, assessment: Assessment) -> None:
    written = assessment_json(paper, assessment, STUDY, date=DATE)
    assert read_assessment(written.encode(), paper, known_tools()) == (assessment, STUDY)


def test_what_a_model_cost_and_was_asked_comes_back(paper: Paper) -> None:
    judgement = Judgement("D1", LOW, "Named.")
    made = Suggestion("openai:gpt@whole", judgement, cost_usd=1.25, prompts=(("bias-judgement", "0f"),))
    assessment = Assessment(ROB2).with_suggestion(made)
    written = document(paper, assessment)
    back, _ = read_assessment(json.dumps(written).encode(), paper, known_tools())
    assert back == assessment
    for name in ("cost_usd", "prompts"):  # as in files of before
        del written["domains"][0]["suggestion"][name]
    old, _ = read_assessment(json.dumps(written).encode(), paper, known_tools())
    assert old.suggestions["D1"].cost_usd is None
    assert "at unknown cost" in assessment_report(paper, [old], STUDY, date=DATE, blind=False)


@pytest.mark.parametrize("tool", known_tools().values(), ids=lambda tool: tool.id)
def test_judgements_with_every_tool_are_written_and_read_back(paper: Paper, tool: Tool) -> None:
    own = {
        domain.id: OwnJudgement(
            {question.id: question.allowed[place % len(question.allowed)] for question in domain.questions},
            tool.scale[place % len(tool.scale)],
            "By hand.",
        )
        for place, domain in enumerate(tool.domains)
    }
    assessment = Assessment(tool, own)
    written = assessment_json(paper, assessment, STUDY, date=DATE)
    assert read_assessment(written.encode(), paper, known_tools()) == (assessment, STUDY)
    assert json.loads(written)["tool"] == tool.id


def test_json_says_what_follows_and_where_sentences_are(paper: Paper) -> None:
    first = document(paper)["domains"][0]
    assert first["level"] == "high"
    assert first["suggestion"]["engine"] == "offline"
    assert first["sentences"][0] == {
        "sentence": 2,
        "decision": "accepted",
        "text": "Tea was tried.",
        "section": "Methods",
        "page": None,
    }
    assert document(paper)["domains"][1]["level"] is None
    assert document(paper)["overall"] is None


def test_csv_has_every_sentence_of_every_domain_and_no_formula(paper: Paper) -> None:
    text = assessment_csv(paper, ASSESSMENT, date=DATE)
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [row["domain"] for row in rows] == ["D1", "D1", "D1", "D2", "D3", "D4", "D5"]
    assert [(row["sentence"], row["decision"], row["suggested"]) for row in rows[:3]] == [
        ("2", "accepted", "yes"),
        ("4", "undecided", "yes"),
        ("3", "added", "no"),
    ]
    assert rows[0]["comment"] == "'=A list on the wall"
    assert rows[0]["level"] == "high"
    assert rows[0]["suggested_level"] == "low"
    assert rows[3]["answers"] == "2.1: N; 2.2: N"  # what does not apply is no answer
    assert rows[3]["level"] == ""


def changed(document: dict[str, Any], *path: str | int, to: object) -> bytes:
    place: Any = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda _: b"%PDF-1.4", "no assessment"),
        (lambda _: b"[]", "no assessment"),
        (lambda d: changed(d, "domains", 0, "answers", to={str(n): "Y" for n in range(100_001)}), "no assessment"),
        (lambda d: changed(d, "paper", "id", to="other"), "another paper"),
        (lambda d: changed(d, "tool", to="rob9"), "rob9"),
        (lambda d: changed(d, "domains", 0, "domain", to="D9"), "D9"),
        (lambda d: changed(d, "domains", 0, "set_level", to="unclear"), "fits neither"),
        (lambda d: changed(d, "domains", 0, "set_level", to="grave"), "fits neither"),
        (lambda d: changed(d, "domains", 0, "answers", "9.9", to="Y"), "fits neither"),
        (lambda d: changed(d, "domains", 2, "answers", "3.2", to="NI"), "fits neither"),
        (lambda d: changed(d, "domains", 0, "sentences", 0, "text", to="Tea won."), "fits neither"),
        (lambda d: changed(d, "domains", 0, "sentences", 0, "sentence", to=99), "fits neither"),
        (lambda d: changed(d, "domains", 0, "suggestion", "support", 0, "sentence", to=99), "fits neither"),
        (lambda d: changed(d, "domains", 2, "suggestion", "rejected", to=[99]), "fits neither"),
    ],
)
def test_another_file_is_refused_in_words(paper: Paper, damage: Callable[[dict[str, Any]], bytes], words: str) -> None:
    with pytest.raises(AssessmentError, match=words):
        read_assessment(damage(document(paper)), paper, known_tools())


# ---- The report of one paper's assessment ----


@pytest.fixture
def tea() -> Paper:
    return read_paper(b"# Tea\n\n## Methods\n\nTea was tried. A coin was tossed. It fell.\n", name="tea.md")


def test_it_says_what_the_reviewer_set_and_marks_their_sentences(tea: Paper) -> None:
    text = assessment_report(tea, [ASSESSMENT], STUDY, date=DATE, blind=False)
    assert "<mark>Tea was tried.</mark>" in text  # accepted
    assert "<mark>A coin was tossed.</mark>" in text  # added
    assert '<mark class="suggested">It fell.</mark>' in text
    assert "=A list on the wall" in text
    assert "Does tea help?" in text
    assert "keeps no dates" in text
    assert "Suggestions of offline were in view for 1 judgement: 0 at the suggested level, 1 at another" in text
    assert "Agreement needs two reviewers" in text


def test_blind_means_that_no_suggestion_was_in_view(tea: Paper) -> None:
    text = assessment_report(tea, [ASSESSMENT], STUDY, date=DATE, blind=True)
    assert "in view when 0 judgements were given" in text


def test_another_level_of_the_whole_is_told_with_its_reason_beside_the_rules(tea: Paper) -> None:
    given = {
        "D1": "1.1 N 1.2 Y 1.3 N",
        "D2": "2.1 N 2.2 N 2.6 Y",
        "D3": "3.1 Y",
        "D4": "4.1 N 4.2 N 4.3 N",
        "D5": "5.1 N 5.2 N 5.3 N",
    }
    own = {}
    for domain, words in given.items():
        ids, answers = words.split()[::2], words.split()[1::2]
        own[domain] = OwnJudgement({id: Answer(answer) for id, answer in zip(ids, answers, strict=True)})
    for reason, word in (("Three concerns in one direction.", "High"), ("", "Some concerns")):
        assessment = Assessment(ASSESSMENT.tool, own | {OVERALL: OwnJudgement(level=HIGH, comment=reason)})
        assert assessment.overall == word.lower()
        text = assessment_report(tea, [assessment], STUDY, date=DATE, blind=True)
        assert re.search(rf"<b>Overall</b>:\s*<span [^>]*><span [^>]*>[^<]*</span>{word}</span>", text)
        assert ("From the domains alone" in text) == bool(reason)
        assert reason in text
        said = document(tea, assessment)
        told = [said[name] for name in ("overall", "overall_rule", "overall_set", "overall_reason")]
        assert told == [word.lower(), "some concerns", "high", reason]
        row = next(csv.DictReader(io.StringIO(assessment_csv(tea, assessment, date=DATE).removeprefix("\ufeff"))))
        assert (row["overall"], row["overall_rule"], row["overall_reason"]) == (word.lower(), "some concerns", reason)


def test_a_file_from_when_the_whole_was_raised_without_a_reason(paper: Paper) -> None:
    old = document(paper) | {"raised": True}
    for name in ("outcome", "overall_set", "overall_reason", "overall_rule"):
        del old[name]
    read, _ = read_assessment(json.dumps(old).encode(), paper, known_tools())
    assert (read.own[OVERALL].level, read.outcome) == (HIGH, "")
    assert read.own[OVERALL].comment


@pytest.mark.parametrize(
    "change", [{"overall_set": "unclear"}, {"tool": "rob1", "domains": []}, {"outcome": "x" * 201}]
)
def test_what_is_said_of_the_whole_must_fit(paper: Paper, change: dict[str, object]) -> None:
    changed = document(paper) | {"overall_set": "high", "overall_reason": "So."} | change
    with pytest.raises(AssessmentError):
        read_assessment(json.dumps(changed).encode(), paper, known_tools())


def test_two_outcomes_of_a_paper_are_two_rows_of_its_report(tea: Paper) -> None:
    both = [Assessment(ASSESSMENT.tool, ASSESSMENT.own, outcome=outcome) for outcome in ("pain", "sleep")]
    text = assessment_report(tea, both, STUDY, date=DATE, blind=True)
    rows = re.findall(r'<th scope="row"><a href="#paper-\d">([^<]*)</a>', text)
    assert [row.rpartition(", ")[2] for row in rows] == ["pain", "sleep"]
    assert "1 paper, 2 results" in text
    assert "2 results, each counted alike" in text
    assert all(f"Risk of bias by domain: {outcome}" in text for outcome in ("pain", "sleep"))
