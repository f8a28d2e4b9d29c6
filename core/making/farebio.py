"""FaReBio's annotation of summaries by a model (section 3.3, appendix G), and the agreement of people and a model.

Each sentence of a summary gets a label, the sentences that support it, the words that are wrong, and a reason.

The label “not in the paper” is FaReBio's factual hallucination: the sentence may be true, but the paper does not say
it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.benchmarks.farebio import NOT_SUPPORTED, FarebioFile, GoldSentence, GoldSummary
from core.errors import DatasetError
from core.export.gold import SummaryGold, farebio_json
from core.grounding.model import Step
from core.grounding.questions import Price, Prompts, Stages, run_plan
from core.llm import Budget, ModelName, Request, open_runner
from core.llm.costs import NO_LIMIT
from core.making.agreement import Judged
from core.making.asking import Unusable, alone, answer_of
from core.making.journal import data_of
from core.making.outcome import Outcome
from core.making.shelf import Shelf, Shelved
from core.paper import Paper
from core.paper.read import read_paper
from core.progress import Progress, silent
from core.summary.llm import HEADING, SummaryPrompts, SummaryStrategy, checked, questions, unjudged
from core.summary.llm import plan as judge_all
from core.summary.model import FaithfulnessReport, Label, SummarySource, source_sentences
from core.summary.splitting import split_summary
from core.summary.writing import ReadingLevel, WritingPrompts, draft
from core.text.words import letters_and_digits

_NEEDED = ("paper", "text")
EMPTY = "the summary is empty"
NO_LABEL = "no sentence has a label"
SUMMARIES = "summaries.csv"
_COLUMNS = ("paper", "summary", "text")


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a paper. `excluded`: why it cannot be used; "" if it can."""

    key: str
    review: str  # the unit that is never split: the paper
    name: str  # names it among the paper's summaries, such as its writer
    text: str
    licence: str | None = None  # of the paper, according to the table
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A summary with its paper."""

    summary: Summary
    shelved: Shelved


class FarebioPipeline:
    """The pipeline on a table of summaries and a folder of papers (`core.making.carrying_out.Pipeline`)."""

    name = "farebio"

    def __init__(self, source: Path, shelf: Shelf, *, any_licence: bool = False, writers: Sequence[str] = ()) -> None:
        self.source = source
        self._writers = tuple(writers)  # the models that write the table, which may grow between runs
        self._shelf = shelf
        self._any_licence = any_licence
        nothing = read_paper(b"# Nothing\n\nNothing.", name="nothing.md")
        self.prompts: Prompts = _prompts(nothing).hashes

    def data(self) -> Mapping[str, Any]:
        papers = self._shelf.told(any_licence=self._any_licence)
        return {"list of writers": list(self._writers)} | papers if self._writers else data_of(self.source) | papers

    def candidates(self) -> Iterator[Summary]:
        return summaries(self.source)

    def prepared(self, candidate: Summary) -> Prepared | str:
        found = self._shelf.take([candidate.review], licence=candidate.licence, any_licence=self._any_licence)
        return found if isinstance(found, str) else Prepared(candidate, found)

    @staticmethod
    def plan(prepared: Prepared, price: Price) -> Stages[Outcome]:
        return plan(prepared, price)

    def expected_requests(self, prepared: Prepared) -> Iterator[Request]:
        return (asked for asked, _ in questions(prepared.summary.text, _prompts(prepared.shelved.paper)))


def summaries(table: Path) -> Iterator[Summary]:
    """The summaries in a CSV table with the columns `paper`, `text`, and optionally `summary` (a name) and `licence`.

    Raises `DatasetError` if it cannot be read or lacks a column.
    """
    try:
        with table.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream, restkey="")
            if missing := [name for name in _NEEDED if name not in (rows.fieldnames or ())]:
                raise DatasetError(
                    f"“{table.name}” has no column {' and '.join(missing)}. It needs: {', '.join(_NEEDED)}."
                )
            for number, row in enumerate(rows, 1):
                paper, text = (row["paper"] or "").strip(), (row["text"] or "").strip()
                name = (row.get("summary") or "").strip() or f"summary {number}"
                licence = (row.get("licence") or "").strip() or None
                yield Summary(f"{paper}/{name}#{number}", paper, name, text, licence, "" if text else EMPTY)
    except OSError as error:
        raise DatasetError(f"“{table}” cannot be opened ({error.strerror}). Name a table of summaries.") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise DatasetError(f"“{table.name}” is no table in UTF-8: {error}. Save it as CSV.") from error


def written(
    shelf: Shelf,
    writers: Sequence[ModelName],
    out: Path,
    *,
    any_licence: bool,
    limit: int | None = None,
    budget: Budget | None = None,
    progress: Progress = silent,
) -> Budget | None:
    """Let every writer summarise every usable paper of the folder, into the table `SUMMARIES`, which `summaries` reads.

    The table gets at most `limit` summaries, and existing ones are not written again. Returns what is left of the
    budget. Raises `ModelError` if a writer cannot be asked, or not within the budget; earlier summaries stay in the
    table.
    """
    table = out / SUMMARIES
    out.mkdir(parents=True, exist_ok=True)
    done = {(one.review, one.name) for one in summaries(table)} if table.exists() else set()
    with table.open("a", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if not file.tell():
            rows.writerow(_COLUMNS)
        for writer in writers:
            name = f"{writer.provider}:{writer.model}"
            with open_runner(writer, budget=budget or NO_LIMIT) as runner:
                for id in shelf.ids():
                    if limit is not None and len(done) >= limit:
                        break
                    progress(0.0, f"{name} writes on {id}")
                    found = None if (id, name) in done else shelf.take([id], any_licence=any_licence)
                    if not isinstance(found, Shelved):
                        continue
                    drafting = WritingPrompts(found.paper, SummarySource.FRONT, ReadingLevel.PLAIN)
                    text = run_plan(_written(drafting, runner.cost_of), runner, silent)
                    if text:
                        rows.writerow((id, name, text))
                        file.flush()
                        done.add((id, name))
                budget = budget and budget.less(runner.spent)
    return budget


def plan(prepared: Prepared, price: Price) -> Stages[Outcome]:
    """Label each sentence.

    A sentence without a usable answer or a clear label gets none, and is not part of the gold.
    """
    summary, shelved, steps = prepared.summary, prepared.shelved, list[Step]()
    paper = shelved.paper
    outcomes = yield from judge_all(summary.text, paper, SummarySource.FRONT, _prompts(paper), price)
    steps += [outcome.step for outcome in outcomes]
    for outcome in outcomes:
        try:
            answer_of(outcome, strict=False)
        except Unusable:  # the other sentences still count
            continue
    answers = iter(outcomes)
    checks = tuple(
        unjudged(sentence, Label.NOT_JUDGED, HEADING) if sentence.heading else checked(sentence, next(answers))
        for sentence in split_summary(summary.text)
    )
    report = FaithfulnessReport(summary.text, paper.id, "", SummarySource.FRONT, checks, seconds=0.0)
    own = {place: check.label for place, check in enumerate(checks) if check.label not in {Label.CANNOT_TELL}}
    if not own:
        return Outcome(summary.key, summary.review, dropped=NO_LABEL, steps=tuple(steps))
    rows: list[dict[str, Any]] = json.loads(farebio_json([SummaryGold(summary.name, paper, report, own)]))
    untold = [check.text for place, check in enumerate(checks) if place not in own]
    return Outcome(
        summary.key,
        summary.review,
        paper=shelved.id,
        paper_key=shelved.key,
        licence=shelved.licence,
        told={"without a label": untold},
        records={"farebio": [row | {"paper": shelved.id} for row in rows]},
        steps=tuple(steps),
    )


def _prompts(paper: Paper) -> SummaryPrompts:
    return SummaryPrompts(SummaryStrategy.PARTS, paper, source_sentences(paper, SummarySource.FRONT))


def _written(drafting: WritingPrompts, price: Price) -> Stages[str]:
    """The summary; empty if the model gave no usable one. Raises `ModelError` if no reply came."""
    try:
        answer = yield from alone(draft(drafting, price), [])
    except Unusable:
        return ""
    return answer.text


# ---- agreement ----


@dataclass(frozen=True, slots=True)
class FarebioAgreement:
    """Labels to compare (FaReBio, section 3.3). Positives are wrong sentences or summaries, and support sentences."""

    sentences: Judged  # not supported or supported
    summaries: Judged  # a summary is wrong if one of its sentences is
    support: Judged  # for sentences that all call supported: whether each sentence of the paper supports it
    left_out: int  # sentences that an annotator did not label, or labelled as neither


def compared(files: Sequence[FarebioFile]) -> FarebioAgreement:
    """Compare the files of two people, and of a model if there is a third, on the same summaries.

    Raises `DatasetError` if they have no labelled sentence in common.
    """
    labelled = [_by_sentence(file.summaries) for file in files]
    everything = dict.fromkeys(key for own in labelled for key in own)
    common = [key for key in everything if all(key in own and own[key][1].on_scale is not None for own in labelled)]
    if not common:
        raise DatasetError("The files have no labelled sentence in common. Give files on the same summaries.")
    wrong = [[own[key][1].on_scale == NOT_SUPPORTED for key in common] for own in labelled]
    papers = [key[0] for key in common]
    by_summary: dict[tuple[str, str], list[int]] = {}
    for place, (paper, summary, _) in enumerate(common):
        by_summary.setdefault((paper, summary), []).append(place)
    whole = [[any(side[place] for place in places) for places in by_summary.values()] for side in wrong]
    pairs: list[str] = []
    supports: list[list[bool]] = [[] for _ in files]
    for place, key in enumerate(common):
        if not any(side[place] for side in wrong):
            size = len(labelled[0][key][0].sentences)
            pairs += [key[0]] * size
            for side, own in zip(supports, labelled, strict=True):
                chosen = {support.index for support in own[key][1].support}
                side += [index in chosen for index in range(size)]
    return FarebioAgreement(
        _judged(papers, wrong),
        _judged([paper for paper, _ in by_summary], whole),
        _judged(pairs, supports),
        len(everything) - len(common),
    )


def titled(alike: FarebioAgreement) -> dict[str, tuple[Judged, int]]:
    """The labels to compare and the number left out, by title."""
    return {
        "Sentences, wrong or supported: ": (alike.sentences, alike.left_out),
        "Summaries, wrong or faithful: ": (alike.summaries, 0),
        "Support of sentences that all call supported: ": (alike.support, 0),
    }


def _judged(papers: Sequence[str], sides: Sequence[Sequence[bool]]) -> Judged:
    return Judged(papers, sides[0], sides[1], sides[2] if len(sides) > 2 else None)


def _by_sentence(found: Iterable[GoldSummary]) -> Mapping[tuple[str, str, str], tuple[Paper, GoldSentence]]:
    """(paper, summary, the sentence's letters and digits) -> the paper in the file, and the labelled sentence."""
    return {
        (summary.paper_id, summary.id, letters_and_digits(sentence.text)): (summary.paper, sentence)
        for summary in found
        for sentence in summary.sentences
    }
