"""The form for making a benchmark, and the pipeline from the click to its files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core.engines import models_among
from core.errors import QueryError, VouchError
from core.llm import Budget, model_named
from core.making.carrying_out import Making
from core.making.order import KINDS, estimate_in_words, pipeline_named
from core.making.shelf import Shelf
from core.settings import load_settings
from pages._ui import model_row
from pages._ui.benchmarks.state import BenchmarkWork, MakeFields, MakeOrder
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session, prime

_LARGEST_MB = 200
_SOURCES = {
    "evidencebench": "Reviews in JATS, or a table of review, sentence and paper",
    "robbr": "A table of study, domain, judgement and support",
    "farebio": "A table of paper, summary and text",
}


def draw(session: Session) -> None:
    """Draw the form in its popover, and below it the cost or what was made."""
    fields = session.part(BenchmarkWork).making
    with st.popover("Make one", icon=":material/construction:", width="content"):
        _fields(session, fields)
    if fields.told:
        st.caption(plain(fields.told))


def _fields(session: Session, fields: MakeFields) -> None:
    fields.out = fields.out or str(load_settings().home / "made")
    prime(**{f"making-{name}": getattr(fields, name) for name in _TYPED})
    fields.kind = st.segmented_control("Pipeline", KINDS, key="making-kind", required=True) or fields.kind
    fields.out = st.text_input("Folder of what is made", key="making-out", help="The same folder goes on there")
    _files(session, fields, "source", _SOURCES[fields.kind])
    _files(session, fields, "papers", "The papers, named by DOI, PMC number or PMID")
    fields.engine = st.text_input("Language model", key="making-engine", placeholder="openai:MODEL").strip()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        fields.limit = st.number_input("Limit", 1, value=None, key="making-limit", placeholder="all", step=1, width=130)
        fields.usd = st.number_input("Budget in $", value=None, key="making-usd", placeholder="none", width=140)
        fields.test_share = st.number_input("Test share", 0.0, 1.0, key="making-test_share", step=0.1, width=130)
    fields.any_licence = st.toggle("Papers of any licence", key="making-any_licence")
    for model in models_among([fields.engine]):
        model_row.say_key(session, model.provider)
        model_row.draw_key(session, model.provider)
    with st.container(horizontal=True, gap="small"):
        st.button("Estimate the cost", key="making-told", on_click=_ask, args=(session, True))
        st.button(
            "Make", key="making-run", type="primary", icon=":material/play_arrow:", on_click=_ask, args=(session, False),
            help="What was stopped goes on where it was",
        )  # fmt: skip


_TYPED = ("kind", "out", "source", "papers", "engine", "limit", "usd", "test_share", "any_licence")


def _files(session: Session, fields: MakeFields, name: str, label: str) -> None:
    """Draw the field for a path, and an uploader whose files are put beside the benchmark's own."""
    given = st.file_uploader(
        label, accept_multiple_files=True, key=f"making-{name}-{session.uploads}", max_upload_size=_LARGEST_MB
    )
    if given:
        session.uploads += 1  # a new key empties the uploader
        try:
            setattr(fields, name, str(_put(Path(fields.out).expanduser() / "given" / name, given)))
        except (OSError, RuntimeError) as error:
            session.problem = f"The files cannot be kept in “{fields.out}” ({error}). Name another folder."
        st.session_state.pop(f"making-{name}", None)
        st.rerun()
    setattr(fields, name, st.text_input("Or their path on this machine", key=f"making-{name}").strip())


def _put(folder: Path, files: Iterable[Any]) -> Path:
    """Write uploaded files into a folder. Returns the folder, or the file if it is a single table."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        (folder / Path(file.name).name).write_bytes(file.getvalue())
    tables = [one for one in folder.iterdir() if one.suffix.lower() == ".csv"]
    return tables[0] if len(tables) == 1 and len(list(folder.iterdir())) == 1 else folder


def _ask(session: Session, only_told: bool) -> None:
    """Start the pipeline, or only the estimate of its cost, with the current values of the fields."""
    held = {name: st.session_state.get(f"making-{name}") for name in _TYPED}
    session.problem = None
    try:
        session.part(BenchmarkWork).makings.ask(_order(held, only_told=only_told))
    except VouchError as error:
        session.problem = str(error)


def _order(held: dict[str, Any], *, only_told: bool) -> MakeOrder:
    for name, word in (("source", "reviews, judgements or summaries"), ("papers", "papers"), ("out", "folder")):
        if not str(held[name] or "").strip():
            raise QueryError(f"Where are the {word}? Give them in “Make one”.")
    model = model_named(str(held["engine"] or "").strip())
    if model is None:
        raise QueryError("Name a language model in “Make one”, as openai:MODEL.")
    if held["usd"] is not None and held["usd"] <= 0:
        raise QueryError(f"The budget is {held['usd']:g}: set one above 0, or none.")
    try:
        source, papers, out = (Path(held[name].strip()).expanduser() for name in ("source", "papers", "out"))
    except RuntimeError as error:  # "~name/..." with a user unknown on this machine
        raise QueryError("A path begins with “~” and no known user. Type the whole path.") from error
    return MakeOrder(
        held["kind"], source, papers, out, model, held["test_share"], held["any_licence"], held["limit"],
        Budget(held["usd"]) if held["usd"] is not None else None, only_told,
    )  # fmt: skip


# ---- runs ----


class _Making(PageJob[MakeOrder, str]):
    """The making of one benchmark. Work done before a stop is kept, and the same order resumes it."""

    key = "making"

    def slot(self, session: Session) -> JobSlot[MakeOrder, str]:
        return session.part(BenchmarkWork).makings

    def begin(self, session: Session, request: MakeOrder) -> Work[str]:
        session.part(BenchmarkWork).making.told = ""
        return partial(_carry_out, request, session.keys)

    def keep(self, session: Session, request: MakeOrder, result: str) -> None:
        bench = session.part(BenchmarkWork)
        bench.making.told = result
        if not request.only_told:
            bench.made = st.session_state["make-folder"] = str(request.out)

    def about(self, session: Session, request: MakeOrder) -> str:
        return f"Making {request.kind}"


RUNNING = _Making()


def _carry_out(order: MakeOrder, keys: Keys, job: BackgroundJob[str]) -> str:
    pipeline = pipeline_named(order.kind, order.source, Shelf(order.papers), any_licence=order.any_licence)
    making: Making[Any, Any] = Making(pipeline, order.model, order.out, order.test_share, order.limit)
    if order.only_told:
        job(0.0, "Reckoning the cost")
        return estimate_in_words(making.estimated(), making.estimated(batch=True))
    files = making.live(budget=order.budget, key=keys.of(order.model.provider), progress=job)
    return f"Made in {order.out}: {', '.join(file.name for file in files)}. A task runs on it under “Another path”."
