"""The sample papers that come with Vouch, with their hypotheses, and gold aligned with the paper as parsed."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold, Instance
from core.errors import DatasetError
from core.paper import Paper, read_paper

# ---- alignment ----
# Align gold for a candidate pool with the same paper parsed from an ordinary file.


@dataclass(frozen=True, slots=True)
class AlignedGold:
    """Gold whose indices point into another parse of the paper.

    `unmatched` are the gold sentences that this parse lacks, as indices into the original pool. An aspect that loses all its
    sentences is kept without any, because every aspect counts in a metric's denominator.
    """

    gold: Gold
    unmatched: tuple[int, ...]


def gold_for(paper: Paper, instance: Instance) -> AlignedGold:
    """The instance's gold, with indices into `paper.sentences`.

    Sentences match if their characters are equal, ignoring white space, case and ligatures, and if their order is the same.
    The paper may have more sentences than the pool, such as table rows. There is no fuzzy matching. Raises `DatasetError` if
    no gold sentence matches, because the gold then belongs to another paper.
    """
    pool = [_folded(sentence.text) for sentence in instance.paper.sentences]
    own = [_folded(sentence.text) for sentence in paper.sentences]
    matcher = SequenceMatcher(a=pool, b=own, autojunk=False)
    index_of = {
        block.a + offset: block.b + offset for block in matcher.get_matching_blocks() for offset in range(block.size)
    }
    sources = instance.gold.by_sentence.keys()
    unmatched = tuple(index for index in sources if index not in index_of)
    if len(unmatched) == len(sources):
        raise DatasetError(f"The gold of {instance.id} does not belong to “{paper.name}”: they share no gold sentence.")
    aspects = {
        aspect: frozenset(index_of[index] for index in covering if index in index_of)
        for aspect, covering in instance.gold.aspects.items()
    }
    return AlignedGold(replace(instance.gold, aspects=aspects), unmatched)


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


# ---- samples ----
# The sample papers that come with Vouch, with their hypotheses and gold (see sample_data/README.md).

SAMPLE_DATA = Path(__file__).resolve().parents[2] / "sample_data"
SUMMARIES = SAMPLE_DATA / "farebio" / "farebio_sample.csv"
_GOLD = ".gold.json"


@dataclass(frozen=True, slots=True)
class Sample:
    """A paper file and its task instances, whose `paper` is the candidate pool."""

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
        """Read the paper from its file, like any other."""
        return read_paper(self.path.read_bytes(), name=self.path.name)

    def gold(self, paper: Paper, hypothesis: str) -> Gold | None:
        """The gold of one of the hypotheses, for `paper` as returned by `read`; None for any other hypothesis."""
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
    """The only file of the sample that is not its gold. Raises `DatasetError` unless there is exactly one."""
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
