"""How many of the sentences that engines align with a piece of information tell it, by reading: `python -m core.training alignment`.

Annotators of Evidence Inference marked a span or two of those that tell a result, so that their gold is a lower bound of
precision. `readings/alignment.jsonl` has, for aspects drawn by the hash of their id, what reading each sentence beside its
aspect gave: the paper, the aspect, the sentence's number and the label; no words. They were shuffled, and the engine that had
given a sentence was not told. A sentence that nobody has read counts for nothing, and is told.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from pathlib import Path

from core.benchmarks.alignment_task import ALIGNMENT, aspects
from core.benchmarks.evidence_tasks import EvidenceQuestion
from core.benchmarks.model import BrokenRecord, Item
from core.benchmarks.task import EngineChoice
from core.errors import DatasetError
from core.settings import load_settings

READINGS = Path(__file__).parent / "readings" / "alignment.jsonl"
LABELS = ("tells it", "tells a part", "does not tell it")
_ENGINES = ("bm25", "embedding", "offline")
Aspect = Item[EvidenceQuestion, frozenset[int]]


def measure_alignment() -> int:
    """Print the precision of each engine's first sentence on the aspects drawn."""
    parser = argparse.ArgumentParser(description="Measure alignment by sentences that were read.")
    parser.add_argument("--data", type=Path, default=load_settings().data, help="the folder of data")
    parser.add_argument("--engine", action="append", help=f"default: {', '.join(_ENGINES)}; may be repeated")
    parser.add_argument("--share", type=float, default=0.04, help="of the aspects that is drawn (default: 0.04)")
    parser.add_argument("--unread", type=Path, metavar="FILE", help="write what is to be read to this file, shuffled")
    arguments = parser.parse_args()
    if arguments.data is None:
        raise DatasetError("Name the folder of data with --data.")
    folder = ALIGNMENT.source(arguments.data).parent
    below = arguments.share * 2**256
    found = aspects(folder, lambda name: int.from_bytes(_chance(name), "big") < below)
    drawn = [item for item in found if not isinstance(item, BrokenRecord)]
    labels, unread = _labels(), dict[tuple[str, int], str]()
    papers = {item.group for item in drawn}
    print(f"{len(drawn)} aspects of {len(papers)} papers; the first sentence of each engine")
    for name in arguments.engine or _ENGINES:
        engine = ALIGNMENT.open(EngineChoice(name))
        given, marked = Counter[str](), 0
        for item in drawn:
            first = next(iter(engine.find(item.question.paper, item.question.query).indices), None)
            if first is None:
                given["no sentence"] += 1
                continue
            marked += first in item.gold
            label = labels.get((item.id, first))
            given[label or "not read"] += 1
            if label is None:
                unread[item.id, first] = _to_read(item, first)
        read = sum(given[label] for label in LABELS)
        shares = "  ".join(f"{label} {given[label]}" for label in (*LABELS, "no sentence", "not read"))
        right = f"{given[LABELS[0]] / read:.1%}" if read else "none read"
        print(f"{name:10} precision {right}  ({shares}; {marked} marked by annotators)", flush=True)
        if arguments.unread:
            shuffled = sorted(unread, key=lambda key: _chance(f"{key[0]} {key[1]}"))
            arguments.unread.write_text("".join(unread[key] for key in shuffled), encoding="utf-8")
    return 0


def _labels() -> dict[tuple[str, int], str]:
    """(aspect, sentence) -> label. Raises `ValueError` for a label that is none."""
    found = {}
    for line in READINGS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found[row["aspect"], row["sentence"]] = LABELS[LABELS.index(row["label"])]
    return found


def _to_read(item: Aspect, sentence: int) -> str:
    """A sentence with its neighbours beside the aspect, without who gave it."""
    paper = item.question.paper
    near = [one.text for one in paper.sentences[max(0, sentence - 1) : sentence + 2] if one.index != sentence]
    keys = json.dumps({"paper": item.group, "aspect": item.id, "sentence": sentence, "label": ""})
    return f"{keys}\n  {item.question.query.hypothesis}\n  > {paper.sentences[sentence].text}\n  near: {' … '.join(near)}\n\n"


def _chance(id: str) -> bytes:
    return hashlib.sha256(id.encode()).digest()
