"""What decides results: which files, and which settings."""

from __future__ import annotations

import pytest

from core.work import identity
from core.work.identity import ROOT, fingerprint


def test_every_room_that_makes_results_is_hashed() -> None:
    rooms = {folder.name for folder in (ROOT / "core").iterdir() if (folder / "__init__.py").exists()}
    only_carry_them_about = {"store", "export", "runs", "review", "commands", "training"}
    assert rooms - set(identity._ROOMS) <= only_carry_them_about
    assert all((ROOT / "core" / room).is_dir() for room in identity._ROOMS)
    assert all((ROOT / "core" / name).is_file() for name in identity._FILES)


def test_a_fingerprint_tells_code_settings_and_engines_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [fingerprint(), fingerprint("bm25"), fingerprint("bm25", "openai:one")]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    seen.append(fingerprint("bm25", "openai:one"))
    monkeypatch.setenv("VOUCH_RANKER", "trials")
    seen.append(fingerprint("bm25"))
    monkeypatch.setattr(identity, "code_sha256", lambda: "another")
    seen.append(fingerprint("bm25"))
    assert len(set(seen)) == len(seen)
    assert fingerprint("bm25") == seen[-1]
