"""Reads the store, in one snapshot. No method runs more queries when there are more papers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, func, select
from sqlalchemy.sql.elements import SQLCoreOperations

from core.bias.model import OVERALL, Level
from core.errors import NotStored, StillBlind
from core.paper import Paper
from core.screening.model import ScreeningVerdict
from core.store import rows
from core.store.answers import StoreAnswers
from core.store.article_model import StatementGrades, StoredArticle, StoredGrading
from core.store.blindness import cell_views, filled, may_see
from core.store.claim_model import ContradictionDecision, StoredClaim
from core.store.items import doubles
from core.store.model import (
    Consensus,
    DomainLevels,
    DomainView,
    PaperState,
    Project,
    ProjectState,
    R,
    Record,
    RecordChange,
    ReviewerJudgement,
    Saved,
    Scope,
    SentenceDecisions,
    StoredPaper,
    StoredSuggestion,
    StoredSummary,
)
from core.store.queue import StoreQueue
from core.store.retrievals import StoreRetrievals
from core.store.review_model import (
    CellView,
    ItemView,
    Pairing,
    QueueRun,
    ReviewerVerdict,
    ScreeningConsensus,
    ScreeningDecision,
    StoredCriterion,
    StoredFinding,
    StoredReference,
    VerdictConsensus,
)
from core.store.source_model import StoredNotices, StoredRegistration, StoredSearch
from core.store.standing import StoreStanding
from core.store.tables import (
    TABLES,
    bibliography,
    consensus,
    criteria,
    failures,
    files,
    findings,
    history,
    identity,
    judgements,
    key_of,
    pairings,
    papers,
    projects,
    screenings,
    texts,
    within,
)


@dataclass(frozen=True, slots=True)
class StoreReader:
    """All that screens read, in one snapshot of the store. Get one from `Store.reading`."""

    connection: Connection
    cache: rows.RecordCache = field(default_factory=rows.RecordCache, kw_only=True)

    @property
    def queue(self) -> StoreQueue:
        """The queues of projects, in the same snapshot."""
        return StoreQueue(self.connection)

    @property
    def answers(self) -> StoreAnswers:
        """The answers from the libraries of projects, in the same snapshot."""
        return StoreAnswers(self.connection)

    @property
    def retrievals(self) -> StoreRetrievals:
        """The open full texts to fetch for projects, in the same snapshot."""
        return StoreRetrievals(self.connection)

    @property
    def standing(self) -> StoreStanding:
        """The reviewers' standing consents, in the same snapshot."""
        return StoreStanding(self.connection)

    @property
    def identity(self) -> str:
        """The id of this store, which tells its files outside the database from those of other stores."""
        return str(self.connection.execute(select(identity.c.id)).scalar_one())

    def project(self, project: str) -> Saved[Project]:
        """One project. Raises `NotStored` if it does not exist or was deleted."""
        return rows.project_of(self.connection, project)

    def known_paper(self, project: str, paper: str) -> Saved[StoredPaper] | None:
        """One paper, deleted or not; None if it never was in the project."""
        found = self._all_of(StoredPaper, project, papers.c.id == paper)
        return found[0] if found else None

    def projects(self, *, removed: bool = False) -> tuple[Saved[Project], ...]:
        """All projects but private ones, oldest first; with `removed`, the deleted ones, which can be restored."""
        return tuple(
            saved
            for saved in rows.select_records(self.connection, Project, projects.c.removed == removed)
            if not saved.record.private
        )

    def paper(self, project: str, paper: str) -> Saved[StoredPaper]:
        """One paper. Raises `NotStored` if it is not in the project, or was deleted from it."""
        found = self._present(StoredPaper, project, papers.c.id == paper)
        if not found:
            raise NotStored("This paper is not in the project, or was deleted from it. Add or restore it first.")
        return found[0]

    def papers(self, project: str, scope: Scope, *, removed: bool = False) -> tuple[PaperState, ...]:
        """The papers of a project in the order they were added, each with its reviewers' progress in this scope."""
        done = _counts(judgements, project, scope, judgements.c.outcome, judgements.c.reviewer)
        settled = _counts(consensus, project, scope)
        query = (
            select(papers, done.c.outcome, done.c.reviewer, done.c.number, settled.c.number.label("settled"))
            .outerjoin(done, done.c.paper == papers.c.id)
            .outerjoin(settled, settled.c.paper == papers.c.id)
            .where(papers.c.project == project, papers.c.removed == removed)
            .order_by(papers.c.added_at, papers.c.id)
        )
        by_paper: dict[str, list[Row[Any]]] = defaultdict(list)
        for row in self.connection.execute(query):
            by_paper[row.id].append(row)
        return tuple(
            PaperState(
                paper=rows.saved_of(StoredPaper, group[0]),
                of_outcomes={
                    outcome: {row.reviewer: row.number for row in group if row.outcome == outcome}
                    for outcome in dict.fromkeys(row.outcome for row in group if row.outcome is not None)
                },
                settled=group[0].settled or 0,
            )
            for group in by_paper.values()
        )

    def next_undone(self, project: str, reviewer: str, scope: Scope, *, without: Collection[str] = ()) -> str | None:
        """The first paper, `without` these, that the reviewer has not fully judged in this scope; None: all are."""
        done = _counts(judgements, project, scope, judgements.c.outcome, judgements.c.reviewer)
        query = (
            select(papers.c.id, done.c.outcome, done.c.number)
            .outerjoin(done, and_(done.c.paper == papers.c.id, done.c.reviewer == reviewer))
            .where(papers.c.project == project, ~papers.c.removed, papers.c.id.not_in(without))
            .order_by(papers.c.added_at, papers.c.id)
        )
        judged: dict[str, dict[str, int]] = defaultdict(dict)
        for id, outcome, number in self.connection.execute(query):
            judged[id] |= {outcome: number} if outcome is not None else {}
        for id, numbers in judged.items():
            if any(numbers.get(outcome, 0) < len(scope.domains) for outcome in scope.outcomes_of(id)):
                return id
        return None

    def domains(
        self, project: str, paper: str, scope: Scope, *, reader: str, outcome: str = ""
    ) -> dict[str, DomainView]:
        """What the reader may see of each domain of a paper for an outcome, and of the overall judgement (`OVERALL`).

        In a blind project the others' judgements, the suggestions and the consensus of a domain are left out until the
        reader's own level is in; for `OVERALL`, until all are (`core.store.blindness`). Raises `NotStored` without the
        project.
        """
        rules = self.project(project).record
        judged = self._of_result(ReviewerJudgement, project, paper, scope.tool, outcome)
        suggested = self._of_result(StoredSuggestion, project, paper, scope.tool, outcome)
        agreed = self._of_result(Consensus, project, paper, scope.tool, outcome)
        done: dict[str, set[str]] = defaultdict(set)
        for saved in judged:
            if saved.record.level:
                done[saved.record.domain].add(saved.record.reviewer)
        views = {}
        for domain in (*scope.domains, OVERALL):
            here = [saved for saved in judged if saved.record.domain == domain]
            own = next((saved for saved in here if saved.record.reviewer == reader), None)
            needed = scope.domains if domain == OVERALL else (domain,)
            if all(may_see(rules, reader, done[one]) for one in needed):
                views[domain] = DomainView(
                    own=own,
                    others=tuple(saved for saved in here if saved is not own),
                    suggestions=tuple(saved for saved in suggested if saved.record.domain == domain),
                    consensus=next((saved for saved in agreed if saved.record.domain == domain), None),
                )
            else:
                views[domain] = DomainView(own=own, hidden=True)
        return views

    def levels(self, project: str, scope: Scope, *, reader: str) -> tuple[DomainLevels, ...]:
        """Everything in this scope that somebody has judged, in the order of the papers, the outcomes and the domains.

        For the overall judgement (`OVERALL`) only levels that were set; `with_rule` adds those that follow by rule.

        What the reader may not see yet is hidden. Raises `NotStored` without the project.
        """
        rules = self.project(project).record
        settled = and_(
            *(consensus.c[column.name] == judgements.c[column.name] for column in consensus.primary_key),
            ~consensus.c.removed,
        )
        with_whole = replace(scope, domains=(*scope.domains, OVERALL))
        columns = (judgements.c.paper, judgements.c.outcome, judgements.c.domain, judgements.c.reviewer)
        query = (
            select(*columns, _level(judgements).label("level"), _level(consensus).label("settled"))
            .join(papers, and_(papers.c.project == judgements.c.project, papers.c.id == judgements.c.paper))
            .outerjoin(consensus, settled)
            .where(judgements.c.project == project, ~judgements.c.removed, ~papers.c.removed)
            .where(*within(judgements, with_whole), _level(judgements).is_not(None))
            .order_by(papers.c.added_at, papers.c.id)
        )
        levels: dict[tuple[str, str, str], dict[str, Level | None]] = {}
        agreed: dict[tuple[str, str, str], Level | None] = {}
        for row in self.connection.execute(query):
            if row.reviewer in rules.reviewers and (row.paper, row.outcome) not in scope.unreported:
                place = row.paper, row.outcome, row.domain
                levels.setdefault(place, dict.fromkeys(rules.reviewers))[row.reviewer] = Level(row.level)
                agreed[place] = Level(row.settled) if row.settled else None

        def visible(paper: str, outcome: str, domain: str) -> bool:
            needed = scope.domains if domain == OVERALL else (domain,)
            given = (levels.get((paper, outcome, one), {}) for one in needed)
            return all(may_see(rules, reader, [name for name, level in of.items() if level]) for of in given)

        found = []
        in_order = dict.fromkeys(paper for paper, _, _ in levels)
        for place in ((paper, *one) for paper in in_order for one in with_whole.places if (paper, *one) in levels):
            paper, outcome, domain = place
            by = tuple(reviewer for reviewer, level in levels[place].items() if level)
            if visible(*place):
                found.append(DomainLevels(paper, domain, levels[place], agreed[place], by=by, outcome=outcome))
            else:
                found.append(DomainLevels(paper, domain, {}, hidden=True, by=by, outcome=outcome))
        return tuple(found)

    def decisions(self, project: str, paper: str, *, reader: str) -> tuple[Saved[SentenceDecisions], ...]:
        """The reader's own decisions on a paper's sentences, one record per hypothesis."""
        table = TABLES[SentenceDecisions]
        return self._of_paper(SentenceDecisions, project, paper, table.c.reviewer == reader)

    def summaries(self, project: str, paper: str, *, reader: str) -> tuple[Saved[StoredSummary], ...]:
        """The reader's own summaries of a paper, oldest first."""
        return self._of_paper(StoredSummary, project, paper, TABLES[StoredSummary].c.reviewer == reader)

    def claims(self, project: str, paper: str) -> tuple[Saved[StoredClaim], ...]:
        """The claims of a paper, in the order they were added."""
        return self._of_paper(StoredClaim, project, paper)

    def claims_and_dropped(self, project: str, paper: str) -> tuple[Saved[StoredClaim], ...]:
        """The claims of a paper, including those that reviewers have dropped."""
        return self._all_of(StoredClaim, project, TABLES[StoredClaim].c.paper == paper)

    def all_claims(self, project: str) -> tuple[Saved[StoredClaim], ...]:
        """The claims of all papers, in the order they were added."""
        return self._present(StoredClaim, project)

    def dropped_claims(self, project: str) -> tuple[Saved[StoredClaim], ...]:
        """The claims of all papers that reviewers have dropped."""
        return self._all_of(StoredClaim, project, TABLES[StoredClaim].c.removed)

    def contradictions(self, project: str, *, reader: str) -> tuple[Saved[ContradictionDecision], ...]:
        """Decisions on contradictions; in a blind project only the reader's. Raises `NotStored` without the project."""
        blind = self.project(project).record.is_blind
        found = self._present(ContradictionDecision, project)
        return tuple(saved for saved in found if not blind or saved.record.reviewer == reader)

    def articles(self, project: str) -> tuple[Saved[StoredArticle], ...]:
        """The articles of a project, in the order they were added."""
        return self._present(StoredArticle, project)

    def gradings(self, project: str) -> tuple[Saved[StoredGrading], ...]:
        """The articles' statements to be graded, in the order they were added."""
        return self._present(StoredGrading, project)

    def grading(self, project: str, id: str) -> Saved[StoredGrading]:
        """One set of statements. Raises `NotStored` if it is not in the project, or was deleted from it."""
        found = self._present(StoredGrading, project, TABLES[StoredGrading].c.id == id)
        if not found:
            raise NotStored("These statements are not in the project, or were deleted from it.")
        return found[0]

    def grades(self, project: str, grading: str, *, reader: str) -> tuple[Saved[StatementGrades], ...]:
        """The reader's grades of these statements, and all others' too once the reader has graded every one."""
        statements = self.grading(project, grading).record
        found = self._present(StatementGrades, project, TABLES[StatementGrades].c.grading == grading)
        own = tuple(saved for saved in found if saved.record.reviewer == reader)
        return found if any(saved.record.is_whole(statements) for saved in own) else own

    def work(self, project: str, paper: str, *, reader: str) -> tuple[Saved[Any], ...]:
        """All that the reader did on a paper: decisions on sentences, judgements, summaries; in a private project the
        engines' suggestions on domains, too. Raises `NotStored` without the project."""
        own = TABLES[ReviewerJudgement].c.reviewer == reader
        suggested = self.project(project).record.private
        return (
            *self.decisions(project, paper, reader=reader),
            *self._of_paper(ReviewerJudgement, project, paper, own),
            *self.summaries(project, paper, reader=reader),
            *(self._of_paper(StoredSuggestion, project, paper) if suggested else ()),
        )

    def stored_papers(self, project: str) -> tuple[Saved[StoredPaper], ...]:
        """The papers of a project in the order they were added."""
        return self._present(StoredPaper, project)

    def require_item(self, project: str, item: str) -> None:
        """Raises `NotStored` unless a paper or reference of this id is in the project."""
        if not self.item_exists(project, item):
            raise NotStored("This paper or reference is not in the project, or was deleted from it.")

    def references(self, project: str) -> tuple[Saved[StoredReference], ...]:
        """The references of a project in the order they were added."""
        return self._present(StoredReference, project)

    def reference_ids(self, project: str) -> set[str]:
        """Every reference that ever was in the project, including deleted ones."""
        return set(
            self.connection.execute(select(bibliography.c.id).where(bibliography.c.project == project)).scalars()
        )

    def pairings(self, project: str) -> tuple[Saved[Pairing], ...]:
        """The reviewers' decisions on items that look alike."""
        return self._present(Pairing, project)

    def searches(self, project: str) -> tuple[Saved[StoredSearch], ...]:
        """The searches of literature services, oldest first."""
        return self._present(StoredSearch, project)

    def notices(self, project: str) -> dict[str, StoredNotices]:
        """What services said about items, by item, where they were asked."""
        return {saved.record.item: saved.record for saved in self._present(StoredNotices, project)}

    def registrations(self, project: str) -> dict[str, StoredRegistration]:
        """The registrations of trials that were fetched, by number."""
        return {saved.record.number: saved.record for saved in self._present(StoredRegistration, project)}

    def left_out(self, project: str) -> dict[str, str]:
        """The items that are left out as duplicates, each with the item that stands for it."""
        said = [saved.record for saved in self.pairings(project)]
        return doubles(set(self.paper_ids(project)), self.reference_papers(project), said) if said else {}

    def item_ids(self, project: str) -> tuple[str, ...]:
        """The items of the review, by id alone: papers, and references without their paper; duplicates are left out."""
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

        In a blind project the others' decisions on an item are left out until the reader's own verdict is in. Raises
        `NotStored` without the project.
        """
        rules = self.project(project).record
        given: dict[str, list[Saved[ScreeningDecision]]] = defaultdict(list)
        for saved in self._present(ScreeningDecision, project):
            given[saved.record.item].append(saved)
        settled = {saved.record.item: saved for saved in self._present(ScreeningConsensus, project)}
        return {
            item: filled(ItemView(item), rules, given.get(item, ()), settled.get(item), reader=reader)
            for item in given.keys() | settled.keys()
        }

    def own_verdicts(self, project: str, reader: str) -> tuple[ScreeningVerdict, ...]:
        """A reviewer's own verdicts on items, in the order they were begun."""
        given = self._present(ScreeningDecision, project, screenings.c.reviewer == reader)
        return tuple(saved.record.verdict for saved in given if saved.record.verdict is not None)

    def verdicts(self, project: str, *, reader: str) -> dict[tuple[str, str], CellView]:
        """The reviewers' verdicts by paper and question (`question_key`), where anybody has given one.

        In a blind project the others' are left out until the reader's own is in. Raises `NotStored` without
        the project.
        """
        given, settled = self._present(ReviewerVerdict, project), self._present(VerdictConsensus, project)
        return cell_views(self.project(project).record, given, settled, reader=reader)

    def criteria(self, project: str, *, item: str | None = None) -> tuple[StoredCriterion, ...]:
        """The engines' suggestions on the criteria, for one item or for all."""
        where = [] if item is None else [criteria.c.item == item]
        return tuple(saved.record for saved in self._present(StoredCriterion, project, *where))

    def findings(self, project: str, *, questions: Collection[str] | None = None) -> tuple[Saved[StoredFinding], ...]:
        """The engines' findings in the order they were added; `questions`: only these hypotheses (`question_key`s)."""
        where = [] if questions is None else [findings.c.question.in_(questions)]
        return self._present(StoredFinding, project, *where)

    def paper_ids(self, project: str) -> tuple[str, ...]:
        """The papers of a project in the order they were added, by id alone."""
        query = select(papers.c.id).where(papers.c.project == project, ~papers.c.removed)
        return tuple(self.connection.execute(query.order_by(papers.c.added_at, papers.c.id)).scalars())

    def reference_papers(self, project: str) -> dict[str, str | None]:
        """The paper of each reference of a project, by id alone."""
        of = bibliography.c.body["paper"].as_string()
        query = select(bibliography.c.id, of).where(bibliography.c.project == project, ~bibliography.c.removed)
        return dict(map(tuple, self.connection.execute(query)))

    def state_of_items(self, project: str) -> tuple[object, ...]:
        """A value that changes whenever a paper, a reference or a pairing changes."""
        kinds = (papers, bibliography, pairings)
        queries = [
            select(func.count(), func.max(table.c.changed_at), func.sum(table.c.version)).where(
                table.c.project == project, ~table.c.removed
            )
            for table in kinds
        ]
        return tuple(tuple(self.connection.execute(query).one()) for query in queries)

    def text(self, project: str, item: str) -> Paper | None:
        """A paper as it was read, or a reference's title and abstract; None if it was not kept or is damaged."""
        query = select(texts.c.body).where(texts.c.project == project, texts.c.item == item)
        body = self.connection.execute(query).scalar()
        return None if body is None else rows.unpacked(body)

    def texts(self, project: str) -> set[str]:
        """The items whose text is kept."""
        return set(self.connection.execute(select(texts.c.item).where(texts.c.project == project)).scalars())

    def stamp(self, project: str) -> tuple[object, ...]:
        """A value that changes with every change of a project except to its answers, to cache what is made from it."""
        # Of two concurrent changes the one with the later number may be committed first, so count the changes too.
        changed = select(func.count(), func.max(history.c.id)).where(history.c.project == project)
        failed = select(func.count(), func.max(failures.c.at)).where(failures.c.project == project)
        return (*self.connection.execute(changed).one(), *self.connection.execute(failed).one())

    def file(self, project: str, sha256: str) -> bytes | None:
        """The bytes of a paper (`StoredPaper.file`); None if they are not kept."""
        query = select(files.c.data).where(files.c.project == project, files.c.sha256 == sha256)
        return self.connection.execute(query).scalar()

    def history(self, record: Record, *, reader: str) -> tuple[RecordChange, ...]:
        """Every change of a record, oldest first. Raises `StillBlind` where the reader may not see the record yet."""
        self._refuse_blind(record, reader)
        project, *_ = key = tuple(key_of(record).values())
        kind = TABLES[type(record)].name
        where = (history.c.project == project, history.c.kind == kind, history.c.item == rows.item_of(key))
        return tuple(map(rows.change_of, self.connection.execute(select(history).where(*where).order_by(history.c.id))))

    def changes(self, project: str, kinds: Collection[str] | None = None) -> tuple[RecordChange, ...]:
        """The history of a project, oldest first; `kinds`: only these tables. Nothing is hidden in it."""
        query = select(history).where(history.c.project == project).order_by(history.c.id)
        if kinds is not None:
            query = query.where(history.c.kind.in_(kinds))
        return tuple(map(rows.change_of, self.connection.execute(query)))

    def changes_made(self, project: str) -> tuple[int, int]:
        """How many changes the history of a project has, and the number of the newest; zeros if it has none."""
        return rows.changes_made(self.connection, project)

    def whole(self, project: str, *, with_files: bool = False) -> ProjectState:
        """All that there is of a project, for reports and exports. Nothing is hidden in it."""
        kept = select(files.c.sha256, files.c.data).where(files.c.project == project).order_by(files.c.sha256)
        records = {kind: self._all_of(kind, project) for kind in rows.RECORDS.values()}
        return replace(
            self._state(project, records),
            answers=self.answers.all(project),
            history=self.changes(project),
            files={row.sha256: row.data for row in self.connection.execute(kept)} if with_files else {},
        )

    def present(self, project: str) -> ProjectState:
        """The same without files, history and answers, for screens. Reads only what has changed since the last time."""
        return self._state(project, self.cache.records(self.connection, project))

    def _state(self, project: str, records: rows.Records) -> ProjectState:
        return ProjectState(
            project=self.project(project),
            papers=records[StoredPaper],
            judgements=records[ReviewerJudgement],
            suggestions=records[StoredSuggestion],
            consensus=records[Consensus],
            decisions=records[SentenceDecisions],
            summaries=records[StoredSummary],
            references=records[StoredReference],
            pairings=records[Pairing],
            screenings=records[ScreeningDecision],
            screening_consensus=records[ScreeningConsensus],
            criteria=records[StoredCriterion],
            findings=records[StoredFinding],
            verdicts=records[ReviewerVerdict],
            verdict_consensus=records[VerdictConsensus],
            sittings=records[QueueRun],
            searches=records[StoredSearch],
            notices=records[StoredNotices],
            registrations=records[StoredRegistration],
            claims=records[StoredClaim],
            contradictions=records[ContradictionDecision],
            articles=records[StoredArticle],
            gradings=records[StoredGrading],
            grades=records[StatementGrades],
            retrievals=self.retrievals.all(project),
            incoming=self.queue.incoming(project),
            failures=self.queue.failures(project),
            history=(),
        )

    def _all_of(self, kind: type[R], project: str, *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        return rows.select_records(self.connection, kind, TABLES[kind].c.project == project, *where)

    def _present(self, kind: type[R], project: str, *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        return self._all_of(kind, project, ~TABLES[kind].c.removed, *where)

    def _of_paper(
        self, kind: type[R], project: str, paper: str, *where: SQLCoreOperations[bool]
    ) -> tuple[Saved[R], ...]:
        return self._present(kind, project, TABLES[kind].c.paper == paper, *where)

    def _of_result(self, kind: type[R], project: str, paper: str, tool: str, outcome: str) -> tuple[Saved[R], ...]:
        columns = TABLES[kind].c
        return self._of_paper(kind, project, paper, columns.tool == tool, columns.outcome == outcome)

    def _refuse_blind(self, record: Record, reader: str) -> None:
        by_one = (
            ReviewerJudgement
            | ScreeningDecision
            | SentenceDecisions
            | StoredSummary
            | ReviewerVerdict
            | ContradictionDecision
        )
        if isinstance(record, by_one) and record.reviewer == reader:
            return
        match record:
            case ReviewerJudgement() | StoredSuggestion() | Consensus():
                scope = Scope(record.tool, self._judged_with(record))
                views = self.domains(record.project, record.paper, scope, reader=reader, outcome=record.outcome)
                hidden, what = views[record.domain].hidden, "make of a domain until your own judgement of it is in"
            case ScreeningDecision() | ScreeningConsensus():
                rules = self.project(record.project).record
                item = self.screenings(record.project, reader=reader).get(record.item)
                hidden = not may_see(rules, reader, item.by if item else ())
                what = "decide on a paper until your own decision is in"
            case ReviewerVerdict() | VerdictConsensus():
                rules = self.project(record.project).record
                cell = self.verdicts(record.project, reader=reader).get((record.paper, record.question))
                hidden = not may_see(rules, reader, cell.by if cell else ())
                what = "make of a paper until your own verdict is in"
            case SentenceDecisions() | StoredSummary():
                hidden, what = self.project(record.project).record.is_blind, "decide on sentences"
            case StatementGrades():
                seen = self.grades(record.project, record.grading, reader=reader)
                hidden = record.reviewer not in {saved.record.reviewer for saved in seen}
                what = "say of statements until you have graded them all"
            case ContradictionDecision():
                hidden, what = self.project(record.project).record.is_blind, "make of contradictions"
            case _:
                return
        if hidden:
            raise StillBlind(f"This project hides what others {what}.")

    def _judged_with(self, record: ReviewerJudgement | StoredSuggestion | Consensus) -> tuple[str, ...]:
        """The domain of a record; for an overall judgement, all domains that anybody has judged for its outcome."""
        if record.domain != OVERALL:
            return (record.domain,)
        judged = self._of_result(ReviewerJudgement, record.project, record.paper, record.tool, record.outcome)
        return tuple(sorted({saved.record.domain for saved in judged} - {OVERALL}))


def _level(table: Table) -> Any:
    return table.c.body["level"].as_string()


def _counts(table: Table, project: str, scope: Scope, *by: ColumnElement[str]) -> Any:
    """How many outcomes and domains of the scope have a level, by paper."""
    return (
        select(table.c.paper, *by, func.count().label("number"))
        .where(table.c.project == project, *within(table, scope), ~table.c.removed, _level(table).is_not(None))
        .group_by(table.c.paper, *by)
        .subquery()
    )
