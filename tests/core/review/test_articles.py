"""Articles in a project: kept as they were given, taken elsewhere with it, and deleted with what they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.articles import Article, Overview, Section
from core.errors import DamagedProject
from core.review.articles import delete_article, keep_article, kept_article, on_topic
from core.settings import Settings
from core.store import Project, Store, open_store, project_from_json, project_to_json
from tests.core.answering.made import quoted, says, written

SECTIONS = (Section("Effects", written()), Section("Harms", quoted(says("a"))))
PROSE = Article("Zinc", "zinc", "mine.md", "0f", "made:up@agent", SECTIONS, Overview(written().statements))
ARTICLES = pytest.mark.parametrize(
    "article",
    [
        PROSE,
        replace(PROSE, overview=Overview((), problem="The server is gone.")),
        replace(PROSE, overview=Overview(())),
        replace(PROSE, engine="offline", overview=None),
    ],
    ids=["prose", "failed", "nothing to say", "offline"],
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = open_store(Settings(tmp_path, None))
    with found.writing("Ann") as change:
        change.save(Project("p", "Colds", ("Ann",), blind=False))
    return found


@ARTICLES
def test_it_comes_back_as_it_was_given_and_goes_elsewhere(article: Article, store: Store, tmp_path: Path) -> None:
    with store.writing("Ann") as change:
        saved = keep_article(change, "p", article, ("lost.pdf",))
    with store.reading() as now:
        assert kept_article(now, saved.record) == article
        assert now.articles("p") == (saved,)
        state = now.whole("p")
    elsewhere = open_store(Settings(tmp_path / "elsewhere", None))
    with elsewhere.writing("Ann") as change:
        change.import_project(project_from_json(project_to_json(state)))
        assert kept_article(change, change.articles("p")[0].record) == article
    with pytest.raises(DamagedProject, match="belongs to none"):
        project_from_json(project_to_json(replace(state, answers=state.answers[1:])))


def test_what_it_says_goes_with_it(store: Store) -> None:
    with store.writing("Ann") as change:
        change.answers.keep("p", quoted())
        saved = keep_article(change, "p", PROSE)
        assert len(change.answers.listed("p")) == 4
        delete_article(change, saved)
        assert change.articles("p") == ()
        assert len(change.answers.listed("p")) == 1
        project_from_json(project_to_json(change.whole("p")))


def test_hypotheses_are_on_a_topic_by_all_its_words() -> None:
    sleep, pain = known = ["Tea improves sleep", "Tea lowers pain"]
    assert on_topic(known, "tea") == [sleep, pain]
    assert on_topic(known, "the sleep after teas") == [sleep]
    assert on_topic(known, "tea for cramps") == []
    assert on_topic(known, "of the") == []
