"""How well the reader tells which way a trial's results point, on trials of Evidence Inference that it was not trained on.

    python -m core.training.measure_findings [--data FOLDER] [--part spans] [--part prompts] [--part neighbours] [--json]

- `spans`: the direction of each annotated span, beside always the commonest.
- `prompts`: each question (intervention, comparator, outcome) as a hypothesis, "I increases O compared with C" where its
  number is even, "I reduces O ..." where it is odd. A significant change as claimed supports it; one the other way, or no
  significant difference, refutes it. The side that the model holds more likely is counted for every prompt, as each has an
  answer; beside it stand the verdicts that it is sure enough to give.
- `neighbours`: the trial's own treatments with an outcome of another trial (`neighbour_questions`): few should be firm.

The trials are those of the sets for development and those that what stands on top of the reader was fitted to; `--strict`
leaves the latter out. Reads the data folder (annotations MIT, articles CC BY).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.benchmarks.bootstrap import Interval, estimate, interval
from core.benchmarks.evidence_inference import Prompt, read_evidence_inference
from core.benchmarks.metrics.labels import Labelled, accuracy, macro_f1
from core.entailment import Direction, InContext, Reader, reader
from core.evidence.embedding import Embedder
from core.evidence.engines import encoder_for
from core.evidence.model import PaperVerdict
from core.findings.reading import read
from core.findings.verdict import shipped, weigh
from core.settings import load_settings
from core.training import evidence_data as data
from core.training.neighbour_questions import neighbours
from core.training.reader_examples import SPANS, Trial, rows
from core.training.reader_wording import template
from core.training.train_reader import for_development, for_the_top, trials_of

PARTS = ("spans", "prompts", "neighbours")
DIRECTIONS = ("up", "down", "no difference")
_NAMED = {Direction.UP: "up", Direction.DOWN: "down", Direction.SAME: "no difference"}
_CLAIMED = {"increases": "up", "reduces": "down"}
_FIRM = (PaperVerdict.SUPPORTS, PaperVerdict.REFUTES)
_LONGEST = 400  # words of a hypothesis
_NEIGHBOURS = 2  # questions for a trial

Figures = dict[str, Interval | None]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--part", action="append", choices=PARTS, help="default: all three")
    parser.add_argument("--strict", action="store_true", help="only trials that nothing was fitted to")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder, model, embedder = options.data or data.data_folder(), reader(), encoder_for(load_settings())
    if model is None or embedder is None:
        raise SystemExit("The reader needs the sentence encoder, which is not installed.")
    unseen = for_development(folder) | (frozenset() if options.strict else for_the_top(folder))
    found: dict[str, Figures] = {}
    for part in options.part or PARTS:
        if part == "spans":
            found[part] = _spans(folder, trials_of(folder, embedder, unseen), unseen, model)
        else:
            prompts = [one for one in read_evidence_inference(folder / "evidence_inference") if isinstance(one, Prompt)]
            measure = _prompts if part == "prompts" else _neighbours
            found[part] = measure(folder / "evidence_inference", prompts, unseen, model, embedder)
    if options.json:
        print(json.dumps({part: {k: v and asdict(v) for k, v in own.items()} for part, own in found.items()}, indent=1))
        return
    for part, own in found.items():
        for name, figure in own.items():
            print(f"{part}: {name}: {_in_words(figure)}")


def _spans(folder: Path, trials: dict[str, Trial], unseen: frozenset[str], model: Reader) -> Figures:
    asked = [
        row
        for row in rows(folder / "evidence_inference" / "annotations.jsonl")
        if row["label"] in SPANS and row["pmcid"] in unseen
    ]
    gold, given = [_NAMED[SPANS[row["label"]]] for row in asked], []
    for row in asked:
        trial = trials.get(row["pmcid"])
        places = trial.find(row["evidence"]) if trial else []
        shown = trial.at(places[0]) if trial and len(places) == 1 else InContext(row["evidence"])
        told = model.directions(template(row["intervention"], row["comparator"], row["outcome"]), [shown])[0]
        given.append(_NAMED[Direction(int(told[Direction.UP :].argmax()) + 1)])
    groups = [row["pmcid"] for row in asked]
    most = Counter(gold).most_common(1)[0][0]
    return {
        f"{way}, {name}": estimate(Labelled(gold, said, DIRECTIONS).statistic(measure), groups)
        for way, said in (("reader", given), ("majority", [most] * len(gold)))
        for name, measure in (("accuracy", accuracy), ("macro-F1", macro_f1))
    }


def gold_labels(folder: Path) -> dict[str, str]:
    """Prompt -> direction, by most annotators; prompts on which they are split are left out."""
    gold = {}
    for item in json.loads((folder / "items.json").read_text(encoding="utf-8")):
        counts = Counter(annotation["label"] for annotation in item["annotations"]).most_common(2)
        if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]) and counts[0][0] in SPANS:
            gold[str(item["prompt_id"])] = _NAMED[SPANS[counts[0][0]]]
    return gold


def hypothesis_of(prompt: Prompt) -> tuple[str, str]:
    """The direction that is claimed, and the hypothesis."""
    verb = list(_CLAIMED)[int(prompt.id) % 2]
    text = f"{prompt.intervention} {verb} {prompt.outcome} compared with {prompt.comparator}"
    return _CLAIMED[verb], " ".join(text.split()[:_LONGEST])


def _prompts(
    folder: Path, prompts: Sequence[Prompt], unseen: frozenset[str], model: Reader, embedder: Embedder
) -> Figures:
    gold = gold_labels(folder)
    asked = [one for one in prompts if one.article in unseen and one.id in gold]
    verdicts, directions, firm_right, firm, groups = [], [], [], [], [one.article for one in asked]
    for prompt in asked:
        claimed, hypothesis = hypothesis_of(prompt)
        right = "supports" if gold[prompt.id] == claimed else "refutes"
        reading = read(prompt.paper, hypothesis, model, embedder)
        if reading is None:
            verdicts.append(0.0)
            directions.append(0.0)
            continue
        weighed = weigh(reading, shipped())
        told = Direction(int(reading.directions[0, Direction.UP :].argmax()) + 1)
        verdicts.append(float(("supports" if weighed.supports > 0.5 else "refutes") == right))
        directions.append(float(_NAMED[told] == gold[prompt.id]))
        if weighed.verdict in _FIRM:
            firm.append(prompt.article)
            firm_right.append(float(weighed.verdict.value == right))
    return {
        "the likelier verdict is right": interval(verdicts, groups),
        "direction of the best sentence": interval(directions, groups),
        "firm verdicts that are right": interval(firm_right, firm) if firm else None,
        "firm": interval([1.0] * len(firm) + [0.0] * (len(asked) - len(firm)), firm + _without(groups, firm)),
        "always refutes": interval([float(gold[one.id] != hypothesis_of(one)[0]) for one in asked], groups),
    }


def _without(groups: Sequence[str], taken: Sequence[str]) -> list[str]:
    return list((Counter(groups) - Counter(taken)).elements())


def _neighbours(
    folder: Path, prompts: list[Prompt], unseen: frozenset[str], model: Reader, embedder: Embedder
) -> Figures:
    articles = sorted({one.article for one in prompts if one.article in unseen})
    firm, groups = [], []
    for one in neighbours(prompts, articles, embedder, _NEIGHBOURS):
        reading = read(one.paper, one.hypothesis, model, embedder)
        firm.append(float(reading is not None and weigh(reading, shipped()).verdict in _FIRM))
        groups.append(one.article)
    return {"firm": interval(firm, groups)}


def _in_words(figure: Interval | None) -> str:
    if figure is None:
        return "not defined"
    return f"{100 * figure.value:.1f} ({100 * figure.low:.1f} to {100 * figure.high:.1f})"


if __name__ == "__main__":
    main()
