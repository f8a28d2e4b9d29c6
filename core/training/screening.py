"""How much reading the learner saves: screening simulated on trials whose labels are known; and how long ordering takes."""

from __future__ import annotations

import argparse
import json
import math
import pickle
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, TypeAdapter, ValidationError

from core.benchmarks.bootstrap import interval
from core.errors import DatasetError, VouchError
from core.paper import read_paper
from core.screening.ordering import Corpus, may_stop, title_and_abstract
from core.text.bm25 import bm25_scores
from core.training.data import data_folder

# ---- screening_topics ----
# Topics that stand in for a review's question in simulated screening: families of outcomes of randomised trials.
#
# A trial is relevant to a topic if the outcome of one of its prompts in Evidence Inference matches the topic's pattern.
# The families were written down from the outcomes in `items.json`, and kept if at least 10 of the 320 trials, from 3% to
# 30% of them, are relevant. Every other topic of the list, from the first, served to choose the settings of
# `core.screening.ordering`; no order was measured on the others, which are held out, before those were fixed.

FEWEST = 10  # relevant trials
SHARE = (0.03, 0.30)  # of all trials, from and to


@dataclass(frozen=True, slots=True)
class OutcomeTopic:
    """What a review would look for."""

    name: str
    question: str  # what a reviewer would type: all that BM25 and the learner see of the topic
    pattern: str  # a regular expression, in any case: which outcomes match; it only makes labels

    def matches(self, outcomes: Sequence[str]) -> bool:
        """Whether a trial with these outcomes is relevant."""
        return any(re.search(self.pattern, outcome, re.IGNORECASE) for outcome in outcomes)


def topic_in_words(words: str) -> OutcomeTopic:
    """A topic from `NAME=PATTERN` or `NAME: QUESTION=PATTERN`.

    Without a question, the name and the words of the pattern are the question. Raises `DatasetError` if it is no topic.
    """
    head, _, pattern = words.partition("=")
    name, _, question = (part.strip() for part in head.partition(":"))
    if not name or not pattern.strip():
        raise DatasetError(f"“{words}” is no topic. Write it as NAME=PATTERN, such as “pain=pain|analges”.")
    try:
        re.compile(pattern)
    except re.error as error:
        raise DatasetError(f"The pattern “{pattern}” is no regular expression ({error}). Correct it.") from error
    plain = re.sub(r"\\.", " ", pattern)  # \b, \d and the like are no words
    return OutcomeTopic(name, question or " ".join(dict.fromkeys([name, *re.findall(r"[^\W_]{2,}", plain)])), pattern)


TOPICS = (
    OutcomeTopic(
        "adverse events",
        "adverse events, side effects, safety, tolerability, toxicity, complications",
        r"adverse|side[- ]effect|tolerab|toxicit|safety|complication",
    ),
    OutcomeTopic(
        "adherence",
        "adherence, compliance, uptake, attendance, satisfaction",
        r"adheren|complian|uptake|attend|satisf",
    ),
    OutcomeTopic(
        "bleeding",
        "bleeding, blood loss, haemorrhage, transfusion, haemoglobin, anaemia",
        r"bleed|blood loss|ha?emorrh|transfus|ha?emoglobin|ana?emia|ha?ematocrit",
    ),
    OutcomeTopic(
        "bones and joints",
        "bone density, fracture, joint function, arthritis",
        r"bone|fractur|\bbmd\b|joint|arthrit|\bwomac\b|\bhaq\b|\bdas",
    ),
    OutcomeTopic(
        "blood pressure",
        "blood pressure, systolic, diastolic, hypertension",
        r"blood pressure|systolic|diastolic|hypertens|\bs?d?bp\b",
    ),
    OutcomeTopic(
        "heart",
        "heart function, cardiac events, ventricular, myocardial infarction, arrhythmia",
        r"heart|cardi|ventric|\blvef\b|infarct|coronary|arrhythm|fibrillation",
    ),
    OutcomeTopic(
        "cognition",
        "cognition, memory, attention, reaction time, dementia, knowledge",
        r"cognit|memory|attention|reaction time|dementia|knowledge|learning",
    ),
    OutcomeTopic(
        "gut",
        "diarrhoea, nausea, vomiting, constipation, bowel symptoms, ulcer",
        r"diarrh|nausea|vomit|constipat|stool|defecat|bowel|bloating|ulcer|abdominal",
    ),
    OutcomeTopic(
        "glycaemia",
        "glucose, HbA1c, glycaemic control, insulin, diabetes",
        r"hba1c|\ba1c\b|glyc[ao]?emi|glucose|insulin|diabet",
    ),
    OutcomeTopic(
        "infection",
        "infection, pneumonia, sepsis, bacteria, virus, fever",
        r"infect|pneumonia|sepsis|bacter|viral|virus|microb|fever|parasit",
    ),
    OutcomeTopic(
        "inflammation",
        "inflammation, CRP, C-reactive protein, interleukin, TNF, cytokines",
        r"\bcrp\b|c-reactive|\bil-?\d|interleukin|\btnf|inflamm|cytokine|leptin|adiponectin|cortisol",
    ),
    OutcomeTopic(
        "lipids",
        "cholesterol, LDL, HDL, triglycerides, lipids",
        r"cholesterol|lipid|\bldl|\bhdl|triglycerid|triacylglycerol|apolipo",
    ),
    OutcomeTopic(
        "lung function",
        "lung function, FEV1, asthma, dyspnoea, oxygen, ventilation, exacerbation",
        r"\bfev|forced (?:expiratory|vital)|spirom|dyspn|asthma|lung|respirat|pulmon|oxygen|breath|ventilat|exacerbat",
    ),
    OutcomeTopic(
        "mental health",
        "depression, anxiety, mood, psychological distress, stress",
        r"depress|anxi|mood|psych|stress|mental",
    ),
    OutcomeTopic("mortality", "mortality, death, survival", r"mortalit|death|died|\bdie\b|surviv|fatal"),
    OutcomeTopic(
        "nutrition",
        "dietary intake, energy, appetite, hunger, food, vitamin",
        r"\bintake|energy|appetite|hunger|satiety|diet|food|fruit|vitamin|calcium",
    ),
    OutcomeTopic("pain", "pain, analgesia, headache, migraine", r"\bpain|analges|migraine|headache"),
    OutcomeTopic(
        "quality of life",
        "quality of life, SF-36, EQ-5D, well-being",
        r"quality of life|\bqol\b|sf-?36|eq-?5d|well-?being|hrqol",
    ),
    OutcomeTopic(
        "kidney",
        "kidney, renal function, creatinine, urine, albuminuria",
        r"creatinin|renal|kidney|egfr|urin|albuminuria|proteinuria",
    ),
    OutcomeTopic(
        "reproduction",
        "pregnancy, birth, delivery, oocytes, infants, breastfeeding",
        r"pregnan|birth|ovulat|oocyte|embryo|sperm|deliver|neonat|breastf|infant",
    ),
    OutcomeTopic("sleep and fatigue", "sleep, insomnia, fatigue, sedation", r"sleep|insomnia|fatigue|sedat"),
    OutcomeTopic(
        "hospital stay",
        "length of stay, hospital admission, intensive care, cost, operating time",
        r"length of (?:hospital )?stay|hospital|\bicu\b|\bcost|admission|duration of (?:mechanical|surgery|stay)|operat",
    ),
    OutcomeTopic(
        "tumour",
        "tumour, cancer, progression, recurrence, relapse, remission",
        r"progression|tumou?r|cancer|relapse|recurren|remission|metasta|response rate",
    ),
    OutcomeTopic(
        "mobility",
        "walking, gait, balance, muscle strength, exercise, physical activity",
        r"walk|gait|balance|strength|muscle|torque|physical activity|exercise|fitness|\bgrip|mobility",
    ),
    OutcomeTopic(
        "weight",
        "weight, BMI, obesity, fat mass, waist",
        r"\bweight|\bbmi\b|body mass|obes|\bfat mass|waist|adipos",
    ),
)
CHOSEN_ON, HELD_OUT = TOPICS[::2], TOPICS[1::2]


# ---- screening_runs ----
# One review screened in simulation, and what its order was worth.

RECALL = 0.95

# A corpus, its texts' relevance and a question -> the order in which all texts are read.
Reader = Callable[[Corpus, Sequence[str], Sequence[bool], str], Sequence[int]]


def by_learner(corpus: Corpus, texts: Sequence[str], relevant: Sequence[bool], question: str) -> list[int]:
    """As the app does: the first paper of the order is read and decided, then the rest is ordered anew."""
    decisions: dict[int, bool | None] = {}
    while len(decisions) < len(texts):
        place = corpus.order(decisions, question=question)[0]
        decisions[place] = relevant[place]
    return list(decisions)


def by_learner_without_question(
    corpus: Corpus, texts: Sequence[str], relevant: Sequence[bool], _question: str
) -> list[int]:
    """The same where nothing is known of the question: in the order of the texts until both kinds were found."""
    return by_learner(corpus, texts, relevant, "")


def by_bm25(_corpus: Corpus, texts: Sequence[str], _relevant: Sequence[bool], question: str) -> list[int]:
    """BM25 of the question once and for all; equal texts in the order given."""
    order: list[int] = np.argsort(-bm25_scores(texts, question), kind="stable").tolist()
    return order


def as_given(_corpus: Corpus, texts: Sequence[str], _relevant: Sequence[bool], _question: str) -> list[int]:
    """In the order of the texts, which is random where they were shuffled."""
    return list(range(len(texts)))


READERS: Mapping[str, Reader] = {
    "random": as_given,
    "bm25": by_bm25,
    "learner": by_learner,
    "learner, no question": by_learner_without_question,
}


@dataclass(frozen=True, slots=True)
class ScreeningRun:
    """All papers of a review in the order they were read."""

    topic: str
    reader: str
    start: int  # the seed that shuffled the papers
    found: tuple[bool, ...]  # whether each paper, in the order of reading, was relevant

    def read_to(self, recall: float) -> int:
        """How many papers are read until this share of the relevant ones is found."""
        wanted, found = math.ceil(recall * sum(self.found) - 1e-9), 0
        for number, relevant in enumerate(self.found, 1):
            found += relevant
            if found >= wanted:
                return number
        raise ValueError("recall is a share, from 0 to 1")

    def work_saved(self, recall: float) -> float:
        """Work saved over sampling (Cohen et al. 2006): the share not read at this recall, less 1 - recall."""
        return 1 - self.read_to(recall) / len(self.found) - (1 - recall)

    @property
    def time_to_discovery(self) -> float:
        """After what share of all papers a relevant one is found, on average (Ferdinands et al. 2023)."""
        places = [number for number, relevant in enumerate(self.found, 1) if relevant]
        return sum(places) / len(places) / len(self.found)

    @property
    def at_hint(self) -> tuple[float, float] | None:
        """The share read and the recall when the hint to stop first shows; None where it never does."""
        for number in range(1, len(self.found)):
            if may_stop(self.found[:number]):
                return number / len(self.found), sum(self.found[:number]) / sum(self.found)
        return None

    @property
    def figures(self) -> dict[str, float]:
        """All measures by name."""
        return {
            "WSS@95": self.work_saved(RECALL),
            "WSS@100": self.work_saved(1.0),
            "ATD": self.time_to_discovery,
        }


# ---- simulate_screening ----
# How much reading the learner saves: screening simulated on trials whose labels are known.
#
#     python -m core.training screening --data FOLDER                        # the topics held out, some minutes
#     python -m core.training screening --data FOLDER --topics all --json
#     python -m core.training screening --data FOLDER --topic "pain=pain|analges"
#
# `FOLDER` holds Evidence Inference (`items.json` and `xml/`), or a folder `evidence_inference` that does. What is read is
# title and abstract of the articles; `items.json` gives the labels alone. A topic is `NAME=PATTERN` or
# `NAME: QUESTION=PATTERN`: the pattern is a regular expression for the outcomes of relevant trials.

SETS = {"held-out": HELD_OUT, "chosen-on": CHOSEN_ON, "all": TOPICS}


class _Item(BaseModel):
    """What a prompt of `items.json` asks; the rest of it is not read."""

    pmcid: str
    outcome: str


def simulate_screening() -> None:
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


def relevance(topic: OutcomeTopic, trials: Mapping[str, Sequence[str]]) -> list[bool]:
    """Whether each trial is relevant. Raises `DatasetError` if all are, or none: there is nothing to find."""
    relevant = [topic.matches(outcomes) for outcomes in trials.values()]
    if all(relevant) or not any(relevant):
        which = "every trial" if any(relevant) else "no trial"
        raise DatasetError(f"The pattern of “{topic.name}” matches {which}. Write one that matches some of them.")
    return relevant


def simulate(
    topics: Sequence[OutcomeTopic], labels: Mapping[str, Sequence[bool]], texts: Sequence[str], starts: int
) -> list[ScreeningRun]:
    """Every topic read by every reader from each start: the papers shuffled in another way."""
    return list(_runs(topics, labels, texts, starts))


def _runs(
    topics: Sequence[OutcomeTopic], labels: Mapping[str, Sequence[bool]], texts: Sequence[str], starts: int
) -> Iterator[ScreeningRun]:
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
                yield ScreeningRun(topic.name, name, start, tuple(relevant[place] for place in order))


def report(
    topics: Sequence[OutcomeTopic], labels: Mapping[str, Sequence[bool]], runs: Sequence[ScreeningRun]
) -> dict[str, Any]:
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


def _of(runs: Sequence[ScreeningRun], reader: str, topic: str | None = None) -> list[ScreeningRun]:
    return [run for run in runs if run.reader == reader and topic in (None, run.topic)]


def _means(runs: Sequence[ScreeningRun]) -> dict[str, float]:
    return {name: found["value"] for name, found in _intervals(runs).items()}


def _intervals(runs: Sequence[ScreeningRun]) -> dict[str, dict[str, float]]:
    return {name: _interval([run.figures[name] for run in runs], runs) for name in runs[0].figures}


def _differences(ours: Sequence[ScreeningRun], others: Sequence[ScreeningRun]) -> dict[str, dict[str, float]]:
    """The mean difference over the same topics and starts, with its interval."""
    pairs = [(one.figures, other.figures) for one, other in zip(ours, others, strict=True)]
    return {name: _interval([a[name] - b[name] for a, b in pairs], ours) for name in pairs[0][0]}


def _hints(runs: Sequence[ScreeningRun]) -> dict[str, float | None]:
    """In what share of runs the hint was shown, and what share was read, and found, by then."""
    hints = [hint for run in runs if (hint := run.at_hint)]
    read, recall = [hint[0] for hint in hints], [hint[1] for hint in hints]
    return {
        "shown": len(hints) / len(runs),
        "read": sum(read) / len(hints) if hints else None,
        "recall": sum(recall) / len(hints) if hints else None,
        "lowest_recall": min(recall, default=None),
    }


def _interval(values: Sequence[float], runs: Sequence[ScreeningRun]) -> dict[str, float]:
    topics = [run.topic for run in runs]
    found = interval(values, topics if len(set(topics)) > 1 else [str(run.start) for run in runs])
    return {"value": found.value, "low": found.low, "high": found.high}


def _shown(found: Mapping[str, float]) -> str:
    return f"{100 * found['value']:.1f} ({100 * found['low']:.1f} to {100 * found['high']:.1f})"


if __name__ == "__main__":
    simulate_screening()


# ---- measure_ordering ----
# How long putting papers in order takes: `python -m core.training screening-order-time [--papers 500 5000]`.
#
# The papers are made up: sentences of the trials' abstracts, shuffled, ten to a paper. Half of them are decided, one in
# ten of those included. Seconds of the processor beside those of the clock, which other work on the machine lengthens.

_SENTENCES = 10
_QUESTION = "Does exercise reduce pain and improve quality of life in adults, compared with usual care?"


def measure_ordering() -> None:
    """Print the times for each number of papers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, nargs="+", default=[500, 5000])
    options = parser.parse_args()
    folder = data_folder()
    abstracts = texts_of(folder, outcomes_by_trial(folder))
    sentences = [line for abstract in abstracts for line in abstract.splitlines() if line]
    for papers in options.papers:
        _measure(made_up(sentences, papers))


def made_up(sentences: list[str], papers: int) -> list[str]:
    """So many texts of ten sentences each."""
    chance = random.Random(0)  # noqa: S311
    return ["\n".join(chance.sample(sentences, _SENTENCES)) for _ in range(papers)]


def _measure(texts: list[str]) -> None:
    corpus = Corpus(texts)
    half = random.Random(0).sample(range(len(texts)), len(texts) // 2)  # noqa: S311
    decisions: dict[int, bool | None] = {place: number % 10 == 0 for number, place in enumerate(half)}
    print(f"{len(texts):,} papers")
    _timed("  first order, by the question", lambda: corpus.order({}, question=_QUESTION))
    _timed("  first order after decisions", lambda: corpus.order(decisions, question=_QUESTION))
    for _ in range(3):
        _timed("  order again", lambda: corpus.order(decisions, question=_QUESTION))
    print(f"  pickled: {len(pickle.dumps(corpus)) / 1e6:.1f} MB")


def _timed(name: str, work: Callable[[], object]) -> None:
    clock, processor = time.perf_counter(), time.process_time()
    work()
    print(f"{name}: {time.perf_counter() - clock:.3f} s, processor {time.process_time() - processor:.3f} s", flush=True)


if __name__ == "__main__":
    measure_ordering()
