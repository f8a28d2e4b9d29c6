"""What comes in: references matched, wrong entries listed, likenesses told and never merged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.bias.assessment import Suggestion
from core.bias.model import Judgement, StudyContext
from core.bias.own import OwnDomain, OwnTool
from core.errors import ReferencesError
from core.review.intake import (
    QUEUE,
    SAME,
    add_references,
    holds_references,
    keep_work,
    match_references,
    possible_duplicates_of,
    unmatched_references,
)
from core.review.planning import Job, JobResult
from core.review.queue import run_queue, start_queue
from core.screening.model import ScreeningVerdict
from core.store import Conflict, Pairing, Plan, ScreeningDecision, Store, StoredPaper, StoredReference, StoreWriter
from core.store.own_tools import change_own_tool
from core.work.pools import ThreadWorkers
from tests.core.review.papers import ADULTS, begin, trial


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))


def entry(title: str, *more: str) -> bytes:
    lines = ["TY  - JOUR", f"TI  - {title}", *more, "ER  - ", ""]
    return "\n".join(lines).encode()


def read_all(store: Store) -> None:
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns")


def test_a_reference_finds_its_paper_whichever_comes_first(store: Store) -> None:
    begin(store, plan=Plan(None, None, None), trials=1)
    early = entry("Walking and sleep in town 0: a randomised trial")
    add_references(store, "towns", early, name="early.ris", who="Ann")
    read_all(store)
    add_references(store, "towns", early + b"\n", name="late.ris", who="Ann")
    with store.reading() as now:
        (paper,) = now.stored_papers("towns")
        found = [(saved.record.source, saved.record.paper, saved.record.matched) for saved in now.references("towns")]
    assert found == [("early.ris", paper.record.id, "title"), ("late.ris", paper.record.id, "title")]


def test_the_same_file_comes_twice_and_is_stored_once(store: Store) -> None:
    begin(store)
    file = entry("Tea") + entry("Milk")
    first = add_references(store, "towns", file, name="a.ris", who="Ann")
    again = add_references(store, "towns", file, name="a.ris", who="Ben")
    assert (first.added, first.again, again.added, again.again) == (2, 0, 0, 2)


def test_wrong_entries_are_listed_with_their_place_once(store: Store) -> None:
    begin(store)
    file = entry("Tea") + b"TY  - JOUR\nAU  - Nobody, N.\nER  - \n" + entry("Milk", "DO  - nonsense")
    for _ in range(2):
        found = add_references(store, "towns", file, name="a.ris", who="Ann")
        assert found.wrong == 2
    with store.reading() as now:
        failures = now.queue.failures("towns")
    assert [(one.item, "record" in one.task) for one in failures] == [("a.ris", True), ("a.ris", True)]


def test_no_doubt_about_a_file_hides_another_one(store: Store) -> None:
    """Two doubts about one entry, and entries of two files of one name."""
    begin(store)
    twice = add_references(store, "towns", entry("Tea", "DO  - nonsense", "PY  - soon"), name="a.ris", who="Ann")
    add_references(store, "towns", entry("Milk", "DO  - rubbish"), name="a.ris", who="Ann")
    with store.reading() as now:
        first, second = sorted((one.error for one in now.queue.failures("towns")), key=len, reverse=True)
    assert twice.wrong == 1
    assert "nonsense" in first
    assert "soon" in first
    assert "rubbish" in second


def test_a_file_without_references_is_refused(store: Store) -> None:
    begin(store)
    with pytest.raises(ReferencesError):
        add_references(store, "towns", b"<html>no</html>", name="a.ris", who="Ann")


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.ris", b"TY  - JOUR", True),
        ("export.txt", b"\xef\xbb\xbfPMID- 123", True),
        ("a.csv", b"title,year", True),
        ("a.txt", b"We asked whether tea helps.", False),
        ("a.pdf", b"%PDF-1.7", False),
    ],
)
def test_references_are_told_from_papers(name: str, data: bytes, expected: bool) -> None:
    assert holds_references(name, data) is expected


def test_two_references_of_one_paper_are_one_already_and_those_without_are_told(store: Store) -> None:
    begin(store, plan=Plan(None, None, None), trials=1)
    read_all(store)
    title = "Walking and sleep in town 0: a randomised trial"
    add_references(store, "towns", entry(title, "PY  - 2020", "AU  - Rossi, A."), name="a.ris", who="Ann")
    add_references(store, "towns", entry(title.upper(), "PY  - 2020", "AU  - Rossi, A."), name="b.ris", who="Ann")
    with store.reading() as now:
        (paper,) = now.stored_papers("towns")
        assert [saved.record.paper for saved in now.references("towns")] == [paper.record.id] * 2
        assert possible_duplicates_of(now, "towns") == ()
    other = "Swimming and mood in older adults of the coast: a cohort study"
    for name, said in (("c.ris", other), ("d.ris", other.upper())):
        add_references(store, "towns", entry(said, "PY  - 2019", "AU  - Lake, A."), name=name, who="Ann")
    with store.reading() as now:
        without = {saved.record.id for saved in now.references("towns") if saved.record.paper is None}
        (pair,) = possible_duplicates_of(now, "towns")
    assert {pair.first, pair.second} == without
    with store.writing("Ann") as change:
        change.save(Pairing("towns", pair.first, pair.second, same=True))
        assert possible_duplicates_of(change, "towns") == ()


def test_the_double_of_a_paper_keeps_no_reference_from_its_paper(store: Store) -> None:
    begin(store, plan=Plan(None, None, None), trials=1)
    twin = trial(0).replace(b"The list was kept in sealed", b"The list was held in sealed")
    assert twin != trial(0)
    with store.writing("Ann") as change:
        change.queue.add_file("towns", "twin.md", twin)
    read_all(store)
    title = "Walking and sleep in town 0: a randomised trial"
    add_references(store, "towns", entry(title), name="a.ris", who="Ann")
    with store.reading() as now:
        first, second = (saved.record.id for saved in now.stored_papers("towns"))
        (reference,) = now.references("towns")
        assert reference.record.paper is None, "two papers have its title"
        assert {frozenset((one.first, one.second)) for one in possible_duplicates_of(now, "towns")} >= {
            frozenset((first, second))
        }
    with store.writing("Ann") as change:
        change.save(Pairing("towns", first, second, same=True))
        assert not any(second in (one.first, one.second) for one in possible_duplicates_of(change, "towns"))
        assert not any(one.is_ambiguous for one in unmatched_references(change, "towns"))
    assert match_references(store, "towns") == 1
    with store.reading() as now:
        assert [saved.record.paper for saved in now.references("towns")] == [first]
        assert possible_duplicates_of(now, "towns") == ()


def test_a_reference_that_stands_for_another_gets_its_paper(store: Store) -> None:
    """Two references were called the same; the file that comes later can be told to be the second one's only."""
    begin(store, plan=Plan(None, None, None), trials=1)
    add_references(store, "towns", entry("A walk in the town and a good night", "AN  - 1"), name="a.ris", who="Ann")
    add_references(store, "towns", entry("Walking and sleep in town 0: a randomised trial"), name="b.ris", who="Ann")
    with store.writing("Ann") as change:
        first, second = (saved.record.id for saved in change.references("towns"))
        change.save(Pairing("towns", first, second, same=True))
    read_all(store)
    with store.reading() as now:
        (paper,) = now.stored_papers("towns")
        assert now.item_ids("towns") == (paper.record.id,)
        assert {saved.record.id: (saved.record.paper, saved.record.matched) for saved in now.references("towns")} == {
            first: (paper.record.id, SAME),
            second: (paper.record.id, "title"),
        }


@pytest.mark.slow
def test_a_reference_without_its_paper_is_asked_for_the_criteria(store: Store) -> None:
    begin(store, plan=Plan("offline", "bm25", "offline"))
    abstract = "AB  - Adults with insomnia were assigned at random to warm milk or water."
    add_references(store, "towns", entry("Warm milk for sleep: a randomised trial", abstract), name="a.ris", who="Ann")
    read_all(store)
    with store.reading() as now:
        (reference,) = now.references("towns")
        (made,) = now.criteria("towns")
        text = now.text("towns", reference.record.id)
        assert now.findings("towns") == ()
    assert (made.item, made.criterion) == (reference.record.id, ADULTS.id)
    assert text is not None
    assert all(0 <= one.index < len(text.sentences) for one in made.suggestion.sentences)
    with store.writing("Ann") as change:
        change.save(ScreeningDecision("towns", reference.record.id, "Ann", ScreeningVerdict.EXCLUDE, "Wrong outcome"))


def test_a_match_that_is_sure_is_made_once(store: Store) -> None:
    begin(store, plan=Plan(None, None, None), trials=2)
    read_all(store)
    for number in (0, 1):
        title = f"Walking and sleep in town {number}: a randomised trial"
        add_references(store, "towns", entry(title), name=f"{number}.ris", who="Ann")
    assert match_references(store, "towns") == 0
    with store.reading() as now:
        assert all(saved.version == 2 for saved in now.references("towns"))


def test_what_a_reviewer_says_at_the_same_moment_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store, plan=Plan(None, None, None), trials=1)
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns")
    save = StoreWriter.save

    def too_late(self: StoreWriter, record: Any, **rest: Any) -> Any:
        if isinstance(record, StoredReference) and self.who == QUEUE:
            raise Conflict("Ann changed this.", None)
        return save(self, record, **rest)

    monkeypatch.setattr(StoreWriter, "save", too_late)
    title = "Walking and sleep in town 0: a randomised trial"
    add_references(store, "towns", entry(title), name="0.ris", who="Ann")
    with store.reading() as now:
        assert [saved.record.paper for saved in now.references("towns")] == [None]
    monkeypatch.undo()
    assert match_references(store, "towns") == 1, "it is looked for again the next time"


def test_a_file_of_references_whose_name_is_no_text_is_read(store: Store) -> None:
    """As Linux gives a name in Latin-1 to Python."""
    begin(store)
    assert add_references(store, "towns", entry("Tea"), name="caf\udce9.ris", who="Ann").added == 1
    with store.reading() as now:
        assert {one.record.source for one in now.references("towns")} == {"caf?.ris"}
    with pytest.raises(ReferencesError, match=r"caf\?\.csv"):
        add_references(store, "towns", b"colour,weight\nred,3\n", name="caf\udce9.csv", who="Ann")


@pytest.mark.parametrize("edited", [True, False])
def test_a_suggestion_by_words_that_were_changed_meanwhile_is_not_kept(store: Store, edited: bool) -> None:
    rain, late = OwnDomain("D1", "Weather", "Whether it rained."), OwnDomain("D2", "Recall", "Whether it was late.")
    own = OwnTool("own-walk", "Walks", ("Good", "Fair", "Bad"), (rain, late))
    project = begin(store, tool=own.id, own_tools=(own,))
    with store.writing("Ann") as change:
        change.save(StoredPaper(project.id, "a", "a.md"))
    job = Job("a", "a.md", project.plan, own.id, StudyContext(), own_tools=(own,), domains=(("", "D1"), ("", "D2")))
    if edited:
        with store.writing("Ben") as change:
            snow = replace(rain, definition="Whether it snowed.")
            change_own_tool(change, project.id, own.id, lambda tool: replace(tool, domains=(snow, late)))
    made = [("", Suggestion("bm25", Judgement(id, "bad", "It was."))) for id in ("D1", "D2")]
    with store.writing(QUEUE) as change:
        keep_work(change, project, job, JobResult(suggestions=tuple(made)))
    with store.reading() as now:
        kept = [saved.record.domain for saved in now.present(project.id).suggestions]
    assert kept == (["D2"] if edited else ["D1", "D2"])
