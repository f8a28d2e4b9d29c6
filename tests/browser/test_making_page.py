"""A made benchmark: two people mark an aspect, blind to each other; one settles it, and the figures follow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from core.benchmarks.samples import SAMPLE_DATA
from core.llm import model_named
from core.llm.demo.inline import InlineDemo
from core.making.annotation import Annotations
from core.making.carrying_out import Making
from core.making.evidencebench import EvidenceBenchPipeline
from core.making.marks import Mark
from core.making.shelf import Shelf
from tests.browser.conftest import App
from tests.browser.desk import at_rest

WAIT = 30_000
SAMPLES = SAMPLE_DATA / "making"


def test_one_aspect_changes_and_the_figures_follow(
    page: Page, app: App, tmp_path: Path, screenshot: Callable[[Page, str], Path]
) -> None:
    model = model_named("openai:demo")
    assert model is not None
    pipeline = EvidenceBenchPipeline(SAMPLES / "reviews", Shelf(SAMPLES / "papers"))
    made = tmp_path / "made"
    Making(pipeline, model, made, 0.0).asking(InlineDemo())
    task = Annotations(made).pieces[0]
    Annotations(made).mark(task, "Ann", Mark(frozenset({1})))  # earlier, in a window of her own

    page.goto(f"{app.url}/benchmarks")
    page.get_by_text("Make", exact=True).click()
    page.get_by_label("Folder of a made benchmark").fill(str(made))
    page.keyboard.press("Enter")
    page.get_by_label("Your name").fill("Bob")
    page.keyboard.press("Enter")
    expect(page.get_by_text(task.text).last).to_be_visible(timeout=WAIT)
    expect(page.get_by_text(re.compile(r"\bAnn\b"))).to_have_count(0)  # blind
    page.locator("label").filter(has_text="[2] ").locator("input").focus()
    page.keyboard.press("Space")
    screenshot(page, "making-blind")
    page.get_by_role("button", name="Save my marks").click()

    settle = page.get_by_role("button", name="Settle")
    expect(settle).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("≠ Ann")).to_be_visible()
    expect(page.get_by_text("marked by Ann and Bob")).to_be_visible()
    at_rest(page)  # until then the old boxes are there too
    page.locator("label").filter(has_text="≠ Bob").locator("input").focus()
    page.keyboard.press("Space")
    screenshot(page, "making-settling")
    settle.click()
    expect(page.get_by_role("combobox", name="Aspect")).to_have_value(re.compile("^settled · "), timeout=WAIT)
    record = json.loads((made / "evidencebench_train_set.json").read_bytes())[task.record]
    assert record["aspect2sentence_indices"][task.id] == [2]
    screenshot(page, "making-settled")
