"""The report of one paper's assessment."""

from __future__ import annotations

import pytest

from core.bias import Answer
from core.bias.assessment import Assessment, OwnJudgement
from core.export.project.single import assessment_report
from core.paper import Paper, read_paper
from tests.core.export.test_assessment import ASSESSMENT, DATE, STUDY


@pytest.fixture
def tea() -> Paper:
    return read_paper(b"# Tea\n\n## Methods\n\nTea was tried. A coin was tossed. It fell.\n", name="tea.md")


def test_it_says_what_the_reviewer_set_and_marks_their_sentences(tea: Paper) -> None:
    text = assessment_report(tea, ASSESSMENT, STUDY, date=DATE, blind=False)
    assert "<mark>Tea was tried.</mark>" in text  # accepted
    assert "<mark>A coin was tossed.</mark>" in text  # added
    assert '<mark class="suggested">It fell.</mark>' in text
    assert "=A list on the wall" in text
    assert "Does tea help?" in text
    assert "keeps no dates" in text
    assert "Suggestions of offline were in view for 1 judgement: 0 at the suggested level, 1 at another" in text
    assert "Agreement needs two reviewers" in text


def test_blind_means_that_no_suggestion_was_in_view(tea: Paper) -> None:
    text = assessment_report(tea, ASSESSMENT, STUDY, date=DATE, blind=True)
    assert "in view when 0 judgements were given" in text


def test_the_whole_is_high_only_where_the_reviewer_raises_it(tea: Paper) -> None:
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
    for raised, word in ((True, "High"), (False, "Some concerns")):
        assessment = Assessment(ASSESSMENT.tool, own, raised=raised)
        assert assessment.overall == word.lower()
        text = assessment_report(tea, assessment, STUDY, date=DATE, blind=True)
        assert "Overall: <span" in text
        assert text.split("Overall: <span")[1].split("</span>")[1].startswith(word)
