"""Plain summaries: written by a language model, checked at once, and repaired if they are not faithful."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.errors import QueryError
from core.grounding.model import ModelRun, NoAnswer
from core.grounding.questions import Asker, Exchange, Price, QuestionResult, ask, run_plan, run_together
from core.llm import CostEstimate, ModelName, Reply, ReplySchema, Request, estimate
from core.llm.model import NotPlain, fields
from core.llm.provider import set_apart
from core.paper import Paper
from core.progress import Progress, silent
from core.prompts import Prompt, load_prompt
from core.summary.llm import one_line, source_fields
from core.summary.measures import measures
from core.summary.model import (
    FaithfulnessReport,
    Measures,
    SentenceCheck,
    SummaryEngine,
    SummarySource,
    check_summary,
    source_sentences,
)
from core.summary.splitting import BULLET

# ---- drafts ----
# The reply schemas for writing and repairing a summary, and the templates that ask for them.

_LINE = re.compile(r"(\d{1,4})\.(?:\s+(\S.*))?")


class ReadingLevel(StrEnum):
    """The readers for whom a summary is written."""

    PLAIN = "plain"  # left school at sixteen
    EASY = "easy"  # about twelve years old
    DETAILED = "detailed"  # finished school and want the details


class Draft(ReplySchema):
    """A summary."""

    summary: str = Field(description="The summary, as running text.")

    @field_validator("summary")
    @classmethod
    def _holds_words(cls, summary: str) -> str:
        if not any(map(str.isalnum, summary)):
            raise ValueError("it holds no word")
        return summary.strip()

    @classmethod
    def from_plain(cls, text: str) -> Self:
        (summary,) = fields(text, "SUMMARY")
        return cls(summary=summary)


class Mended(BaseModel):
    """A sentence written anew."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = Field(description="The number of the sentence.")
    text: str = Field(description="The sentence written anew; empty to leave it out.")


class Mending(ReplySchema):
    """Sentences written anew."""

    sentences: list[Mended]

    @classmethod
    def from_plain(cls, text: str) -> Self:
        (listed,) = fields(text, "SENTENCES")
        found = [_LINE.fullmatch(line.strip()) for line in listed.splitlines() if line.strip()]
        if None in found:
            raise NotPlain("after SENTENCES: there is something other than lines with a number")
        return cls(sentences=[Mended(number=int(line[1]), text=line[2] or "") for line in found if line])


class WritingPrompts:
    """Fills the templates for one paper. Raises `PromptError` if a template is wrong."""

    def __init__(self, paper: Paper, source: SummarySource, level: ReadingLevel) -> None:
        levels = [_part_of(each) for each in ReadingLevel]
        self._write = load_prompt(
            "summary-write",
            variables=("title", "authors", "text", "reader"),
            parts=("system", "context", "task", "plain", *levels),
        )
        self._repair = load_prompt("summary-repair", variables=("summary", "faulty", "reader"), parts=("task", "plain"))
        self._again = load_prompt("summary-again", variables=("task", "faults"))
        self._reader = self._write.fill(_part_of(level))
        self._context = self._write.fill("context", **source_fields(paper, source_sentences(paper, source)))
        self.written_with = _hashes(self._write)
        self.mended_with = _hashes(self._write, self._repair, self._again)

    def draft(self) -> Request:
        """Ask for a summary."""
        return self._request(self._write.fill("task", reader=self._reader), Draft, self._write, label="Summary")

    def mending(self, sentences: Mapping[int, str], faulty: Mapping[int, str], faults: tuple[str, ...] = ()) -> Request:
        """Ask to rewrite the `faulty` sentences, given as number -> reason. `faults` are those of a first answer."""
        task = self._repair.fill(
            "task",
            summary=set_apart("\n".join(f"{number}. {one_line(text)}" for number, text in sentences.items())),
            faulty=set_apart("\n".join(f"- {number}: {one_line(reason)}" for number, reason in faulty.items())),
            reader=self._reader,
        )
        if faults:
            task = self._again.fill("task", task=task, faults="\n".join(f"- {fault}" for fault in faults))
        return self._request(task, Mending, self._repair, label="Repair")

    def _request(self, task: str, schema: type[ReplySchema], prompt: Prompt, *, label: str) -> Request:
        return Request(
            system=self._write.fill("system"),
            context=self._context,
            task=task,
            schema=schema,
            plain=prompt.fill("plain"),
            cache_context=True,  # sent again for each repair
            label=label,
        )


def _part_of(level: ReadingLevel) -> str:
    return "plain-level" if level is ReadingLevel.PLAIN else level.value  # the part `plain` is the plain reply format


def _hashes(*prompts: Prompt) -> tuple[tuple[str, str], ...]:
    return tuple((prompt.name, prompt.hash) for prompt in prompts)


# ---- mending ----
# A model's draft and its repairs as exchanges: the requests, and the verified answers.


@dataclass(frozen=True, slots=True)
class VerifiedText:
    """A whole summary, or rewritten sentences by number. It never refers to a sentence of the paper."""

    text: str = ""
    sentences: Mapping[int, str] | None = None  # an empty text drops the sentence
    faults: tuple[str, ...] = ()
    reasoning: str = ""
    numbers: tuple[int, ...] = ()
    not_in_paper: tuple[str, ...] = ()


def draft(drafting: WritingPrompts, price: Price) -> Exchange[QuestionResult[VerifiedText]]:
    """Ask for a summary."""
    request = drafting.draft()

    def held(reply: Reply) -> VerifiedText | None:
        return VerifiedText(reply.data.summary) if isinstance(reply.data, Draft) else None

    return ask(request, held, lambda _: request, price)  # drafts have no faults: an empty one is no answer


def repair_exchange(
    drafting: WritingPrompts, sentences: Mapping[int, str], faulty: Mapping[int, str], price: Price
) -> Exchange[QuestionResult[VerifiedText]]:
    """Ask to rewrite the faulty sentences of a summary, and once more if the answer has faults."""

    def once_more(answer: VerifiedText) -> Request:
        return drafting.mending(sentences, faulty, answer.faults)

    return ask(drafting.mending(sentences, faulty), partial(verify_repair, faulty), once_more, price)


def verify_repair(faulty: Mapping[int, str], reply: Reply) -> VerifiedText | None:
    """The requested sentences of an answer, and what is wrong with the others; None if the answer cannot be used."""
    if not isinstance(reply.data, Mending):
        return None
    mended: dict[int, str] = {}
    faults = []
    for sentence in reply.data.sentences:
        if sentence.number not in faulty:
            faults.append(f"{sentence.number} is not the number of a sentence that was to be written anew.")
        elif sentence.number in mended:
            faults.append(f"{sentence.number} was given twice.")
        else:
            mended[sentence.number] = " ".join(sentence.text.split())
    faults += [f"{number} was not given." for number in faulty if number not in mended]
    return VerifiedText(sentences=mended, faults=tuple(faults))


# ---- writing ----
# Plain summaries by a language model, checked as soon as they are written, and repaired if they are not faithful.

_NEAREST = 2  # sentences of the paper that a model is shown with each fault
_NOTHING_TO_MEND = "No sentence of this summary is called wrong, so there is nothing to repair."
_NOTHING_LEFT = "The repair leaves no sentence: it can mend none of them. Write another summary."
_UNCHANGED = "The model gave the same sentences again, so the summary stays as it is. Change them yourself, or ask another model."


@dataclass(frozen=True, slots=True)
class SummaryVersion:
    """One version of a summary: as first written, or after a repair."""

    text: str
    level: ReadingLevel
    report: FaithfulnessReport
    measures: Measures
    run: ModelRun  # the run that wrote it; `report.run` is the run that checked it
    mended: tuple[int, ...] = ()  # indices, in the previous version's report, of the sentences that were changed

    @property
    def cost_usd(self) -> float | None:
        """What writing and checking it cost; None if either is unknown."""
        written, checked = self.run.cost_usd, self.report.cost_usd
        return None if written is None or checked is None else written + checked


def write_summary(
    paper: Paper,
    *,
    writer: Asker,
    checker: SummaryEngine,
    source: SummarySource = SummarySource.FRONT,
    level: ReadingLevel = ReadingLevel.PLAIN,
    progress: Progress = silent,
) -> SummaryVersion:
    """Write a summary for a reading level and check it. Raises `NoAnswer` if the model writes none."""
    answer, run = _written(paper, writer, source, level, _half(progress, 0))
    report = check_summary(answer.text, paper, engine=checker, source=source, progress=_half(progress, 1))
    return SummaryVersion(answer.text, level, report, measures(answer.text, paper, source), run)


def written_summary(
    paper: Paper,
    *,
    writer: Asker,
    source: SummarySource = SummarySource.FRONT,
    level: ReadingLevel = ReadingLevel.PLAIN,
    progress: Progress = silent,
) -> str:
    """Write a summary without checking it. Raises `NoAnswer` if the model writes none."""
    return _written(paper, writer, source, level, progress)[0].text


def _written(
    paper: Paper, writer: Asker, source: SummarySource, level: ReadingLevel, progress: Progress
) -> tuple[VerifiedText, ModelRun]:
    drafting = WritingPrompts(paper, source, level)
    return _put(draft(drafting, writer.cost_of), "write", drafting.written_with, writer, progress)


def estimate_writing(model: ModelName, paper: Paper, source: SummarySource, level: ReadingLevel) -> CostEstimate:
    """Estimate the cost of writing a summary, without the check. Nothing is sent."""
    return estimate([WritingPrompts(paper, source, level).draft()], f"{model.provider}:{model.model}")


def repair_summary(
    report: FaithfulnessReport,
    paper: Paper,
    *,
    writer: Asker,
    checker: SummaryEngine,
    level: ReadingLevel = ReadingLevel.PLAIN,
    progress: Progress = silent,
) -> SummaryVersion:
    """Rewrite or drop the sentences that `report` flags; all others stay unchanged to the letter.

    `report` is about the current summary, and its labels decide what is repaired.

    Raises `QueryError` if there is nothing to repair, nothing would be left or nothing changed, `NoAnswer` if the model
    gives no answer.
    """
    source, sentences = report.source, dict(enumerate(report.sentences, 1))
    faulty = {number: why_unsupported(one, paper) for number, one in sentences.items() if one.label.flagged}
    if not faulty:
        raise QueryError(_NOTHING_TO_MEND)
    drafting = WritingPrompts(paper, source, level)
    texts = {number: sentence.text for number, sentence in sentences.items()}
    asking = repair_exchange(drafting, texts, faulty, writer.cost_of)
    answer, run = _put(asking, "repair", drafting.mended_with, writer, _half(progress, 0))
    mended = answer.sentences or {}
    text = with_changes(report.summary, {sentences[number]: new for number, new in mended.items()})
    if not any(map(str.isalnum, text)):
        raise QueryError(_NOTHING_LEFT)
    if text == report.summary.strip():
        raise QueryError(_UNCHANGED)
    after = check_summary(text, paper, engine=checker, source=source, progress=_half(progress, 1))
    places = tuple(number - 1 for number in sorted(mended))
    return SummaryVersion(text, level, after, measures(text, paper, source), run, places)


def _put(
    exchange: Exchange[QuestionResult[VerifiedText]],
    task: str,
    prompts: tuple[tuple[str, str], ...],
    writer: Asker,
    progress: Progress,
) -> tuple[VerifiedText, ModelRun]:
    """The answer and its run. Raises `NoAnswer` if there is none."""
    [outcome] = run_plan(run_together([exchange]), writer, progress)
    run = ModelRun(writer.name, task, prompts, (outcome.step,))
    if outcome.error is not None:
        raise NoAnswer(outcome.error, run) from outcome.error
    assert outcome.answer is not None  # without an error there is one  # noqa: S101
    return outcome.answer, run


def why_unsupported(sentence: SentenceCheck, paper: Paper) -> str:
    """What is wrong with a sentence, according to its check, and what the paper says instead."""
    said = [flag.reason for flag in sentence.flags] or [sentence.reason or "The source does not support it."]
    if sentence.part is not None:
        said.append(f"Not supported: “{sentence.text[sentence.part.start : sentence.part.end]}”.")
    against = dict.fromkeys([*(flag.index for flag in sentence.flags), *(found.index for found in sentence.support)])
    nearest = [paper.sentences[index].text for index in against if index is not None]
    said += [f"The source says: “{text}”" for text in nearest[:_NEAREST]]
    return " ".join(said)


def with_changes(text: str, changes: Mapping[SentenceCheck, str]) -> str:
    """A summary with some sentences changed. A sentence whose new text is empty is taken out, with its line if it stands alone there."""
    for sentence in sorted(changes, key=lambda one: one.start, reverse=True):
        new, start, end = changes[sentence], sentence.start, sentence.end
        text = text[:start] + new + text[end:] if new else _without(text, start, end)
    return text.strip()


def _without(text: str, start: int, end: int) -> str:
    """The text without a sentence. A line or paragraph that holds nothing else goes with it, and so does the mark of a list."""
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    before = text[line_start:start]
    if text[end:line_end].strip() or (before.strip() and not BULLET.fullmatch(before)):
        return text[:start] + text[end:].lstrip(" ")
    kept, rest = text[:line_start], text[line_end + 1 :]
    return kept + (rest.lstrip("\n") if not kept or kept.endswith("\n\n") else rest)


def _half(progress: Progress, number: int) -> Progress:
    """Progress for the first (0) or second (1) half of the work."""
    return lambda done, step: progress((number + done) / 2, step)
