"""The claims of papers beside labels that were given by reading: `python -m core.training claims`.

`readings/claims.jsonl` has a claim a line: the paper, the number of its sentence, and what it is (PaperQA2, section 8.4). A label says
whether the sentence, as it is cut, is a result or conclusion of this paper and makes sense alone. What the engine gives and nobody has
labelled counts for nothing.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from core.claims import claim_engine_named
from core.claims.model import ClaimVerdict
from core.paper import read_paper
from core.settings import load_settings

READINGS = Path(__file__).parent / "readings" / "claims.jsonl"


def measure_claims() -> int:
    """Print how many of the labelled claims that the engine gives are good, and how many it leaves out."""
    parser = argparse.ArgumentParser(description="Measure claims on labelled ones.")
    parser.add_argument("--data", type=Path, default=load_settings().data, help="the folder of data")
    parser.add_argument("--engine", default="offline")
    arguments = parser.parse_args()
    labels: dict[str, dict[int, ClaimVerdict]] = {}
    for line in READINGS.read_text(encoding="utf-8").splitlines():
        read = json.loads(line)
        labels.setdefault(read["paper"], {})[read["sentence"]] = ClaimVerdict(read["label"])
    engine = claim_engine_named(arguments.engine)
    given: Counter[ClaimVerdict] = Counter()
    for name, own in labels.items():
        path = arguments.data / "evidence_inference" / "xml" / f"{name}.nxml"
        claims = engine.claims(read_paper(path.read_bytes(), name=path.name)).claims
        given.update(own[one.sentence] for one in claims if one.sentence in own)
    total = sum(given.values())
    print(f"{total} of {sum(map(len, labels.values()))} labelled claims of {len(labels)} papers are given")
    for verdict in ClaimVerdict:
        print(f"{verdict.value:20} {given[verdict]:3}  {given[verdict] / max(1, total):.1%}")
    return 0
