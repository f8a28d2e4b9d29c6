"""Build `sample_data/NAME.gold.json` in EvidenceBench's layout from the annotations in `sample_data/build/gold/NAME.toml`.

An annotation quotes the beginning of each source of information; a quotation that fits no sentence of the pool,
or more than one, stops the build. Run it after a change to a sample, an annotation or a reader:
`python sample_data/build/gold.py` (`--check` writes nothing and fails where a file would change).
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.benchmarks.max_coverage import best_cover, optimal  # noqa: E402
from core.benchmarks.samples import SAMPLE_DATA, paper_path  # noqa: E402
from core.paper import Kind, read_paper  # noqa: E402

ANNOTATIONS = ROOT / "sample_data" / "build" / "gold"
# Captions and table rows have no place in EvidenceBench's pools.
_TYPES = {
    Kind.TITLE: "section_name",
    Kind.HEADING: "section_name",
    Kind.ABSTRACT: "abstract",
    Kind.BODY: "normal_paragraph",
}


def main() -> int:
    """Build every gold file; the result is the exit status."""
    stale = []
    for annotation in sorted(ANNOTATIONS.glob("*.toml")):
        target = SAMPLE_DATA / f"{annotation.stem}.gold.json"
        content = gold_file(annotation)
        if not target.exists() or target.read_text(encoding="utf-8") != content:
            stale.append(target.name)
            if "--check" not in sys.argv:
                target.write_text(content, encoding="utf-8", newline="\n")
    print("\n".join(stale) or "nothing changed")
    return int("--check" in sys.argv and bool(stale))


def gold_file(annotations: Path) -> str:
    """The JSON text of one sample's gold file. Raises `ValueError` for a quotation that fits no one sentence."""
    name = annotations.stem
    annotation = tomllib.loads(annotations.read_text(encoding="utf-8"))
    path = paper_path(name)
    paper = read_paper(path.read_bytes(), name=path.name)
    pool = [(sentence.text, _TYPES[sentence.kind]) for sentence in paper.sentences if sentence.kind in _TYPES]
    records = {
        f"{name}_{number}": _record(f"{name}_{number}", name, pool, hypothesis)
        for number, hypothesis in enumerate(annotation["hypothesis"], 1)
    }
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _record(record_id: str, name: str, pool: list[tuple[str, str]], hypothesis: Mapping[str, Any]) -> dict[str, Any]:
    ids = [f"{record_id}_aspect_{number}" for number in range(len(hypothesis["aspect"]))]
    entries = dict(zip(ids, hypothesis["aspect"], strict=True))
    aspects = {id_: frozenset(_find(start, pool) for start in entry["sources"]) for id_, entry in entries.items()}
    results = {id_: aspects[id_] for id_, entry in entries.items() if entry.get("result")}
    return {
        "hypothesis": hypothesis["text"],
        "paper_as_candidate_pool": [text for text, _ in pool],
        "aspect_list_ids": ids,
        "results_aspect_list_ids": list(results),
        "aspect2sentence_indices": {id_: sorted(covering) for id_, covering in aspects.items()},
        "sentence_index2aspects": {
            str(index): [id_ for id_ in ids if index in aspects[id_]] for index in range(len(pool))
        },
        "evidence_retrieval_at_optimal_evaluation": _at_optimal(aspects),
        "evidence_retrieval_at_10_evaluation": _at(10, aspects, len(pool)),
        "results_evidence_retrieval_at_optimal_evaluation": _at_optimal(results),
        "results_evidence_retrieval_at_5_evaluation": _at(5, results, len(pool)),
        "sentence_types_in_candidate_pool": [sentence_type for _, sentence_type in pool],
        "paper_id": name,
        "aspect_labels": {id_: entry["label"] for id_, entry in entries.items()},
        "paraphrases": hypothesis.get("paraphrases", []),
    }


def _find(start: str, pool: list[tuple[str, str]]) -> int:
    found = [index for index, (text, _) in enumerate(pool) if text.startswith(start)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} sentences begin with “{start}”; quote a beginning that only one has")
    return found[0]


def _at_optimal(aspects: Mapping[str, frozenset[int]]) -> dict[str, Any]:
    fewest = optimal(aspects)
    cover = best_cover(aspects, fewest)
    return {
        "optimal": fewest,
        "one_selection_of_sentences": list(cover.sentences),
        "covered_aspects": [id_ for id_ in aspects if id_ in cover.aspects],
    }


def _at(k: int, aspects: Mapping[str, frozenset[int]], size: int) -> dict[str, Any]:
    cover = best_cover(aspects, k)
    # The layout wants exactly k sentences: further sources, then whatever comes first.
    sources = sorted({index for covering in aspects.values() for index in covering})
    selection = list(dict.fromkeys([*cover.sentences, *sources, *range(size)]))[:k]
    return {
        "one_selection_of_sentences": selection,
        "covered_aspects": [id_ for id_ in aspects if id_ in cover.aspects],
    }


if __name__ == "__main__":
    raise SystemExit(main())
