"""Train what finds support sentences and tells levels offline, cross-validate both by paper, and write models and figures.

    python -m core.training.train_bias            writes both models in core/bias and the figures in docs/bias.md
    python -m core.training.train_bias --check    cross-validates only, and writes nothing

Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository) and the readings beside this file.
Everything is seeded: the same data gives the same models. Takes some minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.benchmarks.answering import here
from core.benchmarks.bias_tasks import SUPPORT
from core.benchmarks.bootstrap import Interval
from core.benchmarks.consort_tm import ITEMS_OF, LabelledPaper, read_consort_tm
from core.benchmarks.model import Response
from core.benchmarks.record_fields import all_whole
from core.benchmarks.runner import run_task
from core.benchmarks.support import DEPTHS, hits, summary, support_items
from core.bias.engines import bias_engine_named
from core.bias.levels import model as levels
from core.bias.levels.model import GIVEN, LEVELS, PAPER, LevelModel, Read
from core.bias.model import Level
from core.bias.ranker import model as ranker
from core.bias.ranker.model import SupportModel
from core.bias.ranker.ranking import Odds, odds_by, ranked_by
from core.paper import Paper
from core.training import level_training
from core.training.bias_training import FOLDS, Example, cross_validated, fit
from core.training.level_training import (
    RIGHT,
    WORDINGS,
    Judged,
    Row,
    cross_validated_levels,
    fit_levels,
    given_rows,
    judgements,
    papers_judged,
    threshold,
    wordings,
)
from core.training.reader_examples import READINGS

ROOT = Path(__file__).resolve().parents[2]
CARD = ROOT / "docs" / "bias.md"
BEGIN, END = "<!-- figures: written by core/training/train_bias.py -->", "<!-- end of figures -->"
CONSORT = Path("consort_tm") / "train30.json"
JUDGED = Path("rob1_papers") / "train.jsonl"
SEED = 0  # of the splits
READ = 5  # sentences that a level is told from


def main() -> int:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="cross-validate only, and write nothing")
    check = parser.parse_args().check
    data = Path(os.environ.get("VOUCH_DATA") or ROOT.parent / "shared" / "data")
    labelled = all_whole(read_consort_tm((data / CONSORT).read_bytes(), name=CONSORT.name))
    papers = papers_judged(data)
    judged = judgements(data, papers)
    consort, trials = [*map(Example.of, labelled)], _examples(judged, papers)
    sha256 = {file.name: _checksum(file) for file in (data / CONSORT, data / JUDGED, READINGS, WORDINGS)}
    figures, models, told = trained(consort, trials, judged, sha256)
    print(figures)
    if not check:
        for file, model in zip((ranker.CONSORT, ranker.TRIALS), models, strict=True):
            file.write_text(ranker.to_json(model), encoding="utf-8")
        levels.FILE.write_text(levels.to_json(told), encoding="utf-8")
        card = CARD.read_text(encoding="utf-8")
        before, after = card.split(BEGIN)[0], card.split(END)[1]
        CARD.write_text(f"{before}{BEGIN}\n{figures}\n{END}{after}", encoding="utf-8")
    return 0


def trained(
    consort: Sequence[Example], trials: Sequence[Example], judged: Sequence[Judged], sha256: Mapping[str, str]
) -> tuple[str, tuple[SupportModel, SupportModel], LevelModel]:
    """The figures of the card, the two rankers and the model of levels."""
    models = fit(consort, sha256=sha256), fit(trials, sha256=sha256)
    # The two have no paper in common, so that of each paper one of them has seen nothing anyway.
    odds = {
        example.id: odds_by(models, example.described) | scores[example.id]
        for scores, examples in (
            (cross_validated(consort, seed=SEED), consort),
            (cross_validated(trials, seed=SEED), trials),
        )
        for example in examples
    }
    papers = {example.id: example.paper for example in trials}
    rows = [*_paper_rows(judged, papers, odds), *given_rows(judged, papers), *wordings()]
    found = cross_validated_levels(rows, seed=SEED)
    shown_from = _shown_from(rows, found)
    figures = "\n\n".join(
        (_support_figures(consort, odds), _found_figures(judged, papers, odds), _level_figures(rows, found, shown_from))
    )
    return figures, models, replace(fit_levels(rows, shown_from), sha256=sha256)


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _examples(judged: Sequence[Judged], papers: Mapping[str, Paper]) -> list[Example]:
    support: dict[str, dict[str, tuple[int, ...]]] = {}
    for one in judged:
        support.setdefault(one.paper, {})[one.domain] = one.support
    return [Example.read(name, papers[name], support[name]) for name in support]


def _paper_rows(judged: Sequence[Judged], papers: Mapping[str, Paper], odds: Mapping[str, Odds]) -> list[Row]:
    """What the engine would read of each judged trial, found by a ranker that has not seen it."""
    rows = []
    for one in judged:
        paper = papers[one.paper]
        best = ranked_by(odds[one.paper], one.domain, paper, k=READ)
        texts = tuple(paper.sentences[sentence.index].text for sentence in best)
        read = Read(one.domain, texts, tuple(sentence.score for sentence in best), bool(paper.registrations))
        rows.append(Row(one.paper, one.level, read, careful=one.careful))
    return rows


def _shown_from(rows: Sequence[Row], found: Sequence[Mapping[Level, float]]) -> dict[str, dict[Level, float]]:
    """By kind and level: of papers by the careful readers, low and high together; of given sentences all."""
    pairs = list(zip(rows, found, strict=True))
    papers = [(row.level, one) for row, one in pairs if row.read.kind == PAPER and row.careful]
    given = [(row.level, one) for row, one in pairs if row.read.kind == GIVEN]
    firm = threshold(papers, (Level.LOW, Level.HIGH), RIGHT[PAPER])
    return {
        PAPER: {Level.LOW: firm, Level.UNCLEAR: threshold(papers, (Level.UNCLEAR,), RIGHT[PAPER]), Level.HIGH: firm},
        GIVEN: {level: threshold(given, (level,), RIGHT[GIVEN]) for level in LEVELS},
    }


def _level_figures(
    rows: Sequence[Row],
    found: Sequence[Mapping[Level, float]],
    shown_from: Mapping[str, Mapping[Level, float]],
) -> str:
    """Of judgements by papers not seen: how many levels are shown from each probability, and how many are right."""
    lines = [
        f"Levels: {level_training.FOLDS} folds by paper, sentences found "
        f"by a ranker that has not seen the paper either. A level is shown from {shown_from[PAPER][Level.LOW]:.2f} (low, high) "
        f"and {shown_from[PAPER][Level.UNCLEAR]:.2f} (unclear); from given sentences, from "
        f"{', '.join(f'{value:.2f} ({level})' for level, value in shown_from[GIVEN].items())}.",
        "",
        "| Low and high levels, by the probability they are shown from | 0.5 | 0.6 | 0.7 | 0.8 |",
        "|---|---|---|---|---|",
    ]
    groups = {"read with care (`rob1_papers/train.jsonl`)": True, "read fast": False}
    for name, careful in groups.items():
        own = [
            (row.level, max(one, key=one.__getitem__), max(one.values()))
            for row, one in zip(rows, found, strict=True)
            if row.read.kind == PAPER and row.careful == careful
        ]
        cells = []
        for least in (0.5, 0.6, 0.7, 0.8):
            shown = [level is given for level, given, sure in own if given is not Level.UNCLEAR and sure >= least]
            firm = [
                given is not Level.UNCLEAR and sure >= least for level, given, sure in own if level is not Level.UNCLEAR
            ]
            cells.append(f"{np.mean(shown):.0%} right, {np.mean(firm):.0%} shown" if shown else "none")
        lines.append(f"| {name}, {len(own)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _found_figures(judged: Sequence[Judged], papers: Mapping[str, Paper], odds: Mapping[str, Odds]) -> str:
    """How often a deciding sentence is among the first three, on trials not seen."""
    hit: dict[bool, list[bool]] = {True: [], False: []}
    for one in judged:
        if one.support:
            best = ranked_by(odds[one.paper], one.domain, papers[one.paper], k=max(DEPTHS))
            hit[one.careful].append(bool({sentence.index for sentence in best} & set(one.support)))
    return (
        f"{len(judged)} judgements on {len(papers)} trials: a deciding sentence is among the first three in "
        f"{np.mean(hit[True]):.1%} of the {len(hit[True])} read with care that rest on one, and in {np.mean(hit[False]):.1%} "
        f"of the {len(hit[False])} read fast."
    )


def _support_figures(consort: Sequence[Example], odds: Mapping[str, Odds]) -> str:
    labelled = [example.labelled for example in consort if example.labelled is not None]
    items = [item for one in labelled for item in support_items(one)]
    rows = [
        ("**`offline`**, cross-validated", _offline(labelled, odds)),
        *(
            (f"`{name}`", run_task(SUPPORT, items, here(SUPPORT, bias_engine_named(name))).metrics)
            for name in ("bm25", "embedding")
        ),
    ]
    counts = {domain: sum(item.category == domain for item in items) for domain in ITEMS_OF}
    columns = [*ITEMS_OF, "average"]
    head = [f"{domain} ({counts[domain]})" if domain in counts else domain for domain in columns]
    lines = [
        f"{len(items)} items on {len(labelled)} papers (papers with such a sentence in brackets); {FOLDS} folds by paper. "
        f"Each cell: {' / '.join(f'hit@{depth}' for depth in DEPTHS)} in per cent with the 95% interval, papers resampled.",
        "",
        f"| Support sentences | {' | '.join(head)} |",
        f"|---|{'---|' * len(columns)}",
    ]
    for name, metrics in rows:
        cells = (" / ".join(_cell(metrics[f"{column} hit@{depth}"]) for depth in DEPTHS) for column in columns)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _offline(labelled: Sequence[LabelledPaper], odds: Mapping[str, Odds]) -> Mapping[str, Interval]:
    found = []
    for one in labelled:
        for item in support_items(one):
            chosen = ranked_by(odds[one.id], item.category, one.paper, k=max(DEPTHS))
            found.append((one.id, hits(item, Response(tuple(sentence.index for sentence in chosen)))))
    return summary(found)


def _cell(found: Interval) -> str:
    return f"{100 * found.value:.0f} ({100 * found.low:.0f}-{100 * found.high:.0f})"


if __name__ == "__main__":
    raise SystemExit(main())
