"""Plain summaries by a language model, checked as soon as they are written, and mended where they are not faithful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import QueryError
from core.evidence.llm.asking import Asker, Exchange, Outcome, carry_out, together
from core.evidence.model import ModelRun, NoAnswer
from core.llm import Estimate, ModelName, estimate
from core.paper import Paper
from core.progress import Progress, silent
from core.summary.check import check_summary
from core.summary.llm.drafts import Drafting, Level
from core.summary.llm.mending import HeldText, draft, mend
from core.summary.measures import measures
from core.summary.model import FaithfulnessReport, Measures, SentenceCheck, SummaryEngine, SummarySource

_NEAREST = 2  # sentences of the paper that a model is told beside what is wrong
_NOTHING_TO_MEND = "No sentence of this summary is called wrong, so there is nothing to repair."
_NOTHING_LEFT = "The repair leaves no sentence: it can mend none of them. Write another summary."


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a summary: as it was first written, or after a repair."""

    text: str
    level: Level
    report: FaithfulnessReport
    measures: Measures
    run: ModelRun  # how it was written; the report's own run tells how it was checked
    mended: tuple[int, ...] = ()  # places, in the report on the version before, of the sentences that were changed

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
    level: Level = Level.PLAIN,
    progress: Progress = silent,
) -> Version:
    """A summary for a reading level, with its report. Raises `NoAnswer` if the model writes none."""
    drafting = Drafting(paper, source, level)
    answer, run = _put(draft(drafting, writer.cost_of), "write", drafting.written_with, writer, _half(progress, 0))
    report = check_summary(answer.text, paper, engine=checker, source=source, progress=_half(progress, 1))
    return Version(answer.text, level, report, measures(answer.text, paper, source), run)


def estimate_writing(model: ModelName, paper: Paper, source: SummarySource, level: Level) -> Estimate:
    """What writing a summary will use, without checking it. Nothing is sent."""
    return estimate([Drafting(paper, source, level).draft()], f"{model.provider}:{model.model}")


def repair_summary(
    report: FaithfulnessReport,
    paper: Paper,
    *,
    writer: Asker,
    checker: SummaryEngine,
    level: Level = Level.PLAIN,
    progress: Progress = silent,
) -> Version:
    """The summary with its unsupported sentences written anew or left out; all others stay letter by letter.

    `report`: on the summary as it is, with the labels that are to count.

    Raises `QueryError` if there is nothing to repair or nothing would be left, `NoAnswer` if the model gives no answer.
    """
    source, sentences = report.source, dict(enumerate(report.sentences, 1))
    faulty = {number: why_unsupported(one, paper) for number, one in sentences.items() if one.label.flagged}
    if not faulty:
        raise QueryError(_NOTHING_TO_MEND)
    drafting = Drafting(paper, source, level)
    texts = {number: sentence.text for number, sentence in sentences.items()}
    asking = mend(drafting, texts, faulty, writer.cost_of)
    answer, run = _put(asking, "repair", drafting.mended_with, writer, _half(progress, 0))
    mended = answer.sentences or {}
    text = with_changes(report.summary, {sentences[number]: new for number, new in mended.items()})
    if not any(map(str.isalnum, text)):
        raise QueryError(_NOTHING_LEFT)
    after = check_summary(text, paper, engine=checker, source=source, progress=_half(progress, 1))
    places = tuple(number - 1 for number in sorted(mended))
    return Version(text, level, after, measures(text, paper, source), run, places)


def _put(
    exchange: Exchange[Outcome[HeldText]],
    task: str,
    prompts: tuple[tuple[str, str], ...],
    writer: Asker,
    progress: Progress,
) -> tuple[HeldText, ModelRun]:
    """The answer and its run. Raises `NoAnswer` if there is none."""
    [outcome] = carry_out(together([exchange]), writer, progress)
    run = ModelRun(writer.name, task, prompts, (outcome.step,))
    if outcome.error is not None:
        raise NoAnswer(outcome.error, run) from outcome.error
    assert outcome.answer is not None  # without an error there is one  # noqa: S101
    return outcome.answer, run


def why_unsupported(sentence: SentenceCheck, paper: Paper) -> str:
    """What is wrong with a sentence, in all the words that its check has, and what the paper says instead."""
    said = [flag.reason for flag in sentence.flags] or [sentence.reason or "The source does not support it."]
    if sentence.part is not None:
        said.append(f"Not supported: “{sentence.text[sentence.part.start : sentence.part.end]}”.")
    against = dict.fromkeys([*(flag.index for flag in sentence.flags), *(found.index for found in sentence.support)])
    nearest = [paper.sentences[index].text for index in against if index is not None]
    said += [f"The source says: “{text}”" for text in nearest[:_NEAREST]]
    return " ".join(said)


def with_changes(text: str, changes: Mapping[SentenceCheck, str]) -> str:
    """A summary with some sentences changed; one without text goes, with the white space after it."""
    for sentence in sorted(changes, key=lambda one: one.start, reverse=True):
        rest = text[sentence.end :]
        text = text[: sentence.start] + (changes[sentence] + rest if changes[sentence] else rest.lstrip(" "))
    return text.strip()


def _half(progress: Progress, number: int) -> Progress:
    """The progress of the first (0) or second (1) of two halves."""
    return lambda done, step: progress((number + done) / 2, step)
