"""Replies on disk."""

from __future__ import annotations

import json
import os
from dataclasses import fields, replace
from pathlib import Path

import pytest

from core.llm import ModelName, Provider, Request, open_model
from core.llm.demo import DemoServer, Fault
from core.llm.runner import ReplyCache, request_key
from tests.core.llm.questions import Choice, question, runner


class OtherChoice(Choice):
    """The same fields with one more."""

    sure: bool = True


def test_the_same_question_is_paid_for_once(demo: DemoServer, cache: ReplyCache) -> None:
    first = runner(demo, cache=cache).ask(question())
    again_from = runner(demo, cache=cache)
    again = again_from.ask(question(label="another label", cache_context=True))
    assert demo.desk.statistics()["calls"] == 1
    assert again == replace(first, from_cache=True)
    assert (again_from.spent.calls, again_from.spent.from_cache, again_from.spent.usd) == (0, 1, 0.0)


OTHERS = {
    "system": "another",
    "context": "another",
    "task": "another",
    "schema": OtherChoice,
    "plain": "another",
    "max_output_tokens": 100,
}


def test_every_field_decides_but_two() -> None:
    assert set(OTHERS) == {field.name for field in fields(Request)} - {"label", "cache_context"}


@pytest.mark.parametrize("field", list(OTHERS))
def test_another_question_is_another_key(field: str) -> None:
    model = open_model(ModelName(Provider.OPENAI, "m"), environment={"OPENAI_API_KEY": "k"})
    assert request_key(model, question()) != request_key(model, question(**{field: OTHERS[field]}))


def test_texts_do_not_run_together() -> None:
    model = open_model(ModelName(Provider.OPENAI, "m"), environment={"OPENAI_API_KEY": "k"})
    keys = {
        request_key(model, question(system="ab", context="c")),
        request_key(model, question(system="a", context="bc")),
    }
    assert len(keys) == 2


def test_another_model_provider_or_address_is_another_key_and_another_key_is_not() -> None:
    environment = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k", "OPENAI_BASE_URL": "http://a/v1"}
    models = [
        open_model(ModelName(Provider.OPENAI, "m"), environment=environment),
        open_model(ModelName(Provider.OPENAI, "n"), environment=environment),
        open_model(ModelName(Provider.ANTHROPIC, "m"), environment=environment),
        open_model(ModelName(Provider.OPENAI, "m"), environment=environment | {"OPENAI_BASE_URL": "http://b/v1"}),
    ]
    assert len({request_key(model, question()) for model in models}) == 4
    same = open_model(ModelName(Provider.OPENAI, "m"), environment=environment, key="other")
    assert request_key(same, question()) == request_key(models[0], question())


@pytest.mark.parametrize("fault", [Fault.REFUSAL, Fault.CUT_OFF, Fault.CUT_JSON, Fault.EMPTY, Fault.SERVER_ERROR])
def test_only_good_replies_are_kept(demo: DemoServer, cache: ReplyCache, fault: Fault, tmp_path: Path) -> None:
    asking = runner(demo, f"demo-{fault}x1", cache=cache, retries=0)
    assert asking.ask(question()).problem is not None
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    good = asking.ask(question())
    assert good.problem is None
    assert not good.from_cache


def test_a_plain_answer_is_kept_as_such(demo: DemoServer, cache: ReplyCache) -> None:
    asked = [runner(demo, "demo-noschema", provider=Provider.COMPATIBLE, cache=cache).ask(question()) for _ in range(2)]
    assert asked[1] == replace(asked[0], from_cache=True)
    assert demo.desk.statistics()["calls"] == 2, "the refusal and the answer"


def test_a_reply_that_is_no_answer_any_more_is_as_good_as_none(
    demo: DemoServer, cache: ReplyCache, tmp_path: Path
) -> None:
    runner(demo, cache=cache).ask(question())
    (kept,) = (path for path in tmp_path.rglob("*") if path.is_file())
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"text": "{}"}))
    reply = runner(demo, cache=cache).ask(question())
    assert not reply.from_cache
    assert reply.data is not None


@pytest.mark.parametrize("damage", [b"", b"{", b"{}", b'{"text": 1}', b"\xff\xfe"])
def test_a_damaged_file_is_as_good_as_none(demo: DemoServer, cache: ReplyCache, tmp_path: Path, damage: bytes) -> None:
    runner(demo, cache=cache).ask(question())
    (kept,) = (path for path in tmp_path.rglob("*") if path.is_file())
    kept.write_bytes(damage)
    assert not runner(demo, cache=cache).ask(question()).from_cache
    assert runner(demo, cache=cache).ask(question()).from_cache, "and it is written anew"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_disk_that_cannot_be_written_is_no_failure(demo: DemoServer, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert runner(demo, cache=ReplyCache(tmp_path / "replies")).ask(question()).problem is None


def test_a_file_in_the_folders_place_is_no_failure(demo: DemoServer, tmp_path: Path) -> None:
    (tmp_path / "replies").write_text("not a folder")
    assert runner(demo, cache=ReplyCache(tmp_path / "replies")).ask(question()).problem is None
