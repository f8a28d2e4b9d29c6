"""The page Ask, run without a browser."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.answering import Told
from core.export.answer import answer_markdown
from core.paper import read_paper
from core.settings import load_settings
from core.store import Project, open_store, record_of
from core.text.similarity import Embedder
from pages._ui.ask import form
from pages._ui.state import Session
from run import ROOT
from tests.core.review.papers import trial
from tests.pages.waiting import settle

LONG = 60.0
WALKING = "Does walking improve sleep in adults with insomnia?"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))


def page(*, papers: int = 2) -> AppTest:
    """The page, with a project of some trials."""
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project("walks", "Walks", ("Ann",), blind=False))
        for number in range(papers):
            read = read_paper(trial(number), name=f"trial-{number}.md")
            change.keep_file(change.save(record_of(read, project="walks")), trial(number))
    store.close()
    return AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run().switch_page("pages/ask.py").run()


def ask(app: AppTest, question: str) -> None:
    app.text_input(key="ask-question").set_value(question).run()
    app.button(key="ask-button").click().run()
    settle(app)
    assert not app.exception


def shown(app: AppTest) -> str:
    parts = [*app.caption, *app.markdown, *app.error, *app.warning, *app.info]
    return "\n".join(re.sub(r"\\(.)", r"\1", part.value) for part in parts)


def session(app: AppTest) -> Session:
    now: Session = app.session_state["vouch"]
    return now


def test_papers_are_quoted_with_their_place() -> None:
    app = page()
    ask(app, WALKING)
    found = session(app).asking.answers["walks"]
    assert not found.answer.cannot_answer
    assert found.answer.searched == 2
    said = shown(app)
    assert "2 papers searched" in said
    for one in found.answer.papers:
        assert f"“{one.sentence}”" in said
    written = answer_markdown(found.answer)
    assert found.answer.disagree == ("do not agree" in said)
    assert written.startswith(f"# {WALKING}")
    assert written.count("\n> ") == len(found.answer.papers)
    app.button(key="ask-open-0").click().run()
    opened = session(app).open
    assert opened is not None
    first = found.answer.papers[0]
    assert opened.paper.id == first.paper.id
    assert opened.begin_at == (1, first.strongest.strongest)


def test_what_they_cannot_answer_is_said() -> None:
    app = page()
    ask(app, "Does copper sulphate kill snails in aquaria?")
    assert "These papers do not seem to answer it." in shown(app)


def test_only_what_is_missing_is_indexed_and_what_left_is_taken_out() -> None:
    app = page(papers=3)
    ask(app, WALKING)
    store = open_store(load_settings())
    with store.reading() as reading:
        gone = reading.stored_papers("walks")[0]
    with store.writing("Ann") as change:
        change.remove(gone)
    store.close()
    encoded: list[int] = []
    whole = Embedder.encode

    def counting(self: Embedder, texts: list[str]) -> object:
        encoded.append(len(texts))
        return whole(self, texts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Embedder, "encode", counting)
        ask(app, WALKING)
    assert session(app).asking.answers["walks"].answer.searched == 2
    assert encoded == [1]  # the question


def test_hostile_text_of_papers_stays_text() -> None:
    app = page(papers=0)
    hostile = (
        trial(0)
        .replace(b"# Walking", b"# <img src=x> [go](http://x) Walking")
        .replace(b"walking improved", b"walking **improved** :red[x]")
    )
    read = read_paper(hostile, name="hostile.md")
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.keep_file(change.save(record_of(read, project="walks")), hostile)
    store.close()
    ask(app.run(), WALKING)
    found = session(app).asking.answers["walks"].answer
    assert read.id in {one.paper.id for one in found.papers}
    for part in [*app.markdown, *app.caption]:
        assert not re.search(r"(?<!\\)(<img|:red\[|\]\()", part.value)


def test_an_empty_question_is_refused() -> None:
    app = page()
    app.button(key="ask-button").click().run()
    assert "Ask one of 1 to 100 words." in shown(app)


def test_without_a_project_the_way_to_one_is_shown() -> None:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run().switch_page("pages/ask.py").run()
    assert not app.exception
    assert "Make a project first" in shown(app)


def test_papers_that_disagree_come_first_direction_by_direction() -> None:
    app = page()
    ask(app, WALKING)
    now = session(app)
    kept = now.asking.answers["walks"]
    one = kept.answer.papers[0]
    told = [Told.INCREASED, None, Told.NO_DIFFERENCE, Told.INCREASED]
    papers = tuple(replace(one, told=way, probability=0.9 if way else None) for way in told)
    now.asking.answers["walks"] = replace(kept, answer=replace(kept.answer, papers=papers))
    app.run()
    assert not app.exception
    (warning,) = app.warning
    assert warning.value == "The papers do not agree: 2 ↑ increased, 1 = no difference, 1 cannot be told which way."
    directions = [part.value.split(" · ")[0] for part in app.caption if "reports on it" in part.value]
    assert directions == ["**↑ increased**", "**↑ increased**", "**= no difference**", "Which way cannot be told"]


def test_a_question_that_is_cancelled_brings_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page()
    monkeypatch.setattr("pages._ui.ask.form.ASKING.at_once", 0.0)
    form._INDEX.acquire()  # as if another window were indexing
    try:
        app.text_input(key="ask-question").set_value(WALKING).run()
        app.button(key="ask-button").click().run()
        app.button(key="cancel-asking").click().run()
    finally:
        form._INDEX.release()
    settle(app)
    assert not app.exception
    assert not session(app).asking.answers
    assert session(app).asking.question == WALKING
