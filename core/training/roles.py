"""Train the model that classifies sentences as background, conduct or findings, and measure it on unseen papers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from core.benchmarks.consort_tm import read_consort_tm
from core.benchmarks.records import all_whole
from core.evidence.results_first import stand_behind
from core.evidence.sentence_roles import (
    FILE,
    ROLES,
    Matrix,
    RoleModel,
    SentenceRole,
    column_names,
    columns_of,
    role_by_title,
    to_json,
)
from core.paper import Kind, Paper, SectionKind, read_paper
from core.text.terms import Vocabulary, terms_of
from core.training import data, parser_of
from core.training.bias import vocabulary_of, weighed

Labels = NDArray[np.intp]
Flags = NDArray[np.bool_]
_FOLDS = 5
_STRENGTH = 1.0  # inverse of the regularisation
_NO_SENTENCES = (Kind.HEADING, Kind.TITLE, Kind.CAPTION, Kind.TABLE)
# CONSORT 2010: background, objectives, eligibility, registration.
_ITEMS = {
    "2a": SentenceRole.SCENE,
    "2b": SentenceRole.SCENE,
    "4a": SentenceRole.ELIGIBILITY,
    "23": SentenceRole.SCENE,
}
_RARE = 25.0  # weight of a sentence on eligibility, because few titles name such sentences
_OF_BODY = 0.3  # weight of a sentence outside the abstract, whose section may contain other roles


def train_roles() -> None:
    """Train the model of sentences' roles in their paper, and write the model that ships.

        python -m core.training roles [--data FOLDER] [--out FILE]

    The labels are titles that journals print (the parts of structured abstracts; introduction, methods and results) of
    the 320 open-access trials of Evidence Inference, and what CONSORT-TM marks as background, aims, eligibility and
    registration. The model learns from words, wording and the place in the abstract, and never from a title. A minute
    on one processor. Prints how it does on papers that it has not seen.
    """
    parser = parser_of(train_roles)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    folder = options.data or data.data_folder()
    texts: list[list[tuple[str, ...]]] = []
    columns, labels, papers, in_abstract = [], [], [], []
    for number, (paper, told_of) in enumerate(_labelled_papers(folder)):
        chosen = [one for one in paper.pool if one.kind not in _NO_SENTENCES and told_of[one.index] is not None]
        texts.append([terms_of(sentence.text) for sentence in chosen])
        columns.append(columns_of(paper, chosen))
        labels += [ROLES.index(role) for sentence in chosen if (role := told_of[sentence.index]) is not None]
        papers += [number] * len(chosen)
        in_abstract += [paper.section_roles[one.section] is SectionKind.ABSTRACT for one in chosen]
    vocabulary = vocabulary_of(texts)
    words = weighed([terms for some in texts for terms in some], vocabulary)
    values, told, abstract = np.vstack(columns), np.array(labels), np.array(in_abstract)
    _measure(words, values, told, np.array(papers), abstract)
    options.out.write_text(to_json(_fitted(words, values, told, abstract, vocabulary)), encoding="utf-8")


def _labelled_papers(folder: Path) -> Iterator[tuple[Paper, Sequence[SentenceRole | None]]]:
    """Papers with the role of each of their sentences; None if it is unknown."""
    for path in sorted((folder / "evidence_inference" / "xml").glob("*.nxml")):
        paper = read_paper(path.read_bytes(), name=path.name)
        yield paper, role_by_title(paper)
    for path in sorted((folder / "consort_tm").glob("train*.json")):
        for one in all_whole(read_consort_tm(path.read_bytes(), name=path.name)):
            roles = role_by_title(one.paper)
            for place, items in enumerate(one.items):
                roles[place] = next((_ITEMS[item] for item in sorted(items) if item in _ITEMS), roles[place])
            yield one.paper, roles


def _fitted(
    words: sparse.csr_matrix, values: Matrix, told: Labels, abstract: Flags, vocabulary: Vocabulary
) -> RoleModel:
    scale = values.std(axis=0) + 1e-6
    model = LogisticRegression(C=_STRENGTH, max_iter=500)
    rows = sparse.hstack([words, sparse.csr_matrix(values / scale)]).tocsr()
    weight = np.where(told == ROLES.index(SentenceRole.ELIGIBILITY), _RARE, 1.0) * np.where(abstract, 1.0, _OF_BODY)
    model.fit(rows, told, sample_weight=weight)
    terms = len(vocabulary.place)
    return RoleModel(
        vocabulary, model.coef_[:, :terms].T, column_names(), (model.coef_[:, terms:] / scale).T, model.intercept_
    )


def _measure(words: sparse.csr_matrix, values: Matrix, told: Labels, papers: Labels, abstract: Flags) -> None:
    found = np.zeros((len(told), len(ROLES)))
    none = Vocabulary({str(place): place for place in range(words.shape[1])}, np.ones(words.shape[1]))
    for train, test in GroupKFold(_FOLDS).split(values, told, papers):
        model = _fitted(words[train], values[train], told[train], abstract[train], none)
        odds = words[test] @ model.term_weights + values[test] @ model.column_weights + model.intercepts
        powers = np.exp(odds - odds.max(axis=1, keepdims=True))
        found[test] = powers / powers.sum(axis=1, keepdims=True)
    behind = stand_behind(found)
    for name, rows in (("abstracts", abstract), ("the rest", ~abstract)):
        print(f"{name}: {rows.sum():,} sentences, right {100 * np.mean(found[rows].argmax(1) == told[rows]):.1f}%")
        for place, role in enumerate(ROLES):
            if not (told[rows] == place).any():
                continue
            area = 100 * roc_auc_score(told[rows] == place, found[rows, place])
            print(f"  {role}: AUROC {area:.1f}")
            print(f"    taken for background or eligibility: {100 * np.mean(behind[rows][told[rows] == place]):.1f}%")
    print(f"{len(np.unique(papers))} papers", file=sys.stderr)
