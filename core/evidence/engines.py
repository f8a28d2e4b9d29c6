"""The evidence engines by name (the grammar is in the README: `offline`, `bm25`, `embedding`, `openai:MODEL@STRATEGY`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from core.errors import EngineError, EngineUnavailable
from core.evidence.model import EvidenceEngine
from core.settings import Settings, load_settings

if TYPE_CHECKING:  # models load when one is named: offline engines start sooner without
    from core.llm import Budget
    from core.text.similarity import Embedder
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


def engine_named(
    name: str,
    *,
    settings: Settings | None = None,
    key: str | None = None,
    budget: Budget | None = None,
    seed: int = 0,
) -> EvidenceEngine:
    """The engine called `name`, ready to use. Key, budget and seed are for language models; others cost nothing.

    Raises `EngineError` if no engine has this name, `EngineUnavailable` if it cannot run here, `ModelError` if a
    language model cannot be asked as things are set.
    """
    settings = settings or load_settings()
    if asks_a_model(name):
        return _model_engine(name, settings, key, budget, seed)
    known = _ENGINES.get(name.strip().lower())
    if known is None:
        choices = ", ".join([*_ENGINES, *model_forms()])
        raise EngineError(f"There is no engine called “{name}”. Choose one of: {choices}.")
    return known.make(settings)


def asks_a_model(name: str) -> bool:
    """Whether an engine's name is that of a language model, for whatever task."""
    return name.strip().lower().startswith(tuple(f"{provider}:" for provider in _PROVIDERS))


def model_forms() -> list[str]:
    """How the engines that ask a language model are named, for messages: `openai:MODEL` and so on."""
    return [f"{provider}:MODEL" for provider in _PROVIDERS]


def _model_engine(name: str, settings: Settings, key: str | None, budget: Budget | None, seed: int) -> EvidenceEngine:
    from core.evidence.llm import ModelEvidenceEngine, strategy_of  # noqa: PLC0415
    from core.llm import Budget, model_named, open_runner  # noqa: PLC0415

    model = model_named(name)
    if model is None:
        raise EngineError(f"There is no engine called “{name}”.")
    strategy_of(model)  # a wrong strategy is told before a missing key
    return ModelEvidenceEngine(
        model, open_runner(model, key=key, budget=budget or Budget(), seed=seed, settings=settings)
    )


def engine_statuses() -> list[EngineStatus]:
    """Every engine, the default one first, then each kind of language model."""
    encoder_missing = _why_no_encoder()
    local = [
        EngineStatus(
            name=name,
            available=not (known.needs_encoder and encoder_missing),
            reason=encoder_missing if known.needs_encoder else _degraded(name, encoder_missing),
            description=known.description,
        )
        for name, known in _ENGINES.items()
    ]
    return local + [_model_status(provider, description) for provider, description in _PROVIDERS.items()]


def _model_status(provider: str, description: str) -> EngineStatus:
    from core.llm import Provider, why_not  # noqa: PLC0415

    missing = why_not(Provider(provider))
    return EngineStatus(f"{provider}:MODEL", available=missing is None, reason=missing, description=description)


def _degraded(name: str, encoder_missing: str | None) -> str | None:
    return f"Runs without sentence meaning. {encoder_missing}" if name == "offline" and encoder_missing else None


def _why_no_encoder() -> str | None:
    """Why sentences cannot be encoded here; None if they can. Imports nothing heavy."""
    if None in map(find_spec, ("onnxruntime", "tokenizers", "safetensors")):
        return "The packages onnxruntime, tokenizers or safetensors are missing. Install what requirements.txt names."
    from core.text.encoder_files import MISSING, model_folder  # noqa: PLC0415

    return MISSING if model_folder() is None else None


def _bm25(settings: Settings) -> EvidenceEngine:
    from core.evidence.bm25 import Bm25Engine  # noqa: PLC0415

    return Bm25Engine()


def _embedding(settings: Settings) -> EvidenceEngine:
    missing = _why_no_encoder()
    if missing:
        raise EngineUnavailable(missing)
    from core.evidence.embedding import EmbeddingEngine  # noqa: PLC0415
    from core.text.similarity import Embedder

    return EmbeddingEngine(Embedder.installed(settings.embeddings))


def _offline(settings: Settings) -> EvidenceEngine:
    from core.evidence.ranker.model import is_installed, training_named  # noqa: PLC0415

    training = training_named(settings.ranker)
    if _why_no_encoder() or not is_installed(training):
        return _simple_offline(settings)
    from core.evidence.ranker.cross_encoder import cross_encoder_for  # noqa: PLC0415
    from core.evidence.ranker.engine import RankerEngine  # noqa: PLC0415
    from core.text.similarity import Embedder  # noqa: PLC0415

    return RankerEngine(Embedder.installed(settings.embeddings), training, cross_encoder_for(training))


def _simple_offline(settings: Settings) -> EvidenceEngine:
    """`offline` with less: no encoder, or no trained model."""
    from core.evidence.offline import SimpleOfflineEngine  # noqa: PLC0415

    return SimpleOfflineEngine(encoder_for(settings))


def encoder_for(settings: Settings) -> Embedder | None:
    """What encodes sentences here; None where the encoder, or what it needs, is not installed."""
    if _why_no_encoder():
        return None
    from core.text.similarity import Embedder  # noqa: PLC0415

    return Embedder.installed(settings.embeddings)


_ENGINES = {
    "offline": _Known(
        "A trained ranker: words, meaning, place, wording and a second reading, without repeating itself, with reasons. No key, no network.",
        _offline,
        False,
    ),
    "bm25": _Known("Sentences that share the hypothesis' rarer words.", _bm25, False),
    "embedding": _Known("Sentences that mean what the hypothesis means (MiniLM vectors).", _embedding, True),
}

_PROVIDERS = {
    "openai": "A model of OpenAI reads the paper section by section, or @whole, or @examples.",
    "anthropic": "A model of Anthropic, in the same ways.",
    "compatible": "A model on any server with OpenAI's interface, such as vLLM, Ollama or LM Studio.",
}
