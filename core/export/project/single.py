"""The report of one paper's assessment: that of a project of one paper and one reviewer."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.bias.assessment import Assessment
from core.bias.model import StudyContext
from core.export.project.levels import settled_levels
from core.export.project.report import project_report
from core.paper import Paper
from core.store.judging import stored_judgement, stored_raise
from core.store.model import Project, ProjectState, Saved, Suggestion
from core.store.papers import record_of

_PROJECT = "single"
REVIEWER = "Reviewer"


_NO_DATES = "An assessment of one paper keeps no dates: those beside judgements are the date of this report."


def assessment_report(paper: Paper, assessment: Assessment, study: StudyContext, *, date: datetime, blind: bool) -> str:
    """One HTML file. Whoever judges `blind` has not seen a suggestion before judging; anyone else is taken to have."""
    state = _as_project(paper, assessment, study, date=date, blind=blind)
    levels = settled_levels(state, assessment.tool)
    return project_report(state, levels, {paper.id: paper}, date=date, note=_NO_DATES)


def _as_project(
    paper: Paper, assessment: Assessment, study: StudyContext, *, date: datetime, blind: bool
) -> ProjectState:
    def saved(record: Any) -> Saved[Any]:
        return Saved(record, 1, REVIEWER, date, date)

    place = {"project": _PROJECT, "paper": paper.id, "reviewer": REVIEWER}
    made = assessment.suggestions
    judgements = [
        stored_judgement(
            assessment.of(domain),
            domain,
            **place,
            seen=() if blind or domain.id not in made else (made[domain.id].engine,),
        )
        for domain in assessment.tool.domains
        if assessment.of(domain).begun
    ]
    suggestions = [
        Suggestion(_PROJECT, paper.id, one.engine, one.judgement, one.prompts, one.cost_usd) for one in made.values()
    ]
    if assessment.raised:
        judgements.append(stored_raise(True, **place))
    name = paper.title or paper.name
    project = Project(_PROJECT, name, (REVIEWER,), assessment.tool.id, study, blind)
    return ProjectState(
        project=saved(project),
        papers=(saved(record_of(paper, project=_PROJECT)),),
        judgements=tuple(map(saved, judgements)),
        suggestions=tuple(map(saved, suggestions)),
        consensus=(),
        decisions=(),
        history=(),
    )
