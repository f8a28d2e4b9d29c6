"""How well the mean score of a summary follows what experts made of it, on LongSciVerify.

    python -m core.training.measure_summaries          Spearman's correlation for `offline`, ROUGE-L and embedding similarity

LongSciVerify (Bishop, Xie and Ananiadou 2024; MIT) has 15 papers with three machine summaries each. Three experts said of
three sentences of each summary whether they are factual; which sentences is not recorded, so that their mean is taken
for the summary. Reads the data folder (VOUCH_DATA, or ../shared/data beside the repository).
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from core.benchmarks.bootstrap import estimate
from core.benchmarks.metrics.correlation import spearman
from core.evidence.embedding import Embedder
from core.paper import Format, Kind, Paper
from core.paper.assemble import assemble
from core.paper.draft import Block, Draft
from core.settings import load_settings
from core.summary import check_summary
from core.summary.engines import summary_engine_named
from core.summary.model import SummaryEngine
from core.summary.splitting import split_summary
from core.training.evidence_data import data_folder

_SYSTEMS = ("gencomparesumabs", "dancersum", "section_conditional")
_SENTENCES = (1, 2, 3)
_EXPERTS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Rated:
    """A machine summary, its paper, the paper's abstract, and the experts' mean, 0 to 1."""

    paper: Paper
    abstract: str
    summary: str
    experts: float


def main() -> int:
    """Measure and print."""
    rated = read_longsciverify(data_folder() / "longsciverify")
    embedder = Embedder.installed(load_settings().embeddings)
    engine = summary_engine_named("offline")
    metrics: dict[str, Callable[[Rated], float]] = {
        "`offline`, mean score": lambda one: _mean_score(engine, one),
        "ROUGE-L with the abstract": lambda one: rouge_l(one.summary, one.abstract),
        "embedding similarity": lambda one: _nearest(embedder, one),
    }
    print("| measure | Spearman (95% interval) |\n|---|---|")
    for name, metric in metrics.items():
        found = estimate(
            spearman([one.experts for one in rated], [metric(one) for one in rated]), [one.paper.id for one in rated]
        )
        figure = f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})" if found else "not defined"
        print(f"| {name} | {figure} |", flush=True)
    return 0


def read_longsciverify(folder: Path) -> list[Rated]:
    """The 45 summaries, paper by paper."""
    ratings = [
        {row["id"]: row for row in csv.DictReader((folder / f"pubmed_reviewer_{n}.csv").open(encoding="utf-8-sig"))}
        for n in _EXPERTS
    ]
    rated = []
    for article in json.loads((folder / "pubmed_test.json").read_text(encoding="utf-8")):
        paper = _paper(article)
        abstract = " ".join(article["abstract_text"]).replace("<S>", "").replace("</S>", "")
        for number, system in enumerate(_SYSTEMS, start=1):
            given = [
                float(rows[article["article_id"]][f"model_{number}_sent_{sentence}_factuality"])
                for rows in ratings
                for sentence in _SENTENCES
            ]
            rated.append(Rated(paper, abstract, ratings[0][article["article_id"]][system], mean(given)))
    return rated


def _paper(article: dict[str, Any]) -> Paper:
    """The article's sentences, as the file has them, below its section titles."""
    draft = Draft()
    for title, sentences in zip(article["section_names"], article["sections"], strict=True):
        draft.blocks.append(Block(Kind.HEADING, title or "Section", 1))
        kept = tuple(sentence for sentence in sentences if sentence.strip())
        if kept:
            draft.blocks.append(Block(Kind.BODY, " ".join(kept), sentences=kept))
    data = json.dumps(article["sections"]).encode()
    return assemble(draft, data=data, name=article["article_id"], format=Format.TEXT)


def _mean_score(engine: SummaryEngine, one: Rated) -> float:
    score = check_summary(one.summary, one.paper, engine=engine).mean_score
    if score is None:
        raise ValueError(f"no sentence of a summary of {one.paper.name} could be judged")
    return score


def _nearest(embedder: Embedder, one: Rated) -> float:
    """The mean cosine of the summary's sentences to the nearest of the paper's."""
    vectors = embedder.encode([sentence.text for sentence in split_summary(one.summary)])
    return float((vectors @ embedder.compare(one.paper, "").vectors.T).max(axis=1).mean())


def rouge_l(summary: str, reference: str) -> float:
    """ROUGE-L's F1: by the longest common subsequence of words (Lin 2004, section 3.1)."""
    one, two = summary.lower().split(), reference.lower().split()
    row = [0] * (len(two) + 1)
    for word in one:
        above = 0
        for place, other in enumerate(two, start=1):
            kept = row[place]
            row[place] = above + 1 if word == other else max(row[place], row[place - 1])
            above = kept
    return 2 * row[-1] / (len(one) + len(two)) if one and two else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
