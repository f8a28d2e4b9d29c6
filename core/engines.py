"""All engines by name: what each can do, whether it can run here, and how to open it.

A name is `offline`, `bm25@2` (with a strategy), `embedding:MODEL` (with a sentence model that the reviewer chose), or
`PROVIDER:MODEL` or `PROVIDER:MODEL@STRATEGY` (a language model). To add an engine, write its file and add an entry to
`_ENGINES` that gives, for each task, the function that opens it as `module:function`. That module is imported only when
the engine is opened, so listing the engines is fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar, Unpack

from core.errors import EngineError, EngineUnavailable
from core.settings import Settings, load_settings
from core.text.encoder_files import why_no_encoder
from core.text.model_files import why_no_sentence_models

if TYPE_CHECKING:  # imported only for language models, so that engines of this machine start faster
    from core.grounding.questions import Asker
    from core.llm import Budget, BudgetGuard, ModelName, ModelRunner

E_co = TypeVar("E_co", covariant=True)


class TaskKind(StrEnum):
    """What an engine may be able to do."""

    EVIDENCE = "evidence"
    BIAS = "bias"
    SUMMARY = "summary"
    SCREENING = "screening"
    FINDINGS = "findings"
    ANSWERS = "answers"  # from a library of papers
    CLAIMS = "claims"  # of a paper
    CONTRADICTIONS = "contradictions"  # of a statement, in a library


class EngineOptions(TypedDict, total=False):
    """The options with which an engine is opened. `key`, `budget` and `seed` are for language models only."""

    settings: Settings
    key: str | None
    budget: Budget | BudgetGuard | None  # a guard may be shared with other engines
    seed: int
    threshold: float | None  # the probability from which a trained engine calls a summary's sentence supported


@dataclass(frozen=True, slots=True)
class Opening:
    """The argument of the function that opens an engine of this machine."""

    settings: Settings
    strategy: str = ""  # one of the engine's strategies for the task, or empty
    threshold: float | None = None
    model: str = ""  # for engines that run any model of their kind: a folder, or a name of the hub


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Whether an engine can run here, and why not, for the list of engines."""

    name: str
    available: bool
    reason: str | None  # why it cannot run, or what it has to do without; None if nothing is amiss
    description: str  # one line

    @property
    def choice(self) -> str:
        """What a field for engines offers: a language model's provider, or else the engine's name."""
        first = self.name.partition(":")[0]
        return first if first in _PROVIDERS else self.name


@dataclass(frozen=True, slots=True)
class _Engine:
    """An engine of this machine."""

    name: str
    description: str
    opens: Mapping[TaskKind, str]  # "module:function", which is given an `Opening`
    strategies: Mapping[TaskKind, tuple[str, ...]] = field(default_factory=dict)  # the first is the default
    trained: bool = False  # has models of its own, measured on data that they were not trained on
    needs_encoder: bool = False
    needs_model: bool = False  # the name of a sentence model takes the place of `MODEL` in its name
    uses_encoder: bool = False  # runs without an encoder too, but does less


def _evidence_and_findings(opens: str) -> dict[TaskKind, str]:
    """The same function for evidence and findings, because a verdict is read from the sentences that were found."""
    return dict.fromkeys((TaskKind.EVIDENCE, TaskKind.FINDINGS), opens)


_ENGINES = (
    _Engine(
        "offline",
        "A trained ranker: words, meaning, place, wording and a second reading, without repeating itself, with reasons. No key, no network.",
        {
            **_evidence_and_findings("core.evidence.offline:open_offline"),
            TaskKind.BIAS: "core.bias.offline:open_offline",
            TaskKind.SUMMARY: "core.summary.offline:open_offline",
            TaskKind.SCREENING: "core.screening.offline.engine:open_offline",
            TaskKind.ANSWERS: "core.answering.offline:open_offline",
            TaskKind.CLAIMS: "core.claims.offline:open_offline",
            TaskKind.CONTRADICTIONS: "core.claims.contradictions:open_offline",
        },
        {TaskKind.ANSWERS: ("ranked", "unranked")},
        trained=True,
        uses_encoder=True,
    ),
    _Engine(
        "bm25",
        "Sentences that share the hypothesis' rarer words.",
        {
            **_evidence_and_findings("core.evidence.baselines:open_bm25"),
            TaskKind.BIAS: "core.bias.offline:open_bm25",
            TaskKind.SUMMARY: "core.summary.retrieval:open_bm25",
            TaskKind.ANSWERS: "core.answering.offline:open_bm25",
            TaskKind.CONTRADICTIONS: "core.claims.contradictions:open_bm25",
        },
        {TaskKind.SUMMARY: ("1", "2", "3")},
    ),
    _Engine(
        "embedding",
        "Sentences that mean what the hypothesis means (MiniLM vectors).",
        {
            **_evidence_and_findings("core.evidence.baselines:open_embedding"),
            TaskKind.BIAS: "core.bias.offline:open_embedding",
            TaskKind.ANSWERS: "core.answering.offline:open_embedding",
            TaskKind.CONTRADICTIONS: "core.claims.contradictions:open_embedding",
        },
        needs_encoder=True,
    ),
    _Engine(
        "embedding:MODEL",
        "Sentences that mean what the hypothesis means, by any encoder of sentence-transformers: a folder, or a name of the hub.",
        {
            **_evidence_and_findings("core.evidence.chosen_model:open_encoder_engine"),
            TaskKind.BIAS: "core.bias.offline:open_encoder_engine",
            TaskKind.ANSWERS: "core.answering.chosen_model:open_encoder_engine",
        },
        dict.fromkeys((TaskKind.EVIDENCE, TaskKind.FINDINGS, TaskKind.BIAS, TaskKind.ANSWERS), ("plain", "instructed")),
        needs_model=True,
    ),
    _Engine(
        "reranker:MODEL",
        "Sentences that a model of sentence-transformers, which reads each beside the hypothesis, scores best: a folder, or a name of the hub.",
        {
            **_evidence_and_findings("core.evidence.chosen_model:open_reranker_engine"),
            TaskKind.BIAS: "core.bias.offline:open_reranker_engine",
            TaskKind.ANSWERS: "core.answering.chosen_model:open_reranker_engine",
        },
        needs_model=True,
    ),
)
_PROVIDERS = {
    "openai": "A model of OpenAI reads the paper section by section (@sections, or @digest with a better last choice), @whole, or @examples.",
    "anthropic": "A model of Anthropic, in the same ways.",
    "compatible": "A model on any server with OpenAI's interface, such as vLLM, Ollama or LM Studio.",
}
# Classes that ask a language model. Each takes the model and what sends its requests, and has `strategies`.
_MODEL_ENGINES = {
    **_evidence_and_findings("core.evidence.llm:ModelEvidenceEngine"),
    TaskKind.BIAS: "core.bias.llm.engine:ModelBiasEngine",
    TaskKind.SUMMARY: "core.summary.llm:ModelSummaryEngine",
    TaskKind.SCREENING: "core.screening.llm:ModelScreeningEngine",
    TaskKind.ANSWERS: "core.answering.llm:ModelAnswerEngine",
    TaskKind.CLAIMS: "core.claims.llm:ModelClaimEngine",
    TaskKind.CONTRADICTIONS: "core.claims.contradictions_llm:ModelContradictionEngine",
}
_FOR = {
    TaskKind.BIAS: " for risk of bias",
    TaskKind.SUMMARY: " for summaries",
    TaskKind.SCREENING: " for screening",
    TaskKind.ANSWERS: " for answers from a library",
    TaskKind.CLAIMS: " for claims",
    TaskKind.CONTRADICTIONS: " for contradictions",
}
_BY_NAME = {engine.name: engine for engine in _ENGINES}
DEFAULT_ENGINE = _ENGINES[0].name


# ---- what there is ----


def names(task: TaskKind, *, strategies: bool = False) -> tuple[str, ...]:
    """The engines of this machine for a task, the default one first, without those that need a model's name.

    With `strategies`, each engine is followed by its names with the strategies that are not its default.
    """
    found = [engine for engine in _ENGINES if task in engine.opens and not engine.needs_model]
    if not strategies:
        return tuple(engine.name for engine in found)
    others = {engine.name: engine.strategies.get(task, ())[1:] for engine in found}
    return tuple(name for one in others for name in (one, *(f"{one}@{strategy}" for strategy in others[one])))


def engines_of_models(task: TaskKind) -> tuple[str, ...]:
    """The engines of this machine that take any model of their kind: `embedding:MODEL`, `reranker:MODEL`."""
    return tuple(engine.name for engine in _ENGINES if task in engine.opens and engine.needs_model)


def engine_statuses() -> list[EngineStatus]:
    """Every engine, the default one first, then each kind of language model."""
    from core.llm import Provider, why_not  # noqa: PLC0415

    missing, no_models = why_no_encoder(), why_no_sentence_models()
    found = []
    for engine in _ENGINES:
        reason = missing if engine.needs_encoder else no_models if engine.needs_model else None
        if engine.uses_encoder and missing:
            reason = f"Runs without sentence meaning. {missing}"
        available = not (reason and (engine.needs_encoder or engine.needs_model))
        found.append(EngineStatus(engine.name, available, reason, engine.description))
    for provider, description in _PROVIDERS.items():
        reason = why_not(Provider(provider))
        found.append(EngineStatus(f"{provider}:MODEL", reason is None, reason, description))
    return found


def is_trained(name: str) -> bool:
    """Whether an engine of this machine has models of its own, which were trained and measured on data."""
    return name in _BY_NAME and _BY_NAME[name].trained


def asks_model(name: str) -> bool:
    """Whether an engine's name is that of a language model, for whatever task."""
    return name.strip().lower().startswith(tuple(f"{provider}:" for provider in _PROVIDERS))


def models_among(engines: Iterable[str]) -> tuple[ModelName, ...]:
    """The language models among these engines. Wrong names are skipped: opening the engine reports them."""
    from core.llm import model_named  # noqa: PLC0415

    found = []
    for name in engines:
        with suppress(EngineError):
            found.append(model_named(name))
    return tuple(model for model in found if model is not None)


def strategies(task: TaskKind) -> list[str]:
    """The ways in which a language model may be asked, the default one first."""
    return list(resolve_name(_MODEL_ENGINES[task]).strategies)


def strategy_of(task: TaskKind, model: ModelName) -> str:
    """The strategy in a model's name, or the default. Raises `EngineError` if the task has none of that name."""
    strategy: str = resolve_name(_MODEL_ENGINES[task]).strategy_of(model)
    return strategy


def full_name(task: TaskKind, name: str) -> str:
    """The name with its strategy. Opens nothing and needs no key. Raises `EngineError` if the strategy is wrong."""
    if not asks_model(name):
        return _named(task, name).full if is_engine(task, name) else name.strip()
    from core.llm import model_named  # noqa: PLC0415

    model = model_named(name)
    return name if model is None else str(replace(model, strategy=strategy_of(task, model)))


def stages(name: str) -> list[str]:
    """The engines of a two-stage name `FINDER+JUDGE`; any other name alone."""
    return name.split("+")


# ---- opening ----


class EngineOpener(Protocol[E_co]):
    """The type of `open_engine` for one task: it states the type of that task's engines."""

    def __call__(self, name: str, **options: Unpack[EngineOptions]) -> E_co:
        """The engine called `name`, ready to use. Raises as `open_engine` does."""
        ...


def open_engine(task: TaskKind, name: str, **options: Unpack[EngineOptions]) -> Any:
    """The engine called `name`, ready to use. Each task's package opens its engines by an `EngineOpener`.

    Raises `EngineError` if the task has no engine of this name, `EngineUnavailable` if it cannot run here, `ModelError`
    if a language model cannot be asked with these settings.
    """
    if asks_model(name):
        from core.llm import model_named  # noqa: PLC0415

        if (model := model_named(name)) is not None:
            strategy_of(task, model)  # report a wrong strategy before a missing key
            return engine_on(task, model, _runner(model, options))
    named = _named(task, name)
    if named.engine.needs_encoder and (missing := why_no_encoder()):
        raise EngineUnavailable(missing)
    settings = options.get("settings") or load_settings()
    opening = Opening(settings, named.strategy, options.get("threshold"), named.model)
    return resolve_name(named.engine.opens[task])(opening)


@dataclass(frozen=True, slots=True)
class _Named:
    """The parsed name of an engine of this machine."""

    engine: _Engine
    model: str
    strategy: str  # the default one if the name has none
    full: str  # the name, with the engine's part in lower case


def _named(task: TaskKind, name: str) -> _Named:
    """Parse a name. Raises `EngineError` if the task has no engine of this name."""
    first, colon, rest = name.strip().partition(":")
    called, at, strategy = (rest if colon else first).strip().rpartition("@")
    called, strategy = (called, strategy.lower()) if at else (strategy, "")
    engine = _BY_NAME.get(f"{first.lower()}:MODEL" if colon else called.lower())
    known = engine.strategies.get(task, ()) if engine else ()
    if colon and at and strategy not in known:  # the name of a folder may hold this sign
        called, strategy = rest.strip(), ""
    if engine is None or task not in engine.opens or not called or (strategy and strategy not in known):
        raise EngineError(f"There is no engine called “{name}”{_FOR.get(task, '')}. Choose one of: {_choices(task)}.")
    model, plain = (called, f"{first.lower()}:{called}") if colon else ("", called.lower())
    full = f"{plain}@{strategy}" if strategy else plain
    return _Named(engine, model, strategy or next(iter(known), ""), full)


def is_engine(task: TaskKind, name: str) -> bool:
    """Whether a task has this engine of this machine. Only opening it shows whether its model can be loaded."""
    try:
        _named(task, name)
    except EngineError:
        return False
    return True


def check_name(task: TaskKind, name: str) -> None:
    """Raises `EngineError` if the task has no engine, or way to ask a language model, of this name. Opens nothing."""
    if asks_model(name):
        full_name(task, name)
    else:
        _named(task, name)


def engine_on(task: TaskKind, model: ModelName, asker: Asker) -> Any:
    """A language model's engine that puts its requests to `asker`. Raises `EngineError` for a wrong strategy."""
    return resolve_name(_MODEL_ENGINES[task])(model, asker)


def writer_named(name: str, **options: Unpack[EngineOptions]) -> ModelRunner:
    """The language model called `name`, to write summaries with.

    Raises `EngineError` if it is no language model or names a strategy, `ModelError` if it cannot be asked with these
    settings.
    """
    from core.llm import model_named  # noqa: PLC0415

    model = model_named(name)
    if model is None or model.strategy is not None:
        raise EngineError(f"“{name}” cannot write. Name a language model, as in openai:MODEL, without a strategy.")
    return _runner(model, options)


def _runner(model: ModelName, options: EngineOptions) -> ModelRunner:
    from core.llm import Budget, open_runner  # noqa: PLC0415

    return open_runner(
        model,
        key=options.get("key"),
        budget=options.get("budget") or Budget(),
        seed=options.get("seed", 0),
        settings=options.get("settings") or load_settings(),
    )


def _choices(task: TaskKind) -> str:
    """The names to choose from for a task, for messages."""
    local = [
        f"{engine.name}@{strategy}" if strategy else engine.name
        for engine in _ENGINES
        if task in engine.opens
        for strategy in engine.strategies.get(task, ("",))
    ]
    return ", ".join([*local, *(f"{provider}:MODEL" for provider in _PROVIDERS)])
