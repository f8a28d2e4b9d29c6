"""What of Vouch itself decides results: its code, prompts and models, and a few settings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path

from core.llm import model_named
from core.llm.access import access_to
from core.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
# The rooms whose code, rules and models make a result. Screens, commands and the store only carry it about.
_ROOMS = (
    "paper",
    "references",
    "text",
    "llm",
    "grounding",
    "evidence",
    "entailment",
    "bias",
    "summary",
    "screening",
    "findings",
    "work",
    "benchmarks",
)
_FILES = ("errors.py", "progress.py", "prompts.py", "settings.py")


@cache
def code_sha256() -> str:
    """The SHA-256 of Vouch's own files that decide results."""
    folders = [*(ROOT / "core" / room for room in _ROOMS), ROOT / "prompts"]
    inside = (file for folder in folders for file in folder.rglob("*"))
    files = [file for file in inside if file.is_file() and "__pycache__" not in file.parts]
    files += [ROOT / "core" / name for name in _FILES]
    return together((file.relative_to(ROOT).as_posix(), file_sha256(file)) for file in sorted(files))


def options(engine: str) -> tuple[tuple[str, str], ...]:
    """The settings that decide what this engine does, by name: which models, or whose server."""
    if model := model_named(engine):
        return (("server", access_to(model.provider, sends=False).shown_address),)
    return (("ranker", load_settings().ranker),)


def fingerprint(*engines: str) -> str:
    """One word for both, by which machines tell whether they would come to the same results with these engines."""
    return together([("code", code_sha256()), *(option for engine in engines for option in options(engine))])


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def together(sums: Iterable[tuple[str, str]]) -> str:
    """One SHA-256 of several, with their names."""
    return sha256("".join(f"{each}  {name}\n" for name, each in sums).encode()).hexdigest()
