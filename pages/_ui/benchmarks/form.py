"""The form for benchmark runs, and the runs from the click to their results."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.benchmarks.tasks import TASKS, task_named
from core.engines import TaskKind, models_among, names, stages
from core.errors import QueryError, VouchError
from core.llm import Budget, ModelName, Provider
from core.progress import Progress
from core.runs import RunOrder, carry_out
from core.store import BenchmarkRuns
from core.work.progress import WorkProgress
from pages._ui import model_row
from pages._ui.benchmarks.state import PATH, BenchmarkWork, RunOutcome, Series, data_places, path_of
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

# ---- fields ----

ENGINES = {kind: names(kind) for kind in TaskKind}


def draw(session: Session) -> None:
    """Draw the form with its “Run” button."""
    bench = session.part(BenchmarkWork)
    prime(**{"bench-task": bench.task, "bench-place": bench.place, "bench-path": bench.path})
    with st.expander(
        "Run a task", expanded=bench.setting_up, key=f"bench-form-{bench.setting_up}", icon=":material/play_arrow:"
    ):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            bench.task = st.selectbox("Task", list(TASKS), key="bench-task", width=300)
            bench.engines[_kind(bench)] = _engines(bench)
        st.caption(plain(task_named(bench.task).about))
        _data(bench)
        _settings(bench)
        _models(session)
        st.button(
            "Run",
            key="bench-run",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_begin,
            args=(session,),
            help="A run that was stopped goes on where it was; one that is through is shown at once",
        )


def _kind(bench: BenchmarkWork) -> TaskKind:
    return task_named(bench.task).kind


def _engines(bench: BenchmarkWork) -> list[str]:
    """Draw the field for engines: those of this machine, and any other by name."""
    kind = _kind(bench)
    key = f"bench-engines-{kind.value}"
    chosen = bench.engines.get(kind, [ENGINES[kind][0]])
    prime(**{key: chosen})
    return st.multiselect(
        "Engines",
        list(dict.fromkeys([*ENGINES[kind], *chosen])),
        key=key,
        accept_new_options=True,
        placeholder="Choose, or type a name",
        help="For a language model type its name, such as openai:MODEL@whole, and Enter. docs/models.md tells the ways.",
        width="stretch",
    )


def _data(bench: BenchmarkWork) -> None:
    known = data_places()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        bench.place = st.segmented_control("Data", list(known), key="bench-place", required=True) or bench.place
        if bench.place == PATH:
            bench.path = st.text_input(
                "Path", key="bench-path", placeholder="/data/evidencebench", autocomplete="off", width=420
            )
    st.caption(plain(known[bench.place]))


def _settings(bench: BenchmarkWork) -> None:
    prime(
        **{
            "bench-limit": bench.limit,
            "bench-seed": bench.seed,
            "bench-workers": bench.workers,
            "bench-usd": bench.usd,
            "bench-retry": bench.retry,
        }
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        bench.limit = st.number_input(
            "Limit",
            key="bench-limit",
            value=None,
            step=1,
            placeholder="all",
            width=130,
            help="The first so many records",
        )
        bench.seed = st.number_input(
            "Seed", key="bench-seed", step=1, width=120,
            help="Of what is drawn at random; with another seed a language model is asked anew",
        )  # fmt: skip
        bench.workers = st.number_input(
            "Workers", key="bench-workers", value=None, step=1, placeholder="this process", width=190,
            help="Processes on this machine, each on one processor; for engines that compute here",
        )  # fmt: skip
        if asked_models(bench):
            bench.usd = st.number_input(
                "Budget in $", key="bench-usd", value=None, placeholder="none", step=0.1, width=140,
                help="Each run stops before it costs more. What was answered until then is kept.",
            )  # fmt: skip
        bench.retry = st.toggle("Try failed items again", key="bench-retry", help="Of runs that are saved")


def asked_models(bench: BenchmarkWork) -> tuple[ModelName, ...]:
    """The language models among the chosen engines. Unusable names are skipped here and reported by the run."""
    return models_among(part for name in bench.engines.get(_kind(bench), []) for part in stages(name))


def _models(session: Session) -> None:
    """Draw the key fields of the providers whose models will be asked."""
    for provider in dict.fromkeys(model.provider for model in asked_models(session.part(BenchmarkWork))):
        with st.container(key=f"bench-key-{provider}", horizontal=True, vertical_alignment="center", gap="small"):
            model_row.say_key(session, provider)
        model_row.draw_key(session, provider)


def _begin(session: Session) -> None:
    """Start the runs with the current values of the fields."""
    try:
        session.part(BenchmarkWork).series.ask(Series(_orders(session), retry=bool(st.session_state["bench-retry"])))
    except VouchError as error:
        session.problem = str(error)
    else:
        session.problem = None


def _orders(session: Session) -> tuple[RunOrder, ...]:
    fields, bench = st.session_state, session.part(BenchmarkWork)
    task = task_named(fields["bench-task"])
    engines = fields.get(f"bench-engines-{task.kind.value}") or []
    data = path_of(fields["bench-place"], fields.get("bench-path") or bench.path)
    if data is None:
        raise QueryError("Where is the data? Type the path of the data set's file or folder.")
    if not engines:
        raise QueryError("No engine is chosen. Choose one, or type the name of a language model.")
    usd = fields.get("bench-usd")
    if usd is not None and usd <= 0:
        raise QueryError(f"The budget is {usd:g}: set one above 0, or none.")
    return tuple(
        RunOrder(
            task=task.name,
            engine=engine,
            data=data,
            seed=fields["bench-seed"] or 0,
            limit=fields["bench-limit"],
            workers=fields["bench-workers"],
            budget=Budget(usd) if usd is not None and _provider(engine) else None,
            key=session.keys.of(provider) if (provider := _provider(engine)) else None,
        )
        for engine in engines
    )


def _provider(engine: str) -> Provider | None:
    """The provider of the engine's model (of the first stage that has one); None if the engine runs on this machine."""
    return next((model.provider for model in models_among(stages(engine))), None)


# ---- runs ----


class _Running(PageJob[Series, None]):
    """A series of runs. Runs that finished before the series was stopped still count."""

    key = "benchmarking"
    tells_time = True

    def slot(self, session: Session) -> JobSlot[Series, None]:
        return session.part(BenchmarkWork).series

    def begin(self, session: Session, request: Series) -> Work[None]:
        return partial(_carry_out, request, the_store().runs)

    def end(self, session: Session, job: BackgroundJob[None]) -> None:
        bench = session.part(BenchmarkWork)
        bench.tables += 1
        outcomes: list[RunOutcome] = job.pieces
        if finished := tuple(one.finished for one in outcomes if one.finished is not None):
            bench.show(finished)
        if refused := [one.refused for one in outcomes if one.finished is None]:
            session.problem = " ".join(refused)

    def about(self, session: Session, request: Series) -> str:
        return request.orders[0].task


RUNNING = _Running()


def _carry_out(series: Series, runs: BenchmarkRuns, job: BackgroundJob[None]) -> None:
    """Carry out the runs one after another, in the job's thread. If one fails, the others still run."""
    for number, order in enumerate(series.orders):
        job(number / len(series.orders), f"{order.engine}: getting ready")
        try:
            report = partial(_report, job, order, number, len(series.orders))
            complete = carry_out(order, runs, retry=series.retry, report=report)
        except VouchError as error:
            job.put(RunOutcome(None, f"{order.engine}: {error}"))
        else:
            job.put(RunOutcome(complete.setup.id))


def _report(progress: Progress, order: RunOrder, number: int, of: int, standing: WorkProgress) -> None:
    progress((number + standing.share) / of, f"{order.engine}: {standing.in_words}")
