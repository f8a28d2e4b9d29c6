"""How much reading the learner saves: screening simulated on trials whose labels are known.

    python -m core.training.simulate_screening --data FOLDER                        # the topics held out, some minutes
    python -m core.training.simulate_screening --data FOLDER --topics all --json
    python -m core.training.simulate_screening --data FOLDER --topic "pain=pain|analges"

`FOLDER` holds Evidence Inference (`items.json` and `xml/`), or a folder `evidence_inference` that does. What is read is
title and abstract of the articles; `items.json` gives the labels alone. A topic is `NAME=PATTERN` or
`NAME: QUESTION=PATTERN`: the pattern is a regular expression for the outcomes of relevant trials.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from core.benchmarks.bootstrap import interval
from core.errors import DatasetError, VouchError
from core.paper import read_paper
from core.screening.ordering import Corpus, title_and_abstract
from core.training.evidence_data import data_folder
from core.training.screening_runs import READERS, Run
from core.training.screening_topics import CHOSEN_ON, FEWEST, HELD_OUT, SHARE, TOPICS, Topic, topic_in_words

SETS = {"held-out": HELD_OUT, "chosen-on": CHOSEN_ON, "all": TOPICS}


class _Item(BaseModel):
    """What a prompt of `items.json` asks; the rest of it is not read."""

    pmcid: str
    outcome: str


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="default: VOUCH_DATA, or ../shared/data")
    parser.add_argument("--topics", choices=SETS, default="held-out", help="which of the built-in topics")
    parser.add_argument(
        "--topic", action="append", default=[], metavar="NAME=PATTERN", help="topics of your own instead"
    )
    parser.add_argument("--starts", type=int, default=3, help="how often the papers are shuffled before each run")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        topics = tuple(map(topic_in_words, options.topic)) or SETS[options.topics]
        trials = outcomes_by_trial(options.data or data_folder())
        labels = {topic.name: relevance(topic, trials) for topic in topics}
        runs = simulate(topics, labels, texts_of(options.data or data_folder(), trials), max(1, options.starts))
    except VouchError as error:
        sys.exit(str(error))
    document = report(topics, labels, runs)
    print(json.dumps(document, indent=2) if options.json else "\n".join(in_words(document)))


def outcomes_by_trial(folder: Path) -> dict[str, list[str]]:
    """Each trial's PMC number -> the outcomes of its prompts. Raises `DatasetError` if the file cannot be read."""
    path = _evidence_inference(folder) / "items.json"
    try:
        items = TypeAdapter(list[_Item]).validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetError(f"“{path}” cannot be opened. Name the folder of Evidence Inference with --data.") from error
    except ValidationError as error:
        raise DatasetError(f"“{path}” does not have the layout of Evidence Inference. Download it again.") from error
    trials: dict[str, list[str]] = {}
    for item in items:
        trials.setdefault(item.pmcid, []).append(item.outcome)
    return dict(sorted(trials.items()))


def texts_of(folder: Path, trials: Mapping[str, object]) -> list[str]:
    """Title and abstract of each trial's article. Raises `VouchError` if one cannot be read."""
    texts = []
    for pmcid in trials:
        path = _evidence_inference(folder) / "xml" / f"{pmcid}.nxml"
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DatasetError(f"“{path}” cannot be opened. Put the articles back beside items.json.") from error
        texts.append(title_and_abstract(read_paper(data, name=path.name)))
    return texts


def relevance(topic: Topic, trials: Mapping[str, Sequence[str]]) -> list[bool]:
    """Whether each trial is relevant. Raises `DatasetError` if all are, or none: there is nothing to find."""
    relevant = [topic.matches(outcomes) for outcomes in trials.values()]
    if all(relevant) or not any(relevant):
        which = "every trial" if any(relevant) else "no trial"
        raise DatasetError(f"The pattern of “{topic.name}” matches {which}. Write one that matches some of them.")
    return relevant


def simulate(
    topics: Sequence[Topic], labels: Mapping[str, Sequence[bool]], texts: Sequence[str], starts: int
) -> list[Run]:
    """Every topic read by every reader from each start: the papers shuffled in another way."""
    return list(_runs(topics, labels, texts, starts))


def _runs(
    topics: Sequence[Topic], labels: Mapping[str, Sequence[bool]], texts: Sequence[str], starts: int
) -> Iterator[Run]:
    for start in range(starts):
        if sys.stderr.isatty():
            print(
                f"\rstart {start + 1} of {starts}", end="\n" if start + 1 == starts else "", file=sys.stderr, flush=True
            )
        places = list(range(len(texts)))
        random.Random(start).shuffle(places)  # noqa: S311
        shuffled = [texts[place] for place in places]
        corpus = Corpus(shuffled)
        for topic in topics:
            relevant = [labels[topic.name][place] for place in places]
            for name, reader in READERS.items():
                order = reader(corpus, shuffled, relevant, topic.question)
                yield Run(topic.name, name, start, tuple(relevant[place] for place in order))


def report(topics: Sequence[Topic], labels: Mapping[str, Sequence[bool]], runs: Sequence[Run]) -> dict[str, Any]:
    """All figures, as they go into JSON.

    Intervals: 95%, topics resampled, each with the runs from all its starts; of a single topic, its starts resampled.
    """
    papers = len(runs[0].found)
    return {
        "papers": papers,
        "starts": len({run.start for run in runs}),
        "resampled": "topics" if len(topics) > 1 else "starts",
        "topics": [
            {
                "name": topic.name,
                "question": topic.question,
                "pattern": topic.pattern,
                "relevant": sum(labels[topic.name]),
                "within_rule": _within_rule(sum(labels[topic.name]), papers),
                "figures": {name: _means(_of(runs, name, topic.name)) for name in READERS},
            }
            for topic in topics
        ],
        "mean": {name: _intervals(_of(runs, name)) for name in READERS},
        "learner_less_bm25": _differences(_of(runs, "learner"), _of(runs, "bm25")),
        "learner_less_random": _differences(_of(runs, "learner"), _of(runs, "random")),
        "stop_hint": _hints(_of(runs, "learner")),
    }


def in_words(document: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    names = list(READERS)
    yield (
        f"{document['papers']} trials, {len(document['topics'])} topics, {document['starts']} starts each. Work saved over "
        f"sampling at 95% recall, in per cent of all papers; in brackets the 95% interval, {document['resampled']} resampled."
    )
    yield "| topic | relevant | " + " | ".join(names) + " |"
    yield "|---|---|" + "---|" * len(names)
    for topic in document["topics"]:
        mark = "" if topic["within_rule"] else " *"
        shown = " | ".join(f"{100 * topic['figures'][name]['WSS@95']:.1f}" for name in names)
        yield f"| {topic['name']}{mark} | {topic['relevant']} | {shown} |"
    for measure in ("WSS@95", "WSS@100", "ATD"):
        shown = " | ".join(_shown(document["mean"][name][measure]) for name in names)
        yield f"| **mean {measure}** | | {shown} |"
    if not all(topic["within_rule"] for topic in document["topics"]):
        yield f"* fewer than {FEWEST} relevant trials, or not {SHARE[0]:.0%} to {SHARE[1]:.0%} of all: says little."
    for other in ("bm25", "random"):
        less = document[f"learner_less_{other}"]
        yield f"learner less {other}: WSS@95 {_shown(less['WSS@95'])}, WSS@100 {_shown(less['WSS@100'])}"
    hint = document["stop_hint"]
    if hint["shown"]:
        yield (
            f"hint to stop: shown in {hint['shown']:.0%} of runs, after {hint['read']:.0%} of the papers, at a recall of "
            f"{hint['recall']:.0%} on average and {hint['lowest_recall']:.0%} at worst"
        )


def _evidence_inference(folder: Path) -> Path:
    inner = folder / "evidence_inference"
    return inner if inner.is_dir() else folder


def _within_rule(relevant: int, papers: int) -> bool:
    return relevant >= FEWEST and SHARE[0] <= relevant / papers <= SHARE[1]


def _of(runs: Sequence[Run], reader: str, topic: str | None = None) -> list[Run]:
    return [run for run in runs if run.reader == reader and topic in (None, run.topic)]


def _means(runs: Sequence[Run]) -> dict[str, float]:
    return {name: found["value"] for name, found in _intervals(runs).items()}


def _intervals(runs: Sequence[Run]) -> dict[str, dict[str, float]]:
    return {name: _interval([run.figures[name] for run in runs], runs) for name in runs[0].figures}


def _differences(ours: Sequence[Run], others: Sequence[Run]) -> dict[str, dict[str, float]]:
    """The mean difference over the same topics and starts, with its interval."""
    pairs = [(one.figures, other.figures) for one, other in zip(ours, others, strict=True)]
    return {name: _interval([a[name] - b[name] for a, b in pairs], ours) for name in pairs[0][0]}


def _hints(runs: Sequence[Run]) -> dict[str, float | None]:
    """In what share of runs the hint was shown, and what share was read, and found, by then."""
    hints = [hint for run in runs if (hint := run.at_hint)]
    read, recall = [hint[0] for hint in hints], [hint[1] for hint in hints]
    return {
        "shown": len(hints) / len(runs),
        "read": sum(read) / len(hints) if hints else None,
        "recall": sum(recall) / len(hints) if hints else None,
        "lowest_recall": min(recall, default=None),
    }


def _interval(values: Sequence[float], runs: Sequence[Run]) -> dict[str, float]:
    topics = [run.topic for run in runs]
    found = interval(values, topics if len(set(topics)) > 1 else [str(run.start) for run in runs])
    return {"value": found.value, "low": found.low, "high": found.high}


def _shown(found: Mapping[str, float]) -> str:
    return f"{100 * found['value']:.1f} ({100 * found['low']:.1f} to {100 * found['high']:.1f})"


if __name__ == "__main__":
    main()
