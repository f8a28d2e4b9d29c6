"""How good `offline` is at screening by criteria: `python -m core.training criteria --data FOLDER`.

Trials of Evidence Inference are halved by a hash of their PMC number: the rules were made on one half, figures are told
for both. A trial's own prompts make criteria that it meets; those of three other trials of its half make criteria that it
should not meet, though some it does by chance: "placebo" fits half of them. `reviewers_criteria.toml` holds criteria of
ours in broader words. Every trial is one by design; what EvidenceBench's papers are, nobody has labelled.
"""

from __future__ import annotations

import argparse
import html
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from statistics import median, quantiles

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from core.benchmarks.bootstrap import interval
from core.benchmarks.evidence_tasks import TrialQuestion, read_evidence_inference
from core.benchmarks.evidencebench import stream_evidencebench
from core.benchmarks.gold import Instance
from core.paper import Paper
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, suggest
from core.screening.offline.criteria import parse_clause
from core.screening.offline.engine import OfflineScreeningEngine
from core.screening.offline.reading import ScreenedPaper, read_for_screening
from core.screening.offline.topics import CriterionVectors, TopicCoverage, covers_of, score
from core.settings import load_settings
from core.text.similarity import Embedder

_REVIEWERS = Path(__file__).with_name("reviewers_criteria.toml")
_RANDOMISED = Criterion(CriterionKind.DESIGN, "Randomised controlled trial")
_OTHERS = (1, 7, 23)  # how far the other trials stand in the half's order
_KINDS = (CriterionKind.INTERVENTION, CriterionKind.COMPARATOR, CriterionKind.OUTCOME)


@dataclass(frozen=True, slots=True)
class AskedCriterion:
    """One criterion put to one paper."""

    article: str
    kind: CriterionKind
    own: bool  # the paper meets it
    suggestion: CriterionSuggestion
    cover: TopicCoverage | None
    seconds: float
    gold: frozenset[int]  # the sentences that answer the prompt; empty where they are not known


class _Bench:
    """The engine, and what it is asked. A paper's criteria are to come one after another."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder, self._engine = embedder, OfflineScreeningEngine(embedder)
        self._meaning = CriterionVectors(embedder) if embedder is not None else None
        self._reading: ScreenedPaper | None = None

    def ask(
        self, paper: Paper, article: str, criterion: Criterion, *, own: bool, gold: frozenset[int] = frozenset()
    ) -> AskedCriterion:
        """Put a criterion to a paper; the time is that of the suggestion alone, the paper having been read."""
        if self._reading is None or self._reading.paper is not paper:
            self._reading = read_for_screening(paper, self._embedder)
            suggest(_RANDOMISED, paper, engine=self._engine)
        started = time.perf_counter()
        suggestion = suggest(criterion, paper, engine=self._engine)
        seconds = time.perf_counter() - started
        topic = parse_clause(criterion.text, criterion.kind).topic
        covers = covers_of(topic, criterion.kind, self._reading, self._meaning) if topic else []
        return AskedCriterion(article, criterion.kind, own, suggestion, covers[0] if covers else None, seconds, gold)


def measure_criteria() -> None:
    """Measure, and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True, help="the folder of real benchmark data")
    arguments.add_argument("--limit", type=int, help="at most so many trials of each half")
    arguments.add_argument("--fit", action="store_true", help="print the weights of `core.screening.offline.topics`")
    told = arguments.parse_args()
    bench = _Bench(Embedder.if_installed(load_settings().embeddings))
    found = [one for one in read_evidence_inference(told.data / "evidence_inference") if isinstance(one, TrialQuestion)]
    trials = {article: list(own) for article, own in groupby(found, key=lambda one: one.article)}
    for name, odd in (("developed on", 0), ("held out", 1)):
        half = [own for article, own in trials.items() if _half(article) == odd][: told.limit]
        print(f"\n{len(half)} trials, {name}")
        asked = list(_prompts(bench, half))
        _print_topics(asked)
        if told.fit and not odd:
            _print_fit(asked)
        _print_designs(
            "randomised controlled trial", [bench.ask(t[0].paper, t[0].article, _RANDOMISED, own=True) for t in half]
        )
        _print_seconds(asked)
    print("\nCriteria in a reviewer's broader words, for trials held out")
    _print_topics(list(_in_broader_words(bench, trials)))
    path = told.data / "evidencebench" / "evidencebench_train_set.json"
    instances = [one for one in stream_evidencebench(path) if isinstance(one, Instance)]
    papers = {one.paper.name: one.paper for one in instances}
    print("\nEvidenceBench, papers of any design")
    bench = _Bench(None)  # designs are told by words alone
    _print_designs(
        "randomised controlled trial", [bench.ask(one, name, _RANDOMISED, own=False) for name, one in papers.items()]
    )


def _half(article: str) -> int:
    return int(sha256(article.encode()).hexdigest(), 16) % 2


def _prompts(bench: _Bench, trials: Sequence[Sequence[TrialQuestion]]) -> Iterator[AskedCriterion]:
    """The first prompt of each trial, put to it and to three others."""
    for place, own in enumerate(trials):
        for step in (0, *_OTHERS):
            prompt = trials[(place + step) % len(trials)][0]
            if step and prompt.article == own[0].article:
                continue
            for kind in _KINDS:
                text = " ".join(html.unescape(getattr(prompt, kind.value)).split())
                gold = own[0].gold if not step else frozenset[int]()
                yield bench.ask(own[0].paper, own[0].article, Criterion(kind, text), own=not step, gold=gold)


def _in_broader_words(bench: _Bench, trials: Mapping[str, Sequence[TrialQuestion]]) -> Iterator[AskedCriterion]:
    listed = tomllib.loads(_REVIEWERS.read_text(encoding="utf-8"))
    articles = [article for article in listed if article in trials]
    for place, article in enumerate(articles):
        for step in (0, *_OTHERS):
            for kind, text in listed[articles[(place + step) % len(articles)]].items():
                yield bench.ask(trials[article][0].paper, article, Criterion(CriterionKind(kind), text), own=not step)


def _print_topics(asked: Sequence[AskedCriterion]) -> None:
    """Wrong exclusions first: they cost most."""
    print("  kind          criteria of   n     not met               unclear  met     AUROC")
    for kind in (None, *dict.fromkeys(one.kind for one in asked)):
        chosen = [one for one in asked if kind in (None, one.kind)]
        scored = [one for one in chosen if one.cover is not None]
        area = roc_auc_score([one.own for one in scored], [score(one.cover) for one in scored if one.cover])
        for own in (True, False):
            some = [one for one in chosen if one.own is own]
            print(
                f"  {kind or 'all':13} {'its own' if own else 'others':12} {len(some):4}  {_shares(some)}  {area if own else '':.6}"
            )
    own_outcomes = [one for one in asked if one.own and one.kind is CriterionKind.OUTCOME and one.gold]
    if own_outcomes:
        hit = [bool(one.gold & {s.index for s in one.suggestion.sentences}) for one in own_outcomes]
        print(
            f"  of {len(hit)} outcomes, a named sentence is one of those that answer the prompt: {sum(hit) / len(hit):.1%}"
        )
    best = [one.cover.best_share for one in asked if one.own and one.cover]
    print(f"  its own: one sentence has all of the criterion's words: {np.mean([share == 1 for share in best]):.1%}")


def _shares(asked: Sequence[AskedCriterion]) -> str:
    """The share not met with its interval, and the other two.

    Papers are drawn for the interval. Where none is not met, every draw says the same, and the interval is the exact
    one-sided bound for as many papers: 1 - 0.05 ** (1 / n).
    """
    wrong = [float(one.suggestion.fit is Fit.NOT_MET) for one in asked]
    papers = [one.article for one in asked]
    around = interval(wrong, papers)
    high = around.high if any(wrong) else 1 - 0.05 ** (1 / len(set(papers)))
    rest = [sum(one.suggestion.fit is fit for one in asked) / len(asked) for fit in (Fit.UNCLEAR, Fit.MET)]
    return f"{around.value:5.1%} ({around.low:.1%} to {high:.1%})".ljust(22) + f"{rest[0]:6.1%}   {rest[1]:6.1%}"


def _print_designs(name: str, asked: Sequence[AskedCriterion]) -> None:
    print(f"  “{name}”, {len(asked)} papers: not met {_shares(asked)} (then unclear, met)")
    for one in asked:
        if one.suggestion.fit is Fit.NOT_MET:
            print(f"    {one.article}: {one.suggestion.reason}")


def _print_seconds(asked: Sequence[AskedCriterion]) -> None:
    times = [one.seconds * 1000 for one in asked]
    print(f"  a criterion takes {median(times):.0f} ms, 19 in 20 at most {quantiles(times, n=20)[-1]:.0f} ms")


def _print_fit(asked: Sequence[AskedCriterion]) -> None:
    """The weights of a logistic regression on best share, share, share anywhere and cosine."""
    covers = [(one.own, one.cover) for one in asked if one.cover is not None]
    seen = np.array([[c.best_share, c.share, c.share_anywhere, c.cosine] for _, c in covers])
    model = LogisticRegression().fit(seen, [own for own, _ in covers])
    print(f"  weights {model.coef_[0].round(1)}, constant {model.intercept_[0]:.1f}")


if __name__ == "__main__":
    measure_criteria()
