"""The choice of a language model and its strategy, the session's keys, and costs in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import SecretStr

from core.bias.llm.engine import BiasStrategy as JudgingStrategy
from core.evidence import ModelRun
from core.evidence.llm import EvidenceStrategy
from core.grounding.model import Step
from core.llm import Budget, CostEstimate, ModelName, Provider, Spending, Typed, Usage, prices_date
from core.summary.llm import SummaryStrategy as CheckingStrategy
from core.text.model_files import ModelKind
from core.text.words import counted

# ---- choice, keys and tally ----

TITLES = {
    Provider.OPENAI: "OpenAI model",
    Provider.ANTHROPIC: "Anthropic model",
    Provider.COMPATIBLE: "Compatible server",
}


_ANY = {"embedding:MODEL": "Encoder of your own", "reranker:MODEL": "Reranker of your own"}


def provider_of(engine: str) -> Provider | None:
    """The provider that an engine names; None if the engine runs on this machine."""
    return Provider(engine) if engine in set(Provider) else None


def engine_title(engine: str) -> str:
    """An engine's title in fields."""
    provider = provider_of(engine)
    return TITLES[provider] if provider else _ANY.get(engine, engine)


@dataclass(frozen=True, slots=True)
class StrategyOptions:
    """The strategies of a page's models, and the field that chooses one."""

    key: str
    ways: Mapping[str, str]  # strategy -> description; the first is the default
    label: str = "How it reads"


FOR_EVIDENCE = StrategyOptions(
    "strategy",
    {
        EvidenceStrategy.DIGEST: "Digest: each section, then what tells most at once",
        EvidenceStrategy.SECTIONS: "Sections: each by itself, then a choice among them",
        EvidenceStrategy.WHOLE: "Whole: the whole paper at once",
        EvidenceStrategy.EXAMPLES: "Examples: the whole paper, after eight examples",
    },
)
FOR_BIAS = StrategyOptions(
    "bias-strategy",
    {
        JudgingStrategy.WHOLE: "Whole: the whole paper at once",
        JudgingStrategy.RETRIEVED: "Retrieved: a search first, then its sentences alone",
        JudgingStrategy.HIGHLIGHTS: "Highlights: a search first, then the whole with its sentences",
    },
)

FOR_SUMMARY = StrategyOptions(
    "summary-strategy",
    {
        CheckingStrategy.SUPPORT: "Support: the label and the sentences it rests on",
        CheckingStrategy.LABEL: "Label: the label alone",
        CheckingStrategy.PARTS: "Parts: also the part that is wrong, and how",
    },
)
# The strategies of `core.answering.llm`, repeated here because importing it would load the library's database.
FOR_ANSWERS = StrategyOptions(
    "answer-strategy",
    {
        "agent": "Agent: plans its own searches and readings",
        "fixed": "Fixed: searches, reads and answers once",
        "no-summaries": "No summaries: passages go on as they are",
        "no-citations": "No citations: an agent that follows none",
    },
    label="How it works",
)
FOR_CONTRADICTIONS = StrategyOptions(
    "contradiction-strategy",
    {
        "read": "Read: each passage by itself, then where the claim stands",
        "passages": "Passages: the nearest ones as they are",
    },
    label="How it works",
)


@dataclass(slots=True)
class ModelChoice:
    """The settings in the row for language models, shared by all pages."""

    models: dict[Provider, str] = field(default_factory=dict)  # the name typed for each provider
    known: tuple[str, ...] = ()  # the models that the compatible server has named
    sentence_models: dict[str, str] = field(
        default_factory=dict
    )  # encoder and reranker, by the kind of engine that takes them
    instructed: bool = False  # whether encoders get an instruction on what to look for
    strategies: dict[str, str] = field(default_factory=dict)  # by the key of their field
    usd: float | None = None  # the budget of one run
    tokens: int | None = None

    def strategy(self, reading: StrategyOptions) -> str:
        """The chosen strategy of a page's models."""
        return self.strategies.get(reading.key, next(iter(reading.ways)))

    def name(self, provider: Provider, reading: StrategyOptions) -> ModelName | None:
        """The model with its strategy; None if no model is named yet."""
        model = self.models.get(provider, "").strip()
        return ModelName(provider, model, str(self.strategy(reading))) if model else None

    def full_name(self, engine: str) -> str:
        """The engine's name with the sentence model typed for it; unchanged if it takes none."""
        kind, _, lacks = engine.partition(":")
        model = self.sentence_models.get(kind, "") if lacks == "MODEL" else ""
        told = "@instructed" if self.instructed and kind == ModelKind.ENCODER else ""
        return f"{kind}:{model}{told}" if model else engine

    @property
    def budget(self) -> Budget:
        """The limits of one run."""
        return Budget(self.usd, self.tokens)


@dataclass(slots=True)
class Keys:
    """The keys and the server address typed in this session. They are held only in memory, and never shown again."""

    _keys: dict[Provider, SecretStr] = field(default_factory=dict)
    address: str | None = None  # of a compatible server; None: the one in the environment, if any

    def take(self, provider: Provider, key: str) -> None:
        """Keep a key until it is forgotten or the session ends."""
        self._keys[provider] = SecretStr(key)

    def forget(self, provider: Provider) -> None:
        """Drop a provider's key."""
        self._keys.pop(provider, None)

    def has(self, provider: Provider) -> bool:
        """Whether a key was typed for this provider."""
        return provider in self._keys

    def of(self, provider: Provider) -> str | None:
        """The typed key and address; None: use those of the environment, if there are any."""
        key = self._keys.get(provider)
        address = self.address if provider is Provider.COMPATIBLE else None
        return Typed(key.get_secret_value() if key else "", address) if key or address else None


@dataclass(frozen=True, slots=True)
class Tally:
    """The total use of all runs of this session."""

    usd: float = 0.0  # of the calls with a known price
    all_known: bool = True
    tokens: int = 0
    calls: int = 0

    def plus(self, spent: Spending) -> Tally:
        """The tally with one more run."""
        return Tally(
            self.usd + (spent.usd or 0.0),
            self.all_known and spent.usd is not None,
            self.tokens + spent.tokens,
            self.calls + spent.calls,
        )


# ---- money and tokens in words ----
# What is unknown is called unknown, and never shown as zero.


def dollars(usd: float) -> str:
    """An amount in dollars; small amounts have more decimals."""
    if usd >= 1:
        return f"${usd:,.2f}"
    return f"${usd:.4f}" if usd >= 0.00005 else "less than $0.0001" if usd else "$0"


def run_cost(run: ModelRun) -> str:
    """The cost and tokens of a run."""
    cost = "cost unknown" if run.cost_usd is None else f"cost {dollars(run.cost_usd)}"
    return f"{cost} ({_counted(_tokens(run.steps))})"


def step_cost(step: Step) -> str:
    """The cost and tokens of one question. An unknown cost is left out; it is stated once for the whole run."""
    if step.from_cache:
        return "kept from before"
    if step.cost_usd == 0:
        return "cost nothing"
    tokens = _counted(_tokens([step]))
    return tokens if step.cost_usd is None else f"{tokens}, {dollars(step.cost_usd)}"


def _tokens(steps: Iterable[Step]) -> int | None:
    """Input and output tokens of the steps that may have cost something; None if a count is missing."""
    usages = [step.usage or Usage(None, None) for step in steps if step.cost_usd != 0]
    counts = [count for usage in usages for count in (usage.input_tokens, usage.output_tokens)]
    return None if None in counts else sum(count for count in counts if count is not None)


def used(tokens: int) -> str:
    """The tokens of answered calls, in words. A count of 0 means that the server does not count."""
    return _counted(tokens or None)


def _counted(tokens: int | None) -> str:
    return "tokens unknown" if tokens is None else f"{tokens:,} tokens"


def estimate_in_words(estimate: CostEstimate) -> str:
    """The estimate of a run, in words."""
    calls = counted(estimate.calls, "call")
    if estimate.least_usd is None or estimate.most_usd is None:
        money = "cost unknown: Vouch has no price for this model"
    else:
        money = f"{dollars(estimate.least_usd)} to {dollars(estimate.most_usd)} at the prices of {prices_date()}"
    return f"About {calls} with {estimate.input_tokens:,} tokens of input, output not counted · {money}"


def tally_in_words(tally: Tally) -> str:
    """The session's cost so far, in words; empty before its first call."""
    if not tally.calls:
        return ""
    calls = f"{counted(tally.calls, 'call')}, {used(tally.tokens)}"
    if tally.all_known:
        return f"This session so far: {dollars(tally.usd)} ({calls})"
    known = f"{dollars(tally.usd)} and an unknown part" if tally.usd else "cost unknown"
    return f"This session so far: {known} ({calls})"
