"""Engines asked about all topics, and saved runs compared."""

from __future__ import annotations

import pytest

from core.benchmarks.evidence_tasks import EvidenceQuestion
from core.benchmarks.gold import Gold
from core.benchmarks.model import Item, ItemResult, Response, Run
from core.benchmarks.samples import samples
from core.benchmarks.side_by_side.comparisons import (
    ask_for_evidence,
    ask_for_judgements,
    ask_for_labels,
    comparison_of_item,
    comparison_of_runs,
    item_comparisons,
)
from core.benchmarks.side_by_side.figures import engine_figures, pair_figures
from core.bias import StudyContext, bias_engine_named, tool_named
from core.engines import TaskKind
from core.evidence import EvidenceQuery, engine_named
from core.paper import read_paper
from core.summary import Label, SummarySource, summary_engine_named

# ---- asked ----
# Engines asked about all topics of a comparison.

SAMPLE = samples()[0]


def test_evidence_has_one_topic() -> None:
    paper = SAMPLE.read()
    query = EvidenceQuery(SAMPLE.hypotheses[0], k=4)
    asked = ask_for_evidence(engine_named("bm25"), paper, query)
    (given,) = asked.given
    assert given is not None
    assert given.sentences == engine_named("bm25").find(paper, query).indices
    assert asked.cost_usd == 0.0


def test_risk_of_bias_has_a_topic_for_each_domain() -> None:
    tool = tool_named("rob1")
    asked = ask_for_judgements(bias_engine_named("offline"), SAMPLE.read(), tool, StudyContext())
    assert len(asked.given) == len(tool.domains)
    assert asked.error is None
    assert all(given is not None and (given.label is None or given.label in tool.scale) for given in asked.given)
    assert any(given and given.sentences for given in asked.given)


def test_a_summary_has_a_topic_for_each_sentence() -> None:
    text = "Magnesium was no better than placebo. It was taken for eight weeks."
    asked = ask_for_labels(summary_engine_named("bm25"), SAMPLE.read(), text, SummarySource.WHOLE)
    assert len(asked.given) == 2
    assert all(given is not None and given.label in set(Label) for given in asked.given)


# ---- of runs ----
# Saved runs beside each other.


def run(engine: str, *items: ItemResult) -> Run:
    return Run("task", engine, items, {}, 1.0)


def found(id: str, sentences: tuple[int, ...], score: float, error: str | None = None) -> ItemResult:
    response = Response(sentences, seconds=0.5, error=error)
    return ItemResult(id, f"paper {id}", response, {"aspect_recall": score, "best_possible": 1.0})


def judged(id: str, gold: str, given: str | None) -> ItemResult:
    return ItemResult(id, "paper", Response(labels=(given,)), {"correct": float(gold == given)}, labels=(gold,))


def test_items_of_selections_by_who_is_ahead() -> None:
    one = run("one", found("x", (1, 2), 0.5), found("y", (3,), 0.5), found("z", (), 0.0, "broken"))
    other = run("other", found("y", (3,), 0.5), found("x", (1, 4), 0.75), found("z", (9,), 0.0))
    x, y, z = item_comparisons([one, other])
    assert [item.id for item in (x, y, z)] == ["x", "y", "z"]
    assert (x.disputed, x.ahead, x.wrong) == (True, 1, ())
    assert (y.disputed, y.ahead) == (False, None)
    assert z.wrong == (True, True)  # both came to 0
    assert z.ahead is None


def test_items_with_labels_by_who_is_wrong() -> None:
    one = run("one", judged("x", "low", "low"), judged("y", "high", "low"))
    other = run("other", judged("x", "low", None), judged("y", "high", "low"))
    x, y = item_comparisons([one, other])
    assert (x.only_wrong, x.disputed) == (1, True)
    assert (y.all_wrong, y.disputed) == (True, False)


def test_items_that_one_run_lacks_are_left_out() -> None:
    assert [item.id for item in item_comparisons([run("a", judged("x", "low", "low")), run("b")])] == []


def test_all_items_together() -> None:
    one = run("one", judged("x", "low", "low"), judged("y", "high", "low"), judged("z", "low", "low"))
    other = run("other", judged("x", "low", None), judged("y", "high", "low"), judged("z", "low", "high"))
    comparison = comparison_of_runs([one, other], TaskKind.BIAS)
    assert set(comparison.scale) == {"low", "high"}
    first, second = engine_figures(comparison)
    assert (first.right, first.labelled) == (2, 3)
    assert (second.right, second.labelled) == (0, 3)
    (pair,) = pair_figures(comparison)
    assert pair.labels is not None
    assert (pair.labels.pairs, pair.labels.agreed.value) == (2, 0.5)


def test_selections_of_a_run_are_compared_item_by_item() -> None:
    one = run("one", found("x", (1, 2), 1.0), found("y", (3,), 1.0))
    other = run("other", found("x", (2,), 1.0), found("y", (3, -1), 1.0))
    (pair,) = pair_figures(comparison_of_runs([one, other], TaskKind.EVIDENCE))
    assert pair.selections.jaccard == pytest.approx((1 / 2 + 1) / 2)  # a quotation that stands nowhere is no sentence


def test_one_item_is_laid_over_its_paper() -> None:
    paper = read_paper(b"# T\n\n## Results\n\nPain fell. Sleep did not. People were tired.\n", name="t.md")
    gold = Gold({"a": frozenset({2})})
    item = Item("x", "paper", EvidenceQuestion(paper, EvidenceQuery("Pain falls")), gold)
    runs = [run("one", found("x", (2,), 1.0)), run("other", found("x", (), 0.0, "no answer"))]
    comparison = comparison_of_item(runs, item, TaskKind.EVIDENCE, "Pain falls")
    assert comparison.topics[0].gold == gold
    assert [side.error for side in comparison.sides] == [None, "no answer"]
    assert [(side.letter, given.sentences) for side, given in comparison.on(0)] == [("A", (2,))]
    assert 2 in comparison.pool
    assert 0 not in comparison.pool  # the title asserts nothing
