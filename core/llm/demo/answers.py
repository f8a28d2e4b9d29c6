"""The demo server's answers: a choice of sentences, written as the request's schema or instructions want it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from core.llm.demo.choosing import Chosen, choose, misled
from core.llm.demo.faults import Fault
from core.llm.demo.judging import answer_on_bias
from core.llm.demo.question import Asked, question_in
from core.llm.demo.screening import answer_on_criterion
from core.llm.demo.summaries import answer_on_summary
from core.llm.replies import Ending
from core.llm.wire import Json

_STANCES = {
    "supports": ("support", "for", "yes"),
    "refutes": ("refut", "contradict", "against", "oppos", "no"),
    "neutral": ("neutral", "neither", "mixed", "unclear", "insufficient"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says."""

    text: str
    ending: Ending = Ending.FINISHED


def answer(asked: Asked, fault: Fault | None) -> Answer:
    """The answer to a request, as a fault distorts it."""
    if fault is Fault.REFUSAL:
        return Answer("I can't help with that.", Ending.REFUSED)
    if fault is Fault.EMPTY:
        return Answer("")
    schema = asked.schema is not None and fault is not Fault.UNHEEDED
    text = (
        answer_on_summary(asked, fault, schema=schema)
        or answer_on_criterion(asked, fault, schema=schema)
        or answer_on_bias(asked, fault, schema=schema)
        or _choice(asked, fault, schema=schema)
    )
    if fault is Fault.PROSE:
        return Answer(f"Here is what I found.\n\n{text}\n\nLet me know if you need more.")
    if fault in (Fault.CUT_OFF, Fault.CUT_JSON):
        return Answer(text[: len(text) // 2], Ending.CUT_OFF if fault is Fault.CUT_OFF else Ending.FINISHED)
    return Answer(text)


def _choice(asked: Asked, fault: Fault | None, *, schema: bool) -> str:
    """The answer to a question for evidence."""
    question = question_in(asked)
    chosen = misled(choose(question), question, fault)
    if schema and asked.schema is not None:
        return json.dumps(_Form(question.hypothesis, chosen).fill(asked.schema, ""), ensure_ascii=False)
    indices = [one.sentence.index for one in chosen]
    return f"REASON: {_reason(chosen)}\nDECISION: {indices}" if question.plain else _reason(chosen)


def _reason(chosen: list[Chosen]) -> str:
    if not chosen:
        return "Nothing in the text shares a word with the hypothesis."
    return " ".join(f"Sentence {one.sentence.index}: {one.reason}" for one in chosen[:3])


@dataclass(frozen=True, slots=True)
class _Form:
    """Fills a JSON schema from a choice, by the types and names of its fields."""

    hypothesis: str
    chosen: list[Chosen]

    def fill(self, node: Json, name: str, one: Chosen | None = None) -> Any:
        """A value for `node`, the schema of the field `name`; about the sentence `one` if it is part of a list."""
        if "anyOf" in node:
            return self._option(node["anyOf"], name, one)
        if "enum" in node:
            return self._named(node["enum"], one)
        match node.get("type"):
            case "object":
                return {field: self.fill(inner, field, one) for field, inner in node["properties"].items()}
            case "array":
                return [self.fill(node["items"], name, each) for each in self.chosen]
            case "integer" | "number":
                return self._index(name, one)
            case "boolean":
                return False
            case "null":
                return None
        return self._words(name, one)

    def _words(self, name: str, one: Chosen | None) -> str:
        if "paraphrase" in name:
            return f"It is the case that {self.hypothesis}"
        if "negation" in name:
            return f"It is not the case that {self.hypothesis}"
        if one and "begin" in name:
            return " ".join(one.sentence.text.split()[:8])
        if one and any(word in name for word in ("quote", "text", "sentence")):
            return one.sentence.text
        return one.reason if one else _reason(self.chosen)

    def _option(self, options: list[Json], name: str, one: Chosen | None) -> Any:
        """The first kind of value that can be filled; null where no sentence has the stance that is asked for."""
        number = next((node for node in options if node.get("type") == "integer"), None)
        if number and one is None and self._of_stance(name) is None:
            return None
        return self.fill(next(node for node in options if node.get("type") != "null"), name, one)

    def _index(self, name: str, one: Chosen | None) -> int:
        found = one or self._of_stance(name)
        return found.sentence.index if found else -1

    def _of_stance(self, name: str) -> Chosen | None:
        """The best sentence with the stance that a field's name speaks of (`strongest_against`)."""
        for stance, words in _STANCES.items():
            if any(part.startswith(word) for part in name.lower().split("_") for word in words):
                return next((one for one in self.chosen if one.stance == stance), None)
        return self.chosen[0] if self.chosen else None

    def _named(self, values: list[str], one: Chosen | None) -> str:
        """The value of an enum that speaks of a sentence's stance, or of most sentences'."""
        if not self.chosen and "not reported" in values:
            return "not reported"
        stances = [one.stance] if one else [each.stance for each in self.chosen if each.stance != "neutral"]
        if len(set(stances)) > 1 and "mixed" in values:
            return "mixed"
        stance = max(sorted(set(stances)), key=stances.count) if stances else "neutral"
        for value in values:
            if str(value).lower().startswith(_STANCES[stance]):
                return value
        return values[0]
