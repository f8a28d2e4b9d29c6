"""A library of the sample papers, which tests of answers put questions to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.library import Library, open_library
from core.paper import Paper, read_paper
from core.settings import Settings
from core.text.similarity import Embedder
from run import ROOT

SAMPLES = ("leg-cramps.xml", "pharmacy-ecg-screening.md", "sleep-app.pdf", "stair-climbing.tei.xml")


@pytest.fixture(scope="package")
def papers() -> list[Paper]:
    return [read_paper((ROOT / "sample_data" / name).read_bytes(), name=name) for name in SAMPLES]


@pytest.fixture(scope="package")
def library(tmp_path_factory: pytest.TempPathFactory, papers: Sequence[Paper]) -> Library:
    """Nobody changes it."""
    home = tmp_path_factory.mktemp("home")
    library = open_library("papers", Embedder.installed(home / "vectors"), Settings(home, None))
    library.add(papers)
    return library
