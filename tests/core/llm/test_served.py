"""What servers of one's own tell of a model, what is cut for them, and how fast they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from core.errors import RequestRefused
from core.evidence import EvidenceQuery, engine_named
from core.llm import Speed, known_speed, measured_speed, model_named, open_model, open_runner, served_model
from core.llm.access import ProviderAccess
from core.llm.demo import DemoServer
from core.llm.model import Form, Request
from core.llm.served import fitted, tokens_of
from core.paper import read_paper
from core.runs import RunOrder, carry_out
from core.settings import Settings
from core.work.progress import WorkProgress
from tests.conftest import ROOT
from tests.core.llm.questions import Choice, question


@contextmanager
def serving(documents: Mapping[str, Any]) -> Iterator[ProviderAccess]:
    """A server on the loopback interface that has a document at each path, and nothing elsewhere."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            found = documents.get(self.path)
            body = json.dumps(found).encode()
            self.send_response(200 if found is not None else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = _answer  # noqa: N815  as the base class calls them

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield ProviderAccess(f"http://127.0.0.1:{server.server_address[1]}/v1")
        server.shutdown()


LISTED = {"/v1/models": {"data": [{"id": "m:8b"}]}}
SHOWN = {
    "model_info": {"general.architecture": "llama", "llama.context_length": 131072},
    "details": {"parameter_size": "3.2B"},
}


@pytest.mark.parametrize(
    ("documents", "told"),
    [
        ({"/v1/models": {"data": [{"id": "m:8b", "max_model_len": 32768}]}}, (32768, 32768, 8e9)),
        (LISTED | {"/api/show": SHOWN, "/api/ps": {"models": []}}, (4096, 131072, 3.2e9)),
        (
            LISTED | {"/api/show": SHOWN | {"parameters": "stop x\nnum_ctx   8192"}, "/api/ps": {}},
            (8192, 131072, 3.2e9),
        ),
        (
            LISTED | {"/api/show": SHOWN, "/api/ps": {"models": [{"name": "m:8b", "context_length": 16384}]}},
            (16384, 131072, 3.2e9),
        ),
        (
            LISTED
            | {
                "/api/v1/models": {
                    "models": [
                        {
                            "key": "m:8b",
                            "max_context_length": 40960,
                            "params_string": "7B",
                            "loaded_instances": [{"id": "m:8b", "config": {"context_length": 12000}}],
                        }
                    ]
                }
            },
            (12000, 40960, 7e9),
        ),
        (
            LISTED
            | {"/api/v0/models": {"data": [{"id": "m:8b", "loaded_context_length": 9000, "max_context_length": 10}]}},
            (9000, 10, 8e9),
        ),
        (LISTED | {"/props": {"default_generation_settings": {"n_ctx": 6000}, "total_slots": 4}}, (6000, None, 8e9)),
        (LISTED, (None, None, 8e9)),
        (LISTED | {"/props": ["no object"], "/api/show": {"model_info": 3}}, (None, None, 8e9)),
    ],
    ids=[
        "vLLM",
        "Ollama's default",
        "Modelfile",
        "Ollama, loaded",
        "LM Studio",
        "LM Studio, before",
        "llama.cpp",
        "none",
        "odd",
    ],
)
def test_each_program_is_asked_in_its_own_way(
    documents: Mapping[str, Any], told: tuple[int | None, int | None, float | None]
) -> None:
    with serving(documents) as access:
        found = served_model(access, "m:8b")
    assert (found.context, found.longest, found.parameters) == told


def test_a_server_that_is_not_there_tells_only_what_the_name_does() -> None:
    found = served_model(ProviderAccess("http://127.0.0.1:9/v1"), "llama-3.2-3b-instruct")
    assert (found.context, found.parameters, found.is_small) == (None, 3e9, True)
    assert not served_model(ProviderAccess("http://127.0.0.1:9/v1"), "gpt-x").is_small


# ---- fitting ----

LINES = [f"[{number}] A sentence about sleep and walking in the evening." for number in range(200)]


def long_request() -> Request:
    return Request("Be brief.", "\n".join(["Results of the paper", "", *LINES]), "Which ones?", Choice)


@pytest.mark.parametrize("context", [1200, 2500, 4096])
def test_what_is_too_long_is_cut_at_a_line_and_counted(context: int) -> None:
    request, left_out = fitted(long_request(), context)
    assert tokens_of(request) + request.max_output_tokens <= context
    kept = request.context.splitlines()
    assert long_request().context.splitlines()[: len(kept)] == kept
    assert left_out == 202 - len(kept)
    assert left_out > 0
    assert request.task == "Which ones?"


def test_what_fits_is_sent_as_it_is_and_a_shorter_answer_is_tried_first() -> None:
    assert fitted(long_request(), 100_000) == (long_request(), 0)
    request, left_out = fitted(long_request(), 8192)
    assert (left_out, request.max_output_tokens) == (0, 2048)


def test_a_context_in_which_nothing_fits_is_told() -> None:
    with pytest.raises(RequestRefused, match=r"docs/local-models\.md"):
        fitted(long_request(), 100)


def test_a_text_without_numbered_sentences_is_cut_too() -> None:
    text = "\n".join(["A line about walking.\x0bStill the same line."] * 200)
    request, left_out = fitted(Request("", text, "Which ones?", Choice), 1200)
    kept = request.context.split("\n")
    assert 0 < len(kept) == 200 - left_out < 200
    assert set(kept) == {text.split("\n")[0]}


@pytest.mark.parametrize("title", ["", "Title: walking\n"])
def test_a_text_of_one_long_line_is_cut_within_it(title: str) -> None:
    text = title + "word " * 20_000
    request, left_out = fitted(Request("", text, "Which ones?", Choice), 1200)
    assert left_out == 1
    assert text.startswith(request.context)
    assert len(request.context) > 1000
    assert tokens_of(request) + request.max_output_tokens <= 1200


def test_a_text_of_which_nothing_would_be_left_is_refused() -> None:
    with pytest.raises(RequestRefused, match=r"docs/local-models\.md"):
        fitted(Request("", "word " * 20_000, "Which ones?", Choice), 100)
    with pytest.raises(RequestRefused, match=r"docs/local-models\.md"):
        fitted(Request("", f"## Walking\n[1] {'word ' * 20_000}", "Which ones?", Choice), 1200)


@pytest.fixture
def short_demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoServer]:
    """A demo server with little context, whose address is set."""
    with DemoServer(context=2500) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


def test_a_long_paper_is_read_as_far_as_it_fits_and_the_answer_says_so(short_demo: DemoServer, tmp_path: Any) -> None:
    text = "# Walking\n\n## Results\n\n" + " ".join(
        f"Walking improved sleep by {number} minutes in the evening." for number in range(300)
    )
    paper = read_paper(text.encode(), name="walking.md")
    query = EvidenceQuery("Walking improves sleep.")
    settings = Settings(tmp_path, None)
    found = engine_named("compatible:demo", settings=settings).find(paper, query)
    assert found.sentences
    assert any("lines were not read" in note and "“Results”" in note for note in found.notes)
    again = engine_named("compatible:demo", settings=settings).find(paper, query)  # from the cache
    assert any("lines were not read" in note for note in again.notes)
    assert short_demo.desk.statistics()["answered"] == 2  # the section, and the choice
    numbers = "\n".join(f"[{number}] {'words ' * 20}" for number in range(300))
    with open_runner(model_named("compatible:demo"), settings=settings) as runner:
        reply = runner.ask(Request("", numbers, "Which ones?", Choice))
    assert reply.unsent == set(range(300 - reply.left_out, 300))


def test_small_models_are_asked_in_the_plain_form_from_the_start(demo_environment: DemoServer) -> None:
    def form(name: str) -> Form:
        model = open_model(model_named(name))

        async def asked() -> Form:
            request, _ = await model.fitted(question())
            return (await model.complete(request)).form

        return asyncio.run(asked())

    assert form("compatible:demo-3b") is Form.PLAIN
    assert form("compatible:demo-70b") is Form.SCHEMA


@pytest.fixture
def demo_environment(demo: DemoServer, monkeypatch: pytest.MonkeyPatch) -> DemoServer:
    for name, value in demo.environment.items():
        monkeypatch.setenv(name, value)
    return demo


# ---- speed ----


def test_speed_is_measured_and_told(demo_environment: DemoServer, capsys: pytest.CaptureFixture[str]) -> None:
    speed = measured_speed(model_named("compatible:demo"))
    assert speed.reading > 0
    assert speed.writing > 0
    assert Speed(100.0, 10.0).seconds(8, 13_000) == pytest.approx(130 + 240)


def test_a_measured_speed_is_known_afterwards(
    demo_environment: DemoServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    model = model_named("compatible:demo")
    assert model is not None
    assert known_speed(model) is None
    assert known_speed(model_named("openai:demo")) is None, "only servers of one's own are measured"
    measured = measured_speed(model)
    assert known_speed(model_named("compatible:demo@whole")) == measured
    assert known_speed(model_named("compatible:other")) is None
    [file] = (tmp_path / "cache" / "speeds").iterdir()
    for broken in ("", "[]", '{"reading": 0, "writing": 0}'):
        file.write_text(broken)
        assert known_speed(model) is None


def test_a_run_tells_its_time_before_the_first_answer(
    demo_environment: DemoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.runs.known_speed", lambda model, *, key: Speed(100.0, 10.0))
    told: list[WorkProgress] = []
    order = RunOrder("evidencebench/er@10", "compatible:demo@whole", ROOT / "sample_data", limit=1)
    carry_out(order, report=told.append)
    before = [one for one in told if one.done == 0]
    assert before
    assert before[-1].seconds_left
    assert "left" in before[-1].in_words


def test_the_command_measures_a_model_of_a_server(short_demo: DemoServer, main_of: Callable[..., str]) -> None:
    assert json.loads(main_of("engines", "--measure", "compatible:demo", "--json"))["context"] == 2500
    assert "2,500 tokens" in main_of("engines", "--measure", "compatible:demo")


@pytest.fixture
def main_of(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    from core.__main__ import main

    def run(*arguments: str) -> str:
        assert main(list(arguments)) == 0
        return capsys.readouterr().out

    return run
