"""A paper, its pages and its evidence as data for the desk's scripts, and validation of the browser's messages."""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, ValidationError

from core.benchmarks.gold import Gold, aspect_recall, compare, optimal
from core.errors import VouchError
from core.evidence import Evidence, ModelRun
from core.evidence.model import Decision
from core.evidence.sensitivity import WordingEffect
from core.grounding.model import Step
from core.paper import Paper
from core.paper.draft import CELL_SEPARATOR
from core.paper.pdf.page_view import page_picture, sentence_boxes
from pages._ui.model_choice import step_cost

# ---- answer ----

_STUB = 0.2  # the length of the shortest score bar


def paper_payload(paper: Paper, page_sizes: Sequence[tuple[float, float]] = ()) -> dict[str, object]:
    """The paper: its sentences in order, and the blocks (paragraphs, headings, table rows) that contain them.

    `page_sizes` holds the width and height of every page in points; it is empty if there are no pages to show.
    """
    return {
        "sections": [
            {"title": s.title, "kind": s.kind.value, "level": s.level, "first": s.first, "last": s.last}
            for s in paper.sections
        ],
        "sentences": [sentence.text for sentence in paper.sentences],
        "blocks": list(_blocks(paper)),  # [kind, first, last, section]
        "pages": list(_page_starts(paper)),  # [sentence, page]
        "pageSizes": page_sizes,
        "cellSeparator": CELL_SEPARATOR,
    }


def _blocks(paper: Paper) -> Iterator[tuple[str, int, int, int]]:
    for section in paper.sections:
        for paragraph in paper.paragraphs_of(section):
            yield paragraph[0].kind.value, paragraph[0].index, paragraph[-1].index, section.index


def _page_starts(paper: Paper) -> Iterator[tuple[int, int]]:
    page = None
    for sentence in paper.sentences:
        if sentence.page is not None and sentence.page != page:
            page = sentence.page
            yield sentence.index, page


def ranked_payload(evidence: Evidence | None) -> list[dict[str, object]]:
    """The engine's sentences, best first, each with the length of its score bar (0 to 1; none for a model's ranks)."""
    if evidence is None:
        return []
    by_model = evidence.run is not None
    lengths = bars([sentence.score for sentence in evidence.sentences])
    return [
        {
            "index": sentence.index,
            "rank": rank,
            "bar": None if by_model else bar,
            "scoreNote": f"Score {sentence.score:.3g}, to compare within this search only",
            "rationale": sentence.rationale,
            "stance": sentence.stance,
            "match": sentence.match,
        }
        for rank, (sentence, bar) in enumerate(zip(evidence.sentences, lengths, strict=True), start=1)
    ]


def bars(scores: Sequence[float]) -> list[float]:
    """The lengths of score bars, from 0 to 1.

    Each engine has its own scale, so bars run from a stub for the lowest score shown to full length for the highest.
    """
    lowest, span = min(scores, default=0), max(scores, default=0) - min(scores, default=0)
    return [_STUB + (1 - _STUB) * (score - lowest) / span if span else 1.0 for score in scores]


def decisions_payload(decisions: Mapping[int, Decision]) -> list[tuple[int, str]]:
    """The decisions as the browser keeps them."""
    return [(index, decision.value) for index, decision in decisions.items()]


def decisions_from(words: object, *, sentences: int) -> dict[int, Decision] | None:
    """Validate the browser's list of decisions. Returns None if it is invalid."""
    if not isinstance(words, Sequence):
        return None
    known = {decision.value for decision in Decision}
    decisions: dict[int, Decision] = {}
    for pair in words:
        if not (isinstance(pair, Sequence) and len(pair) == 2):
            return None
        index, word = pair
        if not (isinstance(index, int) and 0 <= index < sentences and word in known):
            return None
        decisions[index] = Decision(word)
    return decisions


# ---- pages of a PDF ----


class BrowserRequest(BaseModel):
    """A message on what the browser lacks (see asking.js)."""

    model_config = ConfigDict(frozen=True, strict=True)

    number: NonNegativeInt  # the number of the browser's question
    paper: bool = False
    boxes: list[PositiveInt] = Field([], max_length=20)  # pages to send the boxes of
    pictures: list[PositiveInt] = Field([], max_length=4)  # pages to send the pictures of
    width: int = Field(1, ge=1, le=2400)  # the width of the pictures in pixels


def browser_request_from(sent: object) -> BrowserRequest | None:
    """Validate the browser's question. Returns None if it is invalid."""
    try:
        return BrowserRequest.model_validate(sent)
    except ValidationError:
        return None


def picture_source(data: bytes, page: int, *, width: int) -> str | None:
    """A page's picture as an image source; None if the page cannot be drawn."""
    try:
        picture = page_picture(data, page, width=width)
    except VouchError:
        return None
    kind = "png" if picture.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{b64encode(picture).decode('ascii')}"


def page_boxes(data: bytes, paper: Paper, pages: Iterable[int]) -> list[tuple[int, list[tuple[float, ...]]]]:
    """Each page with its boxes, as (sentence, left, top, width, height)."""
    rows: dict[int, list[tuple[float, ...]]] = {page: [] for page in pages}
    for index, boxes in sentence_boxes(data, paper, _sentences_on(paper, rows.keys())).items():
        for box in boxes:
            if box.page in rows:
                place = (round(share, 4) for share in (box.left, box.top, box.width, box.height))
                rows[box.page].append((index, *place))
    return list(rows.items())


def _sentences_on(paper: Paper, pages: Container[int]) -> Iterator[int]:
    """The sentences with a printed line on one of the pages; some come more than once."""
    starts = [sentence.start for sentence in paper.sentences]
    for line in paper.lines:
        if line.page in pages:
            yield from range(max(0, bisect_right(starts, line.start) - 1), bisect_left(starts, line.end))


# ---- gold ----


def gold_for_question(gold: Gold, evidence: Evidence | None) -> Gold:
    """The gold to compare an answer with: only results, if only these were searched for and the file marks them."""
    only = evidence is not None and evidence.query.results_only
    return gold.results_only if only and gold.results else gold


def gold_payload(
    gold: Gold, evidence: Evidence | None, decisions: Mapping[int, Decision], *, k: int
) -> dict[str, object]:
    """Hits, extras and misses, each aspect with its sentences, and the scores.

    `k` is used only if there is no answer yet.
    """
    k = evidence.query.k if evidence is not None else max(1, k)  # before a search, the field may hold any number
    found = evidence.indices if evidence is not None else None
    return gold_marks(gold_for_question(gold, evidence), found, decisions, k=k)


def gold_marks(
    gold: Gold, found: tuple[int, ...] | None, decisions: Mapping[int, Decision], *, k: int
) -> dict[str, object]:
    """The same for sentences that an engine found; `found` is None if no engine was asked."""
    chosen = found or ()
    comparison = compare(chosen, gold, k=k)
    kept = reviewed(chosen, decisions)
    return {
        "k": k,
        "named": bool(gold.labels),
        "hits": comparison.hits,
        "extras": comparison.extras,
        "missed": comparison.misses,
        "spares": comparison.spares,
        "recall": comparison.recall if found is not None else None,
        "reviewed": aspect_recall(kept, gold.aspects) if decisions else None,
        "best": comparison.best_recall,
        "fewest": optimal(gold.aspects),
        "aspects": [
            {
                "label": gold.label(aspect) if gold.labels else f"Aspect {number}",  # its id tells readers nothing
                "result": aspect in gold.results,
                "covered": bool(comparison.covered_by[aspect]),
                "sentences": sorted(covering, key=lambda index: (index not in chosen, index)),
            }
            for number, (aspect, covering) in enumerate(gold.aspects.items(), start=1)
        ],
    }


def reviewed(chosen: tuple[int, ...], decisions: Mapping[int, Decision]) -> set[int]:
    """The sentences after the reviewer's decisions: chosen or added, but not rejected."""
    rejected = {index for index, decision in decisions.items() if decision is Decision.REJECTED}
    return (set(chosen) | set(decisions)) - rejected


# ---- how a model came to its answer ----


def run_payload(run: ModelRun | None, *, answered: bool) -> dict[str, object] | None:
    """Every question with the model's reasoning and the faults of its answer; None if no model was asked."""
    if run is None:
        return None
    return {"model": run.model, "answered": answered, "steps": [_step(step) for step in run.steps]}


def _step(step: Step) -> dict[str, object]:
    return {
        "label": step.label,
        "reasoning": step.reasoning,
        "chosen": step.chosen,
        "faults": _counted(step.faults),
        "notInPaper": _counted(step.not_in_paper),
        "error": step.error,
        "text": step.text,
        "cost": step_cost(step),
    }


def _counted(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Every text once, with its count."""
    return list(Counter(texts).items())


def verdict_payload(evidence: Evidence | None) -> dict[str, object] | None:
    """The model's verdict on the paper, its strongest sentences, and unread parts; None if there is no verdict."""
    run = evidence.run if evidence else None
    if run is None or run.verdict is None:
        return None
    verdict = run.verdict
    return {
        "judgement": verdict.judgement.value,
        "for": verdict.strongest_for,
        "against": verdict.strongest_against,
        "unread": [step.label for step in run.failed],
    }


def changes_payload(changes: Sequence[WordingEffect], evidence: Evidence | None) -> list[dict[str, object]]:
    """For each other wording: what was kept, lost and gained, and both stances of every contradiction."""
    before = {found.index: found.stance for found in evidence.sentences} if evidence else {}
    shown: list[dict[str, object]] = []
    for change in changes:
        after = {found.index: found.stance for found in change.evidence.sentences}
        shown.append(
            {
                "rewording": change.rewording.value,
                "hypothesis": change.evidence.query.hypothesis,
                "kept": len(change.kept),
                "lost": change.lost,
                "gained": change.gained,
                "contradictions": [(index, before[index], after[index]) for index in change.contradictions],
                "judged": any(after.values()) and any(before.values()),
            }
        )
    return shown
