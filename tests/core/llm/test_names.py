"""The grammar of engines that ask a model."""

from __future__ import annotations

from enum import StrEnum

import pytest

from core.errors import EngineError
from core.llm import ModelName, Provider, model_named, strategy_among


@pytest.mark.parametrize(
    ("name", "provider", "model", "strategy"),
    [
        ("openai:gpt-x", Provider.OPENAI, "gpt-x", None),
        (" Anthropic:claude-x@Whole ", Provider.ANTHROPIC, "claude-x", "whole"),
        ("compatible:llama3:8b@sections", Provider.COMPATIBLE, "llama3:8b", "sections"),
        ("compatible:org/model@sha256:0a1b", Provider.COMPATIBLE, "org/model@sha256:0a1b", None),
        ("compatible:org/model@2026-01@examples", Provider.COMPATIBLE, "org/model@2026-01", "examples"),
    ],
)
def test_a_name_is_read(name: str, provider: Provider, model: str, strategy: str | None) -> None:
    assert model_named(name) == ModelName(provider, model, strategy)


@pytest.mark.parametrize("name", ["bm25", "", "offline@whole", "mistral:large", ":x"])
def test_other_names_are_not_ours(name: str) -> None:
    assert model_named(name) is None


@pytest.mark.parametrize(
    "name", ["openai:", "openai:@whole", "anthropic: claude", "compatible:two words", "openai:a\nb"]
)
def test_a_name_without_a_model_says_how_to_write_it(name: str) -> None:
    with pytest.raises(EngineError, match=r"(openai|anthropic|compatible):MODEL"):
        model_named(name)


def test_a_name_prints_as_it_is_written() -> None:
    assert str(ModelName(Provider.OPENAI, "gpt-x", "whole")) == "openai:gpt-x@whole"
    assert str(ModelName(Provider.COMPATIBLE, "a:b")) == "compatible:a:b"


class Way(StrEnum):
    SECTIONS = "sections"
    WHOLE = "whole"


def test_a_strategy_is_one_that_the_task_knows() -> None:
    assert strategy_among(Way, ModelName(Provider.OPENAI, "x", "whole")) is Way.WHOLE
    assert strategy_among(Way, ModelName(Provider.OPENAI, "x")) is Way.SECTIONS
    other = ModelName(Provider.OPENAI, "x", "parts")
    with pytest.raises(EngineError, match=r"^There is no strategy called “parts”\. Choose one of: sections, whole\.$"):
        strategy_among(Way, other)
    with pytest.raises(EngineError, match="called “parts” for summaries"):
        strategy_among(Way, other, "for summaries")
