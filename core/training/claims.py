"""Claims of papers, and labels that were given by reading: `python -m core.training claims` measures, and with `--fit` fits.

`readings/claims.jsonl` has a claim a line: the paper, the number of its sentence, and what it is (PaperQA2, section 8.4). A label says
whether the sentence, as it is cut, is a result or conclusion of this paper and makes sense alone. What the engine gives and nobody has
labelled counts for nothing. `--fit` writes what ranks claims, and prints what it is worth by folds of papers.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from core.claims import claim_engine_named
from core.claims.model import ClaimVerdict
from core.claims.offline import LEAST, LEAST_WORTH, MODEL, OfflineClaims, candidates, worth
from core.entailment.regression import Features, Regression
from core.paper import Paper, read_paper
from core.settings import load_settings

READINGS = Path(__file__).parent / "readings" / "claims.jsonl"
_FREELY = 0.1  # how freely the regression fits
_FOLDS = 8
_NEWEST = 50  # papers whose labels came last, on which no rule was tried

Labels = Mapping[str, Mapping[int, ClaimVerdict]]  # by paper and sentence


def measure_claims() -> int:
    """Print how many of the labelled claims that the engine gives are good, and how many it leaves out."""
    parser = argparse.ArgumentParser(description="Measure claims on labelled ones.")
    parser.add_argument("--data", type=Path, default=load_settings().data, help="the folder of data")
    parser.add_argument("--engine", default="offline")
    parser.add_argument("--fit", action="store_true", help="fit what ranks the claims of offline, and write it")
    arguments = parser.parse_args()
    if arguments.fit:
        _fit(arguments.data)
    _measure(arguments.engine, arguments.data)
    return 0


def labels() -> Labels:
    """By paper, in the order of the file."""
    found: dict[str, dict[int, ClaimVerdict]] = {}
    for line in READINGS.read_text(encoding="utf-8").splitlines():
        read = json.loads(line)
        found.setdefault(read["paper"], {})[read["sentence"]] = ClaimVerdict(read["label"])
    return found


def _paper(data: Path, name: str) -> Paper:
    path = data / "evidence_inference" / "xml" / f"{name}.nxml"
    return read_paper(path.read_bytes(), name=path.name)


def _measure(engine_name: str, data: Path) -> None:
    found, engine = labels(), claim_engine_named(engine_name)
    given: Counter[ClaimVerdict] = Counter()
    for name, own in found.items():
        given.update(own[one.sentence] for one in engine.claims(_paper(data, name)).claims if one.sentence in own)
    total = sum(given.values())
    print(f"{total} of {sum(map(len, found.values()))} labelled claims of {len(found)} papers are given")
    for verdict in ClaimVerdict:
        print(f"{verdict.value:20} {given[verdict]:3}  {given[verdict] / max(1, total):.1%}")


# ---- fitting ----


def _fit(data: Path) -> None:
    engine = claim_engine_named("offline")
    assert isinstance(engine, OfflineClaims)  # noqa: S101
    rows, good, papers = [], [], []
    for name, own in labels().items():
        paper = _paper(data, name)
        likely = [one for one in candidates(paper) if one[0].index in own]
        for claim, features in zip(*engine.described(paper, likely), strict=True):
            if worth(features) >= LEAST_WORTH:
                rows.append(features)
                good.append(own[claim.sentence] is ClaimVerdict.GOOD)
                papers.append(name)
    described, right = np.array(rows), np.array(good)
    by_folds = np.empty(len(rows))
    for train, test in GroupKFold(_FOLDS).split(described, groups=papers):
        fitted = _regression(described[train], right[train])
        by_folds[test] = [fitted.probability(row) for row in described[test]]
    newest = np.isin(papers, list(dict.fromkeys(papers))[-_NEWEST:])
    for least in (0.6, 0.65, 0.7, 0.75, 0.8, 0.85):
        for name, those in (("all", newest | True), (f"the last {_NEWEST} papers", newest)):
            kept = (by_folds >= least) & those
            print(
                f"by folds, from {10 * least:g} on, of {name}: {kept.sum()} of {those.sum()} kept, "
                f"{right[kept].mean():.1%} of them good"
            )
    print(f"The engine gives claims from {LEAST:g} on.")
    MODEL.write_text(json.dumps(_regression(described, right).to_json(), indent=1) + "\n", encoding="utf-8")


def _regression(features: Features, good: Features) -> Regression:
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0  # of what is the same everywhere, which tells nothing
    model = LogisticRegression(C=_FREELY, max_iter=2000).fit((features - mean) / scale, good)
    return Regression(mean, scale, model.coef_[0], float(model.intercept_[0]))
