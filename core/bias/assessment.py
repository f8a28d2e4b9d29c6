"""A reviewer's judgements on a study, or on one of its results, with one tool; and the engines' suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.bias.model import OVERALL, Answers, Domain, Judgement, Level, Tool
from core.evidence.model import Decision
from core.grounding.model import ModelRun


@dataclass(frozen=True, slots=True)
class OwnJudgement:
    """The reviewer's input on one domain, or on the overall judgement."""

    answers: Answers = field(default_factory=dict)  # those to questions that do not apply have no effect
    level: Level | None = None  # set by hand; if the answers give a level, this one overrides it
    comment: str = ""
    decisions: Mapping[int, Decision] = field(default_factory=dict)  # on sentences, by index

    def overrides(self, domain: Domain) -> bool:
        """Whether the reviewer set a level other than the one that the answers give."""
        given = domain.level(self.answers)
        return given is not None and self.level is not None and self.level != given

    def level_in(self, domain: Domain) -> Level | None:
        """The judgement. If the answers give a level, the reviewer's level overrides it only with a comment that says why.

        For the overall judgement: the level that overrides the one that follows from the domains.
        """
        if domain.id == OVERALL:
            return self.level if self.comment.strip() else None
        if domain.by_hand(self.answers):
            return self.level
        return self.level if self.overrides(domain) and self.comment.strip() else domain.level(self.answers)

    @property
    def begun(self) -> bool:
        """Whether the reviewer has entered anything."""
        return self != OwnJudgement()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An engine's suggestion for a domain."""

    engine: str
    judgement: Judgement
    run: ModelRun | None = None  # the language model's run; None: none was asked, or it was read from a file
    cost_usd: float | None = 0.0  # None: unknown
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used


@dataclass(frozen=True, slots=True)
class Assessment:
    """The assessment of one paper with one tool: judgements and suggestions by domain id, or `OVERALL`."""

    tool: Tool
    own: Mapping[str, OwnJudgement] = field(default_factory=dict)
    suggestions: Mapping[str, Suggestion] = field(default_factory=dict)
    outcome: str = ""  # the outcome whose result is judged; "": the study as a whole, or an unnamed outcome

    def of(self, domain: Domain) -> OwnJudgement:
        """The reviewer's input on a domain; empty if there is none yet."""
        return self.own.get(domain.id, OwnJudgement())

    def with_own(self, domain: Domain, own: OwnJudgement) -> Assessment:
        """A copy with another judgement on one domain."""
        return replace(self, own={**self.own, domain.id: own})

    def with_suggestion(self, suggestion: Suggestion) -> Assessment:
        """A copy with this suggestion in place of the previous one for its domain."""
        return replace(self, suggestions={**self.suggestions, suggestion.judgement.domain: suggestion})

    @property
    def levels(self) -> dict[str, Level | None]:
        """The level of every domain; None: not judged."""
        return {domain.id: self.of(domain).level_in(domain) for domain in self.tool.domains}

    @property
    def rule(self) -> Level | None:
        """The overall level by the domains' levels; None if the tool has none, or a domain is not judged."""
        return self.tool.overall_level(self.levels)

    @property
    def overall(self) -> Level | None:
        """The overall level: the one that follows from the domains, unless the reviewer set another and said why."""
        whole = self.tool.whole
        return self.rule and ((whole and self.of(whole).level_in(whole)) or self.rule)

    @property
    def begun(self) -> bool:
        """Whether the reviewer has entered anything."""
        return any(own.begun for own in self.own.values())

    def as_seen(self, *, blind: bool) -> Assessment:
        """What may be shown: under `blind`, only suggestions for domains that the reviewer has already judged."""
        if not blind:
            return self
        levels = self.levels
        return replace(self, suggestions={id: one for id, one in self.suggestions.items() if levels.get(id)})

    def moved(self, places: Mapping[int, int]) -> Assessment:
        """A copy for the same paper parsed differently: decisions move with their sentences, old index -> new index.

        Suggestions are dropped, because they were made from other sentences.
        """
        own = {
            domain: replace(one, decisions={places[i]: word for i, word in one.decisions.items() if i in places})
            for domain, one in self.own.items()
        }
        return replace(self, own=own, suggestions={})
