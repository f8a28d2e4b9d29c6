"""Build `sample_data/farebio` in the layout of docs/summary.md from the annotations in `sample_data/build/summaries`.

An annotation quotes the beginning of each support sentence; a quotation that fits no sentence, or more than one, stops
the build. Run it after a change to a sample, an annotation or a reader: `python sample_data/build/summaries.py`
(`--check` writes nothing and fails where a file would change).
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.benchmarks.farebio_rows import as_csv  # noqa: E402
from core.benchmarks.samples import SAMPLE_DATA, paper_path  # noqa: E402
from core.paper import Kind, Paper, read_paper  # noqa: E402
from core.summary import SummarySource  # noqa: E402
from core.summary.source import source_sentences  # noqa: E402

ANNOTATIONS = ROOT / "sample_data" / "build" / "summaries"


def main() -> int:
    """Build both files; the result is the exit status."""
    rows = [row for path in sorted(ANNOTATIONS.glob("*.toml")) for row in _rows(path)]
    built = {
        "farebio_sample.json": json.dumps(rows, ensure_ascii=False, indent=1) + "\n",
        "farebio_sample.csv": as_csv(rows),
    }
    stale = []
    for name, content in built.items():
        target = SAMPLE_DATA / "farebio" / name
        if not target.exists() or target.read_text(encoding="utf-8") != content:
            stale.append(name)
            if "--check" not in sys.argv:
                target.parent.mkdir(exist_ok=True)
                target.write_text(content, encoding="utf-8", newline="\n")
    print("\n".join(stale) or "nothing changed")
    return int("--check" in sys.argv and bool(stale))


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
