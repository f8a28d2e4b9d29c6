"""Saves the work on the desk as it is done, and restores it from the store."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

import streamlit as st

from core.benchmarks.bias_gold import sample_bias_gold
from core.benchmarks.samples import Sample, samples
from core.bias.assessment import Suggestion as Suggested
from core.errors import NotStored, VouchError
from core.settings import load_settings
from core.store import (
    Project,
    ReviewerJudgement,
    SentenceDecisions,
    StoredSuggestion,
    StoredSummary,
    StoreReader,
    StoreWriter,
    paper_of,
    record_of,
    storable_name,
    tool_of,
)
from core.store.model import own_judgement, stored_judgement, stored_suggestion
from core.store.private import (
    OWNER,
    PageState,
    Work,
    create_own_project,
    forget,
    move_to_project,
    own_id,
    own_papers,
    page_state_of,
    save_page_state,
)
from core.store.tables import key_of
from core.summary.writing import ReadingLevel
from pages._ui.bias import own_tools
from pages._ui.bias.state import BiasWork, JudgedPaper
from pages._ui.escape import plain
from pages._ui.open_paper import Decided, Home, OpenPaper, SavedState, one_line
from pages._ui.state import Session, current_session
from pages._ui.stored import the_store
from pages._ui.summary.state import CheckedSummary

# ---- work and its records ----

Key = tuple[str, ...]


def show_again(opened: OpenPaper, record: Work) -> None:
    """Replace what is shown with a stored record."""
    match record:
        case SentenceDecisions():
            before = opened.decided_on.get(one_line(record.hypothesis), Decided())
            here = range(len(opened.paper.sentences))  # a project from elsewhere may hold any index
            known = {index: word for index, word in record.sentences.items() if index in here}
            decided = Decided(known, before.number + 1)  # higher than any number the browser has sent
            opened.decided_on[one_line(record.hypothesis)] = decided
        case StoredSummary():
            _apply_summary(opened, record)
        case ReviewerJudgement() | StoredSuggestion():
            tool = current_session().bias.tools.get(record.tool)
            if tool is not None and record.domain in {domain.id for domain in tool.with_whole}:
                judged = opened.bias.with_tool(tool, record.outcome)
                judged.number += 1
                _apply_judgement(judged, record)


def _apply_judgement(judged: JudgedPaper, record: ReviewerJudgement | StoredSuggestion) -> None:
    if isinstance(record, StoredSuggestion):
        judged.assessment = judged.assessment.with_suggestion(Suggested(record.engine, record.judgement))
    else:
        domain = next((one for one in judged.tool.with_whole if one.id == record.domain), None)
        if domain is not None:  # a project from elsewhere may name any domain
            judged.assessment = judged.assessment.with_own(domain, own_judgement(record, domain))


def _apply_summary(opened: OpenPaper, record: StoredSummary) -> None:
    work = opened.summary
    known = next((version for version in work.versions if version.id == record.id), None)
    if known is None:
        level = ReadingLevel(record.level) if record.level in set(ReadingLevel) else ReadingLevel.PLAIN
        work.versions.append(
            CheckedSummary(
                record.report, record.measures, dict(record.labels), made=record.made, level=level, id=record.id
            )
        )
        work.current = work.current or record.id
    else:
        known.own, known.number = dict(record.labels), known.number + 1


def work_on(opened: OpenPaper, kept: SavedState) -> dict[Key, Work]:
    """The work on a paper, as records for the store."""
    project, paper, reviewer = kept.home.project, opened.paper.id, kept.home.reviewer
    made: list[Work] = [
        SentenceDecisions(project, paper, reviewer, question, dict(decided.decisions))
        for question, decided in opened.decided_on.items()
        if question
    ]
    made += [
        StoredSummary(
            project, paper, one.id, reviewer, one.report, one.measures, dict(one.own), one.made, one.level.value
        )
        for one in opened.summary.versions
    ]
    if kept.home.own:
        for judged in opened.bias.by_tool.values():
            made += _judgements(judged, kept, paper)
    # Work that was never begun is not stored. Work that was stored before is stored again, even if it is empty now.
    return {key: record for record in made if (key := key_of_work(record)) in kept.work or _begun(record)}


def _judgements(judged: JudgedPaper, kept: SavedState, paper: str) -> Iterable[Work]:
    reviewer, assessment = kept.home.reviewer, judged.assessment
    place = {"project": kept.home.project, "paper": paper, "tool": judged.tool.id, "outcome": assessment.outcome}
    for domain in judged.tool.with_whole:
        suggested = assessment.suggestions.get(domain.id)
        own = stored_judgement(assessment.of(domain), domain, **place, reviewer=reviewer)
        if suggested is not None:
            made = stored_suggestion(suggested, **place)
            before = kept.work.get(key_of_work(made))
            same = isinstance(before, StoredSuggestion) and before.judgement == made.judgement
            yield before if before is not None and same else made  # a restored suggestion lacks its cost
        yield _with_seen(own, kept.work.get(key_of_work(own)), suggested)


def _with_seen(own: ReviewerJudgement, before: Work | None, suggested: Suggested | None) -> ReviewerJudgement:
    """The judgement, with the engines whose suggestions were visible when it was given or changed."""
    if not isinstance(before, ReviewerJudgement):
        before = None
    seen = set(before.suggestions_seen) if before else set()
    changed = before is None or replace(before, suggestions_seen=()) != own
    in_view = not current_session().bias.blind or (before is not None and before.level is not None)
    if suggested is not None and changed and in_view:
        seen.add(suggested.engine)
    return replace(own, suggestions_seen=tuple(sorted(seen)))


def _begun(record: Work) -> bool:
    match record:
        case SentenceDecisions():
            return bool(record.sentences)
        case ReviewerJudgement():
            return bool(record.level or record.answers or record.comment or record.decisions or record.set_level)
    return True


def key_of_work(record: Work) -> Key:
    """The key of a record: its kind and its own key."""
    return (type(record).__name__, *key_of(record).values())


# ---- keeping ----
# A paper opened from a project belongs to that project; any other paper belongs to the person's own, private project
# (`core.store.private`). Each run of a page, or of the fragment that holds the desk, compares the work in this window
# with what was last kept of it. Differences are written, and what another window has kept meanwhile is taken in.

_ALONE = "Until then, what you do stays in this window alone."


def begin(session: Session) -> None:
    """Save at the start of a page; in a new window, first restore the paper that was last on the desk.

    Kept papers that are not open in this window become the session's shelf.
    """
    try:
        if session.person is None:
            _restore(session)
        _follow_project(session)
        save(session)
        with the_store().reading() as store:
            kept = own_papers(store, session.person or "")
            own = _project(store, session.person or "")
        if own is not None:
            own_tools.took(session, own)
        session.shelf = {paper.id: paper.title or paper.name for paper in kept if paper.id not in session.papers}
    except VouchError as error:
        session.problem = str(error)


def _restore(session: Session) -> None:
    person = own_id(load_settings())
    with the_store().reading() as store:
        kept = own_papers(store, person)
        own = session.own_project = _project(store, person)
    session.person = person
    if own is not None:
        session.bias.own_tools = own.own_tools
        session.bias.use(session.bias.tools.get(own.tool, session.bias.tool), own.study)
        session.bias.blind, session.bias.outcomes = own.blind, tuple(filter(None, own.outcomes))
        session.bias.outcome = next(iter(own.outcomes), "")
    if (
        kept and session.current is None and "project" not in st.query_params
    ):  # otherwise the address says what is on the desk
        reopen(session, kept[-1].id)


def _follow_project(session: Session) -> None:
    """Reopen papers of the open project as its current reviewer, and close papers of projects no longer open."""
    for paper, opened in list(session.papers.items()):
        home = opened.home
        if home is None or (home.project, home.reviewer) == (session.review.project, session.review.reviewer):
            continue
        with suppress(VouchError):
            _save(session, opened)
        session.set_down(paper)
        if home.project == session.review.project and session.review.reviewer is not None:
            data = opened.data or opened.original
            session.put_on_desk(opened.paper, data).home = Home(home.project, session.review.reviewer)


def reopen(session: Session, paper: str) -> None:
    """Put a paper outside projects back on the desk, as it was left. Failures become the session's problem."""
    if paper in session.papers or session.person is None:
        session.return_to(paper)
        return
    try:
        with the_store().reading() as store:
            stored = store.paper(session.person, paper).record
            data = store.file(session.person, stored.file) if stored.file else None
            read = store.text(session.person, paper)
        read = read or (paper_of(stored, data) if data is not None else None)
        if read is None:
            raise NotStored(
                f"The text of “{stored.title or stored.name}” is damaged in the store. Open its file again."
            )
    except VouchError as error:
        session.problem = str(error)
        return
    _gold_again(session.put_on_desk(read, data), stored.file)
    save(session)


def at_desk(opened: OpenPaper) -> None:
    """Save, and say so if that failed. For the fragment that is redrawn after every decision."""
    session = current_session()
    save(session)
    with st.container(key="not-kept"):  # always there, so that the desk keeps its place in the page
        if opened.not_kept:
            st.error(plain(opened.not_kept), icon=":material/cloud_off:")
            st.button("Try again", key="keep-again")
    if session.papers.get(opened.paper.id) is not opened:  # it was forgotten in another window
        st.rerun()


def save(session: Session) -> None:
    """Write unsaved work of this window. If that fails for a paper, the paper's own message says so."""
    if session.person is None:
        return
    try:
        for paper in sorted(session.closed):
            _forget(session, paper)
        _save_choices(session)
    except VouchError as error:
        session.problem = str(error)
    for opened in list(session.papers.values()):
        try:
            _save(session, opened)
            opened.not_kept = ""
        except NotStored as error:
            if opened.home is None:
                session.set_down(opened.paper.id)
                session.problem = f"“{opened.paper.title or opened.paper.name}” was forgotten in another window."
            else:
                opened.not_kept = f"{error} {_ALONE}"
        except VouchError as error:
            opened.not_kept = f"{error} {_ALONE}"


def has_work(opened: OpenPaper) -> bool:
    """Whether forgetting a paper would lose work, of this window or of another one."""
    kept = opened.kept
    if kept is None or opened.has_work:
        return opened.has_work
    try:
        _meet(opened, kept)
        with the_store().reading() as store:
            desk = page_state_of(store, kept.home.project, opened.paper.id, reader=kept.home.reviewer)
    except VouchError:
        return True  # what another window has done cannot be known
    return opened.has_work or desk != kept.desk


def into_project(session: Session, opened: OpenPaper, project: Project, reviewer: str) -> None:
    """Move a paper outside projects into a project, as this reviewer's, and continue with it there."""
    session.problem = None
    save(session)
    tool = tool_of(project)
    try:
        with the_store().writing(reviewer) as change:
            whole = move_to_project(change, session.person or "", opened.paper.id, project.id)
    except VouchError as error:
        session.problem = str(error)
        return
    opened.home, opened.kept = Home(project.id, reviewer), None
    opened.bias = BiasWork()
    session.review.enter(project.id, reviewer)
    session.review.notice = f"It is in “{project.name}” now, as {reviewer}'s." + (
        "" if whole else f" What you judged with another tool than {tool.name} stays outside."
    )
    save(session)


def _save(session: Session, opened: OpenPaper) -> None:
    home = opened.home or Home(session.person or "", OWNER, own=True)
    on_desk = session.current == opened.paper.id
    if opened.kept is None:
        _begin(session, opened, home)
    elif on_desk:
        _meet(opened, opened.kept)
    kept = opened.kept
    assert kept is not None  # noqa: S101 - begun above
    changed = {key: record for key, record in work_on(opened, kept).items() if kept.work.get(key) != record}
    desk = _desk(opened)
    to_front = on_desk and session.in_front != opened.paper.id
    if not changed and desk == kept.desk and not to_front:
        return
    with the_store().writing(home.reviewer) as change:
        change.paper(home.project, opened.paper.id)
        nothing_new = change.changes_made(home.project) == kept.stamp  # otherwise the next `_meet` takes it in
        for record in changed.values():
            change.put(record)
        save_page_state(change, home.project, opened.paper.id, desk)
        stamp = change.changes_made(home.project)
    kept.work |= changed
    kept.desk, kept.stamp = desk, stamp if nothing_new else kept.stamp
    session.in_front = opened.paper.id if on_desk else session.in_front


def _begin(session: Session, opened: OpenPaper, home: Home) -> None:
    """Put the paper into the store, unless it is there already, and take in earlier work on it."""
    paper = opened.paper
    with the_store().writing(home.reviewer) as change:
        if opened.home is None:
            create_own_project(change, home.project)
            session.own_project = change.project(home.project).record
            if change.known_paper(home.project, paper.id) is None:
                _put(change, opened, home)
        opened.kept = SavedState(home)
        opened.file = None
        _take_in(opened, opened.kept, change)
        desk = page_state_of(change, home.project, paper.id, reader=home.reviewer)
    if opened.evidence is None and desk.evidence is not None and not opened.hypothesis.strip():
        opened.evidence = desk.evidence
        opened.answers += 1
    if desk.hypothesis and not opened.hypothesis.strip():
        opened.ask(desk.hypothesis)
    opened.summary.draft = opened.summary.draft or desk.draft
    opened.kept.desk = desk


def _put(change: StoreWriter, opened: OpenPaper, home: Home) -> None:
    record = record_of(opened.paper, project=home.project)
    saved = change.save(replace(record, name=storable_name(record.name)))
    change.keep_text(home.project, opened.paper.id, opened.paper)
    if opened.file is not None:
        change.keep_file(saved, opened.file)


def _meet(opened: OpenPaper, kept: SavedState) -> None:
    """Take in what another window has kept since. Raises `NotStored` if it has forgotten the paper."""
    with the_store().reading() as store:
        stamp = store.changes_made(kept.home.project)
        if stamp != kept.stamp:
            store.paper(kept.home.project, opened.paper.id)
            _take_in(opened, kept, store)
            kept.stamp = stamp


def _take_in(opened: OpenPaper, kept: SavedState, store: StoreReader) -> None:
    """Take in stored work that was not done in this window. If both changed a record, this window's version wins."""
    mine = work_on(opened, kept)
    there = store.work(kept.home.project, opened.paper.id, reader=kept.home.reviewer)
    for saved in sorted(there, key=lambda saved: saved.changed):
        record: Work = saved.record
        if not kept.home.own and isinstance(record, ReviewerJudgement | StoredSuggestion):
            continue  # sheet.py restores these
        key = key_of_work(record)
        if record != kept.work.get(key):
            if mine.get(key) == kept.work.get(key):
                show_again(opened, record)
            kept.work[key] = record


def _desk(opened: OpenPaper) -> PageState:
    return PageState(opened.hypothesis, opened.evidence, opened.summary.draft)


def _save_choices(session: Session) -> None:
    """Save the tool, the review question and the blind mode for papers outside projects."""
    before, choices = session.own_project, session.bias
    if before is None:
        return
    # The current outcome comes first, so that a reload restores it and judgements are not saved under another one.
    outcomes = tuple(dict.fromkeys((choices.outcome, *choices.outcomes))) if choices.outcomes else ()
    after = replace(before, tool=choices.tool_id, study=choices.study, blind=choices.blind, outcomes=outcomes)
    if after != before:
        with the_store().writing(OWNER) as change:
            there = change.project(before.id).record  # another window may have added definitions
            after = replace(after, own_tools=there.own_tools)
            change.put(after)
        session.own_project = after
        own_tools.took(session, after)


def _forget(session: Session, paper: str) -> None:
    with suppress(NotStored), the_store().writing(OWNER) as change:  # nothing was kept yet
        forget(change, session.person or "", paper)
    session.closed.discard(paper)


def _project(store: StoreReader, id: str) -> Project | None:
    with suppress(NotStored):
        return store.project(id).record
    return None


def _gold_again(opened: OpenPaper, file: str | None) -> None:
    """Restore the gold of a paper that is a sample."""
    for sample in samples():
        if sample.path.name == opened.paper.name and sha256(sample.path.read_bytes()).hexdigest() == file:
            add_gold(opened, sample)


def add_gold(opened: OpenPaper, sample: Sample) -> None:
    """Attach a sample's gold to its paper."""
    for hypothesis in sample.hypotheses:
        if (gold := sample.gold(opened.paper, hypothesis)) is not None:
            opened.golds[one_line(hypothesis)] = gold
    opened.bias.labelled = opened.bias.labelled or sample_bias_gold(opened.paper)
