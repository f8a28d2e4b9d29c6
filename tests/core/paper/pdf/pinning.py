"""What was seen on the pages of a published PDF, kept as titles, counts and hashes: a pin holds no text of the paper.

After a paper's sentences have been compared with the images of its pages, by eye, write its pin:

    python -m tests.core.paper.pdf.pinning paper.pdf --hard "over two columns" "We measured all" --row "Women"

It becomes pins/paper.json. Hard sentences and table rows are named by a few of their words, enough of them to tell one
from all others; those of a pin that is there already are kept, so that the command without them writes the
pin again. `test_pinned_papers.py` holds the reader to it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from core.paper import Kind, Paper, Section, read_paper

PINS = Path(__file__).parent / "pins"
PROSE = frozenset({Kind.ABSTRACT, Kind.BODY})


def digest(text: str) -> str:
    """The hash of a text as it is printed: of all signs and hyphens, but for how its white space is set."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


def letters_digest(text: str) -> str:
    """The hash of a text's letters and digits."""
    return digest("".join(filter(str.isalnum, text)))


def warnings(paper: Paper) -> dict[str, list[int | None]]:
    """The pages that each kind of warning is about."""
    pages: dict[str, list[int | None]] = {}
    for warning in paper.warnings:
        pages.setdefault(warning.kind, []).append(warning.page)
    return pages


def sections(paper: Paper) -> list[dict[str, Any]]:
    """Title, kind and level of each section; the number of its sentences of prose; hashes of the first and the last."""
    return [
        {"title": section.title, "kind": str(section.kind), "level": section.level, **_ends(paper, section)}
        for section in paper.sections
    ]


def _ends(paper: Paper, section: Section) -> dict[str, Any]:
    prose = [sentence.text for sentence in paper.sentences_of(section) if sentence.kind in PROSE]
    ends = {"first": letters_digest(prose[0]), "last": letters_digest(prose[-1])} if prose else {}
    return {"sentences": len(prose), **ends}


def found(paper: Paper, words: str, kinds: frozenset[Kind]) -> list[str]:
    """The sentences of these kinds that the words stand in."""
    return [s.text for s in paper.sentences if s.kind in kinds and words in s.text]


def pin_of(paper: Paper, hard: list[tuple[str, str]], rows: list[str]) -> dict[str, Any]:
    """All that a pin holds. Raises `ValueError` where a hard sentence or a row is not there exactly once."""
    return {
        "doi": paper.doi,
        "title": digest(paper.title or ""),
        "left_out": list(paper.sections_left_out),
        "warnings": warnings(paper),
        "sentences": dict(sorted(Counter(str(sentence.kind) for sentence in paper.sentences).items())),
        "sections": sections(paper),
        "hard": [{"why": why, "words": words, "digest": digest(_single(paper, words, PROSE))} for why, words in hard],
        "rows": [{"words": words, "digest": digest(_single(paper, words, frozenset({Kind.TABLE})))} for words in rows],
    }


def _single(paper: Paper, words: str, kinds: frozenset[Kind]) -> str:
    texts = found(paper, words, kinds)
    if len(texts) != 1:
        raise ValueError(f"“{words}” stand in {len(texts)} sentences; name one by more or other words")
    return texts[0]


def shown(pin: dict[str, Any]) -> str:
    """The pin as JSON, each section, sentence and row on a line of its own."""
    lines = []
    for key, value in pin.items():
        nested = isinstance(value, list) and value and isinstance(value[0], dict)
        items = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value) if nested else ""
        lines.append(
            f" {json.dumps(key)}: " + (f"[\n  {items}\n ]" if nested else json.dumps(value, ensure_ascii=False))
        )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.core.paper.pdf.pinning")
    parser.add_argument("pdf", type=Path)
    parser.add_argument("--hard", nargs=2, action="append", default=[], metavar=("WHY", "WORDS"))
    parser.add_argument("--row", action="append", default=[], metavar="WORDS")
    options = parser.parse_args(arguments)
    path = PINS / f"{options.pdf.stem}.json"
    before = json.loads(path.read_text("utf-8")) if path.exists() else {"hard": [], "rows": []}
    hard = [(item["why"], item["words"]) for item in before["hard"]] + [(why, words) for why, words in options.hard]
    rows = [item["words"] for item in before["rows"]] + options.row
    paper = read_paper(options.pdf.read_bytes(), name=options.pdf.name)
    PINS.mkdir(exist_ok=True)
    path.write_text(shown(pin_of(paper, hard, rows)), "utf-8")
    sys.stdout.write(f"wrote {path}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
