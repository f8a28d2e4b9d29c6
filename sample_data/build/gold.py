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
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.benchmarks.gold import Gold, Instance  # noqa: E402
from core.benchmarks.samples import SAMPLE_DATA, paper_path  # noqa: E402
from core.export.gold import evidencebench_record  # noqa: E402
from core.paper import Kind, Paper, read_paper  # noqa: E402

ANNOTATIONS = ROOT / "sample_data" / "build" / "gold"
TOGETHER = "evidencebench/evidencebench_sample.json"  # for a benchmark


def main() -> int:
    """Build every gold file, and one that holds them all; the result is the exit status."""
    stale = []
    golds = {f"{path.stem}.gold.json": gold_file(path) for path in sorted(ANNOTATIONS.glob("*.toml"))}
    together = {id: record for content in golds.values() for id, record in json.loads(content).items()}
    for name, content in {**golds, TOGETHER: _json(together)}.items():
        target = SAMPLE_DATA / name
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
    # Captions and table rows have no place in EvidenceBench's pools.
    pool = replace(paper, sentences=tuple(s for s in paper.sentences if s.kind not in {Kind.CAPTION, Kind.TABLE}))
    instances = [
        _instance(f"{name}_{number}", pool, hypothesis) for number, hypothesis in enumerate(annotation["hypothesis"], 1)
    ]
    records = {instance.id: evidencebench_record(instance, paper_id=name) for instance in instances}
    return _json(records)


def _json(records: Mapping[str, Any]) -> str:
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _instance(record_id: str, paper: Paper, hypothesis: Mapping[str, Any]) -> Instance:
    pool = [sentence.text for sentence in paper.sentences]
    aspects = {
        f"{record_id}_aspect_{number}": (aspect, frozenset(_find(start, pool) for start in aspect["sources"]))
        for number, aspect in enumerate(hypothesis["aspect"])
    }
    gold = Gold(
        aspects={id_: covering for id_, (_, covering) in aspects.items()},
        results=frozenset(id_ for id_, (aspect, _) in aspects.items() if aspect.get("result")),
        labels={id_: aspect["label"] for id_, (aspect, _) in aspects.items()},
    )
    return Instance(record_id, hypothesis["text"], paper, gold, tuple(hypothesis.get("paraphrases", ())))


def _find(start: str, pool: list[str]) -> int:
    found = [index for index, text in enumerate(pool) if text.startswith(start)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} sentences begin with “{start}”; quote a beginning that only one has")
    return found[0]


if __name__ == "__main__":
    raise SystemExit(main())
