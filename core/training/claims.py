"""Measure claims on labels given by reading, and with `--fit` fit their ranking: `python -m core.training claims`.

Each line of `readings/claims.jsonl` is a claim: the paper, the number of its sentence, and a label (PaperQA2, section
8.4). The label says whether the cut sentence is a result or conclusion of this paper and makes sense alone. Claims
without a label are ignored. `--fit` writes the regression that ranks claims, and prints figures by folds of papers.
`readings/claims-held-out.jsonl` has labels of claims that the fitted ranking chose; nothing is fitted to them. `--draw`
prints claims to label: the first two of papers without labels, or with `--more` the first two unlabelled ones of papers
that have labels.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from statsmodels.stats.proportion import proportion_confint

from core.benchmarks.consort_tm import LabelledPaper, read_consort_tm
from core.claims import ClaimEngine, claim_engine_named
from core.claims.model import ClaimVerdict
from core.claims.offline import LEAST, LEAST_WORTH, MODEL, OfflineClaims, candidates, worth
from core.entailment.regression import Features, Regression
from core.paper import Paper, read_paper
from core.training.data import data_folder

READINGS = Path(__file__).parent / "readings" / "claims.jsonl"
HELD_OUT = Path(__file__).parent / "readings" / "claims-held-out.jsonl"
_FREELY = 0.1  # inverse regularisation strength
_FOLDS = 8
_NEWEST = 74  # the number of papers labelled last, whose claims an earlier fit had chosen
_A_PAPER = 2  # claims that are drawn per paper

Labels = Mapping[str, Mapping[int, ClaimVerdict]]  # by paper and sentence


def measure_claims() -> int:
    """Print how many of the engine's labelled claims are good, and how many good ones it leaves out."""
    parser = argparse.ArgumentParser(description="Measure claims on labelled ones.")
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--engine", default="offline")
    parser.add_argument("--fit", action="store_true", help="fit what ranks the claims of offline, and write it")
    parser.add_argument(
        "--draw", type=int, metavar="N", help="only print N claims of papers without labels, to be read"
    )
    parser.add_argument("--more", action="store_true", help="draw what has no label of papers that have some instead")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    arguments = parser.parse_args()
    papers = _papers(arguments.data or data_folder())
    if arguments.draw is not None:
        known = labels(READINGS, HELD_OUT)
        names = sorted(known if arguments.more else papers.keys() - known)
        random.Random(arguments.seed).shuffle(names)  # noqa: S311
        for line in islice(_drawn(claim_engine_named(arguments.engine), papers, names, known), arguments.draw):
            print(json.dumps(line, ensure_ascii=False), flush=True)
        return 0
    if arguments.fit:
        _fit(papers)
    for readings in (READINGS, HELD_OUT):
        _measure(arguments.engine, papers, readings)
    return 0


def labels(*readings: Path) -> Labels:
    """The labels by paper and sentence, in the order of the files."""
    found: dict[str, dict[int, ClaimVerdict]] = {}
    for line in chain.from_iterable(file.read_text(encoding="utf-8").splitlines() for file in readings):
        read = json.loads(line)
        found.setdefault(read["paper"], {})[read["sentence"]] = ClaimVerdict(read["label"])
    return found


Papers = Mapping[str, Callable[[], Paper]]  # by name: a function that reads the paper


def _papers(data: Path) -> Papers:
    """The trials of Evidence Inference and of CONSORT-TM."""
    files = (data / "evidence_inference" / "xml").glob("*.nxml")
    found: dict[str, Callable[[], Paper]] = {file.stem: partial(_read, file) for file in files}
    for file in (data / "consort_tm").glob("train*.json"):
        for one in read_consort_tm(file.read_bytes(), name=file.name):
            if isinstance(one, LabelledPaper):
                found[one.id] = partial(_kept, one.paper)
    return found


def _read(file: Path) -> Paper:
    return read_paper(file.read_bytes(), name=file.name)


def _kept(paper: Paper) -> Paper:
    return paper


def _measure(engine_name: str, papers: Papers, readings: Path) -> None:
    found, engine = labels(readings), claim_engine_named(engine_name)
    given: Counter[ClaimVerdict] = Counter()
    for name, own in found.items():
        given.update(own[one.sentence] for one in engine.claims(papers[name]()).claims if one.sentence in own)
    total = sum(given.values())
    print(
        f"{readings.name}: {total} of {sum(map(len, found.values()))} labelled claims of {len(found)} papers are given"
    )
    for verdict in ClaimVerdict:
        print(f"{verdict.value:20} {given[verdict]:3}  {given[verdict] / max(1, total):.1%}")
    if total:
        low, high = proportion_confint(given[ClaimVerdict.GOOD], total, method="wilson")
        print(f"good: 95% interval {low:.1%} to {high:.1%}")


# ---- drawing ----


def _drawn(engine: ClaimEngine, papers: Papers, names: Sequence[str], known: Labels) -> Iterator[Mapping[str, object]]:
    """The first claims of each paper without a label, with the title and the sentence before, for a human reader."""
    for name in names:
        paper = papers[name]()
        new = [one for one in engine.claims(paper).claims if one.sentence not in known.get(name, {})]
        for claim in new[:_A_PAPER]:
            yield {
                "paper": name,
                "sentence": claim.sentence,
                "title": paper.title,
                "before": paper.sentences[claim.sentence - 1].text,
                "claim": claim.text,
                "terms": dict(claim.terms),
            }


# ---- fitting ----


def _fit(papers: Papers) -> None:
    engine = claim_engine_named("offline")
    assert isinstance(engine, OfflineClaims)  # noqa: S101
    rows, good, names = [], [], []
    for name, own in labels(READINGS).items():
        paper = papers[name]()
        likely = [one for one in candidates(paper) if one[0].index in own]
        for claim, features in zip(*engine.described(paper, likely), strict=True):
            if worth(features) >= LEAST_WORTH:
                rows.append(features)
                good.append(own[claim.sentence] is ClaimVerdict.GOOD)
                names.append(name)
    described, right = np.array(rows), np.array(good)
    by_folds = np.empty(len(rows))
    for train, test in GroupKFold(_FOLDS).split(described, groups=names):
        fitted = _regression(described[train], right[train])
        by_folds[test] = [fitted.probability(row) for row in described[test]]
    newest = np.isin(names, list(labels(READINGS))[-_NEWEST:])
    for least in (0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
        for which, those in (("all", newest | True), (f"the last {_NEWEST} papers", newest)):
            kept = (by_folds >= least) & those
            print(
                f"by folds, from {10 * least:g} on, of {which}: {kept.sum()} of {those.sum()} kept, "
                f"{right[kept].mean():.1%} of them good"
            )
    print(f"The engine gives claims from {LEAST:g} on.")
    MODEL.write_text(json.dumps(_regression(described, right).to_json(), indent=1) + "\n", encoding="utf-8")


def _regression(features: Features, good: Features) -> Regression:
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0  # for constant features, which predict nothing
    model = LogisticRegression(C=_FREELY, max_iter=2000).fit((features - mean) / scale, good)
    return Regression(mean, scale, model.coef_[0], float(model.intercept_[0]))
