"""Fit the regressions that predict a direction from words, which complement the reader, to annotated spans."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from core.benchmarks.seen import for_development
from core.entailment import Direction
from core.findings import claimed
from core.findings.question_parts import QuestionParts
from core.findings.wording import MODEL, PartStarts, Terms, Wording, WordRegression, Words
from core.paper import read_paper
from core.training import data, parser_of
from core.training.data import READINGS, SPANS, WAYS, WRITTEN, places_of, rows
from core.training.reader import for_the_top
from core.training.reader_pairs import stated

_STRENGTH, _OF_CLAIMS_STRENGTH = 0.1, 1.0  # inverse regularisation strengths
_TERMS, _OF_CLAIMS_TERMS, _LEAST_OFTEN = 300, 600, 5  # terms in each regression; the least number of spans with a term
_TYPED = 3.0  # weight of a typed hypothesis; questions turned into hypotheses have weight 1


def fit_wording() -> None:
    """Fit how words predict a direction, and a claim; write `core/findings/wording.json` and `claimed.json`.

        python -m core.training wording [--data FOLDER]

    Learns from the spans and from the deciding sentences of the readings, on trials that are neither set aside
    (`reader.for_the_top`) nor for development. `python -m core.training findings` measures it on those.
    """
    parser = parser_of(fit_wording)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    folder = parser.parse_args().data or data.data_folder()
    for path, found in ((MODEL, wording_of(folder).to_json()), (claimed.MODEL, claims_of(folder))):
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def claims_of(folder: Path) -> dict[str, Any]:
    """Both regressions for claims, fitted to hypotheses of readings and to annotated questions turned into claims."""
    apart, draw = for_the_top(folder) | for_development(folder), random.Random(1)  # noqa: S311 - no secret
    told = [
        (cell["hypothesis"], WAYS[cell["claim"]], _TYPED)
        for row in rows(READINGS)
        if row["paper"] not in apart
        for cell in row["hypotheses"]
    ]
    told += [
        (hypothesis, WAYS[way], _TYPED)
        for row in rows(WRITTEN)
        for one in row["results"]
        for hypothesis, _, way in one["h"]
    ]
    for row in rows(folder / "evidence_inference" / "annotations.jsonl"):
        if row["pmcid"] not in apart and row["intervention"] and row["comparator"] and row["outcome"]:
            way = draw.choice(list(WAYS.values()))
            told.append((stated(row["intervention"], row["comparator"], row["outcome"], way, draw), way, 1.0))
    terms = [claimed.terms_of(hypothesis) for hypothesis, _, _ in told]
    found = {}
    for name, of, some in (
        ("same", Direction.SAME, range(len(told))),
        ("up", Direction.UP, [place for place, one in enumerate(told) if one[1] is not Direction.SAME]),
    ):
        found[name] = _word_regression(
            [terms[place] for place in some],
            [told[place][1] is of for place in some],
            [told[place][2] for place in some],
            strength=_OF_CLAIMS_STRENGTH,
            count=_OF_CLAIMS_TERMS,
        ).to_json()
    return found


def wording_of(folder: Path) -> Wording:
    """Both regressions for directions: whether there is no difference, and otherwise whether it goes up."""
    apart = for_the_top(folder) | for_development(folder)
    told = [one for one in (*_spans(folder), *_deciding(folder)) if one.trial not in apart]
    words = [Words.of(PartStarts.of(one.asked), one.sentence) for one in told]
    differ = [(one, words) for one, words in zip(told, words, strict=True) if one.way is not Direction.SAME]
    return Wording(
        _word_regression([one.of_difference() for one in words], [one.way is Direction.SAME for one in told]),
        _word_regression([words.of_way() for _, words in differ], [one.way is Direction.UP for one, _ in differ]),
    )


class _Told(NamedTuple):
    """A sentence that tells the direction of a result."""

    trial: str
    asked: QuestionParts
    sentence: str
    way: Direction


def _spans(folder: Path) -> Iterator[_Told]:
    for row in rows(folder / "evidence_inference" / "annotations.jsonl"):
        if row["label"] in SPANS and row["evidence"]:
            asked = QuestionParts(row["intervention"], row["comparator"] or "", row["outcome"])
            yield _Told(row["pmcid"], asked, row["evidence"], SPANS[row["label"]])


def _deciding(folder: Path) -> Iterator[_Told]:
    """The deciding sentences of hypotheses with known parts; a sentence's direction may differ from the paper's."""
    for row in rows(READINGS):
        file = folder / "evidence_inference" / "xml" / f"{row['paper']}.nxml"
        if not file.exists():
            continue
        paper = read_paper(file.read_bytes(), name=file.name)
        places = places_of(row, paper)
        for cell in row["hypotheses"]:
            if not cell["intervention"] or not cell["outcome"]:
                continue
            asked = QuestionParts(cell["intervention"], cell["comparator"] or "", cell["outcome"])
            for number in cell["decide"]:
                way = WAYS.get(cell["way"].get(str(number), cell["found"]) or "")
                if way is not None:
                    for place in places([number]):
                        yield _Told(row["paper"], asked, paper.sentences[place].text, way)


def _word_regression(
    found: Sequence[Terms],
    labels: Sequence[bool],
    weights: Sequence[float] | None = None,
    *,
    strength: float = _STRENGTH,
    count: int = _TERMS,
) -> WordRegression:
    """A regression that is fitted first to all terms, and then to the most important ones."""
    often = Counter(term for terms in found for term in terms)
    counted = [{term: size for term, size in terms.items() if often[term] >= _LEAST_OFTEN} for terms in found]
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(counted)
    model = LogisticRegression(C=strength, max_iter=500)
    spread = np.sqrt(np.asarray(matrix.power(2).mean(axis=0)).ravel())
    most = np.argsort(-np.abs(model.fit(matrix, labels, weights).coef_[0]) * spread)[:count]
    fitted = model.fit(matrix[:, most], labels, weights).coef_[0]
    names = vectorizer.get_feature_names_out()[most]
    return WordRegression(dict(zip(names.tolist(), fitted.tolist(), strict=True)), float(model.intercept_[0]))
