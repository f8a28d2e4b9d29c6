"""The disclosure's figures, counted by hand: reviewers, engines and the queue."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from core.bias import tool_named
from core.bias.model import HIGH, LOW
from core.export.disclosure import blind_settings, checks, disclosure, engine_statements, engine_uses
from core.findings.model import Finding
from core.grounding.model import PaperVerdict
from core.screening.model import CriterionSuggestion, Fit, ScreeningVerdict
from core.settings import Settings
from core.store import (
    Plan,
    QueueRun,
    ReviewerVerdict,
    ScreeningConsensus,
    ScreeningDecision,
    StoredCriterion,
    StoredFinding,
    open_store,
)
from core.store.model import Action, Project, ProjectState, RecordChange
from tests.core.export.reviews import (
    DATE,
    SOME,
    judged,
    paper,
    saved,
    small_review,
    state,
    suggested,
)

# ---- The disclosure's figures, counted by hand ----

ROB2 = tool_named("rob2")


def change(level: str | None, *, seen: list[str], version: int = 1, who: str = "Ann") -> RecordChange:
    """A line of the history of D1 of paper x."""
    key = ("p", "x", "rob2", "", "D1", who)
    after = {"level": level, "suggestions_seen": seen}
    return RecordChange(who, DATE, Action.SAVED, "judgements", key, version, None, after)


def reviewed() -> ProjectState:
    """Ann changed her mind after she saw a suggestion; Ben kept to his."""
    later = saved(suggested("x", "D2", None, engine="openai:m@whole", cost=0.25), at=DATE + timedelta(days=2))
    review = state(
        paper("x"),
        judged("Ann", "x", "D1", HIGH, suggestions_seen=("offline",)),
        judged("Ben", "x", "D1", LOW),
        judged("Ann", "x", "D2", LOW, suggestions_seen=("openai:m@whole",)),
        judged("Ben", "x", "D2", None),
        suggested("x", "D1", HIGH),
        suggested("x", "D2", SOME),
        suggested("x", "D3", SOME),
        suggested("x", "D1", LOW, engine="openai:m@whole", cost=None),
    )
    history = (change(None, seen=[]), change("low", seen=[]), change("high", seen=["offline"], version=2))
    return replace(review, suggestions=(*review.suggestions, later), history=history)


def test_what_people_did_is_counted() -> None:
    found = checks(reviewed())
    assert (found.judgements, found.with_suggestion) == (3, 2)
    assert (found.changed, found.changed_after_seeing) == (1, 1)
    assert (found.settled, found.unjudged) == (0, 1)


def test_who_saw_a_suggestion_from_the_start_did_not_change_after_seeing_it() -> None:
    history = (change("low", seen=["offline"]), change("high", seen=["offline"], version=2))
    found = checks(replace(reviewed(), history=history))
    assert (found.changed, found.changed_after_seeing) == (1, 0)


def test_what_engines_did_is_counted() -> None:
    offline, model = engine_uses(reviewed())
    assert (offline.engine, offline.suggestions, offline.costs) == ("offline", 3, (0.0, 0.0, 0.0))
    assert (offline.seen, offline.same, offline.other) == (1, 1, 0)
    assert (model.suggestions, model.costs) == (2, (None, 0.25))
    assert (model.seen, model.same, model.other) == (1, 0, 0)
    assert (model.last - model.first).days == 2
    assert model.prompts == (("bias-judge", "a" * 64),)


def test_the_paragraph_says_it_all() -> None:
    text = disclosure(reviewed(), ROB2)
    for words in (
        "RoB 2 (Sterne et al.",
        "1 paper",
        "3 suggestions came from the engine offline on 2026-11-20, at no cost.",
        "2 suggestions came from the language model openai:m@whole from 2026-11-20 to 2026-11-22, for 0.25 USD, the cost of 1 unknown.",
        "Prompts (with hash): bias-judge aaaa",
        "Reviewers: Ann and Ben.",
        "People gave 3 judgements",
        "in view when 2 judgements were given or last changed, and none when 1 was.",
        "openai:m@whole were in view for 1 judgement: 0 at the suggested level, 0 at another, and 1 where it suggested no level.",
        "1 judgement was given one level first and another later, 1 of them after a suggestion had come into view.",
        "In 1 domain there is a suggestion that no person has judged yet.",
    ):
        assert words in text
    assert "\n" not in text


def test_no_machine_and_no_person_are_said_too() -> None:
    assert "No software suggested a judgement." in disclosure(state(paper("x")), ROB2)
    blind = disclosure(state(paper("x")), ROB2, hidden=5)
    assert "No software" not in blind
    assert "Not told yet: suggestions and others' judgements on 5 domains of papers" in blind
    assert "No person has judged a domain yet" in disclosure(state(paper("x"), suggested("x", "D1", LOW)), ROB2)


def test_the_whole_is_no_domain_and_what_is_deleted_does_not_count() -> None:
    found = checks(small_review())
    assert found.judgements == 2 + 8 + 2 + 2 + 1
    assert found.settled == 1


def setting(blind: bool, hours: int, *, first: bool = False, **body: object) -> RecordChange:
    """A line of the history of the project itself."""
    before = None if first else {"blind": True}
    return RecordChange(
        "Ann", DATE + timedelta(hours=hours), Action.SAVED, "projects", ("p",), 1, before, {"blind": blind, **body}
    )


def with_history(*history: RecordChange, blind: bool = True) -> str:
    """The paragraph on a review with this history, and blind or not when the paragraph is written."""
    review = reviewed()
    project = replace(review.project, record=replace(review.project.record, blind=blind))
    return disclosure(replace(review, project=project, history=history), ROB2)


def test_blind_from_the_beginning_on_is_said_so() -> None:
    text = with_history(setting(True, -2, first=True), setting(True, -1, name="Tea"))
    assert "were hidden from reviewers until they had judged it." in text
    text = with_history(setting(False, -2, first=True), blind=False)
    assert "were not hidden from reviewers before they had judged it." in text


def test_a_review_that_was_blind_for_a_part_only_says_when_and_counts() -> None:
    ann = change("high", seen=["offline"])
    ben = replace(change("low", seen=[], who="Ben"), at=DATE + timedelta(hours=3))
    text = with_history(setting(True, -2, first=True), setting(False, -1), ann, setting(True, 2), ben)
    for words in (
        "during a part of the project only: blinding was on from 2026-11-20 07:30 UTC, off from 2026-11-20 08:30 UTC, "
        "on from 2026-11-20 11:30 UTC.",
        "Of 3 judgements, 1 came first while it was on and 1 while it was off, and of 1 the time is not recorded.",
        "looked at while it was off, and judged only when it was on again, is not recorded.",
        "in view when 2 judgements were given or last changed, and none when 1 was.",
    ):
        assert words in text
    assert "until they had judged it." not in text
    opened = with_history(setting(True, -2, first=True), ann, setting(False, 1), blind=False)
    assert "1 came first while it was on and 0 while it was off" in opened
    assert "looked at" not in opened


def test_blindness_that_is_not_recorded_is_not_stated() -> None:
    other = replace(setting(True, -2, first=True), after={"name": "Tea"})
    for history in ((), (setting(True, 1),), (other,), (setting(False, -2, first=True),)):
        assert "as the project is set now; earlier settings are not recorded." in with_history(*history)
    assert "are not hidden from reviewers before they have judged it" in with_history(blind=False)


def test_the_history_of_the_store_tells_when_blinding_was_switched(tmp_path: Path) -> None:
    store = open_store(Settings(home=tmp_path, data=None))
    with store.writing("Ann") as change:
        begun = change.save(Project("p", "Tea", ("Ann", "Ben")))
        named = change.save(replace(begun.record, name="Tea and sleep"), seen=begun.version)
        change.save(replace(named.record, blind=False), seen=named.version)
    with store.reading() as reading:
        settings = blind_settings(reading.whole("p"))
    store.close()
    assert [one.blind for one in settings] == [True, False]


def test_who_reviews_alone_was_never_blind(tmp_path: Path) -> None:
    store = open_store(Settings(home=tmp_path, data=None))
    with store.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann",)))
    with store.reading() as reading:
        settings = blind_settings(reading.whole("p"))
    store.close()
    assert [one.blind for one in settings] == [False]


def test_it_counts_the_papers_that_were_judged_and_none_that_screening_excluded() -> None:
    review = state(
        paper("x"),
        paper("y"),
        paper("z"),
        judged("Ann", "x", "D1", LOW),
        judged("Ben", "x", "D1", LOW),
        judged("Ann", "z", "D1", LOW),
        suggested("z", "D2", HIGH),
    )
    assert ") in 2 of 3 papers, using Vouch" in disclosure(review, ROB2)
    settled = saved(ScreeningConsensus("p", "z", ScreeningVerdict.EXCLUDE, "Animals", "", ("Ann", "Ben")))
    text = disclosure(replace(review, screening_consensus=(settled,)), ROB2)
    assert ") in 1 of 2 papers, using Vouch" in text
    assert "No software suggested a judgement." in text
    assert "People gave 2 judgements" in text


# ---- What a review says of the engines that its queue ran, counted by hand ----


def fit(item: str, criterion: str = "adults", *, cost: float | None = 0.0, engine: str = "offline") -> StoredCriterion:
    return StoredCriterion("p", item, CriterionSuggestion(engine, criterion, Fit.MET, "So.", cost_usd=cost))


def reviewed_by_engines() -> ProjectState:
    """Two papers, of which one is deleted; two engines; Ann has decided twice, once beside a suggestion."""
    made = Finding("openai:m", "Tea helps", None, "", cost_usd=0.25, prompts=(("finding", "ab12"),))
    sitting = QueueRun("p", "s", DATE, DATE + timedelta(days=1), Plan(), "2 processes", 3, 1, 0.5, (("vouch", "1.0"),))
    decided = (
        ScreeningDecision("p", "x", "Ann", ScreeningVerdict.INCLUDE, suggestions_seen=("offline",)),
        ScreeningDecision("p", "x", "Ben", ScreeningVerdict.EXCLUDE),
        ScreeningDecision("p", "gone", "Ben", ScreeningVerdict.EXCLUDE),
    )
    return replace(
        state(paper("x"), removed=[paper("gone")]),
        criteria=tuple(map(saved, (fit("x"), fit("x", "design", cost=None), fit("gone")))),
        findings=tuple(saved(StoredFinding("p", item, made)) for item in ("x", "gone")),
        sittings=(saved(sitting),),
        screenings=tuple(map(saved, decided)),
        screening_consensus=(saved(ScreeningConsensus("p", "x", ScreeningVerdict.INCLUDE, "", "So.", ("Ann", "Ben"))),),
    )


def test_engines_people_and_sittings_are_told() -> None:
    assert list(engine_statements(reviewed_by_engines())) == [
        "Screening: 2 suggestions on criteria, for 1 item (papers and references), came from the engine offline on "
        "2026-11-20, at no cost, the cost of 1 unknown.",
        "People gave 2 decisions in screening, 1 of them with a suggestion in view; no suggestion became a decision by "
        "itself, and 1 was settled by consensus.",
        "Evidence table: 1 verdict on hypotheses, for 1 paper, came from the language model openai:m on 2026-11-20, for "
        "0.25 USD (prompts, with hash: finding ab12).",
        "These verdicts are the engine's; no person has given one of their own yet.",
        "Engines were run by the queue of Vouch in 1 sitting from 2026-11-20 to 2026-11-21, with 2 processes, for 0.50 "
        "USD; 1 piece of its work failed.",
        "Versions in the last sitting: vouch 1.0.",
    ]


def test_verdicts_of_people_are_counted_beside_the_engines() -> None:
    given = (
        ReviewerVerdict("p", "x", "Tea helps", "Ann", PaperVerdict.SUPPORTS, suggestions_seen=("openai:m",)),
        ReviewerVerdict("p", "x", "Tea helps", "Ben", None),
        ReviewerVerdict("p", "gone", "Tea helps", "Ben", PaperVerdict.REFUTES),
    )
    told = list(engine_statements(replace(reviewed_by_engines(), verdicts=tuple(map(saved, given)))))
    assert told[3] == (
        "People gave 1 verdict of their own, 1 of them with an engine's in view; no engine's became a person's by itself, "
        "and 0 were settled by consensus."
    )


def test_nothing_is_said_where_there_is_nothing() -> None:
    assert list(engine_statements(state(paper("x")))) == []


def test_suggestions_that_nobody_has_decided_beside_are_no_decisions() -> None:
    alone = replace(reviewed_by_engines(), screenings=(), screening_consensus=(), findings=(), sittings=())
    *_, last = engine_statements(alone)
    assert last == "No person has decided on a paper or reference yet."
    assert disclosure(alone, tool_named("rob2")).endswith(last)
