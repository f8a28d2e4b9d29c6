"""The app opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect


@pytest.mark.parametrize("size", ["page", "small_page"])
def test_the_app_opens_and_says_what_it_is(
    size: str, request: pytest.FixtureRequest, screenshot: Callable[[Page, str], Path]
) -> None:
    window: Page = request.getfixturevalue(size)
    expect(window.get_by_text("Vouch").first).to_be_visible(timeout=30_000)
    expect(window.get_by_test_id("stException")).to_have_count(0)
    assert screenshot(window, f"first-{size}").stat().st_size > 0
