"""The Contradictions page: a real trial, with one planted paper that contradicts it and one that agrees."""

from __future__ import annotations

import json
import os
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Page, expect

from core.paper import read_paper
from core.settings import load_settings
from core.store import Project, open_store, record_of
from tests.browser.conftest import App
from tests.browser.desk import choose

PICTURES = os.environ.get("VOUCH_TEST_PICTURES")  # a folder for screenshots
AGAINST = b"""# Lactate under two antipsychotics in schizophrenia: a randomised trial of haloperidol against olanzapine

## Results

Blood lactate levels were significantly lower in patients receiving haloperidol than in patients receiving olanzapine (1.1 vs. 2.0 mmol/l, P < 0.001).
"""
AGREEING = b"""# Haloperidol and olanzapine in acute psychosis: a second open trial

## Results

Blood lactate was significantly higher in patients receiving haloperidol than in patients receiving olanzapine (2.4 vs. 1.2 mmol/l, P < 0.001).
"""


def test_a_real_trial_its_claims_and_both_sides(page: Page, app: App, shared_data: Path) -> None:
    trial = (shared_data / "evidence_inference" / "xml" / "PMC3046499.nxml").read_bytes()
    id, store = uuid4().hex, open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project(id, f"Lactate {id[:6]}", ("Ann",), blind=False))
        for name, content in (("trial.nxml", trial), ("against.md", AGAINST), ("agreeing.md", AGREEING)):
            change.keep_file(change.save(record_of(read_paper(content, name=name), project=id)), content)
    store.close()
    page.goto(f"{app.url}/contradictions")
    page.get_by_role("button", name="Check its claims").click()
    claim = page.locator("[class*='st-key-claim-']").get_by_text("significantly higher blood lactate levels")
    claim.first.click()
    against, agreeing = page.locator(".st-key-side-contradicts-0"), page.locator(".st-key-side-agrees-0")
    expect(against).to_contain_text("against olanzapine")
    expect(against).to_contain_text("significantly lower in patients receiving haloperidol")
    expect(agreeing).to_contain_text("a second open trial")
    choose(against.get_by_role("combobox", name="Your decision"), "apparent only")
    why = against.get_by_role("textbox", name="Only because")
    why.fill("children")
    why.press("Enter")
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / "contradictions.png", full_page=True)
    page.get_by_role("button", name="Download").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    document = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    [contested] = [one for one in document["claims"] if one["against"]]
    assert contested["for"]
    assert contested["contradicted"]
    assert contested["score"] >= document["threshold"]
    assert document["scale"] == "", "what a place is worth was measured"
    assert contested["against"][0]["decisions"] == {"Ann": "apparent only: children"}
    page.keyboard.press("Escape")
    against.get_by_role("button").first.click()
    expect(page).to_have_title("Evidence · Vouch")
