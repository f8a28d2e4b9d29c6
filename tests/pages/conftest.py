"""What running pages without a browser shares."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="package", autouse=True)
def packages_are_looked_through_once() -> Iterator[None]:
    """Every `AppTest` looks for components in all installed packages, which takes seven times as long as to draw a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield
