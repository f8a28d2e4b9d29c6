"""What screens read: progress, what is hidden from whom, disagreements; in few queries however many papers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event

from core.bias.model import Level
from core.errors import StillBlind
from core.store import DomainView, Store
from tests.core.store.review import (
    DOMAINS,
    FIRST,
    PROJECT,
    SECOND,
    begin,
    consensus,
    judgement,
    save,
    suggestion,
)


def view(store: Store, reader: str, domain: str = "D1") -> DomainView:
    with store.reading() as now:
        return now.domains(PROJECT.id, FIRST.id, DOMAINS, reader=reader)[domain]


def test_blind_until_ones_own_is_in(store: Store) -> None:
    begin(store)
    save(store, judgement("Ben", Level.HIGH), suggestion())
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


@pytest.mark.parametrize("record", [judgement("Ben"), suggestion(), consensus()])
def test_history_and_levels_are_no_way_round_blindness(store: Store, record: Any) -> None:
    begin(store)
    save(store, judgement("Ben", Level.HIGH), suggestion())
    with store.reading() as now:
        with pytest.raises(StillBlind, match="until your own judgement"):
            now.history(record, reader="Ann")
        (hidden,) = now.levels(PROJECT.id, DOMAINS, reader="Ann")
        (shown,) = now.levels(PROJECT.id, DOMAINS, reader="Ben")
    assert (hidden.hidden, hidden.levels, hidden.differ) == (True, {}, False)
    assert (shown.hidden, shown.levels, shown.differ) == (False, {"Ann": None, "Ben": Level.HIGH}, False)
    save(store, judgement("Ann"))
    with store.reading() as now:
        now.history(record, reader="Ann")


def test_levels_differ_until_they_are_settled(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ann", domain="D2"), judgement("Ann", domain="D3"))
    save(store, judgement("Ben", Level.HIGH, domain="D2"), judgement("Ben", domain="D3"))
    save(store, judgement("Ann", None, paper=SECOND.id))
    with store.reading() as now:
        found = now.levels(PROJECT.id, DOMAINS, reader="Ann")
    assert [(one.domain, one.differ, one.final) for one in found] == [
        ("D1", False, None),
        ("D2", True, None),
        ("D3", False, Level.LOW),
    ]
    assert found[1].levels == {"Ann": Level.LOW, "Ben": Level.HIGH}
    save(store, consensus("D2"))
    with store.reading() as now:
        assert [one.final for one in now.levels(PROJECT.id, DOMAINS, reader="Ann")] == [None, Level.LOW, Level.LOW]
        settled = now.domains(PROJECT.id, FIRST.id, DOMAINS, reader="Ann")["D2"].consensus
        assert now.papers(PROJECT.id, DOMAINS)[0].settled == 1
    assert settled is not None
    with store.writing("Ann") as change:
        change.remove(settled)
    with store.reading() as now:
        assert [one.final for one in now.levels(PROJECT.id, DOMAINS, reader="Ann")] == [None, None, Level.LOW]


def test_progress_and_the_next_paper(store: Store) -> None:
    begin(store)
    save(store, *(judgement("Ann", domain=domain) for domain in DOMAINS), judgement("Ben", None))
    save(store, judgement("Ann", domain="D9"))  # of another tool
    with store.reading() as now:
        states = now.papers(PROJECT.id, DOMAINS)
        assert [state.paper.record for state in states] == [FIRST, SECOND]
        assert [state.done for state in states] == [{"Ann": 3}, {}]
        assert now.next_undone(PROJECT.id, "Ann", DOMAINS) == SECOND.id
        assert now.next_undone(PROJECT.id, "Ben", DOMAINS) == FIRST.id
    save(store, *(judgement("Ann", paper=SECOND.id, domain=domain) for domain in DOMAINS))
    with store.reading() as now:
        assert now.next_undone(PROJECT.id, "Ann", DOMAINS) is None


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
            (lambda: now.papers(PROJECT.id, DOMAINS), 1),
            (lambda: now.next_undone(PROJECT.id, "Ann", DOMAINS), 1),
            (now.projects, 1),
            (lambda: now.levels(PROJECT.id, DOMAINS, reader="Ann"), 2),
            (lambda: now.domains(PROJECT.id, FIRST.id, DOMAINS, reader="Ann"), 4),
        ):
            with counted(store) as asked:
                ask()
            assert 1 <= len([one for one in asked if one.startswith("SELECT")]) <= most
        assert len(now.levels(PROJECT.id, DOMAINS, reader="Ann")) == 60
