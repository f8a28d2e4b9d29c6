"""The sample papers that come with Vouch, with their hypotheses and gold (see sample_data/README.md)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.benchmarks.alignment import gold_for
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold, Instance
from core.errors import DatasetError
from core.paper import Paper, read_paper

SAMPLE_DATA = Path(__file__).resolve().parents[2] / "sample_data"
SUMMARIES = SAMPLE_DATA / "farebio" / "farebio_sample.csv"
_GOLD = ".gold.json"


@dataclass(frozen=True, slots=True)
class Sample:
    """A paper file and the task instances on it, whose papers are its candidate pool."""

    id: str
    path: Path
    instances: tuple[Instance, ...]

    @property
    def title(self) -> str:
        """The paper's title."""
        return self.instances[0].paper.title or self.id

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The hypotheses that have gold."""
        return tuple(instance.hypothesis for instance in self.instances)

    def read(self) -> Paper:
        """The paper, read from its file like any other."""
        return read_paper(self.path.read_bytes(), name=self.path.name)

    def gold(self, paper: Paper, hypothesis: str) -> Gold | None:
        """The gold of one of the hypotheses, for `paper` as `read` gives it; None for any other hypothesis."""
        for instance in self.instances:
            if instance.hypothesis.casefold() == hypothesis.strip().casefold():
                return gold_for(paper, instance).gold
        return None


@cache
def samples() -> tuple[Sample, ...]:
    """Every sample, by id."""
    return tuple(_sample(path.name.removesuffix(_GOLD)) for path in sorted(SAMPLE_DATA.glob(f"*{_GOLD}")))


def is_sample(sha256: str) -> bool:
    """Whether a file with this checksum is one of the samples' benchmark files."""
    return sha256 in _checksums()


@cache
def _checksums() -> frozenset[str]:
    files = (path for path in SAMPLE_DATA.rglob("*") if path.suffix in {".json", ".jsonl", ".csv"})
    return frozenset(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)


def paper_path(sample_id: str) -> Path:
    """The one file of the sample that is not its gold. Raises `DatasetError` if it is missing."""
    papers = [path for path in SAMPLE_DATA.glob(f"{sample_id}.*") if not path.name.endswith(_GOLD)]
    if len(papers) != 1:
        raise DatasetError(f"The sample “{sample_id}” is incomplete. Restore the folder sample_data.")
    return papers[0]


def _sample(sample_id: str) -> Sample:
    name = f"{sample_id}{_GOLD}"
    file = read_evidencebench((SAMPLE_DATA / name).read_bytes(), name=name)
    if file.broken or not file.instances:
        raise DatasetError(f"The sample “{sample_id}” is damaged. Restore the folder sample_data.")
    return Sample(sample_id, paper_path(sample_id), file.instances)
