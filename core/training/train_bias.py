"""Train what finds support sentences offline, cross-validate it by paper, and write its model and the figures of its card.

    python -m core.training.train_bias            writes core/bias/ranker/model.json and the figures in docs/bias.md
    python -m core.training.train_bias --check    cross-validates only, and writes nothing

Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository). Everything is seeded: the same data gives
the same model. Takes a minute; papers are encoded the first time, for the engine `embedding` beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from core.benchmarks.answering import here
from core.benchmarks.bias_tasks import SUPPORT
from core.benchmarks.bootstrap import Interval
from core.benchmarks.consort_tm import ITEMS_OF, read_consort_tm
from core.benchmarks.model import Response
from core.benchmarks.record_fields import all_whole
from core.benchmarks.runner import run_task
from core.benchmarks.support import DEPTHS, hits, summary, support_items
from core.bias.engines import bias_engine_named
from core.bias.ranker.model import FILE, to_json
from core.bias.ranker.ranking import ranked_by
from core.training.bias_training import FOLDS, SEEDS, TOPICS, Example, cross_validated, fit

ROOT = Path(__file__).resolve().parents[2]
CARD = ROOT / "docs" / "bias.md"
BEGIN, END = "<!-- figures: written by core/training/train_bias.py -->", "<!-- end of figures -->"
DATA = Path("consort_tm") / "train30.json"


def main() -> int:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="cross-validate only, and write nothing")
    arguments = parser.parse_args()
    path = Path(os.environ.get("VOUCH_DATA") or ROOT.parent / "shared" / "data") / DATA
    data = path.read_bytes()
    examples = [Example.of(labelled) for labelled in all_whole(read_consort_tm(data, name=path.name))]
    figures = _figures(examples)
    print(figures)
    if not arguments.check:
        model = fit(examples, sha256={path.name: hashlib.sha256(data).hexdigest()})
        FILE.write_text(to_json(model), encoding="utf-8")
        card = CARD.read_text(encoding="utf-8")
        before, after = card.split(BEGIN)[0], card.split(END)[1]
        CARD.write_text(f"{before}{BEGIN}\n{figures}\n{END}{after}", encoding="utf-8")
    return 0


def _figures(examples: Sequence[Example]) -> str:
    items = [item for example in examples for item in support_items(example.labelled)]
    rows = [
        (f"**`offline`**, cross-validated, mean of the splits {', '.join(map(str, SEEDS))}", _offline(examples)),
        *(
            (f"`{name}`", run_task(SUPPORT, items, here(SUPPORT, bias_engine_named(name))).metrics)
            for name in ("bm25", "embedding")
        ),
    ]
    counts = {domain: sum(item.category == domain for item in items) for domain in ITEMS_OF}
    columns = [*ITEMS_OF, "average"]
    head = [f"{domain} ({counts[domain]})" if domain in counts else domain for domain in columns]
    lines = [
        f"{len(items)} items on {len(examples)} papers (papers with such a sentence in brackets); {FOLDS} folds by paper. "
        f"Each cell: {' / '.join(f'hit@{depth}' for depth in DEPTHS)} in per cent with the 95% interval, papers resampled.",
        "",
        f"| Support sentences | {' | '.join(head)} |",
        f"|---|{'---|' * len(columns)}",
    ]
    for name, metrics in rows:
        cells = (" / ".join(_cell(metrics[f"{column} hit@{depth}"]) for depth in DEPTHS) for column in columns)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _offline(examples: Sequence[Example]) -> Mapping[str, Interval]:
    """The mean over the splits of each item; an item's splits would count its paper more than once."""
    found: dict[tuple[str, str], list[float]] = {}
    for seed in SEEDS:
        scores = cross_validated(examples, seed=seed)
        for example in examples:
            labelled = example.labelled
            for item in support_items(labelled):
                chosen = ranked_by(scores[labelled.id], tuple(TOPICS), item.category, labelled.paper, k=max(DEPTHS))
                for metric, value in hits(item, Response(tuple(sentence.index for sentence in chosen))).items():
                    found.setdefault((labelled.id, metric), []).append(value)
    return summary((paper, {metric: float(np.mean(values))}) for (paper, metric), values in found.items())


def _cell(found: Interval) -> str:
    return f"{100 * found.value:.0f} ({100 * found.low:.0f}-{100 * found.high:.0f})"


if __name__ == "__main__":
    raise SystemExit(main())
