"""Fixtures for running pages without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="package", autouse=True)
def packages_are_looked_through_once() -> Iterator[None]:
    """Scan the installed packages only once. Each `AppTest` does it, and it takes seven times as long as a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of this test's own for all that Vouch stores."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
