"""What counts as an answer, and what does not."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import pytest

from core.errors import Unreadable
from core.llm import ModelName, Provider, ReplySchema, Request, Usage
from core.llm.access import ProviderAccess
from core.llm.model import Form
from core.llm.openai import OpenAIModel
from core.llm.provider import Ending, RawReply, answer_in, reply_from
from core.llm.runner import ReplyCache


class Leaning(StrEnum):
    FOR = "for"
    AGAINST = "against"


class Choice(ReplySchema):
    reason: str
    decision: list[int]
    leaning: Leaning | None = None


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "Why not", "decision": [3, 1], "leaning": "for"}',
        '\n {"leaning": "for", "decision": [3, 1], "reason": "Why not"}\n',
        '```json\n{"reason": "Why not", "decision": [3, 1], "leaning": "for"}\n```',
        '<think>{"reason": "", "decision": []}</think>\n\n{"reason": "Why not", "decision": [3, 1], "leaning": "for"}',
    ],
)
def test_json_is_read(text: str) -> None:
    assert answer_in(text, Choice, Form.SCHEMA) == (
        Choice(reason="Why not", decision=[3, 1], leaning=Leaning.FOR),
        None,
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ('{"reason": "Why not", "decision": [3, ', "not JSON"),
        ('Here it is: {"reason": "Why not", "decision": [3]}', "not JSON"),
        ('{"reason": "Why not", "decision": [3]} I hope this helps.', "not JSON"),
        ("REASON: Why not\nDECISION: [3]", "not JSON"),
        ('{"reason": "Why not"}', "decision"),
        ('{"reason": "Why not", "decision": ["3"]}', "decision.0"),
        ('{"reason": "Why not", "decision": [3.5]}', "decision.0"),
        ('{"reason": "Why not", "decision": null}', "decision"),
        ('{"reason": "Why not", "decision": [3], "also": 1}', "also"),
        ('{"reason": "Why not", "decision": [3], "leaning": "perhaps"}', "leaning"),
        ("[3]", "form"),
    ],
)
def test_anything_else_is_no_answer(text: str, why: str) -> None:
    answer, problem = answer_in(text, Choice, Form.SCHEMA)
    assert answer is None
    assert isinstance(problem, Unreadable)
    assert why in str(problem)
    assert "Why not" not in str(problem), "the model's text stays out of our messages"


@pytest.mark.parametrize(
    ("text", "indices"),
    [
        ("REASON: Why not\nDECISION: [3, 1]", [3, 1]),
        ("REASON: Why not\n\nDECISION: []\n", []),
        ("**REASON:** Why not\n**DECISION:** [3,\n 1]", [3, 1]),
        ("REASON: Why not DECISION: [7]", [7]),
        ("REASON: Why not\nDECISION: [03, 1]", [3, 1]),
    ],
)
def test_the_plain_form_is_read(text: str, indices: list[int]) -> None:
    assert answer_in(text, Choice, Form.PLAIN) == (Choice(reason="Why not", decision=indices), None)


@pytest.mark.parametrize(
    "text",
    [
        "DECISION: [3]",
        "REASON: Why not [3]",
        "REASON: Why not\nDECISION: 3",
        "REASON: Why not\nDECISION: [3] and [4]",
        "REASON: Why not\nDECISION: [three]",
        "REASON: Why not\nDECISION: [-3]",
        "REASON: Why not\nDECISION: [3.0]",
        "REASON: Why not\nDECISION: [3], or else\nDECISION: [4]",
        "Sure! REASON: Why not\nDECISION: [3]",
        "REASON: Why not\nDECISION: [3, 4",
        "REASON: Why not\nDECISION: [٣]",
        "REASON: Why not\nDECISION: [" + 5000 * "9" + "]",
    ],
)
def test_almost_the_plain_form_is_no_answer(text: str) -> None:
    answer, problem = answer_in(text, Choice, Form.PLAIN)
    assert answer is None
    assert isinstance(problem, Unreadable)
    assert "DECISION" in str(problem)


def test_half_a_character_breaks_nothing_that_keeps_the_reply(tmp_path: Path) -> None:
    model, request = (
        OpenAIModel(ModelName(Provider.OPENAI, "demo"), ProviderAccess("http://127.0.0.1")),
        Request("", "", "", None),
    )
    said = RawReply("half \ud800", Ending.FINISHED, Usage(1, 1), "demo\udc00")
    reply = reply_from(said, request, Form.TEXT, 0.1)
    cache = ReplyCache(tmp_path)
    cache.store(model, request, reply)
    kept = cache.load(model, request)
    assert kept is not None
    assert kept.text == reply.text == "half ?"


def test_tokens_add_up_and_stay_unknown() -> None:
    assert Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40) == Usage(11, 22, 33, 44)
    assert Usage(1, 2, 3) + Usage(10, None, 30, 40) == Usage(11, None, 33, None)


def test_free_text_has_no_data() -> None:
    assert answer_in("Anything.", None, Form.TEXT) == (None, None)
    assert isinstance(answer_in(" ", None, Form.TEXT)[1], Unreadable)
