"""One reviewer's work on one paper of a project, in one window. Every change is stored as it is made.

The browser sends all domains at once, and may not know yet what was stored meanwhile. So each domain comes with the
number of its last edit, which shows whether it was changed, and with the version that it was changed from. If this
window stored everything since that version, the change is applied to the current version. Otherwise it is a clash, and
nothing is written before the reviewer has chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.bias import Domain, StudyContext, Tool
from core.bias.assessment import Assessment, OwnJudgement, Suggestion
from core.bias.model import OVERALL
from core.bias.own import OwnTool
from core.errors import StoreError
from core.store import Conflict, Consensus, DomainView, ReviewerJudgement, Saved, Scope, Store
from core.store.model import own_judgement, stored_judgement, stored_suggestion
from pages._ui.paper_view.bias import Edit, SentConsensus, SentJudgements


@dataclass(slots=True)
class DomainEntry:
    """One domain in this window."""

    own: OwnJudgement = field(default_factory=OwnJudgement)
    saved: Saved[ReviewerJudgement] | None = None  # as last seen in the store
    since: int = 0  # from this version on, all changes are this window's
    edit: int = 0  # the number of the browser's last edit that was taken
    waiting: bool = False  # `own` is not stored: the store failed, or there is a clash
    clash: bool = False  # somebody else has stored `saved` meanwhile

    @property
    def version(self) -> int:
        """The stored version; 0: none."""
        return self.saved.version if self.saved else 0

    def meet(self, saved: Saved[ReviewerJudgement] | None, own: OwnJudgement) -> None:
        """Take over what another window has stored."""
        self.saved, self.own = saved, own
        self.since = self.version


@dataclass(slots=True)
class Sheet:
    """One reviewer's work on one paper of a project."""

    project: str
    paper: str
    reviewer: str
    tool: Tool
    outcome: str = ""  # the outcome that is judged; "": the study as a whole
    study: StudyContext = field(default_factory=StudyContext)  # the review question
    own_tool: OwnTool | None = None  # the definition that the tool was built from, if it is the reviewers' own
    reviewers: tuple[str, ...] = ()  # all reviewers of the project
    number: int = 0  # of the browser's last message that was taken
    entries: dict[str, DomainEntry] = field(default_factory=dict)
    views: Mapping[str, DomainView] = field(default_factory=dict)  # all that this reviewer may see
    problem: str | None = None  # why the store could not be used
    settled: int = 0  # the number of the last message that settled a domain, or failed to
    unsettled: str | None = None  # why it failed

    @property
    def key(self) -> str:
        """Identifies the work in the browser."""
        return f"{self.project}:{self.reviewer}:{self.tool.id}:{self.outcome}"

    @property
    def assessment(self) -> Assessment:
        """The reviewer's judgements, and the newest visible suggestion on each domain."""
        suggestions = {}
        for id, view in self.views.items():
            if view.suggestions:
                newest = max(view.suggestions, key=lambda saved: saved.changed).record
                suggestions[id] = Suggestion(
                    newest.engine, newest.judgement, cost_usd=newest.cost_usd, prompts=newest.prompts
                )
        own = {domain.id: self._entry(domain.id).own for domain in self.tool.with_whole}
        return Assessment(self.tool, own, suggestions, self.outcome)

    @property
    def hidden(self) -> frozenset[str]:
        """The domains that the reviewer must judge before anything of others is shown."""
        return frozenset(id for id, view in self.views.items() if view.hidden)

    @property
    def edits(self) -> dict[str, Edit]:
        """The state of each domain, which the browser sends back with its changes."""
        return {id: Edit(entry.edit, entry.version) for id, entry in self.entries.items()}

    @property
    def clashes(self) -> dict[str, DomainEntry]:
        """The domains that another window stored first."""
        return {id: entry for id, entry in self.entries.items() if entry.clash}

    @property
    def all_stored(self) -> bool:
        """Whether closing the window would lose nothing."""
        return not self.unsaved

    @property
    def unsaved(self) -> frozenset[str]:
        """The domains whose current judgement is not stored."""
        return frozenset(id for id, entry in self.entries.items() if entry.waiting)

    def refresh(self, store: Store) -> None:
        """Read the store again: others' work, and the reviewer's own from another window."""
        scope = Scope(self.tool.id, tuple(domain.id for domain in self.tool.domains))
        try:
            with store.reading() as now:
                self.views = now.domains(self.project, self.paper, scope, reader=self.reviewer, outcome=self.outcome)
        except StoreError as error:
            self.problem = str(error)
            return
        if self.all_stored:
            self.problem = None
        for id, view in self.views.items():
            if id == OVERALL and self.tool.whole is None:
                continue
            entry = self._entry(id)
            if (view.own.version if view.own else 0) > entry.version and not entry.waiting:
                entry.meet(view.own, self.own_of(id, view.own))

    def take(self, store: Store, sent: SentJudgements, number: int) -> None:
        """Store the browser's changes."""
        self.number = number
        self.problem = None
        for id, own in sent.own.items():
            entry, edit = self._entry(id), sent.edits[id]
            if edit.number > entry.edit:
                entry.edit = edit.number
                stale = edit.version < entry.since and own != entry.own
                entry.own, entry.waiting = own, True
                entry.clash = entry.clash or stale
            if entry.waiting and not entry.clash:
                self._store(store, id)

    def store_waiting(self, store: Store) -> None:
        """Try again to store what failed."""
        self.problem = None
        for id, entry in self.entries.items():
            if entry.waiting and not entry.clash:
                self._store(store, id)

    def keep_mine(self, store: Store, id: str) -> None:
        """Resolve a clash by storing this window's state. The other one stays in the history."""
        entry = self._entry(id)
        entry.clash = False
        self._store(store, id)

    def take_other(self, id: str) -> None:
        """Resolve a clash by taking over what is stored."""
        entry = self._entry(id)
        entry.clash = entry.waiting = False
        entry.meet(entry.saved, self.own_of(id, entry.saved))

    def keep_suggestion(self, store: Store, suggestion: Suggestion) -> None:
        """Store an engine's suggestion on a domain, in place of its earlier one. The store decides who may see it.

        Raises `StoreError`.
        """
        made = stored_suggestion(suggestion, **self._place)
        with store.writing(self.reviewer) as change:
            change.put(made)

    def settle(self, store: Store, sent: SentConsensus) -> None:
        """Store what the reviewers settled on, over the consensus that was shown."""
        self.settled, self.unsettled = sent.number, None
        view = self.views.get(sent.domain, DomainView())
        given = [saved.record for saved in (view.own, *view.others) if saved]
        by = tuple(record.reviewer for record in given if record.level)
        if sent.domain == OVERALL:
            by = self.reviewers  # few set a level other than the one that follows
        record = Consensus(**self._place, domain=sent.domain, level=sent.level, reason=sent.reason.strip(), by=by)
        try:
            with store.writing(self.reviewer) as change:
                change.save(record, seen=sent.version)
        except StoreError as error:
            self.unsettled = str(error)

    def _store(self, store: Store, id: str) -> None:
        entry = self._entry(id)
        try:
            with store.writing(self.reviewer) as change:
                entry.saved = change.save(self._record(id), seen=entry.version)
            entry.waiting = False
        except Conflict as conflict:
            entry.saved = conflict.other
            if conflict.other is not None and self.own_of(id, conflict.other) == entry.own:
                entry.meet(conflict.other, entry.own)
                entry.waiting = False
            else:
                entry.clash = True
        except StoreError as error:
            self.problem = str(error)

    def _record(self, id: str) -> ReviewerJudgement:
        own, before = self._entry(id).own, self._entry(id).saved
        view = self.views.get(id, DomainView())
        seen = {saved.record.engine for saved in view.suggestions} | set(
            before.record.suggestions_seen if before else ()
        )
        return stored_judgement(own, self._domain(id), **self._place, reviewer=self.reviewer, seen=seen)

    @property
    def _place(self) -> dict[str, str]:
        return {"project": self.project, "paper": self.paper, "tool": self.tool.id, "outcome": self.outcome}

    def own_of(self, id: str, saved: Saved[ReviewerJudgement] | None) -> OwnJudgement:
        """A stored judgement in the form that the desk shows."""
        if saved is None:
            return OwnJudgement()
        return own_judgement(saved.record, self._domain(id))

    def _domain(self, id: str) -> Domain:
        return self.tool.domain(id)

    def _entry(self, id: str) -> DomainEntry:
        return self.entries.setdefault(id, DomainEntry())
