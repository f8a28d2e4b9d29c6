"""What the rest of a review will cost with a language model: by its first papers, for all that are open."""

from __future__ import annotations

from dataclasses import replace

from core.evidence import EvidenceQuery
from core.evidence.llm.engine import strategy_of
from core.evidence.llm.estimating import estimate_run
from core.findings.finding import K
from core.llm import model_named
from core.review.estimating import estimate_rest
from core.store import Plan, Store
from tests.core.review.large import HYPOTHESES, fill

MODEL = "openai:gpt-4o-mini"


def test_the_first_papers_stand_for_the_rest(store: Store) -> None:
    project = replace(fill(store, papers=6), plan=Plan("offline", MODEL, "offline"))
    with store.reading() as now:
        found = estimate_rest(now, project)
        paper = now.text(project.id, f"{0:064x}")
    model = model_named(MODEL)
    assert paper is not None
    assert model is not None
    assert found is not None
    each = [
        estimate_run(model, strategy_of(model), paper, EvidenceQuery(h, k=K, results_only=True)) for h in HYPOTHESES
    ]
    assert found.calls == 6 * sum(one.calls for one in each), "all six papers have the same text"
    assert found.input_tokens == 6 * sum(one.input_tokens for one in each)


def test_nothing_is_estimated_where_no_model_is_asked(store: Store) -> None:
    project = fill(store, papers=2)
    with store.reading() as now:
        assert estimate_rest(now, project) is None
        assert estimate_rest(now, replace(project, plan=Plan(None, "bm25", None))) is None
