"""What a reviewer makes of a study or one of its results with one tool, beside what an engine suggested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.bias.model import OVERALL, Answers, Domain, Judgement, Level, Tool
from core.evidence.model import Decision
from core.grounding.model import ModelRun


@dataclass(frozen=True, slots=True)
class OwnJudgement:
    """What the reviewer has set on one domain, or on the whole."""

    answers: Answers = field(default_factory=dict)  # those to questions that do not apply are kept, without influence
    level: Level | None = None  # set by hand; where answers give the level, another one that the reviewer wants instead
    comment: str = ""
    decisions: Mapping[int, Decision] = field(default_factory=dict)  # on sentences, by index

    def overrides(self, domain: Domain) -> bool:
        """Whether a level was set that is not the one that the answers give."""
        given = domain.level(self.answers)
        return given is not None and self.level is not None and self.level != given

    def level_in(self, domain: Domain) -> Level | None:
        """The judgement. Where answers give it, another level takes its place only with a comment that says why.

        On the whole: the level that takes the place of the one that follows from the domains.
        """
        if domain.id == OVERALL:
            return self.level if self.comment.strip() else None
        if domain.by_hand(self.answers):
            return self.level
        return self.level if self.overrides(domain) and self.comment.strip() else domain.level(self.answers)

    @property
    def begun(self) -> bool:
        """Whether there is anything to lose."""
        return self != OwnJudgement()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What an engine makes of a domain."""

    engine: str
    judgement: Judgement
    run: ModelRun | None = None  # how a language model came to it; None: none was asked, or it was read from a file

    @property
    def cost_usd(self) -> float | None:
        """What it cost; None: unknown."""
        return self.run.cost_usd if self.run else 0.0

    @property
    def prompts(self) -> tuple[tuple[str, str], ...]:
        """(name, hash) of every template that was used."""
        return self.run.prompts if self.run else ()


@dataclass(frozen=True, slots=True)
class Assessment:
    """One paper, one tool: the reviewer's judgements and the suggestions, by the domains' ids, `OVERALL` for the whole."""

    tool: Tool
    own: Mapping[str, OwnJudgement] = field(default_factory=dict)
    suggestions: Mapping[str, Suggestion] = field(default_factory=dict)
    outcome: str = ""  # whose result is judged; "": the study as a whole, or an outcome that nobody named

    def of(self, domain: Domain) -> OwnJudgement:
        """What the reviewer has set on a domain; nothing yet to begin with."""
        return self.own.get(domain.id, OwnJudgement())

    def with_own(self, domain: Domain, own: OwnJudgement) -> Assessment:
        """The same with another judgement on one domain."""
        return replace(self, own={**self.own, domain.id: own})

    def with_suggestion(self, suggestion: Suggestion) -> Assessment:
        """The same with an engine's word on one domain, in place of the one before."""
        return replace(self, suggestions={**self.suggestions, suggestion.judgement.domain: suggestion})

    @property
    def levels(self) -> dict[str, Level | None]:
        """Every domain's judgement; None: not judged."""
        return {domain.id: self.of(domain).level_in(domain) for domain in self.tool.domains}

    @property
    def rule(self) -> Level | None:
        """What follows for the whole from the domains; None where the tool has no such level, or a domain is not judged."""
        return self.tool.overall_level(self.levels)

    @property
    def overall(self) -> Level | None:
        """The judgement on the whole: what follows from the domains, unless the reviewer set another and said why."""
        whole = self.tool.whole
        return self.rule and ((whole and self.of(whole).level_in(whole)) or self.rule)

    @property
    def begun(self) -> bool:
        """Whether there is anything of the reviewer's to lose."""
        return any(own.begun for own in self.own.values())

    def as_seen(self, *, blind: bool) -> Assessment:
        """What may be shown: under `blind`, a suggestion only where the reviewer's own judgement is in."""
        if not blind:
            return self
        levels = self.levels
        return replace(self, suggestions={id: one for id, one in self.suggestions.items() if levels.get(id)})

    def moved(self, places: Mapping[int, int]) -> Assessment:
        """For the same paper read in another way: decisions go with their sentences, old index -> new index.

        Suggestions are dropped: they were made from other sentences.
        """
        own = {
            domain: replace(one, decisions={places[i]: word for i, word in one.decisions.items() if i in places})
            for domain, one in self.own.items()
        }
        return replace(self, own=own, suggestions={})
