"""How often a paper is given a firm verdict on an outcome that another trial of its field reports, and not it.

    python -m core.training.measure_neighbours [--data FOLDER] [--half develop] [--articles 110] [--keep FILE] [--list] [--fit]

The questions are those of `core.training.neighbour_questions`, two for each article; the halves are those of
`measure_findings`. Firm are "supports" and "refutes". Some outcomes the paper does report: `--list` prints each firm verdict
with the sentence that decided, to be read. `--fit` gives the weights of `core.findings.reported`, from these questions and
the trials' own. Reads the data folder (Evidence Inference).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from sklearn.linear_model import LogisticRegression

from core.benchmarks.bootstrap import interval
from core.benchmarks.evidence_inference import Prompt, read_evidence_inference
from core.evidence import EvidenceEngine, EvidenceQuery, engine_named
from core.evidence.engines import encoder_for
from core.findings import Finding, find
from core.findings.claim import claim_of
from core.findings.finding import K
from core.findings.reported import Likeness, likeness
from core.findings.topicality import missing_topics
from core.findings.verdict import judge, weigh
from core.paper import Paper
from core.settings import load_settings
from core.training import evidence_data as data
from core.training.kept_answers import Kept
from core.training.measure_findings import ENGINES, FIRM, HALVES, digest, gold_labels, half_of, hypotheses_of
from core.training.neighbour_questions import Neighbour, neighbours

_EACH = 2  # questions for an article
Asked = tuple[Paper, str]


def main() -> None:
    """Print the share of firm verdicts with its interval, articles resampled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--articles", type=int, default=110, metavar="N")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--engine", choices=ENGINES, default="offline")
    parser.add_argument("--keep", type=Path, help="a file that keeps the engine's answers")
    parser.add_argument("--list", action="store_true", help="print each firm verdict with its sentence")
    parser.add_argument("--fit", action="store_true", help="print weights, fitted to this half")
    options = parser.parse_args()
    folder = (options.data or data.data_folder()) / "evidence_inference"
    prompts = [one for one in read_evidence_inference(folder) if isinstance(one, Prompt)]
    here = [one for one in prompts if half_of(one.article) == options.half]
    articles = sorted({one.article for one in here}, key=digest)[: options.articles]
    embedder = encoder_for(load_settings())
    if embedder is None:
        raise SystemExit("The neighbours are found by the sentence encoder, which is not installed.")
    asked = list(neighbours(prompts, articles, embedder, _EACH))
    engine = Kept(engine_named(options.engine), options.keep)
    found = [(one, find(one.paper, one.hypothesis, engine=engine)) for one in asked]
    _print_firm(found)
    if options.list:
        _print_list(found)
    if options.fit:
        hypotheses = hypotheses_of(folder, both=False)
        known = gold_labels(folder).keys()
        own = [(one.paper, hypotheses[one.id][0][1]) for one in here if one.id in known]
        _print_fit(own, [(one.paper, one.hypothesis) for one in asked], engine)
    engine.save()


def _print_firm(found: Sequence[tuple[Neighbour, Finding]]) -> None:
    firm = [float(finding.verdict in FIRM) for _, finding in found]
    share = interval(firm, [one.article for one, _ in found])
    print(f"firm verdicts: {sum(firm):.0f} of {len(firm)}, {share.value:.1%} ({share.low:.1%} to {share.high:.1%})")


def _print_list(found: Sequence[tuple[Neighbour, Finding]]) -> None:
    for one, finding in found:
        decided = finding.strongest_for or finding.strongest_against
        if finding.verdict in FIRM and decided:
            print(f"\n{one.article}: {one.hypothesis}\n  {finding.reason}\n  {decided.text}")


def _print_fit(own: Sequence[Asked], others: Sequence[Asked], engine: EvidenceEngine) -> None:
    """A logistic regression on the likenesses of questions that the rules decide: 1 for a trial's own, 0 for the others."""
    seen, gold = [], []
    for is_own, asked in ((True, own), (False, others)):
        for near in _decided(asked, engine):
            seen.append([near.share, near.chosen, near.paper])
            gold.append(is_own)
    model = LogisticRegression(C=100).fit(seen, gold)
    print(
        f"{sum(gold)} own, {len(gold) - sum(gold)} others: {model.coef_[0].round(1)}, constant {model.intercept_[0]:.1f}"
    )


def _decided(asked: Sequence[Asked], engine: EvidenceEngine) -> Iterator[Likeness]:
    for paper, hypothesis in asked:
        claim = claim_of(hypothesis)
        judged = judge(paper, claim, engine.find(paper, EvidenceQuery(hypothesis, k=K, results_only=True)).sentences)
        if weigh(judged, claim).verdict in FIRM and not missing_topics(paper, claim, engine.name):
            yield likeness(paper, claim, judged, engine.name)


if __name__ == "__main__":
    main()
