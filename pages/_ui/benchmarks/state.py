"""The state of the Benchmarks page: the fields of the form, running jobs, and the runs that are open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.benchmarks.samples import SAMPLE_DATA
from core.llm import Budget, ModelName
from core.runs import Positions, RunOrder
from core.settings import load_settings
from pages._ui.jobs import BackgroundJob, JobSlot

SAMPLES = "Samples"
FOLDER = "VOUCH_DATA"
PATH = "Another path"


@dataclass(frozen=True, slots=True)
class Series:
    """Runs of one task that were started together."""

    orders: tuple[RunOrder, ...]
    retry: bool = False  # try the failed items again


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of one run of a series."""

    finished: str | None  # its id, if it finished
    refused: str = ""  # why it could not be carried out, with the engine's name


@dataclass(frozen=True, slots=True)
class MakeOrder:
    """A benchmark to make. With `only_told`, no model is asked and only the cost is estimated."""

    kind: str
    source: Path
    papers: Path
    out: Path
    model: ModelName
    test_share: float
    any_licence: bool = False
    limit: int | None = None
    budget: Budget | None = None
    only_told: bool = False


@dataclass(slots=True)
class MakeFields:
    """The fields of the form for making a benchmark."""

    kind: str = "evidencebench"
    source: str = ""
    papers: str = ""
    out: str = ""
    engine: str = ""
    limit: int | None = None
    usd: float | None = None
    test_share: float = 0.2
    any_licence: bool = False
    told: str = ""  # what it will cost, or what was made


@dataclass(slots=True)
class BenchmarkWork:
    """The whole state of the Benchmarks page."""

    task: str = "evidencebench/er@10"
    place: str = SAMPLES
    path: str = ""  # as typed
    engines: dict[str, list[str]] = field(default_factory=dict)  # by kind of task
    seed: int = 0
    limit: int | None = None
    workers: int | None = None
    usd: float | None = None  # the budget of one run
    retry: bool = False
    shown: tuple[str, ...] = ()  # ids of the open runs
    looked_up: tuple[tuple[str, ...], BackgroundJob[Positions]] | None = None  # reading positions, for these runs
    made: str = ""  # the folder of a benchmark made here
    making: MakeFields = field(default_factory=MakeFields)
    annotator: str = ""  # the name that marks are stored under
    setting_up: bool = True  # whether the form starts unfolded
    tables: int = 0  # part of the list's key; a new value clears its ticks
    series: JobSlot[Series, None] = field(default_factory=JobSlot)
    makings: JobSlot[MakeOrder, str] = field(default_factory=JobSlot)

    @property
    def data(self) -> Path | None:
        """The data's file or folder; None if no path is given yet."""
        return path_of(self.place, self.path)

    def show(self, runs: tuple[str, ...]) -> None:
        """Open runs, and fold the form."""
        self.shown, self.setting_up = runs, False


def path_of(place: str, typed: str) -> Path | None:
    """The path that a choice of place means."""
    if place == SAMPLES:
        return SAMPLE_DATA
    if place == FOLDER:
        return load_settings().data
    return Path(typed.strip()).expanduser() if typed.strip() else None


def data_places() -> Mapping[str, str]:
    """The possible places of data, with a description of each."""
    known = {SAMPLES: "The papers that come with Vouch: invented, and too few to measure anything by"}
    if (folder := load_settings().data) is not None:
        known[FOLDER] = str(folder)
    return {**known, PATH: "The file or folder of a data set on this machine"}
