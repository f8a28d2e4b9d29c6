"""The agent: a model plans each step in a structured reply, and the workspace's tools carry it out, until it answers.

See PaperQA2, section 8.1.1. It works the same with every provider, from the cache and from batch files, because a plan
is an ordinary reply. What the model is told depends only on the earlier steps, until few steps are left. So to resume a
run that was stopped, even with more steps, ask the same question again: earlier replies come from the cache.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Literal, Self

from pydantic import Field

from core.answering.gathering import GOOD, STRONG, again_prompt, citation
from core.answering.model import LAST_YEAR, Action, Question, is_year
from core.answering.workspace import Workspace
from core.answering.writing import Writing, with_before
from core.errors import ModelError, QueryError
from core.grounding.questions import Asker, QuestionResult, ask, repeated_request, run_plan, run_together
from core.library.model import Years
from core.llm import Reply, ReplySchema, Request
from core.llm.model import NotPlain, fields, numbers
from core.progress import Progress, silent
from core.prompts import load_prompt

MOST_STEPS = 100
NOTHING_READ = (
    "The agent came to its limit before it had read a passage. Allow it more steps or more time, and ask again."
)
_FEW = 3  # remaining steps from which on the planner is told their number; earlier requests do not depend on the limit
_SHOWN = 10  # passages that the planner sees
_MOST_WORDS = 40  # in a search
_PARTS = {
    Action.SEARCH: "search",
    Action.SEARCH_SERVICES: "search-services",
    Action.GATHER: "gather",
    Action.FOLLOW: "follow",
    Action.ANSWER: "answer",
    Action.GIVE_UP: "give-up",
}


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """The most steps and seconds of an agent; its models' budget limits dollars and tokens.

    Raises `QueryError` for a limit out of range.
    """

    steps: int = 12
    seconds: float = 900.0

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= MOST_STEPS:
            raise QueryError(f"{self.steps} steps are no limit for an agent. Give 1 to {MOST_STEPS}.")
        if not self.seconds > 0:
            raise QueryError(f"{self.seconds:g} seconds are no limit for an agent. Give more than 0.")


class NextStep(ReplySchema):
    """What is done next."""

    reason: str = Field(description="Why, in one or two sentences.")
    action: Literal["search", "search services", "gather evidence", "follow citations", "answer", "give up"]
    words: str = Field(description="The words to search or to ask with; empty for other steps.")
    first_year: int | None = Field(description="For a search: only papers of this year or later; null for any.")
    last_year: int | None = Field(description="For a search: only papers of this year or before; null for any.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """Parse the plain form."""
        reason, action, words, years = fields(text, "REASON", "ACTION", "WORDS", "YEARS")
        between = numbers(years, "YEARS") if years.startswith("[") else []
        if action.strip(" .").lower() not in set(Action):
            raise NotPlain("after ACTION: stands none of the steps")
        first, last = (between[0], between[-1]) if between else (None, None)
        return cls.model_validate(
            {
                "reason": reason,
                "action": action.strip(" .").lower(),
                "words": "" if words.strip(" .").lower() == "none" else words,
                "first_year": first,
                "last_year": last,
            }
        )


@dataclass(frozen=True, slots=True)
class CheckedStep:
    """A step that the model planned, checked against the allowed ones (a `core.grounding.questions.VerifiedAnswer`)."""

    said: NextStep
    allowed: tuple[Action, ...]
    numbers: tuple[int, ...] = ()
    not_in_paper: tuple[str, ...] = ()

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def action(self) -> Action:
        return Action(self.said.action)

    @property
    def faults(self) -> tuple[str, ...]:
        words = len(self.said.words.split())
        found = []
        if self.action not in self.allowed:
            found.append(f"The step “{self.action}” is not among those to choose from now.")
        if self.action in (Action.SEARCH, Action.SEARCH_SERVICES) and not words:
            found.append("A search needs words.")
        if words > _MOST_WORDS:
            found.append(f"There are {words} words, and at most {_MOST_WORDS} are allowed.")
        if not (is_year(self.said.first_year) and is_year(self.said.last_year)):
            found.append(f"A year is a number from 1 to {LAST_YEAR}.")
        return tuple(found)


class AgentPrompts:
    """Fills the template for one question. Raises `PromptError` if the template is invalid."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.plan = load_prompt(
            "answering-agent",
            variables=("found", "question", "done", "status", "actions"),
            parts=("system", "context", "task", *_PARTS.values(), "before", "plain"),
        )
        self.again = again_prompt()
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in (self.plan, self.again))

    def request(self, work: Workspace, allowed: tuple[Action, ...], left: int) -> Request:
        """The request for the next step."""
        done = [f"{place}. {step.action} “{step.words}”: {step.came}" for place, step in enumerate(work.trail, 1)]
        evidence = work.evidence
        good = [one for one in evidence if one.score >= GOOD]
        status = (
            f"Papers found: {len(work.found)}. Passages read: {len(evidence)}, {len(good)} of them with a score of "
            f"{GOOD} or more, of {len({one.passage.paper for one in good})} papers; papers with a score of {STRONG} or "
            f"more: {len(work.strong_papers())}."
        )
        if left <= _FEW:
            status += f" Steps left: {left}."
        task = self.plan.fill(
            "task",
            question=with_before(self.question, self.plan),
            done="\n".join(done) or "nothing yet",
            status=status,
            actions="\n".join(self.plan.fill(_PARTS[action]) for action in allowed),
        )
        return Request(
            system=self.plan.fill("system"),
            context=self.plan.fill("context", found=_found(work)),
            task=task,
            schema=NextStep,
            plain=self.plan.fill("plain"),
            label=f"Step {len(work.trail) + 1}",
        )


def _found(work: Workspace) -> str:
    """The papers that were found and the best passages, for the planner."""
    papers = [work.papers[id] for id in work.found if id in work.papers]
    lines = [" ".join(f"- {one.title or one.name}. {citation(one)}".split()) for one in papers]
    for one in work.evidence[:_SHOWN]:
        text = one.summary or one.passage.sentences[one.strongest - one.passage.first]
        lines.append(" ".join(f"- passage with score {one.score:g}: {text}".split()))
    return "\n".join(lines) or "nothing yet"


def run_agent(
    work: Workspace, planner: Asker, *, follows: bool, limits: AgentLimits, progress: Progress = silent
) -> Writing:
    """Take steps until there is an answer or the agent gives up. At a limit, answer from what was gathered.

    Raises `ModelError` if a step could not be planned, or if no passage could be read.
    """
    wording = AgentPrompts(work.question)
    started = time.perf_counter()
    writing: Writing | None = None
    for place in range(limits.steps - 1):
        if time.perf_counter() - started > limits.seconds:
            break

        def share(done: float, step: str, place: int = place) -> None:
            progress((place + done) / limits.steps, step)

        step = _planned(work, wording, planner, follows=follows, left=limits.steps - place, progress=share)
        work.reason = " ".join(step.said.reason.split())
        words = " ".join(step.said.words.split()) or work.question.text
        match step.action:
            case Action.SEARCH:
                work.search(words, Years(step.said.first_year, step.said.last_year))
            case Action.SEARCH_SERVICES:
                work.search_services(words, Years(step.said.first_year, step.said.last_year), share)
            case Action.GATHER:
                work.gather(words, share)
            case Action.FOLLOW:
                work.follow(share)
            case Action.GIVE_UP:
                work.give_up()
                return Writing(None, cannot_answer=True)
            case Action.ANSWER:
                writing = work.write(share)
                if not writing.cannot_answer:
                    return writing
    if writing is not None and work.trail[-1].action is Action.ANSWER:
        return writing
    if not any(step.action is Action.GATHER for step in work.trail):
        return Writing(None, problem=NOTHING_READ)
    return work.write(progress)


def _allowed(work: Workspace, *, follows: bool) -> tuple[Action, ...]:
    """The allowed actions: gathering needs an earlier step, and answering or giving up needs an earlier gathering."""
    allowed = [Action.SEARCH]
    if work.beyond is not None:
        allowed.append(Action.SEARCH_SERVICES)
    if work.trail:
        allowed.append(Action.GATHER)
    if follows and work.strong_papers():
        allowed.append(Action.FOLLOW)
    if any(step.action is Action.GATHER for step in work.trail):
        allowed += [Action.ANSWER, Action.GIVE_UP]
    return tuple(allowed)


def _planned(
    work: Workspace, wording: AgentPrompts, planner: Asker, *, follows: bool, left: int, progress: Progress
) -> CheckedStep:
    allowed = _allowed(work, follows=follows)
    request = wording.request(work, allowed, left)
    exchange = ask(request, partial(_held, allowed), partial(_once_more, wording, request), planner.cost_of)
    result: QuestionResult[CheckedStep]
    [result] = run_plan(run_together([exchange]), planner, progress)
    work.asked.append(result.step)
    if result.answer is None:
        raise result.error or ModelError("The next step could not be planned.")
    if result.answer.faults:
        raise ModelError(
            f"The model that plans chose a step that cannot be taken, twice: {result.answer.faults[0]} Ask again, choose "
            "another model for planning, or a strategy without an agent: @fixed."
        )
    return result.answer


def _held(allowed: tuple[Action, ...], reply: Reply) -> CheckedStep | None:
    return CheckedStep(reply.data, allowed) if isinstance(reply.data, NextStep) else None


def _once_more(wording: AgentPrompts, request: Request, answer: CheckedStep) -> Request:
    return repeated_request(wording.again, request, answer.faults)
