"""Encoders and rerankers that the reviewer chose: where their files are, and what kind of model they are.

A name is a folder, or a model of the Hugging Face hub (`ORGANISATION/MODEL`), whose files are fetched once into the
hub's usual cache. Nothing here loads a model, so a wrong name is reported before heavy libraries are imported.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.errors import EngineUnavailable

# Set before the hub's client is imported, because it would send the hub data about this machine.
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")


class ModelKind(StrEnum):
    """What a sentence model does. The value is the engine's name before the colon."""

    ENCODER = "embedding"  # a text -> a vector
    RERANKER = "reranker"  # a question and a text -> a score


_IN_WORDS = {ModelKind.ENCODER: "an encoder", ModelKind.RERANKER: "a reranker"}
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tekken.json", "*.model")
_WEIGHTS = ("*.safetensors", "*.bin")
_ON_THE_HUB = re.compile(r"[\w.-]+/[\w.-]+")
_SECONDS = 10  # the time that the hub has to list a model's files
_EDGE = 1 << 20  # bytes at both ends of a file that its fingerprint covers


def why_no_sentence_models() -> str | None:
    """Why no such model can be loaded here; None if one can."""
    if None in map(find_spec, ("torch", "sentence_transformers")):
        return "The packages sentence-transformers or torch are missing. Install what requirements.txt names."
    return None


def model_folder_of(kind: ModelKind, name: str) -> Path:
    """The folder of the model called `name`, fetched from the hub if necessary, and checked to be of this kind.

    Raises `EngineUnavailable`, with a message that says what is wrong with it.
    """
    if missing := why_no_sentence_models():
        raise EngineUnavailable(missing)
    folder = _found(name)
    _check(kind, name, folder)
    return folder


def fingerprint(name: str) -> str:
    """16 hexadecimal digits that change with the model's files; empty if they are not on this machine yet."""
    folder = _folder_named(name) or _in_the_cache(name)
    if folder is None:
        return ""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".md", ".lock"))
    states = tuple(
        (path.relative_to(folder).as_posix(), path.stat().st_size, path.stat().st_mtime_ns) for path in files
    )
    return _fingerprint(folder, states)


@cache
def _fingerprint(folder: Path, states: tuple[tuple[str, int, int], ...]) -> str:
    """Hash the names, the sizes, and the first and last megabyte of each file, because models have gigabytes."""
    total = sha256()
    for name, size, _ in states:
        total.update(f"{name} {size} ".encode())
        with (folder / name).open("rb") as file:
            total.update(file.read(_EDGE))
            file.seek(max(0, size - _EDGE))
            total.update(file.read(_EDGE))
    return total.hexdigest()[:16]


# ---- finding ----


def _found(name: str) -> Path:
    if (folder := _folder_named(name)) is not None:
        return folder
    if not _ON_THE_HUB.fullmatch(name) or name.startswith("."):
        raise EngineUnavailable(
            f"There is no folder “{name}”. Name a model's folder, or a model of the hub, such as ORGANISATION/MODEL."
        )
    return _in_the_cache(name) or _fetched(name)


def _folder_named(name: str) -> Path | None:
    try:
        folder = Path(name).expanduser()
        return folder.resolve() if folder.is_dir() else None
    except (OSError, RuntimeError, ValueError):  # a name that no file can have, or an unknown home folder
        return None


def _in_the_cache(name: str) -> Path | None:
    """The folder of a model that was fetched before. Does not use the network."""
    if not _ON_THE_HUB.fullmatch(name):
        return None
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415

    config = try_to_load_from_cache(name, "config.json")
    folder = Path(config).parent if isinstance(config, str) else None
    return folder if folder and _holds(folder, _WEIGHTS) else None


def _fetched(name: str) -> Path:
    """Fetch a model's files. Raises `EngineUnavailable` if the hub cannot be reached or does not give them."""
    from huggingface_hub import HfApi  # noqa: PLC0415
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError  # noqa: PLC0415

    hub = HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None)
    try:
        told = hub.model_info(name, timeout=_SECONDS)
        files = [file.rfilename for file in told.siblings or ()]
        weights = "*.safetensors" if any(file.endswith(".safetensors") for file in files) else "*.bin"
        return Path(
            hub.snapshot_download(
                name,
                revision=told.sha,
                allow_patterns=["*.json", "*.txt", "*.model", "*.jinja", weights],
                ignore_patterns=["onnx/*", "openvino/*"],
            )
        )
    except GatedRepoError:
        why = (
            "the hub gives it only to those who have agreed to its terms there. Fetch it yourself, and name its folder."
        )
    except RepositoryNotFoundError:
        why = "the hub has no model of this name. Check the name, or name a model's folder."
    except Exception as error:  # noqa: BLE001 - what its client raises depends on the library that it calls with
        why = f"the hub cannot be reached ({type(error).__name__}). Check the network, or name the folder of a model."
    raise EngineUnavailable(f"The model “{name}” is not on this machine, and {why}")


# ---- checking ----


def _check(kind: ModelKind, name: str, folder: Path) -> None:
    config = _json(folder / "config.json") or {}
    if not _holds(folder, _WEIGHTS) or not (config or (folder / "modules.json").is_file()):
        raise EngineUnavailable(
            f"“{name}” holds no model: a model has its configuration (config.json) and its weights (safetensors) in one folder."
        )
    if not _holds(folder, _TOKENIZERS):
        raise EngineUnavailable(
            f"“{name}” has no tokenizer, without which it reads no words. Save the model's tokenizer into the same folder."
        )
    found = _kind_of(folder, config)
    if found is not kind:
        raise EngineUnavailable(
            f"“{name}” is {_IN_WORDS[found]}, not {_IN_WORDS[kind]}. Choose it as {found}:{name}, or another model."
        )


def _kind_of(folder: Path, config: Mapping[str, Any]) -> ModelKind:
    """The kind, from what sentence-transformers wrote beside the model, else from the model's last layer."""
    told = (_json(folder / "config_sentence_transformers.json") or {}).get("model_type")
    if told is not None:
        return ModelKind.RERANKER if told == "CrossEncoder" else ModelKind.ENCODER
    scores = any(str(one).endswith("ForSequenceClassification") for one in config.get("architectures") or ())
    return ModelKind.RERANKER if scores else ModelKind.ENCODER


def _holds(folder: Path, patterns: tuple[str, ...]) -> bool:
    """Whether the folder, or one of the module folders in it, has such a file."""
    return any(True for pattern in patterns for depth in ("", "*/") for _ in folder.glob(f"{depth}{pattern}"))


def _json(path: Path) -> dict[str, Any] | None:
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return read if isinstance(read, dict) else None
