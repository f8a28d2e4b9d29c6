"""How well the engines find evidence: `python tools/measure_evidence.py [--papers N] [ENGINE ...]`.

Figures of `offline` come out in sample here, for its weights were fitted on these papers: take its
cross-validated ones, which tools/fit_offline.py reports.
"""

from __future__ import annotations

import argparse

import evidence_data as data

from core.evidence import engine_named


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("engines", nargs="*", default=["bm25", "embedding"])
    arguments.add_argument("--papers", type=int, help="articles of Evidence Inference to use (default: all)")
    options = arguments.parse_args()
    sources: dict[str, list[data.Question]] = {
        "EvidenceBench": [*data.evidencebench()],
        "Evidence Inference": [*data.evidence_inference(options.papers)],
    }
    for name in options.engines:
        engine = engine_named(name)
        for source, questions in sources.items():
            scores = [question.score(engine) for question in questions]
            print(
                f"{name:10} {source} ({len(questions)}):  {data.as_line(data.mean_scores(questions, scores))}",
                flush=True,
            )


if __name__ == "__main__":
    main()
