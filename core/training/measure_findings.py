"""How often the verdict on a trial is right, on the half of Evidence Inference that the rules were not made on.

    python -m core.training.measure_findings --data FOLDER [--engine bm25 ...] [--half develop] [--articles 80] [--json]

Each prompt (intervention, comparator, outcome) becomes a hypothesis: "I increases O compared with C" where its number
is even, "I reduces O ..." where it is odd; `--both` asks both ways. A significant change the way the hypothesis claims
supports it; one the other way refutes it, and so does no significant difference, as the prompts of the language models
have it. "Mixed" and "unclear" count as wrong: every prompt has an answer. Beside the verdict stands the direction that
the deciding sentence was read to tell (up, down, no difference), which is harder.

The article's SHA-256 says in which half it is, and which articles are taken first where not all are. Reads the data
folder (Evidence Inference: annotations MIT, articles CC BY).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.benchmarks.bootstrap import Interval, estimate, interval
from core.benchmarks.evidence_inference import Prompt, read_evidence_inference
from core.benchmarks.metrics.labels import Labelled, accuracy, macro_f1
from core.evidence import EvidenceEngine, EvidenceQuery, Stance, engine_named
from core.evidence.model import PaperVerdict
from core.findings.claim import Claim, claim_of
from core.findings.finding import K
from core.findings.reported import is_reported
from core.findings.verdict import Judged, judge, weigh
from core.training.kept_answers import Kept

HALVES = ("develop", "report")
ENGINES = ("offline", "bm25", "embedding")
FIRM = (PaperVerdict.SUPPORTS, PaperVerdict.REFUTES)
VERDICTS = tuple(verdict.value for verdict in FIRM)
DIRECTIONS = ("up", "down", "no difference")
_LABELS = {
    "significantly increased": "up",
    "significantly decreased": "down",
    "no significant difference": "no difference",
}
_TOLD = {1: "up", -1: "down", 0: "no difference", None: None}
_CLAIMED = {"increases": "up", "reduces": "down"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of one hypothesis, beside what is right."""

    article: str
    gold: str  # of `VERDICTS`
    gold_direction: str
    verdict: str | None  # None: mixed or unclear
    direction: str | None
    first_verdict: str | None  # of the best-ranked sentence alone
    first_direction: str | None
    within: bool | None  # the strongest sentence of the right side is evidence; None: the annotated span is not found
    seconds: float  # of processor time that the rules took


def main() -> int:
    """Measure and print."""
    options = _options()
    folder = Path(options.data) / "evidence_inference"
    figures = {}
    for name in options.engine or ENGINES[:2]:
        engine = Kept(engine_named(name), Path(options.keep) if options.keep else None)
        answers = list(answers_of(folder, engine, options.half, options.articles, both=options.both))
        engine.save()
        figures[name] = figures_of(answers)
    if options.json:
        print(json.dumps({"half": options.half, "engines": figures}, indent=1))
    else:
        print("\n\n".join(_as_table(options.half, name, figure) for name, figure in figures.items()))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("VOUCH_DATA", "../shared/data"))
    parser.add_argument("--engine", action="append", choices=ENGINES, help="default: offline and bm25")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--articles", type=int, help="how many of the half's articles; default: all")
    parser.add_argument("--both", action="store_true", help="ask every prompt both ways")
    parser.add_argument(
        "--keep", help="a file that keeps the engines' answers, so that rules are measured again in seconds"
    )
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def half_of(article: str) -> str:
    """The half that an article belongs to, by its PMC number alone."""
    return HALVES[int(digest(article), 16) % 2]


def digest(article: str) -> str:
    return sha256(article.encode()).hexdigest()


def gold_labels(folder: Path) -> dict[str, str]:
    """Prompt -> direction, by most annotators; prompts on which they are split are left out."""
    gold = {}
    for item in json.loads((folder / "items.json").read_text(encoding="utf-8")):
        counts = Counter(annotation["label"] for annotation in item["annotations"]).most_common(2)
        if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]) and counts[0][0] in _LABELS:
            gold[str(item["prompt_id"])] = _LABELS[counts[0][0]]
    return gold


def hypotheses_of(folder: Path, *, both: bool) -> dict[str, list[tuple[str, str]]]:
    """Prompt -> (verb, hypothesis)."""
    made = {}
    for item in json.loads((folder / "items.json").read_text(encoding="utf-8")):
        verbs = list(_CLAIMED) if both else [list(_CLAIMED)[item["prompt_id"] % 2]]
        texts = [
            f"{item['intervention']} {verb} {item['outcome']} compared with {item['comparator']}" for verb in verbs
        ]
        made[str(item["prompt_id"])] = [
            (verb, " ".join(text.split()[:400])) for verb, text in zip(verbs, texts, strict=True)
        ]
    return made


def answers_of(
    folder: Path, engine: EvidenceEngine, half: str, articles: int | None, *, both: bool = False
) -> Iterator[Answer]:
    """An answer for every hypothesis on the articles of a half."""
    gold, hypotheses = gold_labels(folder), hypotheses_of(folder, both=both)
    prompts = [prompt for prompt in read_evidence_inference(folder) if isinstance(prompt, Prompt)]
    prompts = [prompt for prompt in prompts if half_of(prompt.article) == half and prompt.id in gold]
    wanted = set(sorted({prompt.article for prompt in prompts}, key=digest)[:articles])
    for prompt in prompts:
        if prompt.article in wanted:
            for verb, hypothesis in hypotheses[prompt.id]:
                yield _answer(prompt, gold[prompt.id], verb, hypothesis, engine)


def _answer(prompt: Prompt, gold: str, verb: str, hypothesis: str, engine: EvidenceEngine) -> Answer:
    evidence = engine.find(prompt.paper, EvidenceQuery(hypothesis, k=K, results_only=True))
    started = time.process_time()
    claim = claim_of(hypothesis)
    judged = judge(prompt.paper, claim, evidence.sentences)
    ruled = weigh(judged, claim)
    decided = is_reported(prompt.paper, claim, judged, engine.name)
    seconds = time.process_time() - started
    right = "supports" if gold == _CLAIMED[verb] else "refutes"
    strongest = ruled.strongest_for if right == "supports" else ruled.strongest_against
    first = _first(judged, claim)
    return Answer(
        article=prompt.article,
        gold=right,
        gold_direction=gold,
        verdict=ruled.verdict.value if decided and ruled.verdict in FIRM else None,
        direction=_TOLD[ruled.deciding.reading.sign] if decided and ruled.deciding else None,
        first_verdict=first[0],
        first_direction=first[1],
        within=(strongest is not None and strongest.sentence.index in prompt.gold) if prompt.gold else None,
        seconds=seconds,
    )


def _first(judged: Sequence[Judged], claim: Claim) -> tuple[str | None, str | None]:
    """The baseline: what the best-ranked sentence alone is read to tell."""
    if not judged or judged[0].reading.sign is None:
        return None, None
    sign = judged[0].reading.sign
    return (Stance.SUPPORTS if sign == claim.sign else Stance.REFUTES).value, _TOLD[sign]


def figures_of(answers: Sequence[Answer]) -> dict[str, Any]:
    """Each figure with its interval, articles resampled."""
    papers = [answer.article for answer in answers]
    figures: dict[str, Any] = {"hypotheses": len(answers), "articles": len(set(papers))}
    scored = (
        (
            "verdict",
            VERDICTS,
            [one.gold for one in answers],
            "refutes",
            [(one.verdict, one.first_verdict) for one in answers],
        ),
        (
            "direction",
            DIRECTIONS,
            [one.gold_direction for one in answers],
            "no difference",
            [(one.direction, one.first_direction) for one in answers],
        ),
    )
    for kind, labels, gold, most, given in scored:
        ways: dict[str, list[str | None]] = {
            "rules": [ruled for ruled, _ in given],
            "first sentence": [first for _, first in given],
            "majority": [most] * len(given),
        }
        for way, said in ways.items():
            labelled = Labelled(gold, said, labels)
            figures[f"{kind}, {way}"] = {
                "accuracy": _shown(estimate(labelled.statistic(accuracy), papers)),
                "macro-F1": _shown(estimate(labelled.statistic(macro_f1), papers)),
            }
    found = [answer for answer in answers if answer.within is not None]
    figures["strongest sentence within the evidence"] = _shown(
        interval([float(bool(answer.within)) for answer in found], [answer.article for answer in found])
    )
    figures["not decided"] = sum(answer.verdict is None for answer in answers) / max(1, len(answers))
    figures["milliseconds of the rules"] = 1000 * sum(answer.seconds for answer in answers) / max(1, len(answers))
    return figures


def _shown(found: Interval | None) -> dict[str, float] | None:
    return None if found is None else asdict(found)


def _as_table(half: str, engine: str, figures: dict[str, Any]) -> str:
    lines = [
        f"`{engine}`, {half} half: {figures['hypotheses']} hypotheses on {figures['articles']} trials",
        "",
        "| | accuracy | macro-F1 |",
        "|---|---|---|",
    ]
    for name, figure in figures.items():
        if isinstance(figure, dict) and "accuracy" in figure:
            lines.append(f"| {name} | {_in_words(figure['accuracy'])} | {_in_words(figure['macro-F1'])} |")
    within = _in_words(figures["strongest sentence within the evidence"])
    lines += [
        "",
        f"Strongest sentence within the annotated evidence: {within}. Not decided: {figures['not decided']:.0%}. "
        f"The rules took {figures['milliseconds of the rules']:.0f} ms of processor time a paper.",
    ]
    return "\n".join(lines)


def _in_words(figure: dict[str, float] | None) -> str:
    if figure is None:
        return "not defined"
    return f"{100 * figure['value']:.0f} ({100 * figure['low']:.0f} to {100 * figure['high']:.0f})"


if __name__ == "__main__":
    raise SystemExit(main())
