"""Tools as data."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from core.bias import Level, Tool, tool_named, tools
from core.errors import QueryError


def test_every_tool_is_found_by_its_file() -> None:
    assert list(tools()) == ["rob1", "rob2"]
    assert tool_named(" RoB1 ") is tools()["rob1"]
    with pytest.raises(QueryError, match="rob1, rob2"):
        tool_named("robins-i")


@pytest.mark.parametrize("tool", tools().values(), ids=lambda tool: tool.id)
def test_every_domain_has_criteria_for_every_level_of_its_scale(tool: Tool) -> None:
    for domain in tool.domains:
        assert tuple(domain.criteria) == tool.scale
        assert domain.definition.endswith(".")
    assert len({domain.id for domain in tool.domains}) == len(tool.domains)


def test_scales_never_mix() -> None:
    assert Level.SOME_CONCERNS not in tool_named("rob1").scale
    assert Level.UNCLEAR not in tool_named("rob2").scale


def test_a_tool_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        tool_named("rob1").name = "RoB 3"  # type: ignore[misc]


def test_rob_1_has_seven_domains_and_no_overall_judgement() -> None:
    rob1 = tool_named("rob1")
    assert len(rob1.domains) == 7
    assert rob1.overall_level(dict.fromkeys((domain.id for domain in rob1.domains), Level.LOW)) is None
