"""The Contradictions page without a browser."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from core.benchmarks.samples import SAMPLE_DATA
from core.paper import read_paper
from core.settings import load_settings
from core.sources.model import Notice, NoticeKind
from core.store import ContradictionVerdict, Project, StoredNotices, open_store, record_of
from pages._ui.contradictions import claims
from pages._ui.contradictions.state import ContradictionChoices
from pages._ui.contradictions.view import ContestedView
from pages._ui.state import Session
from run import ROOT
from tests.core.claims.papers import AGAINST, FOR
from tests.pages.waiting import settle

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_home")]
LONG = 60.0


def page() -> AppTest:
    store = open_store(load_settings())
    files = {"own.xml": (SAMPLE_DATA / "leg-cramps.xml").read_bytes(), "against.md": AGAINST, "for.md": FOR}
    with store.writing("Ann") as change:
        change.save(Project("cramps", "Cramps", ("Ann", "Ben"), blind=True))
        for name, data in files.items():
            change.keep_file(change.save(record_of(read_paper(data, name=name), project="cramps")), data)
    store.close()
    return AppTest.from_file(ROOT / "app.py", default_timeout=LONG).run().switch_page("pages/contradictions.py").run()


def shown(app: AppTest) -> str:
    parts = [*app.caption, *app.markdown, *app.error, *app.warning, *app.info]
    return "\n".join(re.sub(r"\\(.)", r"\1", part.value) for part in parts)


def test_claims_are_held_judged_and_kept() -> None:
    app = page()
    assert "No claims." in shown(app)
    app.button(key="hold-claims").click().run()
    settle(app)
    assert not app.exception, app.exception
    app.text_area(key="add-claim-text").set_value("Diarrhoea was more frequent with magnesium than with placebo.")
    next(one for one in app.button if one.label == "Add").click().run()
    app.button(key="hold-claims").click().run()
    settle(app)
    assert not app.exception, app.exception
    said = shown(app)
    assert "contradicted" in said
    assert "Against" in said
    assert "pregnant" in said
    session: Session = app.session_state["vouch"]
    decide = next(box for box in app.selectbox if (box.key or "").startswith("decide-"))
    decide.set_value(ContradictionVerdict.APPARENT.value).run()
    why = next(field for field in app.text_input if (field.key or "").startswith("why-"))
    assert why.label == "Only because"
    why.set_value("another population").run()
    assert not app.exception, app.exception
    store = open_store(load_settings())
    with store.reading() as reading:
        [kept] = reading.contradictions("cramps", reader="Ann")
        assert not reading.contradictions("cramps", reader="Ben"), "the project is blind"
        claims = reading.all_claims("cramps")
    store.close()
    assert (kept.record.verdict, kept.record.why) == (ContradictionVerdict.APPARENT, "another population")
    assert all(saved.record.contest for saved in claims)
    assert session.problem is None
    app.text_area(key="add-claim-text").set_value("word " * 101)
    next(one for one in app.button if one.label == "Add").click().run()
    assert "101 words" in shown(app)
    assert app.text_area(key="add-claim-text").value.startswith("word"), "what was typed is not lost"
    app.text_area(key="add-claim-text").set_value("Magnesium helps nobody.")
    next(one for one in app.button if one.label == "Add").click().run()
    assert not app.exception, app.exception
    with open_store(load_settings()).reading() as reading:
        added = [saved.record for saved in reading.all_claims("cramps") if not saved.record.made]
    assert "Magnesium helps nobody." in [one.text for one in added]
    assert all(one.sentence > 0 for one in added), "the title is no sentence of the page"
    with open_store(load_settings()).writing("Ann") as change:
        change.put(replace(added[0], claim="long", text="word " * 101, made="offline", contest=None))
    session.part(ContradictionChoices).claim = "long"
    app.run()
    assert "The statement has 101 words" in shown(app)
    assert "drop it, or add it in fewer words" in shown(app)


def test_files_mark_a_paper_that_was_retracted() -> None:
    page()
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        papers = {saved.record.id: saved.record for saved in change.stored_papers("cramps")}
        other = next(iter(papers))
        retracted = Notice(NoticeKind.RETRACTED, "PubMed", "2024")
        change.put(StoredNotices("cramps", other, (retracted,), datetime.now(UTC), ("Crossref", "PubMed")))
        project = change.project("cramps").record
    store.close()
    view = ContestedView(project, "Ann", papers, other, None, (), ())
    assert claims._marked(view, [other], 8)[0].notices == {other: "Retracted 2024 (PubMed)"}


def test_another_name_in_another_project_leaves_the_open_review_alone() -> None:
    app = page()
    with open_store(load_settings()).writing("Ann") as change:
        change.save(Project("tea", "Tea", ("Ann", "Cleo"), blind=True))
    session: Session = app.session_state["vouch"]
    session.review.enter("cramps", "Ben")
    app.run()
    app.selectbox(key="contested-project").select("tea").run()
    app.selectbox(key="contested-who-tea").select("Cleo").run()
    assert (session.review.project, session.review.reviewer) == ("cramps", "Ben")
    app.selectbox(key="contested-project").select("cramps").run()
    assert app.selectbox(key="contested-who-cramps").value == session.review.reviewer == "Ben"
    app.selectbox(key="contested-who-cramps").select("Ann").run()
    assert session.review.reviewer == "Ann"
    app.selectbox(key="contested-project").select("tea").run()
    assert app.selectbox(key="contested-who-tea").value == "Cleo"
    assert not app.exception
