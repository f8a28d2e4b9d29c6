"""One client for all services: every fault is one sentence, nothing is asked twice, and nobody else is asked."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from core.errors import (
    CallsUsedUp,
    ForbiddenAddress,
    NotThatService,
    QueryError,
    SourceBusy,
    SourceDown,
    SourceError,
    SourceRefused,
    SourceUnreachable,
)
from core.settings import Settings, keep_mail, load_settings
from core.sources import client as client_module
from core.sources import crossref, europepmc, full_texts, openalex, pubmed, unpaywall
from core.sources.client import SourceClient
from core.sources.searching import count_all, records_of, strings_of
from core.sources.services import CROSSREF, PUBMED, SERVICES, address_of
from core.sources.stand_in import SourceFault, StandIn
from core.sources.stand_in.wires import WIRES

FAULTS = {
    SourceFault.BUSY: SourceBusy,
    SourceFault.BUSY_FOR_HOURS: SourceBusy,
    SourceFault.DOWN: SourceDown,
    SourceFault.CUT_OFF: NotThatService,
    SourceFault.HANG_UP: NotThatService,
    SourceFault.WEB_PAGE: NotThatService,
    SourceFault.LOGIN: ForbiddenAddress,
    SourceFault.PRIVATE: ForbiddenAddress,
    SourceFault.REFUSED: SourceRefused,
}


@pytest.mark.parametrize("fault", list(SourceFault))
@pytest.mark.parametrize(
    "service", ["europepmc", "pubmed", "crossref", "openalex", "semanticscholar", "clinicaltrials"]
)
def test_every_fault_ends_in_one_sentence_and_is_not_kept(
    stand_in: StandIn, client: SourceClient, service: str, fault: SourceFault
) -> None:
    stand_in.fault(service, fault)
    strings = strings_of("10.5555/town.1" if service == "crossref" else "walking", [service])
    (one,) = count_all(client, strings)
    assert one.count is None
    assert one.problem.count("\n") == 0
    assert one.problem[0].isupper()
    assert one.problem.endswith(".")
    with pytest.raises(FAULTS[fault]):
        list(records_of(client, service, strings[service]))
    stand_in.behave()
    assert len(list(records_of(client, service, strings[service]))) > 0, "what was wrong was not kept"


@pytest.mark.parametrize("fault", [SourceFault.BUSY, SourceFault.DOWN, SourceFault.CUT_OFF, SourceFault.HANG_UP])
def test_a_fault_that_passes_is_not_noticed(stand_in: StandIn, client: SourceClient, fault: SourceFault) -> None:
    stand_in.fault("pubmed", fault, times=3)
    assert pubmed.count(client, "walking AND sleep") == 16


def test_a_retry_waits_as_long_as_it_is_told() -> None:
    assert client_module._seconds("7") == 7
    assert client_module._seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert client_module._seconds("soon") is None
    assert client_module._seconds(None) is None


def test_cut_off_xml_is_asked_for_again(stand_in: StandIn, client: SourceClient) -> None:
    stand_in.fault("pubmed", SourceFault.CUT_OFF, times=1)
    (record,) = pubmed.fetched(client, ["90000001"])
    assert record.reference.registrations == ("NCT90000001",)


def test_nothing_is_asked_twice_until_it_is_to_be_asked_anew(stand_in: StandIn, settings: Settings) -> None:
    for _ in range(2):
        with SourceClient(settings, asked_anew="monday") as client:
            assert len(list(records_of(client, "europepmc", ["walking"]))) == 24
    assert set(stand_in.asked.values()) == {1}
    asked = sum(stand_in.asked.values())
    with SourceClient(settings, asked_anew="tuesday") as client:
        assert len(list(records_of(client, "europepmc", ["walking"]))) == 24
    assert sum(stand_in.asked.values()) == 2 * asked


def test_it_says_who_asks_and_keeps_no_key(stand_in: StandIn, settings: Settings) -> None:
    keyed = replace(
        settings, source_keys={"pubmed": "secret-key", "openalex": "secret-key", "semanticscholar": "secret-key"}
    )
    with SourceClient(keyed) as client:
        count_all(client, strings_of("walking", ["pubmed", "openalex", "semanticscholar", "europepmc"]))
        assert unpaywall.open_copies(client, "10.5555/town.2").pdfs
    assert any("mailto:ann@example.org" in agent for agent in stand_in.agents)
    kept = settings.source_replies.read_bytes() + b"".join(
        one.read_bytes() for one in settings.source_replies.parent.iterdir() if one.is_file()
    )
    assert b"secret-key" not in kept
    assert b"ann@example.org" not in kept


def test_a_limit_of_calls(stand_in: StandIn, settings: Settings) -> None:
    with SourceClient(settings, most_calls=2) as client, pytest.raises(CallsUsedUp, match="limit of 2 calls"):
        list(records_of(client, "europepmc", ["walking"]))
    assert sum(stand_in.asked.values()) == 2
    with SourceClient(settings, most_calls=2) as client:  # what was answered is there, so it gets further
        assert len(list(records_of(client, "europepmc", ["walking"]))) == 24


def test_only_the_named_services_are_asked(settings: Settings, client: SourceClient) -> None:
    with pytest.raises(ForbiddenAddress, match="not one of the services"):
        client._check_address(PUBMED, "https://elsewhere.example/entrez")
    with pytest.raises(ForbiddenAddress, match="stand-in takes"):
        client.file("https://example.org/a.pdf", lambda body, kind: None)
    with SourceClient(replace(settings, sources_url=None)) as real:
        for url in ("http://example.org/a.pdf", "https://user:pass@example.org/a.pdf", "ftp://example.org/a.pdf"):
            with pytest.raises(ForbiddenAddress, match="https"):
                real.file(url, lambda body, kind: None)
        for url in ("https://127.0.0.1/a.pdf", "https://[::1]/a.pdf"):
            with pytest.raises(ForbiddenAddress, match="private"):
                real.file(url, lambda body, kind: None)
    with pytest.raises(ForbiddenAddress, match="on this computer"):
        address_of(PUBMED, replace(settings, sources_url="http://example.org:80"))
    assert all(service.address.startswith("https://") for service in SERVICES)


@pytest.mark.parametrize(
    "address", ["10.0.0.7", "192.168.1.1", "169.254.169.254", "127.0.0.1", "::1", "fd00::1", "0.0.0.0"]
)
def test_a_name_that_leads_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(client_module.socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", (address, 443))])
    with pytest.raises(ForbiddenAddress, match="private"):
        client_module._public_address("files.example.org", 443)
    with pytest.raises(ForbiddenAddress, match="private"):
        client_module._PublicOnly().connect_tcp("files.example.org", 443)


def test_a_real_client_connects_through_the_check(tmp_path: object, settings: Settings, no_network: list[str]) -> None:
    real = replace(settings, sources_url=None)
    with SourceClient(real) as client, pytest.raises(Exception, match="no network"):
        pubmed.count(client, "walking")
    assert no_network == ["eutils.ncbi.nlm.nih.gov"]
    no_network.clear()


@pytest.mark.slow
def test_published_rates_are_kept(settings: Settings) -> None:
    client_module._limiters.clear()
    with SourceClient(replace(settings, sources_url=None)) as client:
        begun = time.monotonic()
        for _ in range(4):  # three a second
            client._before_call(PUBMED)
    assert time.monotonic() - begun > 0.9


def test_nobody_answers(settings: Settings) -> None:
    with SourceClient(replace(settings, sources_url="http://127.0.0.1:9")) as client, pytest.raises(SourceUnreachable):
        pubmed.count(client, "walking")


def test_a_mail_address_is_kept_on_this_computer(settings: Settings) -> None:
    keep_mail(settings, " ann@example.org ")
    assert load_settings({"VOUCH_HOME": str(settings.home)}).mail == "ann@example.org"
    assert load_settings({"VOUCH_HOME": str(settings.home), "VOUCH_MAIL": "ben@example.org"}).mail == "ben@example.org"
    with pytest.raises(Exception, match="no mail address"):
        keep_mail(settings, "ann\r\nX-Other: 1@example.org")
    keep_mail(settings, "")
    assert load_settings({"VOUCH_HOME": str(settings.home)}).mail is None
    (settings.home / "file").touch()
    with pytest.raises(QueryError, match="cannot be written"):
        keep_mail(replace(settings, home=settings.home / "file"), "ann@example.org")


def test_full_texts_come_as_xml_before_pdf_and_failures_say_why(stand_in: StandIn, client: SourceClient) -> None:
    found = {}
    for number in range(6):
        (record,) = crossref.works(client, [f"10.5555/town.{number}"])
        try:
            found[number] = full_texts.open_text(client, record.reference).name
        except SourceError as error:
            found[number] = str(error)
    assert found[0] == "PMC9000000.xml"
    assert found[2] == "10.5555-town.2.pdf"
    assert found[3] == full_texts.NOT_OPEN
    assert "a web page, perhaps a login" in found[5]


def test_without_a_mail_address_unpaywall_is_not_asked(stand_in: StandIn, settings: Settings) -> None:
    with SourceClient(replace(settings, mail=None)) as client:
        (record,) = crossref.works(client, ["10.5555/town.2"])
        with pytest.raises(SourceError, match="wants the mail address"):
            full_texts.open_text(client, record.reference)
    assert not any(address.startswith("unpaywall") for address in stand_in.asked)


def test_an_open_copy_that_leads_elsewhere_is_not_followed(stand_in: StandIn, client: SourceClient) -> None:
    (record,) = europepmc.records(client, 'DOI:"10.5555/town.2"', 1)
    for fault in (SourceFault.LOGIN, SourceFault.PRIVATE):
        stand_in.fault("files", fault)
        with pytest.raises(SourceError, match="could not be fetched"):
            full_texts.open_text(client, record.reference)


def test_a_service_that_repeats_the_key_and_the_address_gives_neither_away(settings: Settings) -> None:
    keyed = replace(settings, source_keys={"pubmed": "secret-key"})
    with SourceClient(keyed) as client:
        told = client._told(b'{"error":"API key invalid","api-key":"secret-key","for":"ann%40example.org"}')
    assert "API key invalid" in told
    assert "secret-key" not in told
    assert "ann" not in told


def test_a_service_that_is_down_for_a_day_is_not_waited_for(client: SourceClient) -> None:
    with pytest.raises(SourceBusy, match="24 hours"):
        client._check_status(
            PUBMED, address_of(PUBMED, client.settings), 503, {"retry-after": "86400"}, b"", tolerate=False
        )


@pytest.mark.parametrize("url", ["https://[example.org/a.pdf", "https://example.org:port/a.pdf"])
def test_what_is_no_address_is_told(client: SourceClient, url: str) -> None:
    with pytest.raises(ForbiddenAddress, match="no address"):
        client.file(url, lambda body, kind: None)


def test_a_mail_address_in_any_letters(stand_in: StandIn, settings: Settings) -> None:
    with SourceClient(replace(settings, mail="jörg@example.org")) as client:
        assert europepmc.count(client, "walking") == 24
    assert any("mailto:j%C3%B6rg@example.org" in agent for agent in stand_in.agents)


def test_a_long_question_goes_as_a_form_and_is_kept_as_any_other(stand_in: StandIn, settings: Settings) -> None:
    long = " OR ".join(["walking AND sleep"] * 40)
    for _ in range(2):
        with SourceClient(replace(settings, source_keys={"pubmed": "secret-key"}), asked_anew="monday") as client:
            assert pubmed.count(client, long) == 16
            assert pubmed.count(client, "walking AND sleep") == 16
    assert stand_in.forms == 1, "the short one goes as ever, and neither is asked twice"
    assert set(stand_in.asked.values()) == {1}
    assert b"secret-key" not in b"".join(one.read_bytes() for one in settings.source_replies.parent.iterdir())


def test_a_form_is_asked_again_and_sent_nowhere_else(stand_in: StandIn, client: SourceClient) -> None:
    long = " OR ".join(["walking AND sleep"] * 40)
    stand_in.fault("pubmed", SourceFault.BUSY, times=2)
    assert pubmed.count(client, long) == 16
    stand_in.fault("pubmed", SourceFault.PRIVATE)
    with pytest.raises(ForbiddenAddress):
        pubmed.count(client, f"{long} OR insomnia")


def test_a_question_that_is_too_long_for_an_address_is_told(client: SourceClient) -> None:
    with pytest.raises(SourceRefused, match="OpenAlex takes no question as long as this"):
        openalex.count(client, "хождение " * 2_500)


def test_who_gives_an_address_or_a_key_may_ask_more_often() -> None:
    assert [CROSSREF.most_calls(mail=mail, key=False) for mail in (False, True)] == [1, 3]
    assert [PUBMED.most_calls(mail=True, key=key) for key in (False, True)] == [3, 10]


@pytest.mark.parametrize("fault", list(SourceFault))
@pytest.mark.parametrize(("service", "doi"), [("europepmc", "10.5555/town.1"), ("files", "10.5555/town.2")])
def test_every_fault_of_a_full_text_ends_in_one_sentence_and_is_not_kept(
    stand_in: StandIn, client: SourceClient, service: str, doi: str, fault: SourceFault
) -> None:
    (record,) = crossref.works(client, [doi])
    stand_in.fault(service, fault)
    with pytest.raises(SourceError) as raised:
        full_texts.open_text(client, record.reference)
    assert "\n" not in str(raised.value)
    assert str(raised.value).endswith(".")
    stand_in.behave()
    assert full_texts.open_text(client, record.reference).data


def test_a_retry_is_told_how_long_to_wait(client: SourceClient) -> None:
    for status in (429, 503):
        address = address_of(PUBMED, client.settings)
        with pytest.raises(client_module._Again) as raised:
            client._check_status(PUBMED, address, status, {"retry-after": "7"}, b"", tolerate=False)
        assert raised.value.wait == 7


def test_an_open_paper_without_a_pdf_is_not_called_closed(
    client: SourceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = b'{"url": "https://repo.org/1", "url_for_pdf": null}'
    reply = b'{"is_oa": true, "best_oa_location": %s, "oa_locations": [%s]}' % (place, place)
    monkeypatch.setitem(WIRES, "unpaywall", (lambda shelf, path, params: reply, "application/json"))
    (record,) = crossref.works(client, ["10.5555/town.3"])
    with pytest.raises(SourceError, match=r"^Open access, but without .* by hand at https://repo\.org/1$"):
        full_texts.open_text(client, record.reference)


def test_every_copy_that_could_not_be_fetched_is_told(
    stand_in: StandIn, client: SourceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = tuple(f"{stand_in.address}/files/{name}.pdf" for name in (5, 99, 5))
    monkeypatch.setattr(unpaywall, "open_copies", lambda client, doi: unpaywall.OpenCopies(places, "https://x.org"))
    (record,) = crossref.works(client, ["10.5555/town.5"])
    with pytest.raises(SourceError, match=r"open copies could not be fetched: .*login.*\(404\)") as raised:
        full_texts.open_text(client, record.reference)
    assert str(raised.value).count("login") == 1
