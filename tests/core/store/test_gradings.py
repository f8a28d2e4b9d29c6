"""Statements that are graded blind: kept, each grader's own, hidden until one has graded all, and taken elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import DamagedProject, NotStorable, NotStored, StillBlind
from core.export.decision_log import decision_log
from core.grading import Grade, GradedStatement
from core.settings import Settings
from core.store import (
    Project,
    Scope,
    StatementGrades,
    Store,
    StoredGrading,
    open_store,
    project_from_json,
    project_to_json,
)
from core.store.blindness import seen_by

GRADING = StoredGrading(
    "p", "g", "Zinc", (GradedStatement("a", "article", "It helps.", ("Rossi 2019",)), GradedStatement("b", "other", "It does."))
)  # fmt: skip
SCOPE = Scope("rob2", ())
ONE, BOTH = {"a": Grade.SUPPORTED}, {"a": Grade.SUPPORTED, "b": Grade.UNCITED}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = open_store(Settings(tmp_path, None))
    with found.writing("Ann") as change:
        change.save(Project("p", "Colds", ("Ann", "Ben"), blind=False))
        change.save(GRADING)
    return found


def test_grades_are_each_graders_own_and_hidden_until_one_has_graded_all(store: Store) -> None:
    with store.writing("Ben") as change:
        change.save(StatementGrades("p", "g", "Ben", BOTH))
        change.save(StatementGrades("p", "g", "openai:demo", ONE, by_model=True))
        with pytest.raises(NotStorable, match="Only Ann"):
            change.save(StatementGrades("p", "g", "Ann", ONE))
        with pytest.raises(NotStorable, match="none of these statements"):
            change.save(StatementGrades("p", "g", "Ben", {"c": Grade.UNCITED}), seen=1)
        with pytest.raises(NotStored, match="not in the project"):
            change.save(StatementGrades("p", "elsewhere", "Ben", {}))
    with store.writing("Ann") as change:
        own = change.save(StatementGrades("p", "g", "Ann", ONE))
        [seen] = change.grades("p", "g", reader="Ann")
        assert seen.record.reviewer == "Ann"
        with pytest.raises(StillBlind, match="until you have graded them all"):
            change.history(StatementGrades("p", "g", "Ben", BOTH), reader="Ann")
        change.save(replace(own.record, grades=BOTH), seen=own.version)
        assert {one.record.reviewer for one in change.grades("p", "g", reader="Ann")} == {"Ann", "Ben", "openai:demo"}
        assert change.history(StatementGrades("p", "g", "Ben", BOTH), reader="Ann")


def test_files_of_decisions_hide_what_others_gave_until_one_has_graded_all(store: Store) -> None:
    with store.writing("Ben") as change:
        change.save(StatementGrades("p", "g", "Ben", BOTH))
    with store.writing("Ann") as change:
        own = change.save(StatementGrades("p", "g", "Ann", ONE))
        before, _ = seen_by(change.whole("p"), "Ann", SCOPE)
        assert [saved.record.reviewer for saved in before.grades] == ["Ann"]
        assert "missing citation" not in decision_log(before.history)
        change.save(replace(own.record, grades=BOTH), seen=own.version)
        after, _ = seen_by(change.whole("p"), "Ann", SCOPE)
        assert {saved.record.reviewer for saved in after.grades} == {"Ann", "Ben"}
        assert "b: missing citation" in decision_log(after.history)


def test_they_go_elsewhere_with_their_project(store: Store, tmp_path: Path) -> None:
    with store.writing("Ann") as change:
        saved = change.save(StatementGrades("p", "g", "Ann", ONE))
        change.save(replace(saved.record, grades=BOTH), seen=1)
        state = change.whole("p")
    again = project_from_json(project_to_json(state))
    assert again == state
    elsewhere = open_store(Settings(tmp_path / "elsewhere", None))
    with elsewhere.writing("Ann") as change:
        change.import_project(again)
        assert [one.record for one in change.gradings("p")] == [GRADING]
    log = decision_log(state.history)
    assert "grades of statements" in log
    assert "b: missing citation" in log
    alone = project_to_json(replace(state, gradings=(), history=()))
    with pytest.raises(DamagedProject, match="belongs to none"):
        project_from_json(alone)
