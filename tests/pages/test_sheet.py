"""One reviewer's work on a paper of a project in several windows: stored at once, and never overwritten unseen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from core.bias import Answer, Judgement, Level, tool_named
from core.bias.assessment import OwnJudgement, Suggestion
from core.bias.model import HIGH, LOW, OVERALL
from core.bias.tools.rob2 import SOME_CONCERNS
from core.settings import Settings
from core.store import Project, ReviewerJudgement, Scope, Store, StoredPaper, open_store
from pages._ui.paper_view.bias import Edit, SentConsensus, SentJudgements
from pages._ui.review.sheet import Sheet

ROB2 = tool_named("rob2")
IDS = [domain.id for domain in ROB2.domains]
SCOPE = Scope(ROB2.id, tuple(IDS))
ANSWERED = {"1.1": Answer.YES, "1.2": Answer.YES, "1.3": Answer.NO}
SOME_ANSWERS = {
    id: {question: Answer(answer) for question, answer in zip(words.split()[::2], words.split()[1::2], strict=True)}
    for id, words in {
        "D1": "1.1 N 1.2 Y 1.3 N",
        "D2": "2.1 N 2.2 N 2.6 N 2.7 N",
        "D3": "3.1 Y",
        "D4": "4.1 N 4.2 N 4.3 N",
        "D5": "5.1 N 5.2 N 5.3 N",
    }.items()
}  # D3 and D4 are low


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(Settings(home=tmp_path, data=None))
    with opened.writing("Ann") as change:
        change.save(Project("p", "Tea", ("Ann", "Ben")))
        change.save(StoredPaper("p", "1", "1.pdf"))
    yield opened
    opened.close()


@dataclass
class Window:
    """A browser with its session, reduced to what matters here: its values, and its messages to Python."""

    store: Store
    reviewer: str = "Ann"
    outcome: str = ""
    number: int = 0
    own: dict[str, OwnJudgement] = field(default_factory=dict)
    edits: dict[str, Edit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sheet = Sheet("p", "1", self.reviewer, ROB2, self.outcome)
        self.draw()

    def draw(self) -> None:
        """Let Python draw the desk. The browser takes it in unless it has sent something since."""
        self.sheet.refresh(self.store)
        if self.sheet.number >= self.number:
            self.number = self.sheet.number
            assessment = self.sheet.assessment
            self.own = {domain.id: assessment.of(domain) for domain in ROB2.with_whole}
            self.edits = {id: self.sheet.edits.get(id, Edit()) for id in self.own}

    def set(self, id: str = "D1", *, arrives: bool = True, **change: Any) -> None:
        """Change something as the reviewer, and send everything that the browser has."""
        self.own[id] = replace(self.own[id], **change)
        self.edits[id] = Edit(self.edits[id].number + 1, self.edits[id].version)
        self.number += 1
        if arrives:
            self.send()

    def send(self) -> None:
        self.sheet.take(self.store, SentJudgements(dict(self.own), dict(self.edits)), self.number)


def comment(store: Store, id: str = "D1", reviewer: str = "Ann") -> str | None:
    with store.reading() as now:
        own = now.domains("p", "1", SCOPE, reader=reviewer)[id].own
        return own.record.comment if own else None


def test_what_is_set_is_stored_at_once_and_is_there_in_a_new_window(store: Store) -> None:
    Window(store).set(comment="by lot", answers=ANSWERED)
    again = Window(store)
    assert again.own["D1"] == OwnJudgement(ANSWERED, comment="by lot")
    assert again.sheet.all_stored
    with store.reading() as now:
        own = now.domains("p", "1", SCOPE, reader="Ann")["D1"].own
        assert own is not None
        (change,) = now.history(own.record, reader="Ann")
    assert (change.who, change.version) == ("Ann", 1)


def test_fast_clicks_all_arrive_in_their_order(store: Store) -> None:
    window = Window(store)
    for words in ("a", "b", "a"):  # nothing is drawn in between
        window.set(comment=words)
    window.set("D2", comment="second")
    assert (comment(store), comment(store, "D2")) == ("a", "second")
    window.draw()
    assert not window.sheet.clashes
    assert window.edits["D1"] == Edit(3, 3)


def test_messages_that_were_overtaken_are_in_the_next_one(store: Store) -> None:
    window = Window(store)
    window.set(comment="first", arrives=False)
    window.set("D2", comment="second")
    assert (comment(store), comment(store, "D2")) == ("first", "second")


def test_a_domain_that_another_window_changed_is_not_sent_back_to_what_it_was(store: Store) -> None:
    one, two = Window(store), Window(store)
    one.set(comment="newer")
    two.set("D2", comment="elsewhere")  # with the older D1
    assert (comment(store), comment(store, "D2")) == ("newer", "elsewhere")
    two.draw()
    assert two.own["D1"].comment == "newer"
    assert not two.sheet.clashes


def test_what_was_on_its_way_takes_nothing_back_that_another_window_changed(store: Store) -> None:
    one, two = Window(store), Window(store)
    one.set(comment="newer")
    two.set("D2", comment="elsewhere", arrives=False)
    two.draw()  # python has the newer D1; the browser, whose message is on its way, does not
    two.send()
    assert (comment(store), comment(store, "D2")) == ("newer", "elsewhere")
    assert not two.sheet.clashes
    two.draw()
    assert two.own["D1"].comment == "newer"


def test_two_windows_that_change_the_same_are_asked(store: Store) -> None:
    one, two = Window(store), Window(store)
    one.set(comment="one")
    two.set(comment="two")
    assert comment(store) == "one"
    (clash,) = two.sheet.clashes.values()
    assert clash.saved is not None
    assert clash.saved.record.comment == "one"
    two.draw()
    assert two.own["D1"].comment == "two", "what was typed stays in its window"
    two.set(comment="two, longer")
    assert comment(store) == "one"
    two.sheet.keep_mine(store, "D1")
    assert comment(store) == "two, longer"
    two.draw()
    two.set(comment="and on")
    assert comment(store) == "and on"
    assert not two.sheet.clashes


def test_only_the_domain_that_clashes_is_not_saved(store: Store) -> None:
    one, two = Window(store), Window(store)
    one.set(comment="one")
    two.set(comment="two")
    two.set("D2", comment="second")
    assert comment(store, "D2") == "second"
    assert two.sheet.unsaved == {"D1"}


def test_the_other_state_can_be_taken(store: Store) -> None:
    one, two = Window(store), Window(store)
    one.set(comment="one")
    two.set(comment="two")
    two.sheet.take_other("D1")
    two.draw()
    assert two.own["D1"].comment == "one"
    two.set(comment="on from one")
    assert comment(store) == "on from one"


def test_a_change_made_before_the_other_state_was_drawn_is_a_clash(store: Store) -> None:
    one, two = Window(store), Window(store)
    one.set(comment="one")
    two.set("D2", comment="x", arrives=False)
    two.draw()  # python has it; the browser, whose message is on its way, does not
    two.set("D1", comment="two")
    assert comment(store) == "one"
    assert list(two.sheet.clashes) == ["D1"]


def test_the_same_change_in_two_windows_is_no_clash(store: Store) -> None:
    one, two = Window(store), Window(store)
    one.set(comment="same")
    two.set(comment="same")
    assert not two.sheet.clashes
    assert two.sheet.all_stored


def test_suggestions_and_the_other_reviewer_are_hidden_until_ones_own_is_in(store: Store) -> None:
    ben = Window(store, "Ben")
    ben.set(answers={**ANSWERED, "1.2": Answer.NO}, comment="secret")
    ann = Window(store)
    ann.sheet.keep_suggestion(store, Suggestion("offline", Judgement("D1", LOW, "a reason")))
    ann.draw()
    assert ann.sheet.hidden == {*IDS, OVERALL}
    assert ann.sheet.assessment.suggestions == {}
    ann.set(answers=ANSWERED)
    ann.draw()
    assert "D1" not in ann.sheet.hidden
    assert ann.sheet.assessment.suggestions["D1"].judgement.rationale == "a reason"
    ann.set(comment="on second thoughts")
    with store.reading() as now:
        own = now.domains("p", "1", SCOPE, reader="Ann")["D1"].own
    assert own is not None
    assert own.record.suggestions_seen == ("offline",)


def test_a_suggestion_made_again_takes_the_place_of_the_one_before(store: Store) -> None:
    window = Window(store)
    for reason in ("one", "one", "two"):
        window.sheet.keep_suggestion(store, Suggestion("offline", Judgement("D1", LOW, reason)))
    window.set(answers=ANSWERED)
    window.draw()
    assert window.sheet.assessment.suggestions["D1"].judgement.rationale == "two"


def test_another_level_of_the_whole_is_stored_with_its_reason(store: Store) -> None:
    judge_all(store, "Ann")
    window = Window(store)
    window.set(OVERALL, level=HIGH)
    assert Window(store).sheet.assessment.overall == SOME_CONCERNS, "nobody said why"
    window.set(OVERALL, comment="All in one direction.")
    again = Window(store)
    assert (again.sheet.assessment.rule, again.sheet.assessment.overall) == (SOME_CONCERNS, HIGH)
    assert comment(store, OVERALL) == "All in one direction."
    window.set(OVERALL, level=None)
    assert Window(store).sheet.assessment.overall == SOME_CONCERNS


def test_each_outcome_has_its_own_sheet(store: Store) -> None:
    pain, sleep = Window(store, outcome="pain"), Window(store, outcome="sleep")
    pain.set(comment="of pain")
    sleep.draw()
    assert sleep.own["D1"] == OwnJudgement()
    sleep.set(comment="of sleep")
    assert Window(store, outcome="pain").own["D1"].comment == "of pain"
    assert pain.sheet.key != sleep.sheet.key, "the browser must not take one for the other"


def test_what_could_not_be_stored_goes_with_the_next_change(store: Store) -> None:
    window = Window(store)
    with store.writing("Ben") as change:
        paper = change.remove(change.paper("p", "1"))
    window.set(comment="kept here")
    assert window.sheet.problem is not None
    assert not window.sheet.all_stored
    window.draw()
    assert window.own["D1"].comment == "kept here"
    with store.writing("Ben") as change:
        change.restore(paper)
    window.set("D2", comment="again")
    assert (comment(store), comment(store, "D2")) == ("kept here", "again")
    assert window.sheet.all_stored


def judge_all(store: Store, who: str) -> None:
    with store.writing(who) as change:
        for id in IDS:
            level = ROB2.domain(id).level(SOME_ANSWERS[id])
            change.put(ReviewerJudgement("p", "1", ROB2.id, id, who, level, SOME_ANSWERS[id]))


def settle(window: Window, domain: str, level: Level, version: int = 0) -> None:
    sent = {"question": "q", "domain": domain, "level": level, "reason": "Because.", "version": version}
    window.sheet.settle(window.store, SentConsensus(number=window.sheet.settled + 1, **sent))
    window.draw()


def test_a_consensus_is_stored_by_those_who_judged_and_not_over_one_that_was_not_seen(store: Store) -> None:
    ann, ben = Window(store), Window(store, "Ben")
    ann.set(answers=ANSWERED)
    ben.set(answers={**ANSWERED, "1.2": Answer.NO})
    for window in (ann, ben):
        window.draw()
    settle(ann, "D1", HIGH)
    assert ann.sheet.unsettled is None
    consensus = ann.sheet.views["D1"].consensus
    assert consensus is not None
    assert (consensus.by, consensus.record.by, consensus.record.level) == ("Ann", ("Ann", "Ben"), HIGH)
    settle(ben, "D1", LOW)  # without having seen the other one
    assert "Ann changed this" in (ben.sheet.unsettled or "")
    settle(ben, "D1", LOW, version=1)
    assert ben.sheet.unsettled is None


def test_nobody_settles_blind(store: Store) -> None:
    ben, ann = Window(store, "Ben"), Window(store)
    ben.set(answers=ANSWERED)
    settle(ann, "D1", HIGH)
    assert "until your own judgement" in (ann.sheet.unsettled or "")


def test_the_reviewers_settle_the_whole(store: Store) -> None:
    ann = Window(store)
    ann.sheet.reviewers = ("Ann", "Ben")
    judge_all(store, "Ann")
    settle(ann, OVERALL, HIGH)
    assert ann.sheet.unsettled is None
    consensus = ann.sheet.views[OVERALL].consensus
    assert consensus is not None
    assert consensus.record.by == ("Ann", "Ben")
    assert ann.sheet.assessment.overall == SOME_CONCERNS, "one's own word is not what was settled"


def test_what_could_not_be_stored_can_be_tried_again(store: Store) -> None:
    window = Window(store)
    with store.writing("Ben") as change:
        paper = change.remove(change.paper("p", "1"))
    window.set(comment="kept here")
    window.draw()
    assert window.sheet.problem is not None, "it stays told"
    with store.writing("Ben") as change:
        change.restore(paper)
    window.sheet.store_waiting(store)
    assert (comment(store), window.sheet.problem, window.sheet.all_stored) == ("kept here", None, True)
