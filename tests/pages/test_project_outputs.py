"""What is taken away from a project: why a file cannot be made is told on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import NotStorable
from core.settings import Settings
from core.store import Project, open_store, project_file
from pages._ui.review import outputs
from pages._ui.state import Session


def test_why_a_file_cannot_be_made_is_told_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(Settings(home=tmp_path, data=None))
    with store.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann",)))
    monkeypatch.setattr(outputs, "the_store", lambda: store)
    monkeypatch.setattr(project_file, "_MOST_OF_DOCUMENT", 100)
    whole, _, document = outputs.PROJECT
    now = Session()
    with pytest.raises(NotStorable):
        outputs._made(now, whole, "p", "Ann")
    assert now.problem is not None
    assert now.problem.startswith("This project is larger than a .vouch file can be.")
    assert b'"Tea"' in outputs._made(now, document, "p", "Ann")
    store.close()
