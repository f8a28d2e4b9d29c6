"""Which language model is asked, and how: what a reviewer chose, the keys of this session, and what it has cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import SecretStr

from core.bias.llm.strategies import Strategy as JudgingStrategy
from core.evidence.llm.wording import Strategy
from core.llm import Budget, ModelName, Provider, Spending, Typed
from core.summary.llm.wording import Strategy as CheckingStrategy

TITLES = {
    Provider.OPENAI: "OpenAI model",
    Provider.ANTHROPIC: "Anthropic model",
    Provider.COMPATIBLE: "Compatible server",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The ways in which the models of a page can read, by strategy, and the key of the field that chooses one."""

    key: str
    ways: Mapping[str, str]  # strategy -> in words; the first is the default


FOR_EVIDENCE = Reading(
    "strategy",
    {
        Strategy.SECTIONS: "Sections: each by itself, then a choice among them",
        Strategy.WHOLE: "Whole: the whole paper at once",
        Strategy.EXAMPLES: "Examples: the whole paper, after eight examples",
    },
)
FOR_BIAS = Reading(
    "bias-strategy",
    {
        JudgingStrategy.WHOLE: "Whole: the whole paper at once",
        JudgingStrategy.RETRIEVED: "Retrieved: a search first, then its sentences alone",
        JudgingStrategy.HIGHLIGHTS: "Highlights: a search first, then the whole with its sentences",
    },
)

FOR_SUMMARY = Reading(
    "summary-strategy",
    {
        CheckingStrategy.SUPPORT: "Support: the label and the sentences it rests on",
        CheckingStrategy.LABEL: "Label: the label alone",
        CheckingStrategy.PARTS: "Parts: also the part that is wrong, and how",
    },
)


@dataclass(slots=True)
class ModelChoice:
    """The settings of the row for language models, on all pages."""

    models: dict[Provider, str] = field(default_factory=dict)  # the name typed for each
    known: tuple[str, ...] = ()  # the models of the compatible server, as far as it told them
    strategies: dict[str, str] = field(default_factory=dict)  # by the key of the reading
    usd: float | None = None  # the budget of one run
    tokens: int | None = None

    def strategy(self, reading: Reading) -> str:
        """How a page's models read."""
        return self.strategies.get(reading.key, next(iter(reading.ways)))

    def name(self, provider: Provider, reading: Reading) -> ModelName | None:
        """The model with its strategy; None if none is named yet."""
        model = self.models.get(provider, "").strip()
        return ModelName(provider, model, str(self.strategy(reading))) if model else None

    @property
    def budget(self) -> Budget:
        """The most that one run may use."""
        return Budget(self.usd, self.tokens)


@dataclass(slots=True)
class Keys:
    """The keys, and a server's address, typed in for this session: in its memory and nowhere else, and never shown again."""

    _keys: dict[Provider, SecretStr] = field(default_factory=dict)
    address: str | None = None  # of a compatible server; None: that of the environment, if there is one

    def take(self, provider: Provider, key: str) -> None:
        """Keep a key until it is forgotten or the session ends."""
        self._keys[provider] = SecretStr(key)

    def forget(self, provider: Provider) -> None:
        """Drop a provider's key."""
        self._keys.pop(provider, None)

    def has(self, provider: Provider) -> bool:
        """Whether a key was typed in."""
        return provider in self._keys

    def of(self, provider: Provider) -> str | None:
        """The key and address, for who sends to it; None: those of the environment, if there are any."""
        key = self._keys.get(provider)
        address = self.address if provider is Provider.COMPATIBLE else None
        return Typed(key.get_secret_value() if key else "", address) if key or address else None


@dataclass(frozen=True, slots=True)
class Tally:
    """What all runs of this session have used together."""

    usd: float = 0.0  # of the calls whose price is known
    all_known: bool = True
    tokens: int = 0
    calls: int = 0

    def plus(self, spent: Spending) -> Tally:
        """The tally after one more run."""
        return Tally(
            self.usd + (spent.usd or 0.0),
            self.all_known and spent.usd is not None,
            self.tokens + spent.tokens,
            self.calls + spent.calls,
        )
