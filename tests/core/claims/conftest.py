"""A library of a paper against the sample on leg cramps, and one that agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.benchmarks.samples import SAMPLE_DATA
from core.library import Library, open_library
from core.paper import Paper, read_paper
from core.settings import Settings
from core.text.similarity import Embedder
from tests.core.claims.papers import AGAINST, FOR


@pytest.fixture(scope="package")
def own() -> Paper:
    return read_paper((SAMPLE_DATA / "leg-cramps.xml").read_bytes(), name="leg-cramps.xml")


@pytest.fixture(scope="package")
def library(tmp_path_factory: pytest.TempPathFactory, own: Paper) -> Library:
    """Nobody changes it. The paper with the claims is in it, too."""
    home: Path = tmp_path_factory.mktemp("home")
    library = open_library("papers", Embedder.installed(home / "vectors"), Settings(home, None))
    library.add([own, read_paper(AGAINST, name="against.md"), read_paper(FOR, name="for.md")])
    return library
