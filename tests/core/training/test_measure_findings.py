"""How the verdicts are measured, on prompts made for the purpose."""

from __future__ import annotations

import json
from pathlib import Path

from core.evidence.bm25 import Bm25Engine
from core.evidence.model import EvidenceQuery
from core.training.kept_answers import Kept
from core.training.measure_findings import Answer, figures_of, gold_labels, half_of, hypotheses_of
from tests.core.evidence.papers import HYPOTHESIS, bee_trial


def items(folder: Path, *labels: tuple[str, ...]) -> Path:
    made = [
        {
            "prompt_id": number,
            "intervention": "naps",
            "comparator": "no naps",
            "outcome": "stings",
            "annotations": [{"label": label} for label in of_prompt],
        }
        for number, of_prompt in enumerate(labels)
    ]
    (folder / "items.json").write_text(json.dumps(made), encoding="utf-8")
    return folder


def answer(article: str, gold: str, verdict: str | None) -> Answer:
    direction = {"supports": "up", "refutes": "no difference", None: None}
    return Answer(article, gold, direction[gold] or "", verdict, direction[verdict], None, None, verdict == gold, 0.01)


def test_gold_is_what_most_annotators_say(tmp_path: Path) -> None:
    up, down, none = "significantly increased", "significantly decreased", "no significant difference"
    assert gold_labels(items(tmp_path, (up, up, down), (none,), (up, down), ())) == {"0": "up", "1": "no difference"}


def test_each_prompt_is_asked_one_way_or_both(tmp_path: Path) -> None:
    folder = items(tmp_path, (), ())
    up = ("increases", "naps increases stings compared with no naps")
    down = ("reduces", "naps reduces stings compared with no naps")
    assert hypotheses_of(folder, both=False) == {"0": [up], "1": [down]}
    assert hypotheses_of(folder, both=True) == {"0": [up, down], "1": [up, down]}


def test_an_article_stays_in_its_half() -> None:
    assert [number for number in range(10) if half_of(f"PMC{number}") == "develop"] == [0, 2, 5, 6, 8, 9]


def test_undecided_counts_as_wrong() -> None:
    figures = figures_of([
        answer("A", "supports", "supports"), answer("A", "refutes", "refutes"),
        answer("B", "refutes", "supports"), answer("B", "supports", None),
    ])  # fmt: skip
    assert figures["verdict, rules"]["accuracy"]["value"] == 0.5
    assert figures["verdict, majority"]["accuracy"]["value"] == 0.5
    assert figures["verdict, first sentence"]["accuracy"]["value"] == 0.0
    # F1 of "supports": 2·1 / (2 + 2); of "refutes": 2·1 / (1 + 2)
    assert abs(figures["verdict, rules"]["macro-F1"]["value"] - (0.5 + 2 / 3) / 2) < 1e-9
    assert figures["not decided"] == 0.25
    assert figures["strongest sentence within the evidence"]["value"] == 0.5


def test_kept_answers_are_not_asked_for_again(tmp_path: Path) -> None:
    paper, query, file = bee_trial(), EvidenceQuery(HYPOTHESIS, k=3), tmp_path / "kept.json"
    first = Kept(Bm25Engine(), file)
    found = first.find(paper, query)
    first.save()

    class Silent(Bm25Engine):
        def find(self, *arguments: object, **options: object) -> None:  # type: ignore[override]
            raise AssertionError("asked again")

    assert Kept(Silent(), file).find(paper, query).sentences == found.sentences
