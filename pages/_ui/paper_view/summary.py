"""A checked summary on the desk: data for the scripts, and validation of the browser's messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import TypeAdapter, ValidationError

from core.benchmarks.farebio import GoldOverlay, GoldSentence
from core.engines import is_trained
from core.paper import Paper
from core.summary import FaithfulnessReport, Label, SentenceCheck, Span
from core.summary.numbers import align_numbers
from core.summary.score import how_often_right
from pages._ui.paper_view.payload import bars


def checking_payload(
    report: FaithfulnessReport, paper: Paper, own: Mapping[int, Label], laid: GoldOverlay | None = None
) -> dict[str, object]:
    """Every sentence with its support, label, reasons and gold, the text between them, and the reviewer's labels."""
    golds = laid.gold if laid else (None,) * len(report.sentences)
    ends = [0, *(sentence.end for sentence in report.sentences)]
    return {
        "claims": [
            _claim(sentence, before=report.summary[end : sentence.start])
            | _beside(sentence, paper)
            | {"gold": gold and _gold(gold)}
            for sentence, end, gold in zip(report.sentences, ends, golds, strict=False)
        ],
        "worth": how_often_right() if is_trained(report.engine) else "",
        "words": {label: report.in_words(label) for label in Label},
        "rest": report.summary[ends[-1] :],
        "own": {str(index): label for index, label in own.items()},
    }


def _claim(sentence: SentenceCheck, *, before: str) -> dict[str, object]:
    return {
        "before": before,
        "parts": parts(sentence.text, _wrong(sentence)),
        "label": sentence.label,
        "score": sentence.score,
        "reason": sentence.reason,
        "flags": [{"reason": flag.reason, "index": flag.index} for flag in sentence.flags],
        "ranked": _ranked(sentence),
        "invented": [found.quoted for found in sentence.support if found.index is None],
    }


def _beside(sentence: SentenceCheck, paper: Paper) -> dict[str, object]:
    """The sentence and the nearest sentences of the paper in pieces: [text, how its number agrees with the other]."""
    beside = align_numbers(sentence, paper)
    return {
        "said": beside.said,
        "nearest": [{"index": index, "pieces": pieces} for index, pieces in beside.nearest],
    }


def _gold(gold: GoldSentence) -> dict[str, object]:
    return {"labels": gold.labels, "rationale": gold.rationale}


def _wrong(sentence: SentenceCheck) -> list[Span]:
    """The spans that something speaks against."""
    spans = [flag.span for flag in sentence.flags if flag.span is not None]
    return [*spans, sentence.part] if sentence.part is not None else spans


def parts(text: str, spans: Iterable[Span]) -> list[tuple[str, bool]]:
    """`text` cut at its spans: (piece, whether it is in a span). Cut here, as JavaScript counts letters differently."""
    cuts: list[tuple[str, bool]] = []
    done = 0
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        start = max(span.start, done)
        if span.end > start:
            cuts += [(text[done:start], False), (text[start : span.end], True)]
            done = span.end
    return [(piece, wrong) for piece, wrong in [*cuts, (text[done:], False)] if piece]


def _ranked(sentence: SentenceCheck) -> list[dict[str, object]]:
    """The support found in the paper, best first, as in a search for evidence. Each sentence comes once."""
    found = list({one.index: one for one in reversed(sentence.support) if one.index is not None}.values())[::-1]
    scores = [one.score for one in found]
    lengths: list[float | None] = list(bars([score for score in scores if score is not None]))
    if None in scores:
        lengths = [None] * len(found)
    return [
        {
            "index": one.index,
            "rank": rank,
            "bar": length,
            "scoreNote": None if one.score is None else f"Score {one.score:.3g}, to compare within this sentence only",
            "match": one.status if one.quoted is not None else None,  # for a model's quotation
            "fixed": True,
        }
        for rank, (one, length) in enumerate(zip(found, lengths, strict=True), start=1)
    ]


_OWN = TypeAdapter(dict[int, Label])


def labels_from(value: object, *, sentences: int) -> dict[int, Label] | None:
    """Validate the reviewer's labels sent by the browser. Returns None if they are invalid."""
    try:
        sent = _OWN.validate_python(value)
    except ValidationError:
        return None
    return sent if all(0 <= index < sentences for index in sent) else None
