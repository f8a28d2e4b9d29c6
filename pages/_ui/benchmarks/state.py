"""What a session remembers of benchmarks: what is to be run, what runs, and which runs are on show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.benchmarks.samples import SAMPLE_DATA
from core.llm import Budget, ModelName
from core.runs import Positions, RunOrder
from core.settings import load_settings
from pages._ui.jobs import BackgroundJob

SAMPLES = "Samples"
FOLDER = "VOUCH_DATA"
PATH = "Another path"


@dataclass(frozen=True, slots=True)
class Series:
    """Runs of one task that were asked for together."""

    orders: tuple[RunOrder, ...]
    retry: bool = False  # the items that failed


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What has become of one run of a series."""

    finished: str | None  # its id
    refused: str = ""  # why it could not be made, with the engine's name


@dataclass(frozen=True, slots=True)
class MakeOrder:
    """A benchmark that is to be made. `only_told`: nothing is asked, and its cost is told."""

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
    """What is typed where a benchmark is to be made."""

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
    """Everything on the page of benchmarks."""

    task: str = "evidencebench/er@10"
    place: str = SAMPLES
    path: str = ""  # typed in
    engines: dict[str, list[str]] = field(default_factory=dict)  # by kind of task
    seed: int = 0
    limit: int | None = None
    workers: int | None = None
    usd: float | None = None  # the budget of one run
    retry: bool = False
    shown: tuple[str, ...] = ()  # ids of runs
    looked_up: tuple[tuple[str, ...], BackgroundJob[Positions]] | None = None  # where sentences stand, of these runs
    made: str = ""  # the folder of a benchmark that was made here
    making: MakeFields = field(default_factory=MakeFields)
    annotator: str = ""  # by whose name marks are kept
    setting_up: bool = True  # whether the fields are unfolded to begin with
    tables: int = 0  # gives the list of saved runs a new key, and so clears what is ticked in it

    @property
    def data(self) -> Path | None:
        """The data's file or folder; None where no path is given yet."""
        return path_of(self.place, self.path)

    def show(self, runs: tuple[str, ...]) -> None:
        """Put runs on show, and make room for them."""
        self.shown, self.setting_up = runs, False


def path_of(place: str, typed: str) -> Path | None:
    """What a place of data stands for."""
    if place == SAMPLES:
        return SAMPLE_DATA
    if place == FOLDER:
        return load_settings().data
    return Path(typed.strip()).expanduser() if typed.strip() else None


def data_places() -> Mapping[str, str]:
    """Where data may be, each in words."""
    known = {SAMPLES: "The papers that come with Vouch: invented, and too few to measure anything by"}
    if (folder := load_settings().data) is not None:
        known[FOLDER] = str(folder)
    return {**known, PATH: "The file or folder of a data set on this machine"}
