"""What the screens of a review of many papers read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from sqlalchemy import func, select

from core.errors import NotStored
from core.paper import Paper
from core.screening.model import ScreeningVerdict
from core.store.blindness import cell_views, may_see
from core.store.items import doubles
from core.store.model import Saved, StoredPaper
from core.store.packing import unpacked
from core.store.review_model import (
    CellView,
    Failure,
    GivenVerdict,
    Incoming,
    ItemView,
    Pairing,
    Plan,
    QueueMode,
    QueueState,
    ScreeningConsensus,
    ScreeningDecision,
    Sitting,
    StoredCriterion,
    StoredFinding,
    StoredReference,
    VerdictConsensus,
)
from core.store.snapshot import Snapshot
from core.store.tables import (
    bibliography,
    criteria,
    failures,
    findings,
    history,
    incoming,
    pairings,
    papers,
    queues,
    screenings,
    suggestions,
    texts,
)


@dataclass(frozen=True, slots=True)
class ReviewReading(Snapshot):
    """References, screening, findings and the queue's work, each by one question to the database."""

    def stored_papers(self, project: str) -> tuple[Saved[StoredPaper], ...]:
        """The papers of a project in the order they came."""
        return self._present(StoredPaper, project)

    def require_item(self, project: str, item: str) -> None:
        """Raises `NotStored` unless a paper or reference of this id is in the project."""
        if not self.item_exists(project, item):
            raise NotStored("This paper or reference is not in the project, or was deleted from it.")

    def references(self, project: str) -> tuple[Saved[StoredReference], ...]:
        """The references of a project in the order they came."""
        return self._present(StoredReference, project)

    def pairings(self, project: str) -> tuple[Saved[Pairing], ...]:
        """What reviewers said of items that look alike."""
        return self._present(Pairing, project)

    def left_out(self, project: str) -> dict[str, str]:
        """The items that a reviewer called the same as another one, each with that one, which stands for it."""
        said = [saved.record for saved in self.pairings(project)]
        return doubles(set(self.paper_ids(project)), self.reference_papers(project), said) if said else {}

    def item_ids(self, project: str) -> tuple[str, ...]:
        """The items of the review, by id alone: papers, and references without their paper; doubles are left out."""
        papers, left_out = self.paper_ids(project), self.left_out(project)
        here = set(papers)
        references = (id for id, paper in self.reference_papers(project).items() if paper not in here)
        return tuple(id for id in (*papers, *references) if id not in left_out)

    def item_exists(self, project: str, item: str) -> bool:
        """Whether a paper or reference of this id is in the project."""
        paper = self.known_paper(project, item)
        if paper is not None:
            return not paper.removed
        return bool(self._present(StoredReference, project, bibliography.c.id == item))

    def screenings(self, project: str, *, reader: str) -> dict[str, ItemView]:
        """The decisions on every item that somebody has decided on, by item.

        In a blind project what others decided on an item is left out until the reader's own verdict is in. Raises
        `NotStored` without the project.
        """
        rules = self.project(project).record
        given: dict[str, list[Saved[ScreeningDecision]]] = defaultdict(list)
        for saved in self._present(ScreeningDecision, project):
            given[saved.record.item].append(saved)
        settled = {saved.record.item: saved for saved in self._present(ScreeningConsensus, project)}
        views = {}
        for item in given.keys() | settled.keys():
            here = given[item]
            by = tuple(saved.record.reviewer for saved in here if saved.record.verdict is not None)
            own = next((saved for saved in here if saved.record.reviewer == reader), None)
            view = ItemView(
                item,
                own.record if own else None,
                own.version if own else 0,
                by=by,
                all_in=set(rules.reviewers) <= set(by),
            )
            if not may_see(rules, reader, by):
                views[item] = replace(view, hidden=True)
                continue
            others = (saved.record for saved in here if saved is not own and saved.record.reviewer in rules.reviewers)
            consensus = settled.get(item)
            views[item] = replace(
                view,
                others=tuple(others),
                consensus=consensus.record if consensus else None,
                consensus_version=consensus.version if consensus else 0,
                settled_by=consensus.by if consensus else "",
            )
        return views

    def own_verdicts(self, project: str, reader: str) -> tuple[ScreeningVerdict, ...]:
        """A reviewer's own verdicts on items, in the order they were begun."""
        given = self._present(ScreeningDecision, project, screenings.c.reviewer == reader)
        return tuple(saved.record.verdict for saved in given if saved.record.verdict is not None)

    def verdicts(self, project: str, *, reader: str) -> dict[tuple[str, str], CellView]:
        """The reviewers' verdicts by paper and question (`question_key`), where anybody has given one.

        In a blind project the others' are left out until the reader's own is in. Raises `NotStored` without the project.
        """
        given, settled = self._present(GivenVerdict, project), self._present(VerdictConsensus, project)
        return cell_views(self.project(project).record, given, settled, reader=reader)

    def criteria(self, project: str, *, item: str | None = None) -> tuple[StoredCriterion, ...]:
        """What engines make of the criteria: for one item, or for all."""
        where = [] if item is None else [criteria.c.item == item]
        return tuple(saved.record for saved in self._present(StoredCriterion, project, *where))

    def criteria_done(self, project: str) -> set[tuple[str, str, str]]:
        """Item, criterion and engine of everything that was suggested."""
        columns = (criteria.c.item, criteria.c.criterion, criteria.c.engine)
        query = select(*columns).where(criteria.c.project == project, ~criteria.c.removed)
        return {(row.item, row.criterion, row.engine) for row in self.connection.execute(query)}

    def findings(self, project: str, *, questions: Collection[str] | None = None) -> tuple[Saved[StoredFinding], ...]:
        """What engines found, in the order it came; `questions`: of these hypotheses only, as `question_key`s."""
        where = [] if questions is None else [findings.c.question.in_(questions)]
        return self._present(StoredFinding, project, *where)

    def findings_done(self, project: str) -> set[tuple[str, str, str]]:
        """Paper, question and engine of everything that was found."""
        columns = (findings.c.paper, findings.c.question, findings.c.engine)
        query = select(*columns).where(findings.c.project == project, ~findings.c.removed)
        return {(row.paper, row.question, row.engine) for row in self.connection.execute(query)}

    def suggestions_done(self, project: str) -> set[tuple[str, str, str]]:
        """Paper, domain and engine of everything that was judged."""
        columns = (suggestions.c.paper, suggestions.c.domain, suggestions.c.engine)
        query = select(*columns).where(suggestions.c.project == project, ~suggestions.c.removed)
        return {(row.paper, row.domain, row.engine) for row in self.connection.execute(query)}

    def answered(
        self, project: str, plan: Plan, *, criteria_ids: Collection[str], questions: Collection[str],
        domains: Collection[str],
    ) -> dict[str, int]:  # fmt: skip
        """How many of these criteria, hypotheses (as `question_key`s) and domains the plan's engines answered, by item.

        Counted in the database: a queue's progress is asked for every second.
        """
        found: Counter[str] = Counter()
        for table, item, asked, engine, wanted in (
            (criteria, criteria.c.item, criteria.c.criterion, plan.criteria, criteria_ids),
            (findings, findings.c.paper, findings.c.question, plan.evidence, questions),
            (suggestions, suggestions.c.paper, suggestions.c.domain, plan.bias, domains),
        ):
            if engine is not None and wanted:
                where = (table.c.project == project, table.c.engine == engine, asked.in_(wanted), ~table.c.removed)
                query = select(item, func.count()).where(*where).group_by(item)
                found.update(dict(map(tuple, self.connection.execute(query))))
        return dict(found)

    def paper_ids(self, project: str) -> tuple[str, ...]:
        """The papers of a project in the order they came, by id alone."""
        query = select(papers.c.id).where(papers.c.project == project, ~papers.c.removed)
        return tuple(self.connection.execute(query.order_by(papers.c.added_at, papers.c.id)).scalars())

    def reference_papers(self, project: str) -> dict[str, str | None]:
        """Which paper each reference of a project is of, by id alone."""
        of = bibliography.c.body["paper"].as_string()
        query = select(bibliography.c.id, of).where(bibliography.c.project == project, ~bibliography.c.removed)
        return dict(map(tuple, self.connection.execute(query)))

    def state_of_items(self, project: str) -> tuple[object, ...]:
        """Changes whenever a paper, a reference or what was said of two of them does."""
        kinds = (papers, bibliography, pairings)
        queries = [
            select(func.count(), func.max(table.c.changed_at), func.sum(table.c.version)).where(
                table.c.project == project, ~table.c.removed
            )
            for table in kinds
        ]
        return tuple(tuple(self.connection.execute(query).one()) for query in queries)

    def sittings(self, project: str) -> tuple[Sitting, ...]:
        """When the queue worked, oldest first."""
        return tuple(saved.record for saved in self._present(Sitting, project))

    def incoming(self, project: str) -> tuple[Incoming, ...]:
        """The files that are no papers yet, in the order they came: those that wait, and those that cannot be read."""
        query = select(incoming).where(incoming.c.project == project).order_by(incoming.c.added_at, incoming.c.sha256)
        rows = self.connection.execute(query)
        return tuple(Incoming(row.sha256, row.name, row.added_by, row.added_at, row.error) for row in rows)

    def text(self, project: str, item: str) -> Paper | None:
        """A paper as it was read, or a reference's title and abstract; None if it was not kept, or not whole."""
        query = select(texts.c.body).where(texts.c.project == project, texts.c.item == item)
        body = self.connection.execute(query).scalar()
        return None if body is None else unpacked(body)

    def texts(self, project: str) -> set[str]:
        """The items whose text is kept."""
        return set(self.connection.execute(select(texts.c.item).where(texts.c.project == project)).scalars())

    def failures(self, project: str) -> tuple[Failure, ...]:
        """The queue's work that failed and was not mended since."""
        query = select(failures).where(failures.c.project == project).order_by(failures.c.item, failures.c.task)
        return tuple(
            Failure(row.item, row.task, row.error, row.tries, row.at) for row in self.connection.execute(query)
        )

    def stamp(self, project: str) -> tuple[object, ...]:
        """Another one after every change of a project, so that what was made from it need not be made again."""
        # Of two changes at once the later number may be there before the earlier one: so they are counted, too.
        changed = select(func.count(), func.max(history.c.id)).where(history.c.project == project)
        failed = select(func.count(), func.max(failures.c.at)).where(failures.c.project == project)
        return (*self.connection.execute(changed).one(), *self.connection.execute(failed).one())

    def queue(self, project: str) -> QueueState:
        """What the queue of a project is to do. Raises `NotStored` without the project."""
        self.project(project)
        row = self.connection.execute(select(queues).where(queues.c.project == project)).one_or_none()
        if row is None:
            return QueueState()
        return QueueState(QueueMode(row.mode), row.workers, row.cluster, row.holder, row.seen_at)

    def queues(self, mode: QueueMode) -> tuple[str, ...]:
        """The projects whose queues are to do this."""
        query = select(queues.c.project).where(queues.c.mode == mode.value).order_by(queues.c.project)
        return tuple(self.connection.execute(query).scalars())
