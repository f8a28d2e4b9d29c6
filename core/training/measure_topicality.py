"""How often a finding sets a paper aside as being about something else: rightly, for other trials' hypotheses, or wrongly.

    python -m core.training.measure_topicality [--data FOLDER] [--articles 25] [--half report]

The hypotheses and halves are those of `measure_findings`; each article meets its own hypotheses, and six of other articles
drawn at random. Some of those it may well speak of. Its own that name a drug it meets again with the drug's class in its
place ("statins" for simvastatin); `--classes` asks no others. Reads the data folder (Evidence Inference).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from core.benchmarks.bootstrap import interval
from core.benchmarks.evidence_inference import Prompt, read_evidence_inference
from core.errors import VouchError
from core.findings.claim import claim_of
from core.findings.drug_classes import drug_classes
from core.findings.topicality import missing_topics
from core.training import evidence_data as data
from core.training.measure_findings import HALVES, digest, half_of, hypotheses_of

_FOREIGN = 6  # hypotheses of other articles for each
_SEED = 3


def main() -> None:
    """Print both shares with their intervals, articles resampled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--articles", type=int, default=25, metavar="N")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--classes", action="store_true", help="only the hypotheses that name a drug, of all articles")
    options = parser.parse_args()
    folder = (options.data or data.data_folder()) / "evidence_inference"
    claims = {prompt: made[0][1] for prompt, made in hypotheses_of(folder, both=False).items()}
    prompts = [one for one in read_evidence_inference(folder) if isinstance(one, Prompt)]
    prompts = [one for one in prompts if half_of(one.article) == options.half]
    generator = random.Random(_SEED)  # noqa: S311  no secret
    own: list[tuple[str, bool]] = []
    foreign: list[tuple[str, bool]] = []
    classes: list[tuple[str, bool]] = []
    for article in sorted({one.article for one in prompts}, key=digest)[
        : None if options.classes else options.articles
    ]:
        mine = [one for one in prompts if one.article == article]
        classes += [(article, _aside(one, named)) for one in mine if (named := _by_class(claims[one.id]))]
        if options.classes:
            continue
        own += [(article, _aside(one, claims[one.id])) for one in mine]
        others = [one for one in generator.sample(prompts, _FOREIGN) if one.article != article]
        foreign += [(article, _aside(mine[0], claims[one.id])) for one in others]
    if not options.classes:
        _print("own hypotheses set aside", own)
        _print("other articles' hypotheses set aside", foreign)
    if classes:
        _print("own hypotheses that name a drug's class set aside", classes)


def _aside(prompt: Prompt, hypothesis: str) -> bool:
    return bool(missing_topics(prompt.paper, claim_of(hypothesis), "offline"))


def _by_class(hypothesis: str) -> str | None:
    """The hypothesis with the class of what is studied in the drug's place; None where it names none that is known."""
    claim = claim_of(hypothesis)
    for one in drug_classes():
        if one.members.search(claim.studied.lower()) and not one.members.search(claim.beside.lower()):
            return hypothesis.replace(claim.studied, f"{one.name}s", 1)
    return None


def _print(title: str, found: Sequence[tuple[str, bool]]) -> None:
    share = interval([float(aside) for _, aside in found], [article for article, _ in found])
    print(
        f"{title}: {sum(aside for _, aside in found)} of {len(found)}, {share.value:.1%} ({share.low:.1%} to {share.high:.1%})"
    )


if __name__ == "__main__":
    try:
        main()
    except VouchError as error:
        sys.exit(str(error))
