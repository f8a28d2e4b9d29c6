"""Between what was done on an open paper and the records of it in the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.bias import Tool, tools
from core.bias.assessment import Suggestion as Suggested
from core.bias.model import Level as BiasLevel
from core.store import ReviewerJudgement, SentenceDecisions, StoredSummary, Suggestion
from core.store.judging import OVERALL, own_judgement, stored_judgement, stored_raise
from core.store.private import Work
from core.store.tables import key_of
from core.summary.llm.drafts import Level
from pages._ui.bias.work import Judged
from pages._ui.open_paper import Decided, Kept, OpenPaper, one_line
from pages._ui.state import session
from pages._ui.summary.work import Version

Key = tuple[str, ...]


def show_again(opened: OpenPaper, record: Work) -> None:
    """Put what is stored in the place of what is shown."""
    match record:
        case SentenceDecisions():
            before = opened.decided_on.get(one_line(record.hypothesis), Decided())
            here = range(len(opened.paper.sentences))  # a project from elsewhere may say anything
            known = {index: word for index, word in record.sentences.items() if index in here}
            decided = Decided(known, before.number + 1)  # newer than anything that the browser has sent
            opened.decided_on[one_line(record.hypothesis)] = decided
        case StoredSummary():
            _apply_summary(opened, record)
        case ReviewerJudgement() | Suggestion():
            tool = next((tool for tool in tools().values() if record.domain in domains_of(tool)), None)
            if tool is not None:
                judged = opened.bias.with_tool(tool)
                judged.number += 1
                _apply_judgement(judged, record)


def _apply_judgement(judged: Judged, record: ReviewerJudgement | Suggestion) -> None:
    if isinstance(record, Suggestion):
        judged.assessment = judged.assessment.with_suggestion(Suggested(record.engine, record.judgement))
    elif record.domain == OVERALL:
        judged.assessment = replace(judged.assessment, raised=record.level is BiasLevel.HIGH)
    else:
        domain = judged.tool.domain(record.domain)
        judged.assessment = judged.assessment.with_own(domain, own_judgement(record, domain))


def _apply_summary(opened: OpenPaper, record: StoredSummary) -> None:
    work = opened.summary
    known = next((version for version in work.versions if version.id == record.id), None)
    if known is None:
        level = Level(record.level) if record.level in set(Level) else Level.PLAIN
        work.versions.append(
            Version(record.report, record.measures, dict(record.labels), made=record.made, level=level, id=record.id)
        )
        work.current = work.current or record.id
    else:
        known.own, known.number = dict(record.labels), known.number + 1


def work_on(opened: OpenPaper, kept: Kept) -> dict[Key, Work]:
    """What was done on a paper, as it is stored."""
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
    # What was never begun is not stored; what was, is stored when it is empty again.
    return {key: record for record in made if (key := place_of(record)) in kept.work or _begun(record)}


def _judgements(judged: Judged, kept: Kept, paper: str) -> Iterable[Work]:
    project, reviewer, assessment = kept.home.project, kept.home.reviewer, judged.assessment
    for domain in judged.tool.domains:
        suggested = assessment.suggestions.get(domain.id)
        own = stored_judgement(assessment.of(domain), domain, project=project, paper=paper, reviewer=reviewer)
        if suggested is not None:
            made = Suggestion(
                project, paper, suggested.engine, suggested.judgement, suggested.prompts, suggested.cost_usd
            )
            before = kept.work.get(place_of(made))
            same = isinstance(before, Suggestion) and before.judgement == made.judgement
            yield before if before is not None and same else made  # read back, it does not tell what it cost
        yield _with_seen(own, kept.work.get(place_of(own)), suggested)
    if judged.tool.overall:
        yield stored_raise(assessment.raised, project=project, paper=paper, reviewer=reviewer)


def _with_seen(own: ReviewerJudgement, before: Work | None, suggested: Suggested | None) -> ReviewerJudgement:
    """The judgement with the engines whose suggestions were in view when it was given or changed."""
    if not isinstance(before, ReviewerJudgement):
        before = None
    seen = set(before.suggestions_seen) if before else set()
    changed = before is None or replace(before, suggestions_seen=()) != own
    in_view = not session().bias.blind or (before is not None and before.level is not None)
    if suggested is not None and changed and in_view:
        seen.add(suggested.engine)
    return replace(own, suggestions_seen=tuple(sorted(seen)))


def _begun(record: Work) -> bool:
    match record:
        case SentenceDecisions():
            return bool(record.sentences)
        case ReviewerJudgement(domain=domain) if domain == OVERALL:
            return record.level is BiasLevel.HIGH
        case ReviewerJudgement():
            return bool(record.level or record.answers or record.comment or record.decisions or record.set_level)
    return True


def place_of(record: Work) -> Key:
    """Where a record is kept: its kind, and its key."""
    return (type(record).__name__, *key_of(record).values())


def domains_of(tool: Tool) -> frozenset[str]:
    """A tool's domains, by id, and where it has a level of the whole, what stands for that."""
    return frozenset({domain.id for domain in tool.domains} | ({OVERALL} if tool.overall else set()))
