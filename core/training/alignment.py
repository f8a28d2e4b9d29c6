"""Measure alignment on trials: recall of marked sentences, and precision of engines' first sentences by reading.

Annotators of Evidence Inference marked only one or two of the spans that tell a result, so their gold gives a lower
bound of precision. Therefore sentences were also read and labelled, for aspects drawn by the hash of their id. The
labels are in `readings/alignment.jsonl`: the paper, the aspect, the sentence's number and the label, but no text. The
sentences were shuffled, without the engine that had chosen them. But the first sentences of `offline` for results were
read after the others, so the reader could tell them. Sentences that nobody has read are left out of the precision, and
are counted separately.

The trees with which `offline` finds results were fitted on these trials. With `--unseen`, they are fitted again without
the papers that its cross-encoder never saw, and all engines are measured on these papers only.

`readings/alignment_answers.jsonl` holds the sentences that a capable language model gave, once, for the first aspects
of the file (`bench --batch-out`, `@whole`). With `--answered`, all engines are measured on these aspects.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

from core.benchmarks.alignment_task import ALIGNMENT, aspects
from core.benchmarks.evidence_tasks import EvidenceQuestion
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.task import EngineChoice
from core.evidence.ranker import engine as ranker_engine
from core.evidence.ranker.model import Training, Trees, model_for
from core.progress import silent
from core.settings import load_settings
from core.text.similarity import Embedder
from core.training.data import data_folder

READINGS = Path(__file__).parent / "readings" / "alignment.jsonl"
ANSWERS = READINGS.with_name("alignment_answers.jsonl")
LABELS = ("tells it", "tells a part", "does not tell it")
UNSEEN, ANSWERED = "offline on unseen papers", "a capable model"
_ORDERS = ("everything", "results-first", "results")
_ENGINES = ("bm25", "embedding", "offline")
Aspect = Item[EvidenceQuestion, frozenset[int]]


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Trees for results, and the ids of trials that neither these trees nor the cross-encoder have seen."""

    papers: frozenset[str]
    trees: Trees


def measure_alignment() -> int:
    """Print the recall of marked sentences and the precision of each engine's first sentence, on the drawn aspects."""
    parser = argparse.ArgumentParser(description="Measure alignment by sentences that were marked, and that were read.")
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--engine", action="append", help=f"default: {', '.join(_ENGINES)}; may be repeated")
    parser.add_argument("--share", type=float, help="of all aspects that is drawn (default: those that were read)")
    parser.add_argument("--unseen", action="store_true", help="fit trees without some papers, and measure on these")
    parser.add_argument("--answered", action="store_true", help="measure on the aspects that a language model answered")
    parser.add_argument("--ask-for", choices=_ORDERS, default="results", help="what engines are asked for")
    parser.add_argument("--half", type=int, choices=(1, 2), help="only the trials of this half, drawn by their number")
    parser.add_argument("--unread", type=Path, metavar="FILE", help="write what is to be read to this file, shuffled")
    arguments = parser.parse_args()
    folder = arguments.data or data_folder()
    labels, unread = _labels(), dict[tuple[str, int], str]()
    known = _answers().keys() if arguments.answered else {aspect for aspect, _ in labels}

    def wanted(id: str) -> bool:
        return id in known if arguments.share is None else int.from_bytes(_chance(id), "big") < arguments.share * 2**256

    held_back = hold_back(folder) if arguments.unseen else None
    drawn = [
        _asking(item, arguments.ask_for)
        for item in _drawn(ALIGNMENT.source(folder).parent, wanted, held_back)
        if arguments.half is None or 1 + _chance(item.group)[0] % 2 == arguments.half
    ]
    print(
        f"{len(drawn)} aspects of {len({item.group for item in drawn})} papers; the precision is that of the first sentence"
    )
    own = [name for name, asked in ((UNSEEN, held_back), (ANSWERED, arguments.answered)) if asked]
    for name in (*(arguments.engine or _ENGINES), *own):
        responses = _ask(name, drawn, held_back)
        print(f"{name:24} {_recalls(drawn, responses)}\n{'':24} {_precision(drawn, responses, labels)}", flush=True)
        for item, response in zip(drawn, responses, strict=True):
            for first in response.sentences[:1]:
                if (item.id, first) not in labels:
                    unread[item.id, first] = _to_read(item, first)
        if arguments.unread:
            shuffled = sorted(unread, key=lambda key: _chance(f"{key[0]} {key[1]}"))
            arguments.unread.write_text("".join(unread[key] for key in shuffled), encoding="utf-8")
    return 0


def hold_back(data: Path) -> HeldBack:
    """The trees of `offline` for results, fitted without the trials that are held back from the cross-encoder."""
    from core.training.ranker import RESULTS, fit, held_back_trials, load_questions, trees_of  # noqa: PLC0415

    of_reviews, of_trials = load_questions(data, Embedder.installed(load_settings().embeddings))
    kept = held_back_trials([*of_reviews, *of_trials])
    seen = [question for question in (*of_reviews, *of_trials) if question.group not in kept]
    return HeldBack(frozenset(one.paper.id for one in of_trials if one.group in kept), trees_of(fit(RESULTS, seen)))


def _drawn(folder: Path, wanted: Callable[[str], bool], held_back: HeldBack | None) -> list[Aspect]:
    drawn = [item for item in aspects(folder, wanted) if not isinstance(item, BrokenRecord)]
    return [item for item in drawn if held_back is None or item.question.paper.id in held_back.papers]


def _asking(item: Aspect, order: str) -> Aspect:
    query = replace(item.question.query, results_only=order == "results", results_first=order == "results-first")
    return replace(item, question=replace(item.question, query=query))


def _ask(name: str, drawn: Sequence[Aspect], held_back: HeldBack | None) -> list[Response]:
    if name == ANSWERED:
        return [Response(_answers()[item.id]) for item in drawn]
    if name != UNSEEN or held_back is None:
        engine = ALIGNMENT.open(EngineChoice(name))
        return [ALIGNMENT.ask(engine, item.question, silent) for item in drawn]

    def unseen(training: Training, *, results_only: bool) -> Trees:  # trees for all evidence never saw a trial
        return held_back.trees if results_only else model_for(training, results_only=False)

    with patch.object(ranker_engine, "model_for", unseen):
        return _ask("offline", drawn, None)


def _recalls(drawn: Sequence[Aspect], responses: Sequence[Response]) -> str:
    """The figures of `bench` for these aspects, as text."""
    results = [
        ItemResult(item.id, item.group, response, ALIGNMENT.score(item, response))
        for item, response in zip(drawn, responses, strict=True)
    ]
    found = ALIGNMENT.metrics(results).items()
    return "  ".join(f"{name} {100 * one.value:.1f} ({100 * one.low:.0f}-{100 * one.high:.0f})" for name, one in found)


def _precision(drawn: Sequence[Aspect], responses: Sequence[Response], labels: dict[tuple[str, int], str]) -> str:
    """How many first sentences tell the aspect, according to the labels."""
    given, marked = Counter[str](), 0
    for item, response in zip(drawn, responses, strict=True):
        first = next(iter(response.sentences), None)
        given["no sentence" if first is None else labels.get((item.id, first), "not read")] += 1
        marked += first in item.gold
    read = sum(given[label] for label in LABELS)
    shares = ", ".join(f"{label} {given[label]}" for label in (*LABELS, "no sentence", "not read"))
    right = f"{given[LABELS[0]] / read:.1%}" if read else "none read"
    return f"precision by reading {right} ({shares}; {marked} marked by annotators)"


def _labels() -> dict[tuple[str, int], str]:
    """(aspect, sentence) -> label. Raises `ValueError` for an unknown label."""
    found = {}
    for line in READINGS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found[row["aspect"], row["sentence"]] = LABELS[LABELS.index(row["label"])]
    return found


@cache
def _answers() -> dict[str, tuple[int, ...]]:
    """Aspect -> the sentences that the language model gave, best first."""
    rows = map(json.loads, ANSWERS.read_text(encoding="utf-8").splitlines())
    return {row["aspect"]: tuple(row["sentences"]) for row in rows}


def _to_read(item: Aspect, sentence: int) -> str:
    """A sentence to label, with its neighbours and the aspect, but without the engine that chose it."""
    paper = item.question.paper
    near = [one.text for one in paper.sentences[max(0, sentence - 1) : sentence + 2] if one.index != sentence]
    keys = json.dumps({"paper": item.group, "aspect": item.id, "sentence": sentence, "label": ""})
    return f"{keys}\n  {item.question.query.hypothesis}\n  > {paper.sentences[sentence].text}\n  near: {' … '.join(near)}\n\n"


def _chance(id: str) -> bytes:
    return hashlib.sha256(id.encode()).digest()
