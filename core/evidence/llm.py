"""Evidence by language models: the strategies of EvidenceBench (section 4.1), from prompt to answer, and cost estimates."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import Field

from core.errors import ModelError
from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence, Stance
from core.grounding.checking import Choice, JudgedPick, Part, Selection, VerifiedChoice, choose
from core.grounding.model import Match, ModelRun, PaperVerdict, Step, Verdict
from core.grounding.questions import (
    Asker,
    Exchange,
    ModelEngine,
    Price,
    QuestionResult,
    Stages,
    repeated_request,
    run_plan,
    run_together,
)
from core.llm import CostEstimate, ModelName, ReplySchema, Request, estimate
from core.paper import Paper
from core.progress import Progress, silent
from core.prompts import Prompt, load_prompt

# ---- wording ----
# The prompts of a strategy: templates are chosen, filled and recorded by hash.

_FRAME = ("system", "context", "plain", "everything", "results", "results-first")


class EvidenceStrategy(StrEnum):
    """How a paper is shown to a model (EvidenceBench, section 4.1). The first is the default."""

    SECTIONS = "sections"  # each section by itself, then a choice among the sentences selected from them
    DIGEST = "digest"  # the same, with our own prompt for the choice (docs/prompts.md)
    WHOLE = "whole"  # the whole paper at once
    EXAMPLES = "examples"  # the whole paper at once, after eight examples

    @property
    def by_section(self) -> bool:
        """Whether each section is read by itself first."""
        return self in (EvidenceStrategy.SECTIONS, EvidenceStrategy.DIGEST)


class EvidencePrompts:
    """Fills the templates for one paper and one query. Raises `PromptError` if a template is wrong."""

    def __init__(self, strategy: EvidenceStrategy, paper: Paper, query: EvidenceQuery) -> None:
        self.query = query
        self.paper = paper
        # The whole paper is often sent again (second attempts, other wordings, the next hypothesis); a section seldom is.
        self.cache_context = not strategy.by_section
        self.frame = load_prompt("evidence-frame", variables=("title", "part", "sentences"), parts=_FRAME)
        self.judging = load_prompt("evidence-judging", variables=())
        self.again = load_prompt("evidence-again", variables=("task", "answer", "faults", "k"))
        if strategy.by_section:
            self.first = _task("evidence-section-results" if query.results_only else "evidence-section")
            self.last = _task("evidence-choice" if strategy is EvidenceStrategy.SECTIONS else "evidence-digest")
            self.numbering = load_prompt("evidence-numbering", variables=())
            extra = [self.first, self.numbering]
        else:
            self.last = _task(f"evidence-{strategy}")
            extra = []
        used = [self.frame, *extra, self.last, self.judging, self.again]
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in used)

    def selection(self, part: Part) -> Request:
        """Ask for a selection from one section."""
        task = f"{self._task(self.first)}\n\n{self.numbering.fill('task')}"
        return self._request(part, task, Selection, label=part.title)

    def choice(self, part: Part, *, label: str) -> Request:
        """Ask for the final choice, with stances and a verdict."""
        return self._request(part, f"{self._task(self.last)}\n\n{self.judging.fill('task')}", Choice, label=label)

    def once_more(self, request: Request, said: Selection | Choice, faults: tuple[str, ...]) -> Request:
        """Ask again, naming the faults of the first answer."""
        numbers = str([pick.number for pick in said.decision])
        return repeated_request(self.again, request, faults, answer=numbers, k=self.query.k)

    def _task(self, prompt: Prompt) -> str:
        query = self.query
        focus = self.frame.fill(
            "results" if query.results_only else "results-first" if query.results_first else "everything"
        )
        return prompt.fill("task", hypothesis=self.query.hypothesis, k=self.query.k, focus=focus)

    def _request(self, part: Part, task: str, schema: type[Selection] | type[Choice], *, label: str) -> Request:
        context = self.frame.fill(
            "context",
            part=part.title,
            title=self.paper.title or self.paper.name,
            sentences=part.listing,
        )
        return Request(
            system=self.frame.fill("system"),
            context=context,
            task=task,
            schema=schema,
            plain=self.frame.fill("plain"),
            cache_context=self.cache_context,
            label=label,
        )


def _task(name: str) -> Prompt:
    return load_prompt(name, variables=("hypothesis", "k", "focus"))


# ---- strategies ----
# The strategies as plans: which requests to make, and how to use the answers (EvidenceBench, section 4.1).

FINAL_CHOICE = "Final choice"  # the label of the last question, if sections are read first


def to_come(strategy: EvidenceStrategy) -> tuple[str, ...]:
    """The labels of the questions that depend on the first answers."""
    return (FINAL_CHOICE,) if strategy.by_section else ()


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The result of a plan. If there is an `error`, there is no answer, but `steps` has the steps so far."""

    sentences: tuple[EvidenceSentence, ...]
    steps: tuple[Step, ...]
    verdict: Verdict | None = None
    error: ModelError | None = None


def plan(
    strategy: EvidenceStrategy, paper: Paper, query: EvidenceQuery, wording: EvidencePrompts, price: Price
) -> Stages[PlanResult]:
    """The plan of a strategy for one paper."""
    if strategy.by_section:
        return _sections(paper, query, wording, price)
    return _at_once(paper, query, wording, price)


def _at_once(paper: Paper, query: EvidenceQuery, wording: EvidencePrompts, price: Price) -> Stages[PlanResult]:
    part = Part.whole(paper, query.candidates(paper))
    if not part.shown:
        return PlanResult((), ())
    return (yield from _final(part, (), wording, price, label="Whole paper"))


def _sections(paper: Paper, query: EvidenceQuery, wording: EvidencePrompts, price: Price) -> Stages[PlanResult]:
    answers = yield from run_together(
        _ask(wording.selection(part), part, wording, price) for part in Part.sections(paper, query.candidates(paper))
    )
    steps = tuple(answer.step for answer in answers)
    failed = [answer.error for answer in answers if answer.error is not None]
    numbers = {number for answer in answers for number in answer.step.chosen}
    if not numbers:  # "nothing found" is an answer only if every section was read
        return PlanResult((), steps, _of_nothing(steps), error=failed[0] if failed else None)
    repaired = {n for answer in answers for n in answer.step.chosen if answer.match(n) is Match.REPAIRED}
    part = Part.chosen(paper, numbers)
    return (yield from _final(part, steps, wording, price, label=FINAL_CHOICE, repaired=repaired))


def _final(
    part: Part,
    before: tuple[Step, ...],
    wording: EvidencePrompts,
    price: Price,
    *,
    label: str,
    repaired: set[int] | frozenset[int] = frozenset(),
) -> Stages[PlanResult]:
    """The last question: which sentences, how each bears on the hypothesis, and what the paper says."""
    [outcome] = yield from run_together([_ask(wording.choice(part, label=label), part, wording, price)])
    steps = (*before, outcome.step)
    if outcome.answer is None:
        return PlanResult((), steps, error=outcome.error)
    sentences, verdict = _sentences(outcome, outcome.answer, repaired), _verdict(outcome.answer)
    if (
        verdict and verdict.judgement is PaperVerdict.NOT_REPORTED
    ):  # then no sentence is for or against, whatever the model said
        sentences = tuple(replace(one, stance=one.stance and Stance.NEUTRAL) for one in sentences)
        verdict = verdict if _all_read(steps) else None
    return PlanResult(sentences, steps, verdict)


def _ask(
    request: Request, part: Part, wording: EvidencePrompts, price: Price
) -> Exchange[QuestionResult[VerifiedChoice]]:
    return choose(request, part, wording.query.k, wording.once_more, price)


def _sentences(
    outcome: QuestionResult[VerifiedChoice], answer: VerifiedChoice, repaired: set[int] | frozenset[int]
) -> tuple[EvidenceSentence, ...]:
    """The chosen sentences. The score only expresses their order."""
    picks = answer.checked.right
    return tuple(
        EvidenceSentence(
            pick.number,
            round(1 - place / len(picks), 6),
            stance=Stance(pick.stance) if isinstance(pick, JudgedPick) and pick.stance else None,
            rationale=(pick.why.strip() or None) if isinstance(pick, JudgedPick) else None,
            match=Match.REPAIRED if pick.number in repaired else outcome.match(pick.number),
        )
        for place, pick in enumerate(picks)
    )


def _of_nothing(steps: tuple[Step, ...]) -> Verdict | None:
    """The verdict if no section gave a sentence: "not reported", or None if a part was not read or named wrongly."""
    if not _all_read(steps) or any(step.not_in_paper for step in steps):
        return None
    return Verdict(PaperVerdict.NOT_REPORTED, None, None)


def _all_read(steps: tuple[Step, ...]) -> bool:
    """Whether the whole paper was read. Otherwise a result may stand in what was not."""
    return not any(step.error or step.left_out for step in steps)


_RESTS_ON_SENTENCES = {PaperVerdict.SUPPORTS, PaperVerdict.REFUTES, PaperVerdict.MIXED}


def _verdict(answer: VerifiedChoice) -> Verdict | None:
    """The model's verdict. A strongest sentence counts only if it was chosen with the matching stance.

    None if the model gave no verdict, if every chosen sentence was named wrongly, or if a verdict that must rest on
    sentences rests on none.
    """
    said, right = answer.said, answer.checked.right
    if not isinstance(said, Choice) or said.verdict is None or (said.decision and not right):
        return None
    stances = {pick.number: pick.stance for pick in right if isinstance(pick, JudgedPick)}

    judgement = PaperVerdict(said.verdict)
    if judgement in _RESTS_ON_SENTENCES and not right:
        return None

    def strongest(number: int | None, stance: str) -> int | None:
        if number is None or judgement is PaperVerdict.NOT_REPORTED:
            return None
        return number if stances.get(number) == stance else None

    return Verdict(
        judgement,
        strongest(said.strongest_for, "supports"),
        strongest(said.strongest_against, "refutes"),
    )


# ---- engine ----
# The engine that asks a language model: it runs a strategy's plan.


class ModelEvidenceEngine(ModelEngine[EvidenceStrategy]):
    """Evidence from a language model."""

    strategies = EvidenceStrategy

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """Find at most `query.k` sentences, most important first. Raises `NoAnswer`, with the steps so far, if it fails.

        Repeat the call to retry what failed: successful steps come from the cache and cost nothing.
        """
        started = time.perf_counter()
        wording = EvidencePrompts(self.strategy, paper, query)
        result = run_plan(plan(self.strategy, paper, query, wording, self.runner.cost_of), self.runner, progress)
        run = self.run_of(wording.hashes, result.steps, verdict=result.verdict, error=result.error)
        return Evidence(
            engine=self.name,
            query=query,
            sentences=result.sentences,
            seconds=time.perf_counter() - started,
            cost_usd=run.cost_usd,
            notes=tuple(_notes(run)),
            run=run,
        )


def _notes(run: ModelRun) -> list[str]:
    """What a reviewer should know, in words."""
    notes = list(run.gaps)
    if run.from_cache:
        notes.append("Every reply was kept from an earlier run: this one cost nothing.")
    again = sum(bool(step.faults) for step in run.steps)
    if again:
        notes.append(f"{again} of {len(run.steps)} answers had faults and were asked for again.")
    wrong = sum(len(step.not_in_paper) for step in run.steps)
    if wrong:
        named = f"{wrong} sentences that are" if wrong > 1 else "a sentence that is"
        notes.append(f"The model named {named} not in this paper; none is shown.")
    if not run.steps:
        notes.append(
            "The paper holds no sentence that can be chosen: it is all headings, or tables that were left out."
        )
    return notes


# ---- estimating ----
# The cost of a run, estimated before the first answer. Nothing is sent.


def estimate_run(model: ModelName, paper: Paper, query: EvidenceQuery) -> CostEstimate:
    """Estimate the cost of a run, assuming no repeated questions and an empty cache."""
    strategy = ModelEvidenceEngine.strategy_of(model)
    return estimate(expected_requests(strategy, paper, query), f"{model.provider}:{model.model}")


def expected_requests(strategy: EvidenceStrategy, paper: Paper, query: EvidenceQuery) -> tuple[Request, ...]:
    """The requests of the first stage and, if sections are read first, the final choice.

    The sentences of the final choice depend on the answers, so the first k of every section stand in for them.
    """
    wording = EvidencePrompts(strategy, paper, query)
    first = next(plan(strategy, paper, query, wording, lambda reply: None), ())
    if not first or not strategy.by_section:
        return first
    numbers = [
        number for part in Part.sections(paper, query.candidates(paper)) for number in list(part.shown)[: query.k]
    ]
    return (*first, wording.choice(Part.chosen(paper, numbers), label=FINAL_CHOICE))


# ---- rewording ----
# Other wordings of a hypothesis, by a model.


class Wordings(ReplySchema):
    """The answer. Servers without schemas cannot give it."""

    paraphrase: str = Field(description="The same claim in other words.")
    negation: str = Field(description="The claim that is true exactly when the hypothesis is false.")


def reworded(asker: Asker, hypothesis: str) -> tuple[str, str]:
    """Ask for a paraphrase and a negation. Raises `ModelError` if the model gives none."""
    prompt = load_prompt("evidence-reword", variables=("hypothesis",), parts=("system", "task"))
    request = Request(
        system=prompt.fill("system"),
        context="",
        task=prompt.fill("task", hypothesis=" ".join(hypothesis.split())),
        schema=Wordings,
        label="Other words",
    )
    [reply] = asker.ask_all([request])
    if reply.problem is not None:
        raise reply.problem
    assert isinstance(reply.data, Wordings)  # a reply without a problem has the requested schema  # noqa: S101
    return reply.data.paraphrase, reply.data.negation
