"""Write the files of a made benchmark from the journal: the published layouts, split by review, and a datasheet."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from core.benchmarks.robbr import categories_of
from core.errors import DatasetError
from core.making.alignment import SHARED, WINDOW
from core.making.journal import lines, setup_of
from core.making.marks import Settled, settled_marks, with_marks

SPLITS = ("train", "test")
FILES = {
    "evidencebench": "evidencebench_{}_set.json",
    "Main_task": "Main_task_{}.json",
    "SSR": "SSR_{}.json",
    "SJS": "SJS_{}.json",
    "farebio": "farebio_{}.json",
}
NOTHING_LEFT = "nothing is left of it after what people settled"
IN_BOTH = "its paper is in the test set, by another review"


@dataclass(slots=True)
class _Sheet:
    """Counts for the datasheet, which are made while records are written."""

    candidates: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)  # by "layout split"
    licences: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    aspects: Counter[int] = field(default_factory=Counter)
    optimal: Counter[int] = field(default_factory=Counter)
    reviews: dict[str, set[str]] = field(default_factory=lambda: {split: set() for split in SPLITS})
    papers: dict[str, set[str]] = field(default_factory=lambda: {split: set() for split in SPLITS})
    calls: int = 0
    faulty: int = 0
    tokens: int | None = 0
    cost_usd: float | None = 0.0

    def spend(self, line: Mapping[str, Any]) -> None:
        """Add what a candidate used."""
        self.calls += line["calls"]
        self.faulty += line["faulty"]
        if line["calls"]:
            self.tokens = None if None in (self.tokens, line["tokens"]) else (self.tokens or 0) + line["tokens"]
            self.cost_usd = (
                None if None in (self.cost_usd, line["cost_usd"]) else (self.cost_usd or 0.0) + line["cost_usd"]
            )

    def count(self, line: Mapping[str, Any], split: str) -> None:
        """Add a candidate with records."""
        self.reviews[split].add(_short(line["review"]))
        self.papers[split].add(_short(line["paper_key"]))
        self.licences[line["licence"] or "not told"] += 1
        for layout, record in line["records"].items():
            self.records[f"{layout} {split}"] += len(record) if isinstance(record, list) else 1
            if layout in {"evidencebench", "SSR"}:
                best = (
                    record.get("evidence_retrieval_at_optimal_evaluation")
                    or record["bias_retrieval_at_optimal_evaluation"]
                )
                self.aspects[len(record["aspect2sentence_indices"])] += 1
                self.optimal[best["optimal"]] += 1
            if layout == "Main_task":
                self.categories.update(categories_of(record["bias"]) or ("none of the six",))


def split_of(review: str, test_share: float) -> str:
    """The split of a review's records. It depends only on the review's name and the share."""
    number = int.from_bytes(hashlib.sha256(review.encode()).digest()[:6], "big")
    return "test" if number < test_share * 2**48 else "train"


def write_files(folder: Path, *, test_share: float) -> list[Path]:
    """Write the files of all layouts and the datasheet, and return them. A file without a record is not written.

    A paper that two reviews cite is in one split only: records of the train set on a paper of the test set are left
    out. Raises `DatasetError` if there is no record, or if a file cannot be written.
    """
    settled = settled_marks(folder)
    tested = {
        _short(line["paper_key"]) for line in _made(folder, settled) if split_of(line["review"], test_share) == "test"
    }
    sheet = _Sheet()
    try:
        with ExitStack() as stack:
            writers: dict[str, _RecordFile] = {}
            for line in lines(folder):
                _settle(line, settled)
                sheet.candidates += 1
                sheet.spend(line)
                split = split_of(line["review"], test_share)
                if not line["dropped"] and split == "train" and _short(line["paper_key"]) in tested:
                    line["dropped"] = IN_BOTH
                if line["dropped"]:
                    sheet.left_out[line["dropped"].partition(": “")[0]] += 1
                    continue
                sheet.count(line, split)
                for layout, record in line["records"].items():
                    name = FILES[layout].format(split)
                    if name not in writers:
                        writers[name] = stack.enter_context(_RecordFile(folder / name))
                    writers[name].add(line["key"], record)
        if not writers:
            _explain(sheet)
        for name in {FILES[layout].format(split) for layout in FILES for split in SPLITS} - writers.keys():
            (folder / name).unlink(missing_ok=True)
        document = _document(sheet, setup_of(folder), test_share)
        (folder / "datasheet.json").write_text(
            json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
        (folder / "datasheet.md").write_text("\n".join(_in_words(document)) + "\n", encoding="utf-8")
    except OSError as error:
        raise DatasetError(f"“{folder}” cannot be written ({error.strerror}). Check the folder.") from error
    return [*(folder / name for name in sorted(writers)), folder / "datasheet.json", folder / "datasheet.md"]


class _RecordFile:
    """A JSON file that is written record by record: an object, or a list if candidates have several rows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._draft = path.with_name(f".{path.name}")
        self._file: TextIO = self._draft.open("w", encoding="utf-8", newline="\n")
        self._end = ""

    def add(self, key: str, record: Any) -> None:
        """Write a record, or the rows of a candidate."""
        several = isinstance(record, list)
        rows = record if several else [record]
        for row in rows:
            self._file.write(",\n" if self._end else "[\n" if several else "{\n")
            self._file.write(
                ("" if several else f"{json.dumps(key, ensure_ascii=False)}: ") + json.dumps(row, ensure_ascii=False)
            )
            self._end = "\n]\n" if several else "\n}\n"

    def __enter__(self) -> _RecordFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.write(self._end)
        self._file.close()
        if kind is None:
            self._draft.replace(self._path)
        else:
            self._draft.unlink(missing_ok=True)


def _settle(line: dict[str, Any], settled: Settled) -> None:
    """Replace the pipeline's results in a line by the settled marks."""
    for layout in [name for name in line["records"] if (line["key"], name) in settled]:
        changed = with_marks(line, layout, settled[line["key"], layout])
        del line["records"][layout]
        if changed:
            line["records"][layout] = changed
    if not line["records"] and not line["dropped"]:
        line["dropped"] = NOTHING_LEFT


def written_anew(folder: Path) -> list[Path]:
    """Write the files again with the marks settled since, and the same split. Raises as `write_files` does."""
    try:
        split = json.loads((folder / "datasheet.json").read_bytes())["split"]
    except (OSError, ValueError) as error:
        raise DatasetError(f"“{folder}” holds no finished benchmark. Let `make` finish it first.") from error
    return write_files(folder, test_share=split["test_share"])


def packed(folder: Path) -> bytes:
    """The benchmark's files and its datasheet as a ZIP file. Raises `DatasetError` if there is none."""
    names = [FILES[layout].format(split) for layout in FILES for split in SPLITS]
    files = [folder / name for name in (*names, "datasheet.json", "datasheet.md") if (folder / name).is_file()]
    if not files:
        raise DatasetError(f"“{folder}” holds no finished benchmark. Let `make` finish it first.")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)
    return made.getvalue()


def _made(folder: Path, settled: Settled) -> Iterator[dict[str, Any]]:
    """The lines that still have records after the settled marks are applied."""
    for line in lines(folder):
        _settle(line, settled)
        if not line["dropped"]:
            yield line


def _short(name: str) -> str:
    """A short hash of a name (eight bytes as hex digits), so that a million of them fit into memory."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def _explain(sheet: _Sheet) -> None:
    reasons = "; ".join(f"{count:,} × {reason}" for reason, count in sheet.left_out.most_common(3))
    raise DatasetError(f"None of {sheet.candidates:,} candidates became a record: {reasons or 'there was none'}.")


def _document(sheet: _Sheet, setup: Mapping[str, Any], test_share: float) -> dict[str, Any]:
    return {
        "made_by": setup,
        "windows": {"sentences": WINDOW, "shared": SHARED},
        "split": {"by": "review", "test_share": test_share},
        "candidates": sheet.candidates,
        "left_out": dict(sheet.left_out.most_common()),
        "records": dict(sorted(sheet.records.items())),
        "reviews": {split: len(found) for split, found in sheet.reviews.items()},
        "papers": {split: len(found) for split, found in sheet.papers.items()},
        "licences": dict(sheet.licences.most_common()),
        "categories": dict(sorted(sheet.categories.items())),
        "aspects_of_a_record": _spread(sheet.aspects),
        "optimal_number_of_sentences": _spread(sheet.optimal),
        "questions": {"asked": sheet.calls, "answered_with_faults_at_first": sheet.faulty, "tokens": sheet.tokens},
        "cost_usd": None if sheet.cost_usd is None else round(sheet.cost_usd, 6),
    }


def _spread(counts: Counter[int]) -> dict[str, float] | None:
    if not counts:
        return None
    return {
        "min": min(counts),
        "mean": round(sum(number * times for number, times in counts.items()) / counts.total(), 2),
        "max": max(counts),
    }


def _in_words(document: Mapping[str, Any]) -> Iterator[str]:
    """The datasheet as Markdown."""
    made = document["made_by"]
    yield f"# Datasheet: {made['pipeline']}"
    yield ""
    yield f"Made by `{made['model']}` from `{made['source']}`, split by review (test share {document['split']['test_share']:g})."
    cost = document["cost_usd"]
    spent = "at a price that is not known" if cost is None else f"for ${cost:,.4f} at list prices"
    yield f"{document['questions']['asked']:,} questions {spent}."
    for title, rows in (
        ("Records", document["records"]),
        ("Reviews", document["reviews"]),
        ("Papers", document["papers"]),
        ("Licences", document["licences"]),
        ("Categories of bias", document["categories"]),
        ("Aspects of a record", document["aspects_of_a_record"]),
        ("Fewest sentences that cover all aspects", document["optimal_number_of_sentences"]),
        (f"Left out, of {document['candidates']:,} candidates", document["left_out"]),
        ("Prompts, by the hash of their files", dict(made["prompts"])),
    ):
        if rows:
            yield from ("", f"## {title}", "", *(f"- {name}: {value}" for name, value in rows.items()))
