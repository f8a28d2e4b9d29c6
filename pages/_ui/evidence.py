"""The Evidence page: the question, the search, the check of other wordings, and the desk with the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from core.engines import EngineStatus, TaskKind, engine_statuses
from core.errors import VouchError
from core.evidence import Evidence, EvidenceEngine, EvidenceQuery, NoAnswer
from core.evidence.llm import ModelEvidenceEngine, estimate_run, to_come
from core.evidence.results_first import is_about_an_effect
from core.evidence.sensitivity import Rewording, negated, other_wordings, sensitivity
from core.llm import Budget, CostEstimate, ModelName, model_named, open_runner
from core.paper import Paper
from core.text.words import counted
from pages._ui import autosave, downloads, model_row, sentence_model_row
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob, JobSlot, local_engine
from pages._ui.model_choice import FOR_EVIDENCE, Keys, engine_title, provider_of, run_cost
from pages._ui.open_paper import Decided, Found, OpenPaper, Search, Unanswered, one_line
from pages._ui.page_jobs import PaperJob, Work
from pages._ui.paper_view import component, payload
from pages._ui.paper_view.payload import changes_payload, gold_payload, run_payload, verdict_payload
from pages._ui.review import navigation
from pages._ui.state import Session, current_session, prime, widget

# ---- question ----


def ask(session: Session, opened: OpenPaper) -> None:
    """Draw the hypothesis and the settings. The button starts a search."""
    statuses = {status.choice: status for status in engine_statuses()}  # a language model has a row of its own below
    prime(
        **{opened.field: opened.hypothesis},
        engine=session.engine,
        k=session.k,
        tables=session.tables,
    )
    opened.hypothesis = st.text_area(
        "Hypothesis",
        key=opened.field,
        height=68,
        placeholder="One claim that the paper may support or refute, such as: Drug A lowers blood pressure more than placebo.",
    )
    _offer_hypotheses(opened)
    with st.container(key="settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        session.engine = st.selectbox(
            "Engine",
            list(statuses),
            key="engine",
            width=200,
            format_func=lambda name: _engine_label(name, statuses[name]),
        )
        # No limits on the fields: they would silently ignore a value out of range, while the engines report one.
        session.k = st.number_input("Sentences (k)", key="k", step=1, width=130)
        results_first_switch(opened)
        session.tables = st.toggle(
            "Tables and captions", key="tables", help="Whether table rows and captions may be chosen"
        )
        st.space("stretch")
        st.button(
            "Find evidence",
            key="find",
            type="primary",
            shortcut="Mod+Enter",
            on_click=_search,
            args=(session, opened),
        )
    slot = st.container(gap="xsmall")
    with slot:
        if session.provider is not None:
            model_row.draw(session, session.provider, FOR_EVIDENCE, partial(_estimated, session, opened))
        elif sentence_model_row.kind_of(session.engine) and statuses[session.engine].available:
            sentence_model_row.draw(session, session.engine)
        elif reason := statuses[session.engine].reason:
            st.caption(f":material/info: {plain(reason)}")


def _offer_hypotheses(opened: OpenPaper) -> None:
    """Draw the hypotheses with gold on this paper, if there are several. A click fills one in."""
    if len(opened.golds) < 2:
        return
    with st.container(key="known", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Also with gold:", width="content")
        for number, hypothesis in enumerate(opened.golds):
            if hypothesis != one_line(opened.hypothesis):
                label = plain(hypothesis, limit=160)
                st.button(label, key=f"known-{number}", type="tertiary", on_click=opened.ask, args=(hypothesis,))


def _engine_label(name: str, status: EngineStatus) -> str:
    can_run = status.available or provider_of(name)  # a model's row says what it lacks
    return engine_title(name) if can_run else f"{name} (cannot run here)"


def results_first_switch(opened: OpenPaper) -> None:
    """Draw the switch for results first. Until the reviewer touches it, it follows the hypothesis."""
    typed = st.session_state.get(opened.field, opened.hypothesis)
    # One switch for each kind of question. With a single one, a browser that has not yet heard of a change of the
    # switch would undo it, for example if a hypothesis is typed and searched for with one click.
    key = f"results-first-{opened.paper.id}-{is_about_an_effect(typed)}"
    st.session_state[key] = opened.asks_for_results_first(typed)
    st.toggle(
        "Results first",
        key=key,
        on_change=lambda: opened.say_results_first(st.session_state[key], typed),
        help="Results stand before other evidence; background, aims, eligibility and registration come when nothing "
        "better is left. On where the hypothesis is about an effect, until you say otherwise",
    )


def query_in_fields(opened: OpenPaper) -> EvidenceQuery:
    """The question in the fields. Raises `QueryError`."""
    fields = st.session_state
    hypothesis = fields[opened.field]
    first = opened.asks_for_results_first(hypothesis)
    return EvidenceQuery(hypothesis, fields["k"], tables=fields["tables"], results_first=first)


def _estimated(session: Session, opened: OpenPaper, name: ModelName) -> CostEstimate:
    """Estimate what the search would use with the current settings."""
    query = EvidenceQuery(opened.hypothesis.strip() or "?", session.k, tables=session.tables)
    return estimate_run(name, opened.paper, query)


def _search(session: Session, opened: OpenPaper) -> None:
    """Start a search with the current values of the fields."""
    fields = st.session_state
    session.engine = fields["engine"]
    try:
        query = query_in_fields(opened)
        if session.provider is not None:
            model_row.check_model(session, session.provider, FOR_EVIDENCE)
        else:
            sentence_model_row.name_in_fields(session, session.engine)
    except VouchError as error:
        session.problem = str(error)
        return
    session.search(opened, query)


# ---- search ----


class _Searching(PaperJob[Search, Found]):
    """Searching, from the click to the evidence."""

    key = "searching"

    def slot(self, session: Session) -> JobSlot[Search, Found]:
        return session.searches

    def work_on(self, session: Session, opened: OpenPaper, request: Search) -> Work[Found]:
        return partial(_find, request, opened.paper, opened.evidence, session.keys)

    def keep_with(self, session: Session, opened: OpenPaper, request: Search, result: Found) -> None:
        if isinstance(result, Evidence):
            opened.evidence = result
            opened.search, opened.unanswered, opened.changes, opened.newest = request, None, (), "evidence"
        elif opened.evidence is not None:
            opened.changes, opened.newest = result, "wordings"
        opened.answers += 1

    def fail(self, session: Session, request: Search, error: VouchError) -> None:
        about = self.about(session, request)
        session.problem = f"The search in {about} failed. {error}" if about else str(error)
        opened = session.papers.get(request.paper)
        if opened is not None and isinstance(error, NoAnswer) and request.wordings is None:
            opened.unanswered, opened.newest = Unanswered(request, error.run), "reasoning"
            opened.answers += 1


SEARCHING = _Searching()


def _find(search: Search, paper: Paper, before: Evidence | None, keys: Keys, job: BackgroundJob[Found]) -> Found:
    """Search, in the job's thread. `before` is the answer to compare those to other wordings with."""
    with job.engine(
        TaskKind.EVIDENCE,
        search.engine,
        keys,
        search.budget,
        to_come=lambda model: to_come(ModelEvidenceEngine.strategy_of(model)),
    ) as engine:
        if search.wordings is not None and before is not None:
            return sensitivity(engine, paper, before, search.wordings, progress=job)
        found: Evidence = engine.find(paper, search.query, progress=job)
        return found


@contextmanager
def engine_for(session: Session, search: Search) -> Iterator[EvidenceEngine]:
    """The engine of a search, for a short question within a script run. Its spending is added to the session's tally.

    An engine that asks a model is closed afterwards, because it holds this session's key.
    """
    name = model_named(search.engine)
    if name is None:
        yield local_engine(TaskKind.EVIDENCE, search.engine)
        return
    runner = open_runner(name, key=session.keys.of(name.provider), budget=search.budget or Budget())
    try:
        yield ModelEvidenceEngine(name, runner)
    finally:
        runner.close()  # abandoned calls are counted by then
        session.tally = session.tally.plus(runner.spent)


# ---- other wordings ----

_LABELS = {
    Rewording.PARAPHRASE: "The same in other words",
    Rewording.NEGATION: "The opposite: true exactly when the hypothesis is false",
}


@st.dialog("Check other wordings", width="medium")
def ask_other_wordings(opened: OpenPaper) -> None:
    """Show both wordings, and search for those that are not empty."""
    session, search = current_session(), opened.search
    if search is None:
        return
    st.markdown(
        "Does the answer hang on how the hypothesis is worded? The same search runs for these, and what it finds is "
        "compared. Correct them first: each is used as it stands here, and an empty one is left out."
    )
    st.caption(plain(f"Hypothesis: {opened.question}"))
    fields = {rewording: f"wording-{rewording}-{opened.opening}-{opened.answers}" for rewording in Rewording}
    if fields[Rewording.NEGATION] not in st.session_state:
        for rewording, words in _proposed(opened, search).items():
            st.session_state[fields[rewording]] = words
    for rewording, label in _LABELS.items():
        st.text_area(label, key=fields[rewording], height=68)
    if problem := st.session_state.get(f"wording-problem-{opened.opening}"):
        st.caption(f":material/info: {plain(problem)}")
    if model_named(search.engine):
        st.caption("Each wording costs as much as a search.")
    if st.button("Search for these too", type="primary", key="check-wordings"):
        typed = {rewording: one_line(st.session_state[field]) for rewording, field in fields.items()}
        wordings = {rewording: words for rewording, words in typed.items() if words}
        if wordings:
            session.search_again(search, wordings)
        st.rerun()


def _proposed(opened: OpenPaper, search: Search) -> dict[Rewording, str]:
    """Wordings by the model that answered. Without a model, or if it fails, the negation is made here."""
    session = current_session()
    problem = f"wording-problem-{opened.opening}"
    st.session_state[problem] = None
    try:
        with st.spinner("Asking for other words"), engine_for(session, search) as engine:
            return {Rewording.PARAPHRASE: "", **other_wordings(engine, opened.question)}
    except VouchError as error:
        st.session_state[problem] = f"The model gave no wordings: {error} Write them yourself."
        return {Rewording.PARAPHRASE: "", Rewording.NEGATION: negated(opened.question)}


# ---- desk ----


@st.fragment
def show_desk(opened: OpenPaper) -> None:
    """Draw the desk. A decision redraws only this part of the page."""
    autosave.at_desk(opened)
    with st.container(key="answer", horizontal=True, vertical_alignment="center", gap="small"):
        _answer(opened)
    key = f"desk-{opened.paper.id}"
    component.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened), **component.supply(opened)},
        on_decided=partial(_keep_decisions, key, len(opened.paper.sentences)),
        on_asked=partial(component.keep_question, key, opened),
    )


def _answer(opened: OpenPaper) -> None:
    evidence = opened.evidence
    st.caption(plain(_outcome(opened), limit=400), width="stretch")
    if opened.gold_here is not None:
        key = f"gold-{opened.paper.id}"
        prime(**{key: opened.show_gold})
        opened.show_gold = st.toggle("Show gold", key=key, help="Compare with the sentences that experts marked")
    if opened.to_retry is not None:
        again = st.button(
            "Try what failed again",
            key="again",
            icon=":material/replay:",
            help="What was answered is kept, and is not asked again",
        )
        if again:
            current_session().search_again(opened.to_retry)
            st.rerun()
    if evidence is not None:
        if st.button(
            "Check other wordings",
            key="other-wordings",
            type="tertiary",
            disabled=opened.search is None,
            help="Search for a paraphrase and for the negation too"
            if opened.search is not None
            else "This answer was kept from before: press “Find evidence” again first",
        ):
            ask_other_wordings(opened)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
            downloads.show_evidence_files(opened, evidence)


def _outcome(opened: OpenPaper) -> str:
    """The outcome in one line, and whether the question or the settings have changed since."""
    evidence = opened.evidence
    if opened.unanswered is not None:
        failed = f"{opened.unanswered.run.model} came to no answer; the tab Reasoning shows what it said"
        return failed if evidence is None else f"{failed}. Below stands the answer before."
    if evidence is None:
        return ""
    seconds = f"{evidence.seconds:.1f} s" if evidence.seconds >= 0.1 else "less than 0.1 s"
    parts = [f"{counted(len(evidence.sentences), 'sentence')} by {evidence.engine} in {seconds}"]
    if evidence.run is not None and not evidence.run.from_cache:  # a cached answer has a note that says so
        parts.append(run_cost(evidence.run))
    parts += evidence.notes
    if one_line(opened.hypothesis) != opened.question:
        parts.append(f"for “{opened.question}”; press Find evidence for the new hypothesis")
    elif opened.search is not None and _settings_changed(opened, evidence):
        parts.append("settings have changed; press Find evidence")
    return " · ".join(parts)


def _settings_changed(opened: OpenPaper, evidence: Evidence) -> bool:
    session, query = current_session(), evidence.query
    asked = (evidence.engine, query.k, query.results_only or query.results_first, query.tables)
    return asked != (session.engine_name, session.k, opened.asks_for_results_first(query.hypothesis), session.tables)


def _view(opened: OpenPaper) -> dict[str, object]:
    decided = opened.decided
    there = navigation.came_from(current_session())
    cited = there.cited if there else ()
    gold = opened.gold_here if opened.show_gold else None
    return {
        "question": opened.question_id,
        "answer": opened.answers,
        "open": [other.opening for other in current_session().papers.values()],
        "number": decided.number,
        "stored": opened.all_stored,
        "decisions": payload.decisions_payload(decided.decisions),
        "ranked": payload.ranked_payload(opened.evidence),
        "cited": list(cited),
        "gold": gold and gold_payload(gold, opened.evidence, decided.decisions, k=current_session().k),
        "canDecide": bool(opened.question),
        "empty": "The answer rests on what is marked." if cited and not opened.question else _empty(opened),
        "verdict": verdict_payload(opened.evidence),
        "run": run_payload(opened.run, answered=opened.unanswered is None),
        "changes": changes_payload(opened.changes, opened.evidence),
        "newest": opened.newest,
        "beginAt": opened.begin_at,
    }


def _empty(opened: OpenPaper) -> str:
    if not opened.question:
        return "Type a hypothesis above and press Find evidence."
    if opened.evidence is None:
        return "Press Find evidence, or click any sentence of the paper to add it yourself."
    if wrong := sum(len(step.not_in_paper) for step in (opened.run.steps if opened.run else ())):
        named = f"{wrong} sentences that are" if wrong > 1 else "a sentence that is"
        return f"The model named {named} not in this paper; none is shown. Try another model."
    return "The engine found no sentence. Try other words, or click a sentence of the paper to add it yourself."


def _keep_decisions(key: str, sentences: int) -> None:
    """Store the browser's decisions, if its message is valid."""
    sent = widget(key).get("decided")
    if not isinstance(sent, dict):
        return
    question, number = sent.get("question"), sent.get("number")
    decisions = payload.decisions_from(sent.get("value"), sentences=sentences)
    if decisions is not None and isinstance(number, int) and isinstance(question, str):
        current_session().keep_decisions(question, Decided(decisions, number))
