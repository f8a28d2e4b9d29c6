"""Projects: the list, the forms to create and to change one, and the notice after saving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from uuid import uuid4

import streamlit as st

from core.bias import StudyContext
from core.bias.model import LONGEST_OUTCOME
from core.bias.pasted import defined
from core.bias.tools import FOR_A_PAPER
from core.engines import DEFAULT_ENGINE, TaskKind, engines_of_models, is_engine, names
from core.errors import EngineError, NotStorable, VouchError
from core.evidence.model import MAX_HYPOTHESIS_WORDS
from core.findings.verdict import how_often_right
from core.llm import model_named
from core.review.jobs import models_of
from core.review.status import QueueStatus, queue_status
from core.screening.model import Criterion, CriterionKind
from core.store import REASONS, Plan, Project, QueueMode, Saved, project_from_file, scope_of, tool_of
from core.text.words import counted
from pages._ui.bias.settings import STUDY_FIELDS, study_fields
from pages._ui.bias.tool_choice import OWN, known_by_title
from pages._ui.escape import plain, short
from pages._ui.review import queues
from pages._ui.state import Session
from pages._ui.stored import the_store

# ---- what is asked of every paper ----

_KINDS = {
    CriterionKind.POPULATION: ("Population", "Adults with chronic insomnia"),
    CriterionKind.INTERVENTION: ("Intervention", "A supplement of magnesium, by mouth"),
    CriterionKind.COMPARATOR: ("Comparator", "Placebo or no treatment"),
    CriterionKind.OUTCOME: ("Outcome", "Sleep, as people report it or as measured"),
    CriterionKind.DESIGN: ("Design", "Randomised trial"),
    CriterionKind.OWN: ("Other", "Followed up for at least four weeks"),
}
_NOBODY = "nobody"  # no engine: the work is left to people
_ENGINES = {
    "criteria": ("Criteria of screening", TaskKind.SCREENING),
    "evidence": ("Evidence for the hypotheses", TaskKind.FINDINGS),
    "bias": ("Risk of bias", TaskKind.BIAS),
}


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked about every paper."""

    criteria: tuple[Criterion, ...] = ()
    reasons: tuple[str, ...] = REASONS
    hypotheses: tuple[str, ...] = ()

    @property
    def wrong(self) -> str | None:
        """Why the questions are invalid, as a sentence; None if they are valid."""
        for what, texts in (("criterion", [one.text for one in self.criteria]), ("hypothesis", self.hypotheses)):
            for text in texts:
                if (words := len(text.split())) > MAX_HYPOTHESIS_WORDS:
                    start = " ".join(text.split()[:6])
                    return f"The {what} “{start} …” has {words:,} words; at most {MAX_HYPOTHESIS_WORDS} are allowed. Shorten it."
        return None


def question_fields(asked: Questions, study: StudyContext, place: str) -> Questions:
    """Draw the fields. If there is no criterion yet, the review's PICO is filled in."""
    given = {kind: "\n".join(one.text for one in asked.criteria if one.kind is kind) for kind in CriterionKind}
    if not asked.criteria:
        given |= criteria_of_study(study)
    st.caption(
        "What a paper must have to be included, **one criterion a line**. A criterion whose words change is a new one: "
        "what was said of the old words stays in the history."
    )
    written, columns = {}, st.columns(2)
    for number, (kind, (label, example)) in enumerate(_KINDS.items()):
        written[kind] = columns[number % 2].text_area(
            label, value=given.get(kind, ""), placeholder=example, key=f"{place}-criterion-{kind}", height=68
        )
    reasons = st.text_area(
        "Reasons to exclude, one a line",
        value="\n".join(asked.reasons),
        key=f"{place}-reasons",
        height=120,
        help="The first nine have a number key. One that is typed while screening is added here.",
    )
    hypotheses = st.text_area(
        "Hypotheses, one a line",
        value="\n".join(asked.hypotheses),
        placeholder="Magnesium shortens the time to fall asleep",
        key=f"{place}-hypotheses",
        height=100,
        help="Each is a column of the evidence table. More can be added later; papers are not read again for them.",
    )
    return Questions(criteria_in(written), lines_in(reasons), lines_in(hypotheses))


def plan_fields(plan: Plan, place: str) -> Plan:
    """Draw the choice of the engines that read every paper. Raises `EngineError` for an unknown name."""
    st.caption(
        "Which engines the queue runs over every paper. For a language model type its name, such as openai:MODEL; for "
        "hypotheses openai:MODEL@digest does best."
    )
    chosen = {}
    for name, (label, _) in _ENGINES.items():
        given = getattr(plan, name) or _NOBODY
        options = list(dict.fromkeys([DEFAULT_ENGINE, _NOBODY, given]))
        chosen[name] = st.selectbox(
            label,
            options,
            index=options.index(given),
            accept_new_options=True,
            key=f"{place}-plan-{name}",
        )
        if name == "evidence":
            st.caption(how_often_right())
    return Plan(**{name: engine_in(value, name) for name, value in chosen.items()})


def engine_in(value: str | None, task: str) -> str | None:
    """The engine named for a task; None: nobody. Raises `EngineError` for an unknown name."""
    name = " ".join((value or _NOBODY).split())
    label, kind = _ENGINES[task]
    local = names(kind)
    if name.lower() == _NOBODY:
        return None
    if name.lower() in local:
        return name.lower()
    if model_named(name) is None and not is_engine(kind, name):
        others = ", ".join([*local, *engines_of_models(kind)])
        raise EngineError(
            f"There is no engine called “{name}” for “{label}”. Choose one of: {others}, or a language model such as "
            "openai:MODEL."
        )
    return name


def criteria_of_study(study: StudyContext) -> dict[CriterionKind, str]:
    """The review's PICO as criteria."""
    said = {kind: getattr(study, kind.value, "").strip() for kind in CriterionKind}
    return {kind: words for kind, words in said.items() if words}


def criteria_in(written: Mapping[CriterionKind, str]) -> tuple[Criterion, ...]:
    """The criteria in the fields, without duplicates."""
    found = (Criterion(kind, line) for kind in CriterionKind for line in lines_in(written.get(kind, "")))
    return tuple({one.id: one for one in found}.values())


def lines_in(text: str) -> tuple[str, ...]:
    """The non-empty lines of a field, without duplicates and list signs."""
    lines = (" ".join(line.split()).lstrip("-–•* ") for line in text.splitlines())
    return tuple(dict.fromkeys(line for line in lines if line))


# ---- notice after saving settings ----

_FIELDS = {
    "name": "name",
    "reviewers": "reviewers",
    "blind": "blinding",  # followed by on or off
    "study": "review question",
    "criteria": "criteria",
    "reasons": "reasons to exclude",
    "hypotheses": "hypotheses",
    "plan": "engines",
    "outcomes": "outcomes",
}


def saved_in_words(before: Project, after: Project) -> str:
    """What was changed, by the names of the fields, or that nothing was."""
    fields = _FIELDS | {"blind": f"{_FIELDS['blind']} {'on' if after.blind else 'off'}"}
    changed = [words for name, words in fields.items() if getattr(before, name) != getattr(after, name)]
    return f"Saved: {', '.join(changed)}." if changed else "Nothing was changed."


def queue_in_words(status: QueueStatus, project: Project) -> str:
    """What happens to the open questions; empty if there are none. `status` is from before the queue is started."""
    if not status.open_questions:
        return ""
    open_ = f"{counted(status.open_questions, 'question')} {'is' if status.open_questions == 1 else 'are'} open"
    if status.state.mode is QueueMode.PAUSED:
        return f"{open_}: the queue is paused until you resume it."
    if models_of(project.plan) and status.state.mode is not QueueMode.RUNNING:
        return f"{open_}: press Start to have the language model asked."
    return f"{open_}: the queue works on them."


# ---- fields of a project ----


def new_project(session: Session) -> None:
    """Draw the form for a new project."""
    with st.form("new-project", border=False):
        name = st.text_input("Name", placeholder="Magnesium for leg cramps, 2026 update")
        reviewers = st.text_input(
            "Reviewers",
            placeholder="Ann, Ben",
            help="Names with commas between, your own first. Two reviewers judge every paper twice.",
        )
        left, right = st.columns(2, vertical_alignment="bottom")
        tools = known_by_title(session)
        tool = left.selectbox(
            "Tool",
            list(tools),
            index=list(tools).index(FOR_A_PAPER),
            format_func=lambda tool: short(tools[tool][0], 80),
            help="It stays the same",
        )
        blind = right.toggle("Blind", value=True, help=BLIND)
        with st.expander("My own definition of bias"):
            st.caption("For the tool “My own definition”. It can be changed later, on the page Risk of bias.")
            called = st.text_input("Name of the bias", placeholder="Funding by industry", key="new-own-name")
            passage = st.text_area(
                "Definition and criteria, as in your methods section",
                placeholder="Whether whoever paid could sway the results.\nLow risk: …\nUnclear risk: …\nHigh risk: …",
                key="new-own-text",
                height=140,
            )
        with st.expander("Review question"):
            study = _study(StudyContext(), STUDY_FIELDS, "new")
            outcomes = _outcome_field((), "new")
        with st.expander("Criteria and hypotheses"):
            st.caption("They can wait: until then the review's PICO stands for the criteria.")
            asked = question_fields(Questions(), StudyContext(), "new")
        if st.form_submit_button("Create the project", type="primary"):
            criteria = asked.criteria or criteria_in(criteria_of_study(study))
            own, wrong = tools[tool][1], asked.wrong
            if tool == OWN:
                try:
                    own = defined(passage, called=called)
                except VouchError as error:
                    wrong = wrong or str(error)
            project = Project(
                uuid4().hex,
                name.strip(),
                names_in(reviewers),
                own.id if own else tool,
                study,
                blind,
                criteria,
                asked.reasons,
                asked.hypotheses,
                outcomes=outcomes,
                own_tools=(own,) if own else (),
            )
            session.problem = wrong
            if wrong is None and _save(session, project):
                session.review.enter(project.id, project.reviewers[0])
            st.rerun()  # to the project, or to the error message


BLIND = "Hides suggestions and the other's judgement until one's own is in, where two or more review"


@st.dialog("Settings of the project", width="medium")
def change_project(session: Session, saved: Saved[Project]) -> None:
    """Draw the settings of a project."""
    project = saved.record
    people, asks, engines = st.tabs(["Project", "Criteria and hypotheses", "Engines"], key="settings-tabs")
    with people:
        name = st.text_input("Name", value=project.name)
        more = st.text_input("Add reviewers", placeholder="Cleo", help="Names, with commas between")
        st.caption(f"Reviewers: {plain(', '.join(project.reviewers))} · {tool_of(project).name}")
        blind = st.toggle("Blind", value=project.blind, help=BLIND)
        study = _study(project.study, study_fields(tool_of(project)), "change")
        outcomes = _outcome_field(project.outcomes, "change")
    with asks:
        before = Questions(project.criteria, project.reasons, project.hypotheses)
        asked = question_fields(before, project.study, "change")
    with engines:
        plan, wrong = _plan(project)
        wrong = wrong or asked.wrong
    if st.button("Save", type="primary", key="save-project", disabled=wrong is not None):
        reviewers = tuple(dict.fromkeys((*project.reviewers, *names_in(more))))
        changed = replace(project, name=name.strip(), reviewers=reviewers, blind=blind, study=study, plan=plan)
        changed = replace(changed, outcomes=_kept_unnamed(project, outcomes))
        changed = replace(changed, criteria=asked.criteria, reasons=asked.reasons, hypotheses=asked.hypotheses)
        if changed == project or _save(session, changed, seen=saved.version):
            session.review.notice = _told(project, changed)
            if changed != project:
                queues.resume_queue(session, changed, session.review.reviewer or project.reviewers[0])
            st.rerun()
        wrong = session.problem  # the dialog stays, with what was typed
    if wrong is not None:
        st.error(plain(wrong), icon=":material/error:")


def show_notice(session: Session) -> None:
    """Show what was just saved, in the corner of the page for a few seconds."""
    if session.review.notice:
        st.toast(plain(session.review.notice), icon=":material/check:", duration="long")
        session.review.notice = ""


def _told(before: Project, after: Project) -> str:
    """What was saved, and what the queue will do."""
    words = saved_in_words(before, after)
    try:
        with the_store().reading() as store:
            return f"{words} {queue_in_words(queue_status(store, after), after)}".strip() if before != after else words
    except VouchError:
        return words


def _plan(project: Project) -> tuple[Plan, str | None]:
    """The chosen engines, and an error if a name is unknown."""
    try:
        return plan_fields(project.plan, "change"), None
    except EngineError as error:
        return project.plan, str(error)


def names_in(text: str) -> tuple[str, ...]:
    """The names in a field, separated by commas."""
    return tuple(name for part in text.split(",") if (name := " ".join(part.split())))


def _study(study: StudyContext, fields: Mapping[str, tuple[str, str]], place: str) -> StudyContext:
    values = {}
    for name, (label, hint) in fields.items():
        write = st.text_area if name == "objective" else st.text_input
        values[name] = write(label, value=getattr(study, name), placeholder=hint, key=f"{place}-{name}")
    return replace(study, **values)


def _outcome_field(outcomes: tuple[str, ...], place: str) -> tuple[str, ...]:
    written = st.text_area(
        "Outcomes to judge, one a line",
        value="\n".join(filter(None, outcomes)),
        placeholder="Pain at 6 weeks\nSleep quality at 6 weeks",
        key=f"{place}-outcomes",
        height=68,
        help="RoB 2 and ROBINS-I judge results: a study has a judgement for each outcome. What was judged for an outcome "
        "that is not here any more is kept, and is there again if it comes back.",
    )
    return tuple(dict.fromkeys(line[:LONGEST_OUTCOME].strip() for line in lines_in(written)))


def _kept_unnamed(project: Project, outcomes: tuple[str, ...]) -> tuple[str, ...]:
    """The outcomes, after an unnamed one ("") if something was judged before any outcome was named."""
    if not outcomes or "" in project.outcomes:
        return ("", *outcomes) if outcomes else ()
    try:
        with the_store().reading() as store:
            scope = replace(scope_of(project, tool_of(project)), outcomes=("",))
            judged = any(one.done or one.settled for one in store.papers(project.id, scope))
    except VouchError:
        judged = True
    return ("", *outcomes) if judged and not project.outcomes else outcomes


def _save(session: Session, project: Project, *, seen: int = 0) -> bool:
    """Store the project. Returns whether that worked; an error becomes the session's problem."""
    session.problem = None
    try:
        if not project.reviewers and not project.name:
            raise NotStorable("The project has no name and no reviewers. Name both, each reviewer once.")
        if not project.reviewers:
            raise NotStorable("Name the project's reviewers, each once.")
        with the_store().writing(session.review.reviewer or project.reviewers[0]) as change:
            change.save(project, seen=seen)
    except VouchError as error:
        session.problem = str(error)
        return False
    return True


# ---- while no project is open ----


def show_start(session: Session) -> None:
    """Draw the start screen."""
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        st.title("Review many papers", anchor=False)
        st.markdown(
            "A project holds the papers of a review and what each reviewer makes of them. Everything is saved as you "
            "work, with its history."
        )
        try:
            store = the_store()
            with store.reading() as reading:
                projects, removed = reading.projects(), reading.projects(removed=True)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        for saved in reversed(projects):
            _project(session, saved)
        with st.expander("New project", icon=":material/add:", expanded=not projects):
            new_project(session)
        with st.expander("Open a project from a file", icon=":material/upload_file:"):
            _bring_in(session)
        if removed:
            with st.expander(f"Deleted projects ({len(removed)})", icon=":material/delete:"):
                for saved in removed:
                    st.button(
                        f"Restore “{plain(saved.record.name, limit=80)}”",
                        key=f"restore-project-{saved.record.id}",
                        type="tertiary",
                        icon=":material/undo:",
                        on_click=restore_project,
                        args=(session, saved),
                    )
        st.caption(f"Kept in {plain(store.name)}.")


def _project(session: Session, saved: Saved[Project]) -> None:
    project = saved.record
    with st.container(border=True, gap="xxsmall"):
        st.button(
            f"**{plain(project.name, limit=120)}**",
            key=f"project-{project.id}",
            type="tertiary",
            icon=":material/folder_open:",
            on_click=partial(session.review.enter, project.id),
        )
        facts = (
            tool_of(project).name,
            ", ".join(project.reviewers),
            f"begun {saved.added.astimezone():%d %B %Y}",
        )
        st.caption(plain(" · ".join(facts)))


def restore_project(session: Session, saved: Saved[Project]) -> None:
    """Undo a deletion."""
    session.problem = None
    try:
        with the_store().writing(saved.by) as change:
            change.restore(saved)
    except VouchError as error:
        session.problem = str(error)


def _bring_in(session: Session) -> None:
    file = st.file_uploader(
        "A project's file, as Vouch writes it: .vouch or .json", type=["vouch", "json"], key=f"bring-{session.uploads}"
    )
    if file is None:
        return
    session.uploads += 1  # a new key empties the uploader
    session.problem = None
    try:
        state = project_from_file(file.getvalue())
        with the_store().writing(state.project.by) as change:
            change.import_project(state)
        session.review.enter(state.project.record.id)
    except VouchError as error:
        session.problem = str(error)
    st.rerun()
