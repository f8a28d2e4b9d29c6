"""What a session remembers, and what it lets go."""

from __future__ import annotations

from pathlib import Path

from core.evidence.model import Decision
from core.paper import Paper, read_paper
from pages._ui.live import time_left
from pages._ui.open_paper import Decided
from pages._ui.state import Session
from pages._ui.storage import clear, in_words, size_of


def paper(number: int) -> Paper:
    return read_paper(f"Results\n\nPaper number {number} says little.".encode(), name=f"{number}.txt")


def test_a_paper_that_was_worked_on_is_never_closed_by_itself() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps"
    first.decided.decisions = {1: Decision.ACCEPTED}
    for number in range(1, 30):
        now.put_on_desk(paper(number))
    assert len(now.papers) == 8
    assert first.paper.id in now.papers
    assert now.current == paper(29).id


def test_decisions_are_counted_over_all_questions() -> None:
    opened = Session().put_on_desk(paper(0))
    opened.hypothesis = "Tea helps"
    opened.decided.decisions = {1: Decision.ACCEPTED}
    opened.hypothesis = "Tea harms"
    opened.decided.decisions = {1: Decision.REJECTED, 2: Decision.ADDED}
    assert opened.decision_count == 3


def test_returning_to_a_paper_keeps_what_was_done() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps"
    now.put_on_desk(paper(1))
    assert now.put_on_desk(paper(0)) is first
    now.close(paper(0).id)
    assert now.open is not None
    assert now.open.paper.name == "1.txt"
    now.close(paper(1).id)
    assert now.open is None


def test_decisions_follow_the_question() -> None:
    opened = Session().put_on_desk(paper(0))
    opened.hypothesis = "Tea helps"
    opened.decided.decisions = {1: Decision.ADDED}
    opened.hypothesis = "Tea harms"
    assert opened.decided == Decided()
    opened.hypothesis = " Tea  helps"
    assert opened.decided.decisions == {1: Decision.ADDED}


def test_decisions_reach_their_paper_even_when_another_is_on_the_desk() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps: a claim"
    sent_for = first.question_id
    now.put_on_desk(paper(1))
    now.keep_decisions(sent_for, Decided({1: Decision.REJECTED}, 4))
    assert first.decided == Decided({1: Decision.REJECTED}, 4)


def test_a_closed_paper_is_forgotten() -> None:
    now = Session()
    first = now.put_on_desk(paper(0))
    first.hypothesis = "Tea helps"
    sent_for = first.question_id
    now.close(first.paper.id)
    again = now.put_on_desk(paper(0))
    again.hypothesis = "Tea helps"
    now.keep_decisions(sent_for, Decided({1: Decision.REJECTED}, 4))
    assert again.decided == Decided()


def test_time_left_is_told_once_it_is_known() -> None:
    assert time_left(1, 0.5) == ""
    assert time_left(10, 0) == ""
    assert time_left(10, 0.5) == " · about 10 s left"
    assert time_left(60, 0.1) == " · about 9 min left"
    assert time_left(60, 1) == ""


def test_the_cache_is_measured_and_cleared(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert size_of(folder) == 0
    clear(folder)
    (folder / "embeddings").mkdir(parents=True)
    (folder / "embeddings" / "a.npy").write_bytes(b"0" * 250_000)
    assert in_words(size_of(folder)) == "0.2 MB"
    clear(folder)
    assert not folder.exists()
    assert in_words(size_of(folder)) == "empty"
