"""Engines asked about all topics of a comparison."""

from __future__ import annotations

from core.benchmarks.samples import samples
from core.benchmarks.side_by_side.asked import ask_for_evidence, ask_for_judgements, ask_for_labels
from core.bias import StudyContext, tool_named
from core.bias.engines import bias_engine_named
from core.evidence import EvidenceQuery, engine_named
from core.summary import Label, SummarySource
from core.summary.engines import summary_engine_named

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
