"""What a reviewer may see of a whole project."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.bias.model import Level
from core.store import ProjectState, Store
from core.store.blindness import seen_by
from core.store.judging import OVERALL
from tests.core.store.review import DOMAINS, PROJECT, begin, consensus, judgement, save, suggestion


def whole(store: Store) -> ProjectState:
    with store.reading() as now:
        return now.whole(PROJECT.id)


def test_others_work_is_left_out_until_ones_own_is_in(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ben", Level.HIGH), judgement("Ben", domain="D2"))
    save(store, suggestion(), suggestion("D2"), suggestion("D3"), consensus())
    save(store, consensus("D2"), who="Ben")
    state = whole(store)
    seen, hidden = seen_by(state, "Ann", DOMAINS)
    assert [(one.record.reviewer, one.record.domain) for one in seen.judgements] == [("Ann", "D1"), ("Ben", "D1")]
    assert [one.record.domain for one in seen.suggestions] == ["D1"]
    assert [one.record.domain for one in seen.consensus] == ["D1"]
    assert hidden == 2
    told = {(change.kind, change.key[2]) for change in seen.history if len(change.key) > 2}
    assert told == {("judgements", "D1"), ("suggestions", "D1"), ("consensus", "D1")}
    assert (seen.project, seen.papers) == (state.project, state.papers)
    assert "D2" not in {change.key[2] for change in seen.history if len(change.key) > 2}


def test_who_is_done_and_whoever_reads_an_open_project_sees_all(store: Store) -> None:
    begin(store)
    save(store, *(judgement(who, domain=domain) for who in ("Ann", "Ben") for domain in DOMAINS), suggestion())
    save(store, judgement("Ben", Level.HIGH, domain=OVERALL))
    state = whole(store)
    for reader in ("Ann", "Ben", "Cleo"):
        assert seen_by(state, reader, DOMAINS) == (state, 0)
    opened = replace(state, project=replace(state.project, record=replace(state.project.record, blind=False)))
    assert seen_by(opened, "Zoe", [*DOMAINS, "D4"]) == (opened, 0)


@pytest.mark.parametrize("missing", DOMAINS)
def test_the_word_on_the_whole_waits_for_every_domain(store: Store, missing: str) -> None:
    begin(store)
    save(store, *(judgement("Ann", domain=domain) for domain in DOMAINS if domain != missing))
    save(store, judgement("Ben", Level.HIGH, domain=OVERALL))
    seen, _ = seen_by(whole(store), "Ann", DOMAINS)
    assert OVERALL not in {one.record.domain for one in seen.judgements}


def test_an_arbiter_waits_for_all_reviewers(store: Store) -> None:
    begin(store)
    save(store, judgement("Ben"), suggestion())
    seen, hidden = seen_by(whole(store), "Cleo", DOMAINS)
    assert (seen.judgements, seen.suggestions, hidden) == ((), (), 1)


def test_who_reviews_alone_sees_suggestions_at_once(store: Store) -> None:
    begin(store, reviewers=("Ann",))
    save(store, suggestion(), suggestion("D2"))
    state = whole(store)
    assert state.project.record.blind
    assert seen_by(state, "Ann", DOMAINS) == (state, 0)
    with store.reading() as now:
        views = now.domains(PROJECT.id, state.suggestions[0].record.paper, DOMAINS, reader="Ann")
    assert not any(view.hidden for view in views.values())
