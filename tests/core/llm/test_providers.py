"""Each provider through its real client: good answers, and every way in which a call can fail."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest

from core.errors import (
    CutOff,
    KeyRefused,
    ModelError,
    ModelTimeout,
    NoCredit,
    NotAModelServer,
    RateLimited,
    Refused,
    ReplyError,
    RequestRefused,
    ServerDown,
    ServerUnreachable,
    UnknownModel,
    Unreadable,
)
from core.llm import ModelName, ModelRunner, Provider, Usage, open_model
from core.llm.access import ProviderAccess
from core.llm.demo import DemoServer, Fault
from core.llm.demo.questions import FaultOrder
from core.llm.model import Form, Reply
from core.llm.provider import status_failure
from tests.core.llm.questions import Choice, question, runner

KEY = "sk-test-4f9d0c7e2b81a6535f70"
every_provider = pytest.mark.parametrize("provider", list(Provider))

FAILURES = {
    Fault.BAD_REQUEST: (RequestRefused, "shorter paper"),
    Fault.BAD_KEY: (KeyRefused, "Check the key"),
    Fault.NO_MONEY: (NoCredit, "Add credit"),
    Fault.FORBIDDEN: (KeyRefused, "Check the key"),
    Fault.NO_MODEL: (UnknownModel, "Check the model's name"),
    Fault.TOO_MANY_REQUESTS: (RateLimited, "Wait"),
    Fault.NO_QUOTA: (NoCredit, "Add credit"),
    Fault.SERVER_ERROR: (ServerDown, "Try again later"),
    Fault.OVERLOADED: (ServerDown, "Try again later"),
    Fault.DROP: (ServerUnreachable, "Check the address"),
    Fault.WEB_PAGE: (NotAModelServer, "Check the address"),
    Fault.OTHER_JSON: (NotAModelServer, "Check the address"),
    Fault.CUT_OFF: (CutOff, "Allow more output tokens"),
    Fault.CUT_JSON: (Unreadable, "not JSON. Try again"),
    Fault.PROSE: (Unreadable, "not JSON. Try again"),
    Fault.REFUSAL: (Refused, "try another model"),
    Fault.EMPTY: (Unreadable, "empty reply. Try again"),
}
# The answer has the right form, and it is for who asked to find out what is wrong with it.
WELL_FORMED = {
    Fault.WRONG: [1003, 3],
    Fault.MANY: [1, 3, 0, 2],
    Fault.DUPLICATES: [1, 1],
    Fault.INVENTED: [1, 3],
    Fault.NO_USAGE: [1, 3],
}


@every_provider
def test_a_good_answer(demo: DemoServer, provider: Provider) -> None:
    reply = runner(demo, provider=provider).ask(question())
    assert reply.problem is None
    assert isinstance(reply.data, Choice)
    assert reply.data.decision == [1, 3]
    assert Choice.model_validate_json(reply.text) == reply.data, "the text is kept as it came"
    assert reply.model == "demo"
    assert reply.form is Form.SCHEMA
    assert (reply.usage.input_tokens or 0) > 50
    assert (reply.usage.output_tokens or 0) > 10
    assert not reply.from_cache


@every_provider
@pytest.mark.parametrize("fault", list(FAILURES))
def test_a_failure_has_its_own_error_that_names_the_cure(demo: DemoServer, provider: Provider, fault: Fault) -> None:
    if provider is Provider.ANTHROPIC and fault is Fault.NO_QUOTA:
        fault = Fault.NO_MONEY  # a 429 of Anthropic's is never about credit
    expected, cure = FAILURES[fault]
    reply = runner(demo, f"demo-{fault}", provider=provider, key=KEY, retries=0).ask(question())
    assert type(reply.problem) is expected
    assert cure in str(reply.problem)
    assert holds_no_part_of_the_key(reply)
    assert reply.data is None
    if isinstance(reply.problem, ReplyError):
        assert bool(reply.text) == (fault is not Fault.EMPTY)
        assert (reply.usage.input_tokens or 0) > 50, "it was paid for"


def holds_no_part_of_the_key(reply: Reply) -> bool:
    """Neither what the reply says does, nor what a traceback would show."""
    told, problem = f"{reply!r} {reply.problem}", reply.problem
    alone = problem is None or (problem.__cause__ is None and problem.__context__ is None)
    return alone and not any(KEY[start : start + 6] in told for start in range(len(KEY) - 5))


@pytest.mark.repetition
@every_provider
@pytest.mark.parametrize("fault", list(Fault))
def test_no_error_holds_any_part_of_the_key(demo: DemoServer, provider: Provider, fault: Fault) -> None:
    reply = runner(demo, f"demo-{fault}", provider=provider, key=KEY, retries=0, timeout=0.5).ask(question())
    assert holds_no_part_of_the_key(reply)


@every_provider
@pytest.mark.parametrize("fault", list(WELL_FORMED))
def test_what_only_the_paper_can_tell_is_left_to_who_asked(demo: DemoServer, provider: Provider, fault: Fault) -> None:
    reply = runner(demo, f"demo-{fault}", provider=provider).ask(question())
    assert isinstance(reply.data, Choice)
    assert reply.data.decision == WELL_FORMED[fault]


def test_every_fault_is_tried() -> None:
    elsewhere = {Fault.HANG, Fault.NO_SCHEMAS, Fault.UNHEEDED, Fault.NEW_LIMIT, Fault.MISSING, Fault.ODD}
    assert set(FAILURES) | set(WELL_FORMED) | elsewhere == set(Fault)


@every_provider
def test_a_call_that_hangs_is_given_up(demo: DemoServer, provider: Provider) -> None:
    started = time.perf_counter()
    reply = runner(demo, "demo-hang", provider=provider, timeout=0.3, retries=4).ask(question())
    assert isinstance(reply.problem, ModelTimeout)
    assert time.perf_counter() - started < 5, "the limit holds for all retries together"


@every_provider
@pytest.mark.parametrize("fault", ["429x2", "500x1", "dropx1", "529x1"])
def test_the_client_tries_again(demo: DemoServer, provider: Provider, fault: str) -> None:
    reply = runner(demo, f"demo-{fault}", provider=provider, retries=2).ask(question())
    assert reply.problem is None
    assert demo.desk.statistics()["calls"] == int(fault[-1]) + 1


@every_provider
def test_the_client_waits_as_long_as_the_server_asks(demo: DemoServer, provider: Provider) -> None:
    reply = runner(demo, "demo-429x2", provider=provider, retries=2).ask(question())
    assert 0.4 <= reply.seconds < 1.1, (
        "two pauses of 0.2 s; without Retry-After they would be 0.375 and 0.75 s at least"
    )


@every_provider
def test_nothing_answers_at_the_address(provider: Provider) -> None:
    with DemoServer() as gone:
        environment = gone.environment
    named = open_model(ModelName(provider, "demo"), environment=environment, retries=0)
    reply = ModelRunner(named, cache=None).ask(question())
    assert isinstance(reply.problem, ServerUnreachable)
    assert gone.address in str(reply.problem)


@every_provider
def test_no_count_of_tokens_is_unknown_not_zero(demo: DemoServer, provider: Provider) -> None:
    asking = runner(demo, "demo-nousage", provider=provider)
    assert asking.ask(question()).usage == Usage(None, None)
    assert asking.spent.usd is None


@pytest.mark.parametrize("provider", [Provider.OPENAI, Provider.ANTHROPIC])
def test_a_shared_context_is_paid_in_full_once(demo: DemoServer, provider: Provider) -> None:
    asking = runner(demo, provider=provider)
    shared = [question(task=f"Hypothesis: {word}", cache_context=True) for word in ("bees", "sleep")]
    usages = [asking.ask(request).usage for request in shared]
    assert usages[0].cached_input_tokens == 0
    assert 50 < (usages[1].cached_input_tokens or 0) < (usages[1].input_tokens or 0)
    if provider is Provider.ANTHROPIC:
        assert usages[0].written_input_tokens == usages[1].cached_input_tokens
    alone = asking.ask(question(task="Hypothesis: bees")).usage
    assert alone.input_tokens == usages[0].input_tokens, "all input counts, wherever it came from"
    assert not alone.cached_input_tokens
    assert not alone.written_input_tokens, "writing to the cache costs extra, so it is not done for one call"


@pytest.mark.parametrize("provider", [Provider.OPENAI, Provider.ANTHROPIC])
def test_no_schemas_is_an_error_where_they_are_promised(demo: DemoServer, provider: Provider) -> None:
    assert isinstance(runner(demo, "demo-noschema", provider=provider).ask(question()).problem, RequestRefused)


def test_a_compatible_server_without_schemas_is_asked_plainly_and_that_is_remembered(demo: DemoServer) -> None:
    asking = runner(demo, "demo-noschema", provider=Provider.COMPATIBLE)
    replies = [asking.ask(question(number)) for number in range(3)]
    assert [reply.form for reply in replies] == [Form.PLAIN] * 3
    assert all(isinstance(reply.data, Choice) and reply.data.decision == [1, 3] for reply in replies)
    assert demo.desk.statistics()["calls"] == 4, "one refusal, three answers"


def test_a_compatible_server_that_does_not_heed_schemas_is_asked_plainly_too(demo: DemoServer) -> None:
    asking = runner(demo, "demo-unheeded", provider=Provider.COMPATIBLE)
    first, second = (asking.ask(question(number)) for number in range(2))
    assert [first.form, second.form] == [Form.PLAIN] * 2
    assert all(isinstance(reply.data, Choice) and reply.data.decision == [1, 3] for reply in (first, second))
    assert demo.desk.statistics()["calls"] == 3
    assert (first.usage.input_tokens or 0) > 1.8 * (second.usage.input_tokens or 0), "both calls were paid for"


def test_a_server_that_has_heeded_a_schema_is_not_doubted() -> None:
    """Its first answer had the form; a later one that has not is a failure like any other."""
    with DemoServer() as server:
        asking = runner(server, provider=Provider.COMPATIBLE)
        asking.ask(question())
        port = urlsplit(server.address).port
    with DemoServer(port=port or 0, fault=FaultOrder(Fault.PROSE)) as changed:
        assert isinstance(asking.ask(question(1)).problem, Unreadable)
        assert changed.desk.statistics()["calls"] == 1


def test_without_a_plain_form_there_is_nothing_to_fall_back_on(demo: DemoServer) -> None:
    reply = runner(demo, "demo-noschema", provider=Provider.COMPATIBLE).ask(question(plain=""))
    assert isinstance(reply.problem, RequestRefused)


def test_a_request_that_is_refused_in_every_dialect_teaches_nothing(demo: DemoServer) -> None:
    asking = runner(demo, "demo-400x2", provider=Provider.COMPATIBLE)
    assert isinstance(asking.ask(question()).problem, RequestRefused)
    assert asking.ask(question(1)).form is Form.SCHEMA


def test_a_compatible_server_may_want_the_newer_limit(demo: DemoServer) -> None:
    asking = runner(demo, "demo-newlimit", provider=Provider.COMPATIBLE)
    assert [asking.ask(question(number)).form for number in range(2)] == [Form.SCHEMA] * 2
    assert demo.desk.statistics()["calls"] == 3


@pytest.mark.parametrize("fault", [Fault.PROSE, Fault.CUT_JSON])
def test_the_plain_form_is_read_strictly_too(fault: Fault) -> None:
    with DemoServer(fault=FaultOrder(Fault.NO_SCHEMAS)) as server:
        reply = runner(server, f"demo-{fault}", provider=Provider.COMPATIBLE).ask(question())
    assert reply.form is Form.PLAIN
    assert isinstance(reply.problem, Unreadable)


def test_halves_of_characters_can_be_sent(demo: DemoServer) -> None:
    for provider in Provider:
        reply = runner(demo, provider=provider).ask(question(context="[0] bees \ud800 caffeine"))
        assert reply.problem is None, provider


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(
    ("code", "kind", "failure"),
    [
        ("rate_limit_exceeded", "requests", RateLimited),
        ("insufficient_quota", "insufficient_quota", NoCredit),
        (None, "insufficient_quota", NoCredit),
    ],
)
def test_a_limit_is_told_from_an_empty_account_by_its_code(
    code: str | None, kind: str, failure: type[ModelError], wrapped: bool
) -> None:
    words = "Rate limit reached. You can increase it by adding a payment method at https://x.org/account/billing."
    body: dict[str, object] = {"message": words, "type": kind, "code": code}
    access = ProviderAccess("https://api.openai.com/v1")
    found = status_failure(429, {"error": body} if wrapped else body, ModelName(Provider.OPENAI, "gpt-5.4"), access)
    assert type(found) is failure


def test_every_exception_of_both_clients_has_a_meaning() -> None:
    """Made without their constructors: the classes decide, and where there is a status, the status."""
    from anthropic import _exceptions as anthropic_errors
    from openai import _exceptions as openai_errors

    from core.llm.anthropic import client_failure as anthropic_failure
    from core.llm.openai import client_failure as openai_failure

    access = ProviderAccess("http://localhost/v1")
    expected = {
        400: RequestRefused, 401: KeyRefused, 402: NoCredit, 403: KeyRefused, 404: UnknownModel, 408: ModelTimeout,
        409: RequestRefused, 412: RequestRefused, 413: RequestRefused, 422: RequestRefused, 429: RateLimited,
        431: RequestRefused, 499: RequestRefused, 501: ServerDown, 503: ServerDown, 504: ModelTimeout, 529: ServerDown,
    }  # fmt: skip
    seen = 0
    for module, failure, provider in (
        (openai_errors, openai_failure, Provider.OPENAI),
        (anthropic_errors, anthropic_failure, Provider.ANTHROPIC),
    ):
        for kind in vars(module).values():
            if not (isinstance(kind, type) and issubclass(kind, Exception)):
                continue
            error = kind.__new__(kind)
            error.body, status = None, getattr(kind, "status_code", None)  # type: ignore[attr-defined]
            if issubclass(kind, module.APIStatusError):
                error.status_code = status = status or 500  # type: ignore[attr-defined]
            meant = failure(error, ModelName(provider, "m"), access)
            assert isinstance(meant, ModelError), kind
            assert type(meant) is not ModelError, kind
            assert str(meant).endswith("."), kind
            if issubclass(kind, module.APIStatusError):
                assert type(meant) is expected.get(status, ServerDown), kind
            seen += 1
    assert seen > 40
