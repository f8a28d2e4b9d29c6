"""A methods section cut by a language model: quotations alone go into the fields, and what is not one is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.bias import BiasEngine
from core.bias.llm.cutting import CutBias, CutCriterion, CutPassage, VerifiedCut
from core.bias.llm.engine import ModelBiasEngine
from core.bias.own import MOST_DOMAINS, OwnDomain
from core.llm.demo import DemoServer
from core.llm.model import NotPlain

PASSAGE = """Funding bias
We looked at who paid.
Low risk: the public paid.
High risk: the maker paid.

Recall bias
We looked at how long after people were asked.
Some concerns: after a year.
"""
PAID = CutCriterion(level="high", words="The maker paid")
BIAS = CutBias(name="Funding bias", definition="We looked at who paid.", criteria=[PAID])


def held(*biases: CutBias) -> VerifiedCut:
    return VerifiedCut(CutPassage(reason="Blocks.", biases=list(biases)), PASSAGE)


def engine(named: Callable[[str], BiasEngine], name: str) -> ModelBiasEngine:
    opened = named(name)
    assert isinstance(opened, ModelBiasEngine)
    return opened


def test_quotations_go_into_the_fields() -> None:
    cut = held(BIAS)
    assert (cut.faults, cut.not_in_paper) == ((), ())
    assert cut.tool is not None
    assert cut.tool.levels == ("Low", "Unclear", "High")
    assert cut.tool.domains == (OwnDomain("D1", "Funding bias", "We looked at who paid.", ("", "", "The maker paid")),)


def test_what_does_not_stand_in_the_passage_is_dropped_and_said() -> None:
    invented = CutCriterion(level="Low", words="Nobody paid.")
    cut = held(
        BIAS.model_copy(update={"criteria": [invented, PAID]}),
        CutBias(name="Luck", definition="Bad luck.", criteria=[]),
    )
    assert cut.not_in_paper == ("Nobody paid.", "Luck", "Bad luck.")
    assert cut.faults == ("A text was given that does not stand in the passage as it is.",)
    assert cut.tool is not None
    (domain,) = cut.tool.domains
    assert domain.criteria == ("", "", "The maker paid")


def test_what_is_more_than_a_tool_holds_is_said() -> None:
    assert held(BIAS).shortened == ""
    many = [BIAS.model_copy(update={"name": "Funding bias"})] * (MOST_DOMAINS + 2)
    assert "the last 2 were left out" in held(*many).shortened
    long = "We looked at who paid. " * 400
    cut = VerifiedCut(CutPassage(reason="", biases=[CutBias(name="Funding", definition=long, criteria=[])]), long)
    assert "the first “We looked at who paid." in cut.shortened


def test_without_a_bias_of_the_passage_there_is_no_tool() -> None:
    for cut in (held(), held(CutBias(name="Luck", definition="", criteria=[]))):
        assert cut.tool is None
        assert "No bias was given that the passage defines." in cut.faults
    odd = CutCriterion(level="<b>", words="the maker paid.")
    assert held(BIAS.model_copy(update={"criteria": [odd, PAID]})).tool is None


def test_the_plain_form_is_read_to_the_same() -> None:
    text = "REASON: Blocks.\nBIAS: Funding bias\nDEFINITION: We looked at who paid.\nLEVELS:\n- high = The maker paid\n"
    assert CutPassage.from_plain(text) == CutPassage(reason="Blocks.", biases=[BIAS])
    assert CutPassage.from_plain("REASON: None.\nBIAS: A\nDEFINITION: B\nLEVELS:\n").biases[0].criteria == []
    for wrong in ("Nothing.", "REASON: x", "REASON: x\nBIAS: A\nLEVELS:\n"):
        with pytest.raises(NotPlain):
            CutPassage.from_plain(wrong)


@pytest.mark.parametrize("name", ["openai:demo", "compatible:demo-noschema"])
def test_a_model_cuts_it_by_every_form(name: str, named: Callable[[str], BiasEngine]) -> None:
    result, run = engine(named, name).cut(PASSAGE)
    assert result.tool is not None
    assert result.dropped == ()
    assert [(one.name, one.definition) for one in result.tool.domains] == [
        ("Funding bias", "We looked at who paid."),
        ("Recall bias", "We looked at how long after people were asked."),
    ]
    assert result.tool.levels == ("Low", "Some concerns", "High")
    assert [name for name, _ in run.prompts] == ["bias-definition"]


def test_a_model_that_invents_is_asked_once_more_and_then_dropped(
    demo: DemoServer, named: Callable[[str], BiasEngine]
) -> None:
    result, _ = engine(named, "openai:demo-invented").cut(PASSAGE)
    assert demo.desk.statistics()["calls"] == 2
    assert set(result.dropped) == {"Nothing of the kind was written."}
    assert result.tool is not None
    assert [one.definition for one in result.tool.domains] == ["", ""]
    repaired, _ = engine(named, "openai:demo-inventedx1").cut(PASSAGE)
    assert repaired.dropped == ()
