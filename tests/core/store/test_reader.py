"""What screens read: progress, what is hidden from whom, disagreements; in few queries however many papers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event

from core.bias import Answer, Level, tool_named
from core.bias.assessment import OwnJudgement
from core.bias.model import HIGH, LOW, OVERALL
from core.bias.tools.rob1 import UNCLEAR
from core.errors import StillBlind
from core.evidence.model import Decision
from core.store import DomainView, ProjectState, ReviewerJudgement, Store
from core.store.blindness import seen_by
from core.store.model import own_judgement, stored_judgement
from tests.core.store.review import (
    DOMAINS,
    FIRST,
    PROJECT,
    SCOPE,
    SECOND,
    begin,
    consensus,
    judgement,
    save,
    suggestion,
)


def view(store: Store, reader: str, domain: str = "D1") -> DomainView:
    with store.reading() as now:
        return now.domains(PROJECT.id, FIRST.id, SCOPE, reader=reader)[domain]


@pytest.mark.slow
def test_blind_until_ones_own_is_in(store: Store) -> None:
    begin(store)
    save(store, judgement("Ben", HIGH), suggestion())
    save(store, consensus(), who="Ben")
    assert view(store, "Ann") == DomainView(hidden=True)
    save(store, judgement("Ann", None))  # begun, no level yet
    begun = view(store, "Ann")
    assert (begun.hidden, begun.others, begun.suggestions, begun.consensus) == (True, (), (), None)
    with store.writing("Ann") as change:
        saved = change.save(judgement("Ann"), seen=1)
    seen = view(store, "Ann")
    assert not seen.hidden
    assert [other.record.reviewer for other in seen.others] == ["Ben"]
    assert [made.record for made in seen.suggestions] == [suggestion()]
    assert seen.consensus is not None
    assert view(store, "Ann", "D2").hidden
    with store.writing("Ann") as change:
        change.remove(saved)
    assert view(store, "Ann").hidden, "one's own is not in any more"


def test_nothing_is_hidden_where_the_project_is_open(store: Store) -> None:
    begin(store, blind=False)
    save(store, judgement("Ben"), suggestion())
    seen = view(store, "Ann")
    assert not seen.hidden
    assert (len(seen.others), len(seen.suggestions)) == (1, 1)


def test_an_arbiter_waits_for_all_reviewers(store: Store) -> None:
    begin(store)
    save(store, judgement("Ben"), suggestion())
    assert view(store, "Cleo").hidden
    save(store, judgement("Ann"))
    assert len(view(store, "Cleo").others) == 2


@pytest.mark.repetition
@pytest.mark.parametrize("record", [judgement("Ben"), suggestion(), consensus()])
def test_history_and_levels_are_no_way_round_blindness(store: Store, record: Any) -> None:
    begin(store)
    save(store, judgement("Ben", HIGH), suggestion())
    with store.reading() as now:
        with pytest.raises(StillBlind, match="until your own judgement"):
            now.history(record, reader="Ann")
        (hidden,) = now.levels(PROJECT.id, SCOPE, reader="Ann")
        (shown,) = now.levels(PROJECT.id, SCOPE, reader="Ben")
    assert (hidden.hidden, hidden.levels, hidden.differ) == (True, {}, False)
    assert (shown.hidden, shown.levels, shown.differ) == (False, {"Ann": None, "Ben": HIGH}, False)
    save(store, judgement("Ann"))
    with store.reading() as now:
        now.history(record, reader="Ann")


def test_levels_differ_until_they_are_settled(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ann", domain="D2"), judgement("Ann", domain="D3"))
    save(store, judgement("Ben", HIGH, domain="D2"), judgement("Ben", domain="D3"))
    save(store, judgement("Ann", None, paper=SECOND.id))
    with store.reading() as now:
        found = now.levels(PROJECT.id, SCOPE, reader="Ann")
    assert [(one.domain, one.differ, one.final) for one in found] == [
        ("D1", False, None),
        ("D2", True, None),
        ("D3", False, LOW),
    ]
    assert found[1].levels == {"Ann": LOW, "Ben": HIGH}
    save(store, consensus("D2"))
    with store.reading() as now:
        assert [one.final for one in now.levels(PROJECT.id, SCOPE, reader="Ann")] == [None, LOW, LOW]
        settled = now.domains(PROJECT.id, FIRST.id, SCOPE, reader="Ann")["D2"].consensus
        assert now.papers(PROJECT.id, SCOPE)[0].settled == 1
    assert settled is not None
    with store.writing("Ann") as change:
        change.remove(settled)
    with store.reading() as now:
        assert [one.final for one in now.levels(PROJECT.id, SCOPE, reader="Ann")] == [None, None, LOW]


def test_progress_and_the_next_paper(store: Store) -> None:
    begin(store)
    save(store, *(judgement("Ann", domain=domain) for domain in DOMAINS), judgement("Ben", None))
    save(store, judgement("Ann", domain="D9"))  # of another tool
    with store.reading() as now:
        states = now.papers(PROJECT.id, SCOPE)
        assert [state.paper.record for state in states] == [FIRST, SECOND]
        assert [state.done for state in states] == [{"Ann": 3}, {}]
        assert now.next_undone(PROJECT.id, "Ann", SCOPE) == SECOND.id
        assert now.next_undone(PROJECT.id, "Ben", SCOPE) == FIRST.id
    save(store, *(judgement("Ann", paper=SECOND.id, domain=domain) for domain in DOMAINS))
    with store.reading() as now:
        assert now.next_undone(PROJECT.id, "Ann", SCOPE) is None


@contextmanager
def counted(store: Store) -> Iterator[list[str]]:
    asked: list[str] = []

    def count(*arguments: Any) -> None:
        asked.append(arguments[2])

    event.listen(store.engine, "before_cursor_execute", count)
    yield asked
    event.remove(store.engine, "before_cursor_execute", count)


def test_many_papers_take_no_more_queries(store: Store) -> None:
    begin(store, blind=False)
    with store.writing("Ann") as change:
        for number in range(10, 30):
            paper = replace(FIRST, id=f"{number:064x}")
            change.save(paper)
            for domain in DOMAINS:
                change.save(judgement("Ann", paper=paper.id, domain=domain))
    with store.reading() as now:
        for ask, most in (
            (lambda: now.papers(PROJECT.id, SCOPE), 1),
            (lambda: now.next_undone(PROJECT.id, "Ann", SCOPE), 1),
            (now.projects, 1),
            (lambda: now.levels(PROJECT.id, SCOPE, reader="Ann"), 2),
            (lambda: now.domains(PROJECT.id, FIRST.id, SCOPE, reader="Ann"), 4),
        ):
            with counted(store) as asked:
                ask()
            assert 1 <= len([one for one in asked if one.startswith("SELECT")]) <= most
        assert len(now.levels(PROJECT.id, SCOPE, reader="Ann")) == 60


# What a reviewer may see of a whole project.


def whole(store: Store) -> ProjectState:
    with store.reading() as now:
        return now.whole(PROJECT.id)


def test_others_work_is_left_out_until_ones_own_is_in(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ben", HIGH), judgement("Ben", domain="D2"))
    save(store, suggestion(), suggestion("D2"), suggestion("D3"), consensus())
    save(store, consensus("D2"), who="Ben")
    state = whole(store)
    seen, hidden = seen_by(state, "Ann", SCOPE)
    assert [(one.record.reviewer, one.record.domain) for one in seen.judgements] == [("Ann", "D1"), ("Ben", "D1")]
    assert [one.record.domain for one in seen.suggestions] == ["D1"]
    assert [one.record.domain for one in seen.consensus] == ["D1"]
    assert hidden == 2
    told = {(change.kind, change.key[4]) for change in seen.history if len(change.key) > 4}
    assert told == {("judgements", "D1"), ("suggestions", "D1"), ("consensus", "D1")}
    assert (seen.project, seen.papers) == (state.project, state.papers)
    assert "D2" not in {change.key[4] for change in seen.history if len(change.key) > 4}


def test_who_is_done_and_whoever_reads_an_open_project_sees_all(store: Store) -> None:
    begin(store)
    save(store, *(judgement(who, domain=domain) for who in ("Ann", "Ben") for domain in DOMAINS), suggestion())
    save(store, judgement("Ben", HIGH, domain=OVERALL))
    state = whole(store)
    for reader in ("Ann", "Ben", "Cleo"):
        assert seen_by(state, reader, SCOPE) == (state, 0)
    opened = replace(state, project=replace(state.project, record=replace(state.project.record, blind=False)))
    assert seen_by(opened, "Zoe", replace(SCOPE, domains=(*DOMAINS, "D4"))) == (opened, 0)


@pytest.mark.repetition
@pytest.mark.parametrize("missing", DOMAINS)
def test_the_word_on_the_whole_waits_for_every_domain(store: Store, missing: str) -> None:
    begin(store)
    save(store, *(judgement("Ann", domain=domain) for domain in DOMAINS if domain != missing))
    save(store, judgement("Ben", HIGH, domain=OVERALL))
    seen, _ = seen_by(whole(store), "Ann", SCOPE)
    assert OVERALL not in {one.record.domain for one in seen.judgements}


def test_an_arbiter_sees_a_whole_project_after_all_reviewers(store: Store) -> None:
    begin(store)
    save(store, judgement("Ben"), suggestion())
    seen, hidden = seen_by(whole(store), "Cleo", SCOPE)
    assert (seen.judgements, seen.suggestions, hidden) == ((), (), 1)


def test_who_reviews_alone_sees_suggestions_at_once(store: Store) -> None:
    begin(store, reviewers=("Ann",))
    save(store, suggestion(), suggestion("D2"))
    state = whole(store)
    assert state.project.record.blind
    assert seen_by(state, "Ann", SCOPE) == (state, 0)
    with store.reading() as now:
        views = now.domains(PROJECT.id, state.suggestions[0].record.paper, SCOPE, reader="Ann")
    assert not any(view.hidden for view in views.values())


# What a reviewer sets on a screen and what is stored of it: there and back is identity.

ROB1, ROB2 = tool_named("rob1"), tool_named("rob2")
ANSWERS = {"1.1": Answer.YES, "1.2": Answer.YES, "1.3": Answer.NO}
PLACE = {"project": "walking", "paper": "1", "tool": "rob2", "reviewer": "Ann"}


@pytest.mark.parametrize(
    ("tool", "own", "level"),
    [
        ("rob1", OwnJudgement(), None),
        ("rob1", OwnJudgement(level=UNCLEAR, comment="Why?"), UNCLEAR),
        ("rob2", OwnJudgement({"1.1": Answer.YES}), None),
        ("rob2", OwnJudgement(ANSWERS), LOW),
        ("rob2", OwnJudgement(ANSWERS, HIGH), LOW),  # no comment says why: what the answers give stands
        ("rob2", OwnJudgement(ANSWERS, HIGH, "By date of birth."), HIGH),
        ("rob2", OwnJudgement(decisions={7: Decision.ADDED, 2: Decision.ACCEPTED, 5: Decision.REJECTED}), None),
    ],
)
def test_there_and_back_is_identity(tool: str, own: OwnJudgement, level: Level | None) -> None:
    domain = tool_named(tool).domains[0]
    record = stored_judgement(own, domain, **PLACE, seen=["offline", "bm25", "offline"])
    assert record.level == level
    assert record.suggestions_seen == ("bm25", "offline")
    assert own_judgement(record, domain) == own


def test_sentences_that_were_turned_down_are_no_support() -> None:
    own = OwnJudgement(decisions={7: Decision.ADDED, 2: Decision.ACCEPTED, 5: Decision.REJECTED})
    assert stored_judgement(own, ROB1.domains[0], **PLACE).support == (2, 7)


def test_a_record_without_details_comes_to_the_same_level() -> None:
    record = ReviewerJudgement("walking", "1", "rob2", "D1", "Ann", HIGH, ANSWERS, (3, 5), "By date of birth.")
    own = own_judgement(record, ROB2.domains[0])
    assert own == OwnJudgement(ANSWERS, HIGH, record.comment, {3: Decision.ADDED, 5: Decision.ADDED})
    assert own.level_in(ROB2.domains[0]) == HIGH
    assert own_judgement(replace(record, level=LOW), ROB2.domains[0]).level is None
