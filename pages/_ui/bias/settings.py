"""Settings above the desk (tool, question, blind mode, files), and suggestions from the click to the desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.benchmarks.robbr import is_robbr
from core.bias import StudyContext, Tool
from core.bias.assessment import Assessment
from core.bias.engine import DomainOutcome, suggest_each
from core.bias.llm.engine import ModelBiasEngine, estimate_run, labels
from core.bias.model import LONGEST_OUTCOME
from core.bias.own import OwnTool, as_tool
from core.engines import TaskKind, engines_of_models, names
from core.errors import VouchError
from core.export.assessment import assessment_csv, assessment_json, own_tool_of, read_assessment
from core.export.levels import named_result
from core.export.report import assessment_report
from core.export.robvis import StudyLevels, has_row, left_out, robvis_csv
from core.llm import CostEstimate, ModelName, Provider
from core.paper import Paper, study_name
from core.store import Project, scope_of
from pages._ui import model_row, sentence_model_row
from pages._ui.bias import own_form, own_tools, tool_choice
from pages._ui.bias.state import SuggestionRequest
from pages._ui.downloads import download, now_here, paper_stem
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import FOR_BIAS, Keys, engine_title
from pages._ui.open_paper import Home, OpenPaper
from pages._ui.opening import LARGEST_MB, open_file
from pages._ui.page_jobs import PaperJob, Work
from pages._ui.review.sheet import Sheet
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

# ---- files ----


def show_files(session: Session, opened: OpenPaper, sheet: Sheet | None = None) -> None:
    """Draw the download buttons and the field that restores a file. A file is made when it is requested.

    For a paper of a project, the files hold the reviewer's own work. None can be restored: the store has that work.
    """
    st.caption("Judgements are saved as you make them. To take them away:")
    tool = sheet.tool if sheet else session.bias.tool
    outcome = _seen(session, opened, sheet).outcome
    name = "-".join(filter(None, (paper_stem(opened.paper), tool.id, _in_a_name(outcome))))
    table, document = (partial(make, session, opened, sheet) for make in (_csv, _json))
    levels = _levels(session, opened, sheet)
    with st.container(horizontal=True, gap="small"):
        download(
            "JSON",
            document,
            name=f"{name}.json",
            mime="application/json",
            about=f"All that you judged with {tool.name}, and what was suggested",
        )
        download("CSV", table, name=f"{name}.csv", mime="text/csv", about="A line for each sentence of each domain")
        if any(has_row(tool, one) for one in levels):
            download(
                "CSV for robvis",
                partial(_robvis, session, opened, sheet),
                name=f"{name}-robvis.csv",
                mime="text/csv",
                about="The levels, to plot with robvis",
                keeps=False,
            )
        if sheet is None:  # a project has one report for all its papers
            download(
                "Report",
                partial(_report, session, opened),
                name=f"{name}.html",
                mime="text/html",
                about="One page to read and print: each judgement with its reason, and the sentences where they stand",
                keeps=False,
            )
    session.bias.without_row = without_row(session, opened, sheet)
    if session.bias.without_row:
        st.caption(plain(session.bias.without_row))
    if sheet is not None:
        return
    key = f"restore-{session.uploads}"
    st.file_uploader(
        "Open a JSON file from here again",
        type="json",
        key=key,
        on_change=_restore,
        args=(session, opened, key),
        max_upload_size=LARGEST_MB,
        help="Or gold in RoBBR's layout: its levels and sentences are laid beside the paper",
    )


def _csv(session: Session, opened: OpenPaper, sheet: Sheet | None) -> bytes:
    return assessment_csv(opened.paper, _seen(session, opened, sheet), date=now_here()).encode()


def _json(session: Session, opened: OpenPaper, sheet: Sheet | None) -> bytes:
    study = sheet.study if sheet else session.bias.study
    own = _own_tool(session, sheet)
    return assessment_json(opened.paper, _seen(session, opened, sheet), study, date=now_here(), own_tool=own).encode()


def _own_tool(session: Session, sheet: Sheet | None) -> OwnTool | None:
    """The reviewer's own definition that the tool was built from, if it was."""
    if sheet is not None:
        return sheet.own_tool
    return next((own for own in session.bias.own_tools if own.id == session.bias.tool_id), None)


def _robvis(session: Session, opened: OpenPaper, sheet: Sheet | None) -> bytes:
    tool = sheet.tool if sheet else session.bias.tool
    return robvis_csv(tool, _levels(session, opened, sheet)).encode()


def without_row(session: Session, opened: OpenPaper, sheet: Sheet | None) -> str:
    """What the file for robvis leaves out, as a sentence. The desk itself shows which judgements are missing."""
    tool = sheet.tool if sheet else session.bias.tool
    return left_out(tool, _levels(session, opened, sheet), by_domain=False)


def _levels(session: Session, opened: OpenPaper, sheet: Sheet | None) -> Sequence[StudyLevels]:
    """The levels of each judged result, for the file for robvis."""
    paper = opened.paper
    study = study_name(paper.authors, paper.year, otherwise=paper.title or paper.name)
    results = _results(session, opened, sheet)
    begun = [
        one for one in results if one.begun
    ] or results  # an outcome that was only opened does not count as missing
    return [StudyLevels(named_result(study, one.outcome), one.levels, one.overall) for one in begun]


def _report(session: Session, opened: OpenPaper) -> bytes:
    results = _results(session, opened, None)
    return assessment_report(
        opened.paper, results, session.bias.study, date=now_here(), blind=session.bias.blind
    ).encode()


def _results(session: Session, opened: OpenPaper, sheet: Sheet | None) -> Sequence[Assessment]:
    """One assessment per judged outcome; for a paper of a project, only the one on the desk."""
    on_desk = _seen(session, opened, sheet)
    if sheet is not None:
        return [on_desk]
    others = (one.as_seen(blind=session.bias.blind) for one in opened.bias.results(session.bias.tool))
    return [one for one in others if one.outcome != on_desk.outcome and one.begun] + [on_desk]


def _in_a_name(outcome: str) -> str:
    """The outcome as part of a file name."""
    return "-".join("".join(one if one.isalnum() else " " for one in outcome.lower()).split())[:40]


def _seen(session: Session, opened: OpenPaper, sheet: Sheet | None) -> Assessment:
    """The assessment as the reviewer sees it: blind mode keeps hidden suggestions out of the files."""
    if sheet is not None:
        return sheet.assessment
    return opened.bias.with_tool(session.bias.tool, session.bias.outcome).assessment.as_seen(blind=session.bias.blind)


def _restore(session: Session, opened: OpenPaper, key: str) -> None:
    """Restore the uploaded file, in place of what was judged with its tool."""
    session.uploads += 1  # a new key empties the uploader
    file, session.problem = st.session_state[key], None
    data = file.getvalue()
    if is_robbr(data):
        open_file(session, data, name=file.name)
        return
    try:
        own = own_tool_of(data)
        brought = {own.id: as_tool(own)} if own else {}
        assessment, study = read_assessment(data, opened.paper, brought | session.bias.tools)
    except VouchError as error:
        session.problem = str(error)
        return
    if own is not None and own.id not in session.bias.tools:
        own_tools.add(session, own_tools.own_home(session), own)
    judged = opened.bias.with_tool(assessment.tool, assessment.outcome)
    judged.assessment = assessment
    judged.number += 1  # higher than any number the browser has sent
    if assessment.outcome:
        session.bias.outcomes = tuple(dict.fromkeys((*session.bias.outcomes, assessment.outcome)))
        session.bias.outcome = st.session_state["outcome"] = assessment.outcome  # in its field, too
    session.bias.use(assessment.tool, study)


# ---- settings ----

STUDY_FIELDS = {
    "objective": ("Objective of the review", "What the review asks, such as: Does magnesium prevent leg cramps?"),
    "population": ("Population", ""),
    "intervention": ("Intervention", ""),
    "comparator": ("Comparator", ""),
    "outcome": ("Outcome of the review", "What the review measures, such as: pain"),
}
_CONFOUNDERS = {"confounders": ("Confounders", "Those that matter for the question, such as: age, smoking, severity")}


def study_fields(tool: Tool) -> dict[str, tuple[str, str]]:
    """The fields of the review question for a tool: name to label and hint."""
    return STUDY_FIELDS | _CONFOUNDERS if tool.confounders else STUDY_FIELDS


_NO_OUTCOME = "No outcome named"


def _outcome(session: Session, project: Project | None, sheet: Sheet | None) -> str:
    """Draw the choice of the outcome to judge. A project's list is fixed; outside projects, outcomes can be added."""
    if sheet is not None and project is not None:
        outcomes = scope_of(project, sheet.tool).outcomes
        if len(outcomes) > 1 or outcomes[0]:
            key = f"outcome-{project.id}"
            prime(**{key: sheet.outcome})
            st.selectbox(
                "Result judged",
                outcomes,
                key=key,
                width=220,
                format_func=_outcome_in_words,
                on_change=lambda: session.review.to_outcome(st.session_state[key]),
            )
        return sheet.outcome
    prime(outcome=session.bias.outcome)
    st.selectbox(
        "Result judged",
        ("", *session.bias.outcomes),
        key="outcome",
        width=220,
        format_func=lambda outcome: plain(outcome) or "None yet: type an outcome",
        accept_new_options=True,
        on_change=_take_outcome,
        args=(session,),
        help="This tool judges one result at a time. Type the outcome, such as “Pain at 6 weeks”; a paper may have several",
    )
    return session.bias.outcome


def _reporting(session: Session, project: Project, sheet: Sheet) -> None:
    """Draw whether the paper reports the outcome. It holds for all reviewers; an unreported outcome is not judged."""
    reports = (sheet.paper, sheet.outcome) not in project.unreported
    with st.container(key="reporting", horizontal=True, vertical_alignment="center", gap="small"):
        if not reports:
            said = f"The paper does not report “{sheet.outcome}”: there is nothing to judge. Plots and tables say so."
            st.caption(f":material/block: {plain(said)}", width="content")
        st.button(
            "The paper does not report this outcome" if reports else "It does report it",
            key="reports-outcome",
            type="tertiary",
            icon=":material/block:" if reports else ":material/undo:",
            on_click=_keep_reporting,
            args=(session, sheet, not reports),
            help="It holds for all reviewers. What was judged of this result stays, and is not shown meanwhile",
        )


def _keep_reporting(session: Session, sheet: Sheet, reports: bool) -> None:
    session.problem = None
    try:
        with the_store().writing(sheet.reviewer) as change:
            saved = change.project(sheet.project)
            changed = saved.record.reporting(sheet.paper, sheet.outcome, reports=reports)
            change.save(changed, seen=saved.version)
    except VouchError as error:
        session.problem = str(error)


def _outcome_in_words(outcome: str) -> str:
    return plain(outcome) or _NO_OUTCOME


def _take_outcome(session: Session) -> None:
    """Take over the outcome in the field, and keep it as a choice for other papers."""
    chosen = " ".join((st.session_state["outcome"] or "").split())[:LONGEST_OUTCOME]
    session.bias.outcome = chosen
    if chosen:
        session.bias.outcomes = tuple(dict.fromkeys((*session.bias.outcomes, chosen)))


def show(session: Session, opened: OpenPaper, sheet: Sheet | None = None, project: Project | None = None) -> None:
    """Draw the row of settings above the desk. For a paper of a project, the project's own settings are only shown."""
    choices = session.bias
    tool, study = (sheet.tool, sheet.study) if sheet else (choices.tool, choices.study)
    prime(blind=choices.blind, **{"bias-engine": choices.engine})
    with st.container(key="bias-settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        if sheet is None:
            tool = tool_choice.draw(session)
        if tool.judges_results:
            study = study.for_outcome(_outcome(session, project, sheet))
        choices.engine = st.selectbox(
            "Suggestions by",
            [*names(TaskKind.BIAS), *engines_of_models(TaskKind.BIAS), *Provider],
            key="bias-engine",
            width=190,
            format_func=engine_title,
            help="`offline` is trained on reports of trials; `bm25` and `embedding` look for the domain's own words; "
            "a language model is sent the paper",
        )
        st.button(
            "Suggest", key="suggest", type="primary", on_click=_suggest, args=(session, opened, tool, study, sheet)
        )
        if sheet is None:
            choices.blind = st.toggle(
                "Blind", key="blind", help="Hide the suggestion of a domain until your own judgement on it is in"
            )
        with st.popover("Review question", icon=":material/help_center:"):
            if sheet is None:
                choices.study = _study(choices.study, tool)
            else:
                _show_study(study, tool)
        st.space("stretch")
        with st.popover("Files", icon=":material/download:"):
            show_files(session, opened, sheet)
    with st.container(gap="xsmall"):
        if (own := _own_tool(session, sheet)) is not None:
            home = Home(sheet.project, sheet.reviewer) if sheet else own_tools.own_home(session)
            own_form.show(session, home, own)
        if sheet is not None and project is not None and sheet.outcome:
            _reporting(session, project, sheet)
        if choices.provider is not None:
            model_row.draw(session, choices.provider, FOR_BIAS, partial(_estimated, opened, tool, study))
        sentence_model_row.draw(session, choices.engine)


def _estimated(opened: OpenPaper, tool: Tool, study: StudyContext, name: ModelName) -> CostEstimate:
    """Estimate what suggestions for all domains would use."""
    return estimate_run(name, tool.domains, opened.paper, study)


def _show_study(study: StudyContext, tool: Tool) -> None:
    st.caption("The project's own, for all of its papers.")
    for name, (label, _) in study_fields(tool).items():
        if value := getattr(study, name):
            st.markdown(f"**{label}**: {plain(value)}")


def _study(study: StudyContext, tool: Tool) -> StudyContext:
    st.caption("The same for all papers outside projects, and kept in the JSON file.")
    values = {}
    for name, (label, hint) in study_fields(tool).items():
        key = f"study-{name}"
        prime(**{key: getattr(study, name)})
        write = st.text_area if name == "objective" else st.text_input
        values[name] = write(label, key=key, placeholder=hint)
    return replace(study, **values)


def _suggest(session: Session, opened: OpenPaper, tool: Tool, study: StudyContext, sheet: Sheet | None) -> None:
    session.problem = None
    choices = session.bias
    choices.engine, choices.defining = st.session_state["bias-engine"], False
    outcome = sheet.outcome if sheet else choices.outcome if choices.tool.judges_results else ""
    if sheet is None:
        tool, study = choices.tool, choices.study.for_outcome(outcome)
    budget = None
    try:
        engine = sentence_model_row.name_in_fields(session, choices.engine)
        if choices.provider is not None:
            engine, budget = str(model_row.check_model(session, choices.provider, FOR_BIAS)), session.choice.budget
    except VouchError as error:
        session.problem = str(error)
        return
    session.suggestions.ask(SuggestionRequest(opened.paper.id, tool, engine, study, sheet, outcome, budget))


# ---- suggestions ----


class _Suggesting(PaperJob[SuggestionRequest, tuple[DomainOutcome, ...]]):
    """Asking for suggestions, which are kept domain by domain as they come. The result lists the failed domains."""

    key = "suggesting"

    def slot(self, session: Session) -> JobSlot[SuggestionRequest, tuple[DomainOutcome, ...]]:
        return session.suggestions

    def work_on(
        self, session: Session, opened: OpenPaper, request: SuggestionRequest
    ) -> Work[tuple[DomainOutcome, ...]]:
        return partial(_make, request, opened.paper, session.keys)

    def keep_piece(self, session: Session, request: SuggestionRequest, piece: DomainOutcome) -> None:
        opened = session.papers.get(request.paper)
        if request.sheet is None and opened is not None:
            opened.bias.with_tool(request.tool, request.outcome).keep(piece, request.engine)
        elif request.sheet is not None and piece.suggestion is not None:
            request.sheet.keep_suggestion(the_store(), piece.suggestion)

    def keep_with(
        self, session: Session, opened: OpenPaper, request: SuggestionRequest, result: tuple[DomainOutcome, ...]
    ) -> None:
        if result:
            session.problem = _failures(result)


SUGGESTING = _Suggesting()


def _failures(failed: Sequence[DomainOutcome]) -> str:
    """Why suggestions are missing, in a sentence or two."""
    causes = {str(outcome.error) for outcome in failed}
    names = ", ".join(f"“{outcome.domain.name}”" for outcome in failed)
    others = " For the others the cause is another." if len(causes) > 1 else ""
    return f"No suggestion for {names}: {failed[0].error}{others}"


def _make(
    request: SuggestionRequest, paper: Paper, keys: Keys, job: BackgroundJob[tuple[DomainOutcome, ...]]
) -> tuple[DomainOutcome, ...]:
    """Make the suggestions, in the job's thread."""
    failed = []
    with job.engine(
        TaskKind.BIAS,
        request.engine,
        keys,
        request.budget,
        to_come=lambda model: labels(ModelBiasEngine.strategy_of(model), request.tool.domains),
    ) as engine:
        for outcome in suggest_each(request.tool.domains, paper, request.study, engine=engine, progress=job):
            job.put(outcome)
            if outcome.error is not None:
                failed.append(outcome)
    return tuple(failed)
