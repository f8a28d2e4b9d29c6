"""The files of a project."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.bias import tool_named
from core.bias.model import LOW
from core.errors import NotStorable
from core.settings import Settings, load_settings
from core.store import Project, ReviewerJudgement, Store, StoredPaper, open_store, project_to_file
from core.store.project_file import FileLimits
from pages._ui.review import outputs
from pages._ui.state import Session

# ---- files on risk of bias ----


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Ann's project with one paper that nobody has judged."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    opened = open_store(load_settings())
    with opened.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann",), "rob1", blind=False))
        change.save(StoredPaper("p", "a", "tea.pdf", "Tea for headache"))
    return opened


def outputs_of_the_project() -> None:
    """This part of the page alone."""
    from pages._ui.review import board, outputs  # appTest runs this function as a script
    from pages._ui.stored import the_store

    with the_store().reading() as now:
        saved = now.project("p")
    outputs.show_bias(board.read_project(saved, "Ann"))


def drawn() -> tuple[set[str], str, int]:
    """The labels of the files, the texts, and the number of plots on the page."""
    at = AppTest.from_function(outputs_of_the_project, default_timeout=60).run()
    assert not at.exception
    labels = {button.proto.label for button in at.get("download_button")}  # type: ignore[attr-defined]
    return labels, "\n".join(caption.value for caption in at.caption), len(at.get("image"))


def test_there_is_one_sentence_until_there_is_something_to_plot(store: Store) -> None:
    labels, said, plots = drawn()
    assert labels == {"Report (HTML)", "Table (CSV)"}
    assert "No domain of any paper has a settled level yet\\. The plots follow with the first\\." in said
    assert plots == 0
    first, *others = tool_named("rob1").domains
    with store.writing("Ann") as change:
        change.save(ReviewerJudgement("p", "a", "rob1", first.id, "Ann", LOW))
    labels, said, plots = drawn()
    assert {"Traffic light (SVG)", "Traffic light (PNG)", "Summary (SVG)", "Summary (PNG)"} < labels
    assert "The plots follow" not in said
    assert plots == 2
    assert "robvis (CSV)" not in labels
    with store.writing("Ann") as change:
        for domain in others:
            change.save(ReviewerJudgement("p", "a", "rob1", domain.id, "Ann", LOW))
    labels, said, _ = drawn()
    assert "robvis (CSV)" in labels
    assert "robvis" not in said


# ---- files of a project ----


def test_why_a_file_cannot_be_made_is_told_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(Settings(home=tmp_path, data=None))
    with store.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann",)))
    monkeypatch.setattr(outputs, "the_store", lambda: store)
    small = partial(project_to_file, limits=FileLimits(document=100))
    monkeypatch.setattr(outputs, "project_to_file", small)
    whole, _, document = outputs.PROJECT
    now = Session()
    with pytest.raises(NotStorable):
        outputs._project_file(now, whole, "p", "Ann")
    assert now.problem is not None
    assert now.problem.startswith("This project is larger than a .vouch file can be.")
    assert b'"Tea"' in outputs._project_file(now, document, "p", "Ann")
    store.close()
