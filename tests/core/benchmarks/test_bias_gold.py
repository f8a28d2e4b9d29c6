"""Gold on risk of bias beside a paper: which records are its own, which domains they are of, and what is right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.benchmarks.bias_gold import DomainGold, best_tool, for_tool, merged, read_bias_gold, sample_bias_gold
from core.benchmarks.gold import Gold
from core.benchmarks.robbr import is_robbr
from core.benchmarks.samples import SAMPLE_DATA
from core.bias import Level, known_tools, tool_named
from core.bias.model import HIGH, LOW
from core.bias.tools.rob1 import UNCLEAR
from core.errors import DatasetError
from core.paper import Paper, read_paper

TEA = (
    b"# Tea\n\n## Methods\n\nLots were drawn. Envelopes were sealed. Nobody was blinded.\n\n## Results\n\nTea helped.\n"
)
ELEMENTS = ["Methods", "Lots were  drawn.", "Envelopes were sealed.", "Nobody was blinded.", "Tea helped."]


def record(bias: str, **more: Any) -> dict[str, Any]:
    return {"paper_doi": "10.5555/tea", "bias": bias, "PICO": "", "objective": "Does tea help?"} | more


def levels(**by_bias: str) -> bytes:
    text = "\n".join(ELEMENTS)
    return json.dumps(
        {name: record(name.replace("_", " "), full_paper=text, label=label) for name, label in by_bias.items()}
    ).encode()


def sentences(bias: str, *indices: int, elements: list[str] = ELEMENTS) -> bytes:
    covering = {"aspect_0": list(indices)}
    more = {"paper_as_candidate_pool": elements, "aspects": {"aspect_0": "Drawn"}, "aspect2sentence_indices": covering}
    return json.dumps(record(bias, **more)).encode()


@pytest.fixture
def paper() -> Paper:
    return read_paper(TEA, name="tea.md")


def test_levels_and_sentences_of_two_files_are_laid_beside_the_paper_that_is_open(paper: Paper) -> None:
    told = read_bias_gold(levels(random_sequence_generation="Low"), name="levels.json", paper=paper)
    shown = read_bias_gold(sentences("Random sequence generation", 1), name="sentences.json", paper=paper)
    assert told.paper is shown.paper is paper
    [one] = merged((*told.labelled, *shown.labelled))
    assert one.level == LOW
    assert one.gold is not None
    assert [paper.sentences[index].text for index in one.gold.by_sentence] == ["Lots were drawn."]


def test_a_file_about_another_paper_opens_that_paper(paper: Paper) -> None:
    others = [f"Coffee {word}." for word in ("helped", "was hot", "was cold")]
    found = read_bias_gold(sentences("allocation concealment", 1, elements=others), name="x.json", paper=paper)
    assert found.paper is not paper
    assert [sentence.text for sentence in found.paper.sentences] == others
    assert found.labelled[0].gold == Gold({"aspect_0": frozenset({1})}, labels={"aspect_0": "Drawn"})


def test_what_cannot_be_used_is_counted_and_a_file_without_anything_is_refused(paper: Paper) -> None:
    content = json.loads(levels(attrition_bias="high", other_bias="none")) | {
        "coffee": record("attrition bias", paper_doi="10.5555/coffee", full_paper="Coffee.\nHelped.", label="low")
    }
    found = read_bias_gold(json.dumps(content).encode(), name="x.json", paper=paper)
    assert (len(found.labelled), found.others, len(found.broken)) == (1, 1, 1)
    with pytest.raises(DatasetError, match="holds no judgement on a bias that can be used"):
        read_bias_gold(levels(other_bias="none"), name="x.json", paper=paper)


def test_of_rob_1_the_nearest_domain_and_of_other_tools_the_one_that_is_named(paper: Paper) -> None:
    labelled = read_bias_gold(
        levels(bias_in_selection_of_the_reported_result="some concerns", bias_due_to_missing_outcome_data="High"),
        name="x.json",
        paper=paper,
    ).labelled
    rob2 = for_tool(labelled, tool_named("rob2"))
    assert {id: gold.levels for id, gold in rob2.items()} == {"D5": ("some concerns",), "D3": (HIGH,)}
    assert {id: gold.levels for id, gold in for_tool(labelled, tool_named("rob1")).items()} == {
        "reporting": (UNCLEAR,),
        "attrition": (HIGH,),
    }
    assert for_tool(labelled, tool_named("quadas-2")) == {}
    assert best_tool(labelled, known_tools().values()).id == "rob2"


def test_what_the_layout_calls_unclear_is_any_level_in_between(paper: Paper) -> None:
    labelled = read_bias_gold(levels(bias_due_to_confounding="unclear"), name="x.json", paper=paper).labelled
    gold = for_tool(labelled, tool_named("robins-i"))["confounding"]
    assert [gold.is_right(level) for level in (LOW, Level("moderate"), Level("serious"), Level("critical"))] == [
        False,
        True,
        True,
        False,
    ]
    assert gold.is_right(None) is None
    assert DomainGold().is_right(LOW) is None


def test_a_file_is_known_by_its_content() -> None:
    for name in ("Main_task_sample", "SSR_sample"):
        assert is_robbr((SAMPLE_DATA / "robbr" / f"{name}.json").read_bytes())
    assert is_robbr(b"\xef\xbb\xbf" + sentences("Bias", 1))
    assert not is_robbr(TEA)
    assert not is_robbr(b'{"paper_as_candidate_pool": []}')


def test_the_sample_papers_have_gold_on_bias() -> None:
    name = "leg-cramps.xml"
    labelled = sample_bias_gold(read_paper((SAMPLE_DATA / name).read_bytes(), name=name))
    golds = for_tool(labelled, tool_named("rob1"))
    assert {id: gold.levels for id, gold in golds.items()} == dict.fromkeys(
        ("sequence", "concealment", "performance", "detection", "attrition", "reporting"), (LOW,)
    )
    assert golds["sequence"].gold is not None
