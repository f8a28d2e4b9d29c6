"""The prompts for a domain: templates are chosen, filled and recorded by hash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum

from core.bias.llm.answers import ANSWER_SENTENCES, JUDGEMENT_SENTENCES, AnsweredQuestions, ChosenOption, judged_on
from core.bias.model import Domain, Level, Question, StudyContext
from core.bias.tools import known_tools
from core.grounding.checking import Part, Selection
from core.grounding.questions import repeated_request
from core.llm import ReplySchema, Request
from core.llm.provider import set_apart
from core.prompts import Prompt, load_prompt

_VIEWS = ("whole", "retrieved", "highlights", "collected")
_DOMAIN = ("domain", "bias", "definition")
_LINES = {
    "objective": "Objective of the review",
    "population": "Population",
    "intervention": "Intervention",
    "comparator": "Comparator",
    "outcome": "Outcome",
    "confounders": "Confounders that the review finds important",
}


class ShownText(StrEnum):
    """How much of a paper a question shows."""

    WHOLE = "whole"
    RETRIEVED = "retrieved"  # only the sentences that a search found
    HIGHLIGHTS = "highlights"  # the whole paper, and the numbers of the sentences that a search found
    COLLECTED = "collected"  # sentences that others collected


class BiasPrompts:
    """Fills the templates for one study.

    System and context are the same for every domain of a paper, because the provider caches the beginning of requests.
    Raises `PromptError` if a template is wrong.
    """

    def __init__(self, study: StudyContext, title: str = "") -> None:
        self._study, self._title = study, title
        variables = ("study", "part", "title", "sentences", "numbers")
        self._frame = load_prompt(
            "bias-frame", variables=variables, parts=("system", "context", "given", "no-study", *_VIEWS)
        )
        self._again = load_prompt("bias-again", variables=("task", "answer", "faults"))
        self._used = {prompt.name: prompt.hash for prompt in (self._frame, self._again)}

    @property
    def hashes(self) -> tuple[tuple[str, str], ...]:
        """(name, hash) of every template that was used so far."""
        return tuple(self._used.items())

    def judgement(self, domain: Domain, part: Part, view: ShownText, *, highlighted: Iterable[int] = ()) -> Request:
        """Ask for a domain's level, or for the answers to its questions, if it has any."""
        shown = self._frame.fill(view, numbers=", ".join(map(str, highlighted)))
        if domain.questions:
            prompt = self._load("bias-questions", *_DOMAIN, "questions", "view", "k", parts=("task", "plain"))
            questions = "\n".join(map(_question, domain.questions))
            task = prompt.fill("task", **_named(domain), questions=questions, view=shown, k=ANSWER_SENTENCES)
            return self._request(part, prompt, task, AnsweredQuestions, label=domain.name, view=view)
        without = [level for level in domain.scale if not domain.criteria.get(level)]
        variables = (*_DOMAIN, "criteria", "view", "k", "levels", "place", "of")
        prompt = self._load("bias-judgement", *variables, parts=("task", "plain", "other"))
        general = {
            level for level in _published() if _part(level) in prompt.parts
        }  # others are described by their rank
        parts = {level: _part(level) if level in general else "other" for level in without}
        criteria = {
            level: prompt.fill(parts[level], place=place, of=len(domain.scale))
            if level in parts
            else domain.criteria[level]
            for place, level in enumerate(domain.scale, 1)
        }
        task = prompt.fill(
            "task",
            **_named(domain),
            criteria=_lines(criteria),
            view=shown,
            k=JUDGEMENT_SENTENCES,
            levels=", ".join(domain.scale),
        )
        return self._request(part, prompt, task, judged_on(domain.scale), label=domain.name, view=view)

    def support(self, domain: Domain, part: Part, k: int) -> Request:
        """Ask for the sentences that a judgement would be based on."""
        prompt = self._load("bias-support", *_DOMAIN, "criteria", "k", parts=("task", "plain"))
        asked = [f"- {question.text}" for question in domain.questions]
        criteria = "\n".join([*asked, _lines(domain.criteria)]).strip()
        task = prompt.fill("task", **_named(domain), criteria=criteria, k=k)
        return self._request(part, prompt, task, Selection, label=search_label(domain), view=ShownText.WHOLE)

    def choice(self, domain: Domain, part: Part, options: Sequence[str], letters: Sequence[str]) -> Request:
        """Ask which of several support judgements fits the study."""
        prompt = self._load("bias-choice", *_DOMAIN, "criteria", "options", "letters", parts=("task", "plain"))
        listed = "\n".join(f"{letter}: {_line(option)}" for letter, option in zip(letters, options, strict=True))
        task = prompt.fill(
            "task",
            **_named(domain),
            criteria=_lines(domain.criteria),
            options=set_apart(listed),
            letters=", ".join(letters),
        )
        return self._request(part, prompt, task, ChosenOption, label=f"{domain.name}: choice", view=ShownText.WHOLE)

    def once_more(self, request: Request, said: ReplySchema, faults: Iterable[str]) -> Request:
        """Ask again, naming the faults of the first answer."""
        return repeated_request(self._again, request, faults, answer=set_apart(said.model_dump_json()))

    def _load(self, name: str, *variables: str, parts: Iterable[str]) -> Prompt:
        prompt = load_prompt(name, variables=variables, parts=parts)
        self._used[prompt.name] = prompt.hash
        return prompt

    def _request(
        self, part: Part, prompt: Prompt, task: str, schema: type[ReplySchema], *, label: str, view: ShownText
    ) -> Request:
        if view is ShownText.COLLECTED:
            context = self._frame.fill("given", sentences=part.listing)
        else:
            context = self._frame.fill(
                "context",
                study=self._study_lines(),
                part=part.title,
                title=_line(self._title),
                sentences=part.listing,
            )
        return Request(
            system=self._frame.fill("system"),
            context=context,
            task=task,
            schema=schema,
            plain=prompt.fill("plain"),
            cache_context=view in {ShownText.WHOLE, ShownText.HIGHLIGHTS},
            label=label,
        )

    def _study_lines(self) -> str:
        told = [f"{_LINES[name]}: {_line(value)}" for name, value in asdict(self._study).items() if value.strip()]
        return "\n".join(told) or self._frame.fill("no-study")


def search_label(domain: Domain) -> str:
    """The label of the search for a domain's sentences."""
    return f"{domain.name}: sentences"


def _published() -> set[Level]:
    """The levels of published tools: the prompt may have general words for them."""
    return {level for tool in known_tools().values() for level in tool.levels}


def _named(domain: Domain) -> dict[str, str]:
    return {"domain": _line(domain.name), "bias": _line(domain.bias), "definition": _line(domain.definition)}


def _lines(criteria: Mapping[Level, str]) -> str:
    return "\n".join(f"- {level}: {_line(text)}" for level, text in criteria.items() if text)


def _question(question: Question) -> str:
    condition = f"(only {question.condition}) " if question.condition else ""
    return f"- {question.id} {condition}{question.text} ({', '.join(question.allowed)})"


def _part(level: Level) -> str:
    return level.replace(" ", "-")


def _line(text: str) -> str:
    return " ".join(text.split())
