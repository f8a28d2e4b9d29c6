"""A judgement is kept by its tool and the outcome it is for; what earlier versions stored is found again by both."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, DateTime, column, insert, table

from core.bias.model import HIGH, LOW, OVERALL
from core.errors import DamagedProject, NotStorable
from core.settings import Settings
from core.store import (
    Consensus,
    ProjectState,
    ReviewerJudgement,
    Scope,
    Store,
    open_store,
    project_from_json,
    project_to_json,
    scope_of,
    tool_of,
)
from core.store.blindness import seen_by
from core.store.older import JUDGED
from core.store.store import SCRIPTS, address_of, connect, migrate, transaction
from tests.core.store.review import DOMAINS, FIRST, PROJECT, begin, consensus, judgement, save, suggestion

OUTCOMES = ("pain", "sleep")
SCOPE = Scope("rob2", DOMAINS, OUTCOMES)


def whole(store: Store) -> ProjectState:
    with store.reading() as now:
        return now.whole(PROJECT.id)


def test_two_outcomes_and_two_tools_are_kept_apart(store: Store) -> None:
    begin(store, outcomes=OUTCOMES, blind=False)
    pain, sleep = (
        judgement("Ann", level, outcome=outcome) for outcome, level in zip(OUTCOMES, (LOW, HIGH), strict=True)
    )
    save(store, pain, sleep, judgement("Ann", HIGH, tool="robins-i"), replace(suggestion(), outcome="sleep"))
    save(store, replace(consensus(), outcome="pain"))
    with store.reading() as now:
        views = {one: now.domains(PROJECT.id, FIRST.id, SCOPE, reader="Ann", outcome=one)["D1"] for one in OUTCOMES}
        assert [view.own.record for view in views.values() if view.own] == [pain, sleep]
        assert [len(view.suggestions) for view in views.values()] == [0, 1]
        assert [view.consensus is not None for view in views.values()] == [True, False]
        levels = [(one.outcome, one.levels["Ann"], one.final) for one in now.levels(PROJECT.id, SCOPE, reader="Ann")]
        assert levels == [("pain", LOW, LOW), ("sleep", HIGH, None)]
        assert now.history(pain, reader="Ann")[0].key == (PROJECT.id, FIRST.id, "rob2", "pain", "D1", "Ann")


def test_a_paper_is_done_when_every_outcome_is(store: Store) -> None:
    begin(store, outcomes=OUTCOMES)
    save(store, *(judgement("Ann", domain=domain, outcome="pain") for domain in DOMAINS))
    with store.reading() as now:
        assert now.papers(PROJECT.id, SCOPE)[0].done == {"Ann": 3}
        assert now.next_undone(PROJECT.id, "Ann", SCOPE) == FIRST.id
        assert now.next_undone(PROJECT.id, "Ann", replace(SCOPE, outcomes=("pain",))) != FIRST.id


def test_of_an_outcome_that_a_paper_does_not_report_nothing_is_judged(store: Store) -> None:
    begin(store, outcomes=OUTCOMES, blind=False)
    save(store, *(judgement("Ann", domain=domain, outcome="pain") for domain in DOMAINS))
    save(store, judgement("Ann", HIGH, outcome="sleep"))
    with store.writing("Ann") as change:
        saved = change.project(PROJECT.id)
        change.save(saved.record.reporting(FIRST.id, "sleep", reports=False), seen=saved.version)
    with store.reading() as now:
        rules = now.project(PROJECT.id).record
        scope = replace(SCOPE, unreported=scope_of(rules, tool_of(replace(rules, tool="rob2"))).unreported)
        assert now.next_undone(PROJECT.id, "Ann", scope) != FIRST.id, "all that it reports is judged"
        first = next(one for one in now.papers(PROJECT.id, scope) if one.paper.record.id == FIRST.id)
        assert (first.is_undone(SCOPE, "Ann"), first.is_undone(scope, "Ann")) == (True, False)
        assert scope.outcomes_of(FIRST.id) == ("pain",)
        assert {one.outcome for one in now.levels(PROJECT.id, scope, reader="Ann")} == {"pain"}
    assert project_from_json(project_to_json(whole(store))).project.record.unreported == ((FIRST.id, "sleep"),)
    assert rules.reporting(FIRST.id, "sleep", reports=True).unreported == ()


def test_blind_for_each_outcome_alone(store: Store) -> None:
    begin(store, outcomes=OUTCOMES)
    save(store, *(judgement("Ben", HIGH, outcome=outcome) for outcome in OUTCOMES), judgement("Ann", outcome="pain"))
    with store.reading() as now:
        hidden = [now.domains(PROJECT.id, FIRST.id, SCOPE, reader="Ann", outcome=one)["D1"].hidden for one in OUTCOMES]
    assert hidden == [False, True]
    seen, left_out = seen_by(whole(store), "Ann", SCOPE)
    assert [one.record.outcome for one in seen.judgements if one.record.reviewer == "Ben"] == ["pain"]
    assert left_out == 1
    assert {change.key[3] for change in seen.history if change.key[-1] == "Ben"} == {"pain"}


@pytest.mark.repetition
@pytest.mark.parametrize("outcomes", [("pain", "pain"), ("x" * 201,), (" ",)])
def test_outcomes_that_cannot_be(store: Store, outcomes: tuple[str, ...]) -> None:
    with pytest.raises(NotStorable, match="outcome"):
        begin(store, outcomes=outcomes)


# What earlier versions stored.

RAISED = "Several domains of some concerns may lower confidence in the result so much that the whole is high."
OLD_ROWS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "judgements": (
        {"domain": "D1", "reviewer": "Ann", "level": "low", "comment": "by lot"},
        {"domain": "overall", "reviewer": "Ann", "level": "high"},
        {"domain": "overall", "reviewer": "Ben", "level": "some concerns"},
        {"domain": "sequence", "reviewer": "Ann", "level": "high"},  # before the project took another tool
    ),
    "suggestions": ({"engine": "offline", "judgement": {"domain": "D1", "level": "high", "rationale": "So."}},),
    "consensus": ({"domain": "overall", "level": "high", "reason": "All in all.", "by": ["Ann", "Ben"]},),
}
PLACE = {"project": PROJECT.id, "paper": FIRST.id}
NEW = (
    ReviewerJudgement(*PLACE.values(), "rob2", "D1", "Ann", LOW, comment="by lot"),
    ReviewerJudgement(*PLACE.values(), "rob2", OVERALL, "Ann", HIGH, comment=RAISED),
    ReviewerJudgement(*PLACE.values(), "rob2", OVERALL, "Ben", None),
    ReviewerJudgement(*PLACE.values(), "rob1", "sequence", "Ann", HIGH),
)


def key_of_old(name: str, body: Mapping[str, Any]) -> list[str]:
    domain = body["domain"] if "domain" in body else body["judgement"]["domain"]
    last = {"judgements": "reviewer", "suggestions": "engine"}.get(name)
    return [*PLACE.values(), domain, *([body[last]] if last else [])]


def check(state: ProjectState) -> None:
    """What was stored is there by its tool, in the history too."""
    by_key = {(one.record.domain, one.record.reviewer): one.record for one in state.judgements}
    assert by_key == {(one.domain, one.reviewer): one for one in NEW}
    assert [(one.record.tool, one.record.domain, one.record.engine) for one in state.suggestions] == [
        ("rob2", "D1", "offline")
    ]
    assert [one.record for one in state.consensus] == [
        Consensus(*PLACE.values(), "rob2", OVERALL, HIGH, "All in all.", ("Ann", "Ben"))
    ]
    told = {change.key[2:] for change in state.history if change.kind == "judgements"}
    assert told == {(one.tool, "", one.domain, one.reviewer) for one in NEW}
    assert [failure.task for failure in state.failures] == ["bias:openai:m@whole:rob2:D3"]
    assert project_from_json(project_to_json(state)) == state


def test_a_database_of_an_earlier_version(settings: Settings, tmp_path: Path) -> None:
    older = tmp_path / "older"
    shutil.copytree(SCRIPTS, older, ignore=shutil.ignore_patterns("__pycache__", "v0008*", "v0009*", "v001*"))
    settings.home.mkdir(parents=True, exist_ok=True)
    engine = connect(address_of(settings))
    migrate(engine, older)
    _fill_old(engine)
    engine.dispose()
    opened = open_store(settings)
    check(whole(opened))
    with opened.writing("Ann") as change:
        assert change.save(replace(NEW[0], level=HIGH), seen=1).version == 2
    opened.close()


def _fill_old(engine: Any) -> None:
    from datetime import UTC, datetime

    moment = datetime(2026, 11, 20, tzinfo=UTC)
    row = {"version": 1, "removed": False, "added_at": moment, "changed_at": moment, "changed_by": "Ann"}
    bodies = {
        "projects": [
            ({"id": PROJECT.id}, {"id": PROJECT.id, "name": "Walking", "reviewers": ["Ann", "Ben"], "tool": "rob2"})
        ],
        "papers": [({"project": PROJECT.id, "id": FIRST.id}, {"project": PROJECT.id, "id": FIRST.id, "name": "1.pdf"})],
        **{
            name: [
                (
                    dict(zip(("project", "paper", "domain", "last"), key_of_old(name, body), strict=False)),
                    {**PLACE, **body},
                )
                for body in rows
            ]
            for name, rows in OLD_ROWS.items()
        },
    }
    with transaction(engine) as connection:
        for name, rows in bodies.items():
            for key, body in rows:
                if "last" in key:
                    key[{"judgements": "reviewer", "suggestions": "engine"}[name]] = key.pop("last")
                columns = [column(one) for one in key] + [column("body", JSON)]
                columns += [column(one, DateTime(timezone=True) if one.endswith("_at") else None) for one in row]
                connection.execute(insert(table(name, *columns)).values(**key, body=body, **row))
                if name in JUDGED:
                    told = {"project": PROJECT.id, "kind": name, "item": json.dumps(key_of_old(name, body))}
                    told |= {"action": "saved", "version": 1, "who": "Ann", "at": moment, "after": body}
                    columns = [column(one, {"at": DateTime(timezone=True), "after": JSON}.get(one)) for one in told]
                    connection.execute(insert(table("history", *columns)).values(**told))
        failed = {"project": PROJECT.id, "item": FIRST.id, "task": "bias:openai:m@whole:D3", "error": "No.", "tries": 1}
        columns = [column(one) for one in failed] + [column("at", DateTime(timezone=True))]
        connection.execute(insert(table("failures", *columns)).values(**failed, at=moment))


def old_document(state: ProjectState) -> dict[str, Any]:
    """A project's document as the version before wrote it."""
    document: dict[str, Any] = json.loads(project_to_json(state))
    document["format"] = 6
    for name in JUDGED:
        for saved in document[name]:
            for field in ("tool", "outcome"):
                del saved["record"][field]
    for change in document["history"]:
        if change["kind"] in JUDGED:
            del change["key"][2:4]
            for field in ("tool", "outcome"):
                del change["after"][field]
    return document


def test_a_project_file_of_an_earlier_version(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ben", HIGH), suggestion(), consensus())
    state = whole(store)
    assert project_from_json(json.dumps(old_document(state))) == state
    again = old_document(state)
    again["judgements"][0]["record"] = 5
    with pytest.raises(DamagedProject, match="its judgements"):
        project_from_json(json.dumps(again))
