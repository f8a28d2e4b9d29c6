"""Train the ranker, cross-validate it by paper, and write its models and the figures of its card.

    python -m core.training.train_ranker            writes core/evidence/ranker/models and the figures in docs/ranker.md
    python -m core.training.train_ranker --check    cross-validates only, and writes nothing

Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository). Needs LightGBM, which Vouch itself does
not. Everything is seeded: the same data gives the same models. Takes minutes; papers are encoded the first time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import lightgbm
import numpy as np

from core.benchmarks.bootstrap import interval
from core.evidence.embedding import Embedder
from core.evidence.ranker.model import FOLDER
from core.evidence.selection import Redundancy
from core.settings import load_settings
from core.training.ranker_data import (
    EVIDENCE_INFERENCE,
    EVIDENCEBENCH,
    Aspects,
    Question,
    Spans,
    group_by_paper,
    load_aspects,
    load_spans,
    sample_features,
)
from core.training.ranker_training import (
    EVIDENCE,
    FOLDS,
    RECIPES,
    RESULTS,
    SEED,
    TRIALS,
    Pick,
    aspect_recalls,
    by_column,
    by_scores,
    cross_validated,
    fit,
    hits,
)  # fmt: skip

ROOT = Path(__file__).resolve().parents[2]
CARD = ROOT / "docs" / "ranker.md"
BEGIN, END = "<!-- figures: written by core/training/train_ranker.py -->", "<!-- end of figures -->"
SEEDS = (SEED, SEED + 1)  # of the splits of EvidenceBench; the trials, ten times as many, are split once
ASPECT_METRICS = ("@10", "@optimal", "result@5", "result@optimal")
SPAN_METRICS = ("hit@1", "hit@3", "hit@10")
NONE = Redundancy(free=0.0, penalty=0.0)
Row = tuple[str, Mapping[str, str]]


def main() -> int:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="cross-validate only, and write nothing")
    arguments = parser.parse_args()
    data = Path(os.environ.get("VOUCH_DATA") or ROOT.parent / "shared" / "data")
    embedder = Embedder.installed(load_settings().embeddings)
    aspects, spans = load_aspects(data, embedder), load_spans(data, embedder)
    questions: list[Question] = [*aspects, *spans]
    group_by_paper(questions)
    figures = _figures(aspects, spans, questions)
    print(figures)
    if not arguments.check:
        _write_models(questions, data)
        card = CARD.read_text(encoding="utf-8")
        before, after = card.split(BEGIN)[0], card.split(END)[1]
        CARD.write_text(f"{before}{BEGIN}\n{figures}\n{END}{after}", encoding="utf-8")
    return 0


def _write_models(questions: Sequence[Question], data: Path) -> None:
    FOLDER.mkdir(exist_ok=True)
    for recipe in RECIPES:
        text = fit(recipe, questions).model_to_string()
        # What follows the trees, importances and parameters, is not needed to evaluate them.
        (FOLDER / recipe.file).write_text(text.split("\nend of trees")[0] + "\n", encoding="ascii")
    record = {
        "lightgbm": lightgbm.__version__,
        "seed": SEED,
        "features": list(questions[0].features.names),
        "sample": sample_features(),
        "sha256": {
            path.name: hashlib.sha256((data / path).read_bytes()).hexdigest()
            for path in (EVIDENCEBENCH, EVIDENCE_INFERENCE / "items.json")
        },
    }
    (FOLDER / "training.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _figures(aspects: Sequence[Aspects], spans: Sequence[Spans], questions: Sequence[Question]) -> str:
    papers = len({question.group for question in questions})
    lines = [
        f"{len(aspects)} hypotheses of EvidenceBench and {len(spans)} prompts of Evidence Inference on {papers} papers;"
        f" {FOLDS} folds by paper, seeds {', '.join(map(str, SEEDS))} for the aspects and {SEED} for the spans."
        " In brackets the 95% interval, papers resampled.",
        "",
        *_table("EvidenceBench, aspect recall in per cent", ASPECT_METRICS, _aspect_rows(aspects, questions)),
        "",
        *_table("Evidence Inference, hits in per cent", SPAN_METRICS, _span_rows(spans, questions)),
        "",
        *_importance(questions),
    ]
    return "\n".join(lines)


def _aspect_rows(aspects: Sequence[Aspects], questions: Sequence[Question]) -> list[Row]:
    _say("cross-validating on EvidenceBench")
    ours = [
        (cross_validated(EVIDENCE, aspects, seed=seed), cross_validated(RESULTS, questions, seed=seed))
        for seed in SEEDS
    ]
    trials = cross_validated(TRIALS, questions)
    rows = [
        _aspect_row("`bm25`", aspects, [(by_column("bm25"), by_column("bm25"))]),
        _aspect_row("`embedding`", aspects, [(by_column("cosine"), by_column("cosine"))]),
        _aspect_row("`offline`, trained on the trials alone", aspects, [_picks(trials, trials)]),
        _aspect_row("**`offline`**", aspects, [_picks(*scores) for scores in ours]),
        _aspect_row("the same, without the choice: the k highest", aspects, [_highest(*scores) for scores in ours]),
    ]
    for name, member in (("papers without an abstract", False), ("papers with one", True)):
        some = [question for question in aspects if bool(_column(question, "has_abstract")[0]) is member]
        rows.append(_aspect_row(f"`offline`, {len(some)} {name}", some, [_picks(*scores) for scores in ours]))
    for group, drop in _groups(questions[0].features.names).items():
        kept = np.array([c for c, name in enumerate(questions[0].features.names) if name not in drop])
        _say(f"without {group}")
        without = cross_validated(EVIDENCE, aspects, columns=kept), cross_validated(RESULTS, questions, columns=kept)
        rows.append(_aspect_row(f"`offline` without {group} (seed {SEED})", aspects, [_picks(*without)]))
    return rows


def _groups(names: Sequence[str]) -> dict[str, set[str]]:
    """The features by what they look at."""
    meaning = {name for name in names if "cosine" in name or name in {"centrality", "abstract_relevance"}}
    place = {n for n in names if n.startswith(("in_", "section_", "part_")) or n in {"position", "from_end", "caption",
             "table", "concluding_section", "pool", "has_abstract"}}  # fmt: skip
    words = {n for n in names if "words" in n or "coverage" in n or "bm25" in n} - {"words"}
    meaning, place = meaning - words, place - meaning
    return {
        "meaning": meaning,
        "place": place,
        "words in common": words,
        "wording": set(names) - meaning - place - words - {"query_clauses"},
    }


def _span_rows(spans: Sequence[Spans], questions: Sequence[Question]) -> list[Row]:
    _say("cross-validating on the trials")
    both, alone = cross_validated(RESULTS, questions), cross_validated(TRIALS, spans)
    reworded = cross_validated(RESULTS, questions, reworded=True)
    return [
        _span_row("`bm25`", spans, by_column("bm25")),
        _span_row("`embedding`", spans, by_column("cosine")),
        _span_row("**`offline`**, results only", spans, by_scores(both, results_only=True)),
        _span_row("the same, the question in other words", spans, by_scores(reworded, results_only=True)),
        _span_row("`offline`, trained on the trials alone", spans, by_scores(alone, results_only=True)),
    ]


def _picks(all_scores: Mapping[str, np.ndarray], results: Mapping[str, np.ndarray]) -> tuple[Pick, Pick]:
    return by_scores(all_scores, results_only=False), by_scores(results, results_only=True)


def _highest(all_scores: Mapping[str, np.ndarray], results: Mapping[str, np.ndarray]) -> tuple[Pick, Pick]:
    return by_scores(all_scores, results_only=False, redundancy=NONE), by_scores(
        results, results_only=True, redundancy=NONE
    )


def _aspect_row(name: str, aspects: Sequence[Aspects], picks: Sequence[tuple[Pick, Pick]]) -> Row:
    """The mean over the splits; a split's intervals would count each paper once more, so the mean is resampled."""
    found: dict[str, dict[str, list[float]]] = {}
    for question in aspects:
        for both in picks:
            for mode, pick in zip((False, True), both, strict=True):
                for metric, value in aspect_recalls(question, pick, results_only=mode).items():
                    found.setdefault(metric, {}).setdefault(question.id, []).append(value)
    group = {question.id: question.group for question in aspects}
    return name, {metric: _cell(values, group) for metric, values in found.items()}


def _span_row(name: str, spans: Sequence[Spans], pick: Pick) -> Row:
    found: dict[str, dict[str, list[float]]] = {}
    for question in spans:
        for metric, value in hits(question, pick).items():
            found.setdefault(metric, {})[question.id] = [value]
    return name, {metric: _cell(values, {q.id: q.group for q in spans}) for metric, values in found.items()}


def _cell(values: Mapping[str, Sequence[float]], group: Mapping[str, str]) -> str:
    found = interval([float(np.mean(value)) for value in values.values()], [group[name] for name in values])
    return f"{100 * found.value:.1f} ({100 * found.low:.0f}-{100 * found.high:.0f})"


def _table(title: str, metrics: Sequence[str], rows: Sequence[Row]) -> list[str]:
    head = [f"| {title} | {' | '.join(metrics)} |", f"|---|{'---|' * len(metrics)}"]
    return head + [f"| {name} | {' | '.join(cells.get(metric, '-') for metric in metrics)} |" for name, cells in rows]


def _importance(questions: Sequence[Question]) -> list[str]:
    """Each feature's share of all that splits gained, in the models trained on everything."""
    shares = []
    for recipe in RECIPES:
        gain = fit(recipe, questions).feature_importance("gain")
        shares.append(dict(zip(questions[0].features.names, 100 * gain / gain.sum(), strict=True)))
    names = sorted(questions[0].features.names, key=lambda name: -sum(share[name] for share in shares))
    head = f"| Feature: share of the gain, per cent | {' | '.join(recipe.file for recipe in RECIPES)} |"
    rows = [f"| {name} | {' | '.join(f'{share[name]:.1f}' for share in shares)} |" for name in names]
    return [head, f"|---|{'---|' * len(RECIPES)}", *rows]


def _column(question: Question, name: str) -> np.ndarray:
    column: np.ndarray = question.features.values[:, question.features.names.index(name)]
    return column


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
