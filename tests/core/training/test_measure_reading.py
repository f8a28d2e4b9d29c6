"""How long reading a PDF takes beside bare text extraction (docs/reading.md): bounds that no slow day breaks."""

from __future__ import annotations

from pathlib import Path

from core.training.measure_reading import seconds_taken

MOST, MOST_OF_ALL = 8.0, 4.5  # times bare extraction: of one file, and of all together


def test_reading_is_a_small_multiple_of_bare_extraction(shared_data: Path) -> None:
    taken = {file.name: seconds_taken(file.read_bytes(), runs=3) for file in (shared_data / "pdf").glob("*.pdf")}
    slow = {name: f"{read / bare:.1f} times" for name, (bare, read) in taken.items() if read > MOST * bare}
    assert not slow
    bare, read = map(sum, zip(*taken.values(), strict=True))
    assert read < MOST_OF_ALL * bare
