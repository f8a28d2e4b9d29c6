"""The evidence engines by name (the grammar is in the README: `offline`, `bm25`, `embedding`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from core.errors import EngineError, EngineUnavailable
from core.evidence.model import EvidenceEngine
from core.settings import Settings, load_settings

DEFAULT_ENGINE = "offline"


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Whether an engine can run here, and why not, for the list of engines."""

    name: str
    available: bool
    reason: str | None  # why it cannot run, or what it has to do without; None if nothing is amiss
    description: str  # one line


@dataclass(frozen=True, slots=True)
class _Known:
    description: str
    make: Callable[[Settings], EvidenceEngine]
    needs_encoder: bool


def engine_named(name: str, *, settings: Settings | None = None) -> EvidenceEngine:
    """The engine called `name`, ready to use.

    Raises `EngineError` if no engine has this name, `EngineUnavailable` if it cannot run here.
    """
    known = _ENGINES.get(name.strip().lower())
    if known is None:
        raise EngineError(f"There is no engine called “{name}”. Choose one of: {', '.join(_ENGINES)}.")
    return known.make(settings or load_settings())


def engine_statuses() -> list[EngineStatus]:
    """Every engine, the default one first."""
    encoder_missing = _why_no_encoder()
    return [
        EngineStatus(
            name=name,
            available=not (known.needs_encoder and encoder_missing),
            reason=encoder_missing if known.needs_encoder else _degraded(name, encoder_missing),
            description=known.description,
        )
        for name, known in _ENGINES.items()
    ]


def _degraded(name: str, encoder_missing: str | None) -> str | None:
    return f"Runs without sentence meaning. {encoder_missing}" if name == "offline" and encoder_missing else None


def _why_no_encoder() -> str | None:
    """Why sentences cannot be encoded here; None if they can. Imports nothing heavy."""
    if find_spec("tokenizers") is None or find_spec("safetensors") is None:
        return "The packages tokenizers and safetensors are missing. Install what requirements.txt names."
    from core.evidence.embedding_files import MISSING, model_folder  # noqa: PLC0415

    return MISSING if model_folder() is None else None


def _bm25(settings: Settings) -> EvidenceEngine:
    from core.evidence.bm25 import Bm25Engine  # noqa: PLC0415

    return Bm25Engine()


def _embedding(settings: Settings) -> EvidenceEngine:
    missing = _why_no_encoder()
    if missing:
        raise EngineUnavailable(missing)
    from core.evidence.embedding import Embedder, EmbeddingEngine  # noqa: PLC0415

    return EmbeddingEngine(Embedder.installed(settings.embeddings))


def _offline(settings: Settings) -> EvidenceEngine:
    from core.evidence.ranker.model import is_installed, training_named  # noqa: PLC0415

    training = training_named(settings.ranker)
    if _why_no_encoder() or not is_installed(training):
        return _simple_offline(settings)
    from core.evidence.embedding import Embedder  # noqa: PLC0415
    from core.evidence.ranker.engine import RankerEngine  # noqa: PLC0415

    return RankerEngine(Embedder.installed(settings.embeddings), training)


def _simple_offline(settings: Settings) -> EvidenceEngine:
    """`offline` with less: no encoder, or no trained model."""
    from core.evidence.offline import OfflineEngine  # noqa: PLC0415

    if _why_no_encoder():
        return OfflineEngine(None)
    from core.evidence.embedding import Embedder  # noqa: PLC0415

    return OfflineEngine(Embedder.installed(settings.embeddings))


_ENGINES = {
    "offline": _Known(
        "A trained ranker: words, meaning, place and wording, without repeating itself, with reasons. No key, no network.",
        _offline,
        False,
    ),
    "bm25": _Known("Sentences that share the hypothesis' rarer words.", _bm25, False),
    "embedding": _Known("Sentences that mean what the hypothesis means (MiniLM vectors).", _embedding, True),
}
