"""Cutting a passage into the fields of a definition, by its lines or by a language model in the background."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.bias.llm.cutting import LABEL, CutResult
from core.bias.own import OwnTool, filled
from core.bias.pasted import cut
from core.engines import TaskKind
from core.errors import VouchError
from core.text.words import counted
from pages._ui import model_row
from pages._ui.bias import own_tools
from pages._ui.bias.state import CutRequest
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import FOR_BIAS, TITLES, Keys
from pages._ui.open_paper import Home
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session

_FIELD = "own-pasted"


def draw(session: Session, home: Home, own: OwnTool) -> None:
    """Draw the field for the passage, and the buttons that cut it. Cutting keeps what is typed in the fields."""
    if st.session_state.get(_FIELD) != session.bias.pasted:
        st.session_state[_FIELD] = session.bias.pasted
    st.text_area(
        "The passage that says what the bias is, and when it is low, unclear or high",
        key=_FIELD,
        height=130,
        placeholder="Funding bias\nWe considered whether …\nLow risk: …\nHigh risk: …",
        on_change=_keep_passage,
        args=(session,),
    )
    provider = session.bias.provider
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Cut it into the fields", key="own-cut", on_click=_by_lines, args=(session, home, own.id))
        if provider is not None:
            st.button(
                f"Let the {TITLES[provider]} cut it",
                key="own-cut-model",
                on_click=_by_model,
                args=(session, home, own.id),
            )
        else:
            st.caption("By its lines. A language model under “Suggestions by” can cut it, too.", width="content")


def _keep_passage(session: Session) -> None:
    session.bias.pasted, session.bias.told = str(st.session_state[_FIELD]), ""


def _by_lines(session: Session, home: Home, id: str) -> None:
    _keep_passage(session)
    try:
        proposal = cut(session.bias.pasted)
    except VouchError as error:
        session.problem = str(error)
        return
    _fill(session, home, id, proposal)


def _by_model(session: Session, home: Home, id: str) -> None:
    _keep_passage(session)
    session.problem = None
    if not session.bias.pasted.strip():
        session.problem = "There is nothing to cut: paste the passage first."
        return
    provider = session.bias.provider
    if provider is None:
        return
    try:
        engine = str(model_row.check_model(session, provider, FOR_BIAS))
    except VouchError as error:
        session.problem = str(error)
        return
    session.cuts.ask(
        CutRequest(session.bias.pasted, engine, id, home.project, home.reviewer, home.own, session.choice.budget)
    )


def _fill(
    session: Session, home: Home, id: str, proposal: OwnTool, *, dropped: tuple[str, ...] = (), shortened: str = ""
) -> None:
    """Put what was cut into the fields. The passage leaves its own field, unless a part of the answer was left out."""
    if not own_tools.edit(session, home, id, lambda tool: filled(tool, proposal)):
        return
    session.bias.defining = True
    session.bias.told = (
        f"Cut into {counted(len(proposal.domains), 'definition')}: look them over, and change what is not right."
    )
    if shortened:
        session.bias.told += f" {shortened}"
    if dropped:
        listed = ", ".join(f"“{' '.join(text.split())[:80]}”" for text in dropped)
        session.bias.told += f" Left out, because it does not stand in your passage: {listed}."
    if not (dropped or shortened):
        session.bias.pasted = ""


class _Cutting(PageJob[CutRequest, CutResult]):
    """Cutting a passage with a language model."""

    key = "cutting"

    def slot(self, session: Session) -> JobSlot[CutRequest, CutResult]:
        return session.cuts

    def begin(self, session: Session, request: CutRequest) -> Work[CutResult]:
        return partial(_ask, request, session.keys)

    def keep(self, session: Session, request: CutRequest, result: CutResult) -> None:
        if result.tool is None:
            session.problem = (
                "The model named no definition that stands in your passage. Cut it by its lines, or type it."
            )
            return
        home = Home(request.project, request.reviewer, own=request.private)
        _fill(session, home, request.own, result.tool, dropped=result.dropped, shortened=result.shortened)


CUTTING = _Cutting()


def _ask(request: CutRequest, keys: Keys, job: BackgroundJob[CutResult]) -> CutResult:
    """Ask the model, in the job's thread."""
    with job.engine(TaskKind.BIAS, request.engine, keys, request.budget, to_come=lambda _: (LABEL,)) as engine:
        result: CutResult = engine.cut(request.passage, progress=job)[0]
        return result
