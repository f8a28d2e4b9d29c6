"""Build `sample_data/farebio` and `sample_data/plain_summaries` from the annotations in `sample_data/build/summaries`.

The layouts are those of docs/summary.md and docs/bench.md.
An annotation quotes the beginning of each support sentence; a quotation that fits no sentence, or more than one, stops
the build. Run it after a change to a sample, an annotation or a reader: `python sample_data/build/summaries.py`
(`--check` writes nothing and fails where a file would change).
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.benchmarks.farebio import as_csv  # noqa: E402
from core.benchmarks.samples import SAMPLE_DATA, paper_path  # noqa: E402
from core.paper import Kind, Paper, read_paper  # noqa: E402
from core.summary import Label, SummarySource  # noqa: E402
from core.summary.model import source_sentences  # noqa: E402

ANNOTATIONS = ROOT / "sample_data" / "build" / "summaries"


def main() -> int:
    """Build both files; the result is the exit status."""
    rows = [row for path in sorted(ANNOTATIONS.glob("*.toml")) for row in _rows(path)]
    built = {
        "farebio/farebio_sample.json": json.dumps(rows, ensure_ascii=False, indent=1) + "\n",
        "farebio/farebio_sample.csv": as_csv(rows),
        "plain_summaries/dev.jsonl": "".join(map(_line, _labelled(rows))),
        "plain_summaries/editors.jsonl": "".join(map(_line, _unlabelled(rows))),
    }
    stale = []
    for name, content in built.items():
        target = SAMPLE_DATA / name
        if not target.exists() or target.read_text(encoding="utf-8") != content:
            stale.append(name)
            if "--check" not in sys.argv:
                target.parent.mkdir(exist_ok=True)
                target.write_text(content, encoding="utf-8", newline="\n")
    print("\n".join(stale) or "nothing changed")
    return int("--check" in sys.argv and bool(stale))


def _labelled(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The sentences in the layout of `summary/sentences`."""
    numbers = Counter[str]()
    for row in rows:
        numbers[row["paper"]] += 1
        supported = row["label"] == Label.SUPPORTED
        if supported or Label(row["label"]).flagged:
            yield {
                "paper": row["paper"],
                "n": numbers[row["paper"]],
                "sentence": row["text"],
                "label": "supported" if supported else "not supported",
                "kind": None if supported else row["label"].replace("contradicts the paper", "contradicts"),
                "error": None if supported else "other",
                "part": row.get("part"),
                "support": row.get("support", []),
            }


def _unlabelled(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those that are right in the layout of `summary/editors`."""
    for row in _labelled(rows):
        if row["label"] == "supported":
            yield {name: row[name] for name in ("paper", "n", "sentence")}


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of one paper's summaries; what tells of the paper is in the first."""
    file = paper_path(path.stem)
    paper = read_paper(file.read_bytes(), name=file.name)
    told = _front(paper)
    for summary in tomllib.loads(path.read_text(encoding="utf-8"))["summary"]:
        for sentence in summary["sentence"]:
            own = {"paper": path.stem, "summary": summary["name"], "abstractiveness": summary["abstractiveness"]}
            support = [_found(start, paper) for start in sentence.get("support", ())]
            yield own | told | sentence | ({"support": support} if support else {})
            told = {}


def _front(paper: Paper) -> Mapping[str, Any]:
    """Title, authors, abstract and first section, as FaReBio shows a paper."""
    front = source_sentences(paper, SummarySource.FRONT)
    body = [sentence for sentence in front if sentence.kind is Kind.BODY]
    return {
        "title": paper.title,
        "authors": list(paper.authors),
        "abstract": " ".join(sentence.text for sentence in front if sentence.kind is Kind.ABSTRACT),
        "section": paper.section_of(body[0]).title,
        "section_text": " ".join(sentence.text for sentence in body),
    }


def _found(start: str, paper: Paper) -> str:
    """The one sentence of the front that begins so."""
    front = source_sentences(paper, SummarySource.FRONT)
    found = [sentence.text for sentence in front if sentence.text.startswith(start)]
    if len(found) != 1:
        raise ValueError(f"{paper.name}: {len(found)} sentences begin with “{start}”; quote one that only one has")
    return found[0]


if __name__ == "__main__":
    raise SystemExit(main())
