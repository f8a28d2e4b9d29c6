"""Which reader a file gets, what happens with files that are no papers, and that nothing of a file is lost."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from core.errors import DamagedFile, NoText, PaperError, UnknownFormat
from core.paper import Account, Kind, Paper, read_paper

# ---- Which reader a file gets, and what happens with files that are no papers ----

JATS = (
    "<article><front><article-meta><title-group><article-title>Café</article-title></title-group></article-meta></front>"
    "<body><p>Naïve bees nap.</p></body></article>"
)


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("paper.txt", "Bees nap.")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", NoText, "empty"),
        (b" \n\t\0", NoText, "empty"),
        (zipped(), UnknownFormat, "ZIP"),
        (gzip.compress(b"Bees nap.", mtime=0), UnknownFormat, "Unpack"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), UnknownFormat, "image"),
        (bytes(range(256)) * 20, UnknownFormat, "Upload the paper"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", UnknownFormat, "web page"),
        (b"<?xml version='1.0'?><rss><channel/></rss>", UnknownFormat, "not a paper"),
        (JATS.encode()[:150], DamagedFile, "cut off"),
        (b"<?xml version='1.0'?><article/>", NoText, "no text"),
        (b"<html><body><article><p>Sign in</p></article></body></html>", UnknownFormat, "web page"),
        (b'{"hypothesis": "Bees nap", "paper_as_candidate_pool": []}', UnknownFormat, "JSON"),
        (b'[{"a": 1}', UnknownFormat, "JSON"),
        (b"<div><p>Bees nap.</p></div>", UnknownFormat, "not a paper"),
        (b"1 0 obj\n<< /Type /Page >>\nendobj\n" * 9, DamagedFile, "beginning is missing"),
        (
            "<?xml version='1.0' encoding='UTF-16'?><!DOCTYPE a [<!ENTITY x 'y'>]><article>&x;</article>".encode(
                "utf-16"
            ),
            DamagedFile,
            "entities",
        ),
        (b"<!DOCTYPE article SYSTEM 'x.dtd'><article><p>&madeup;</p></article>", DamagedFile, "madeup"),
        (
            b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><article>&x;</article>",
            DamagedFile,
            "entities",
        ),
        (
            b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><article>&b;</article>",
            DamagedFile,
            "entities",
        ),
    ],
)
def test_files_that_are_no_papers_say_what_to_do(data: bytes, error: type[PaperError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        read_paper(data, name="paper.pdf")
    text = str(caught.value)
    assert "paper.pdf" in text
    assert "\n" not in text
    assert text.endswith(".")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_marked_and_declared_encodings(encoding: str) -> None:
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    paper = read_paper(mark + JATS.encode(encoding), name="bees.xml")
    assert paper.title == "Café"


def test_a_wrong_declaration_is_put_right() -> None:
    paper = read_paper(f"<?xml version='1.0' encoding='UTF-8'?>{JATS}".encode("cp1252"), name="bees.xml")
    assert paper.sentences[-1].text == "Naïve bees nap."


def test_a_guessed_encoding_is_said() -> None:
    text = "Les abeilles dorment à côté de la ruche. L'été, elles préfèrent être éveillées. " * 10
    paper = read_paper(text.encode("cp1252"), name="abeilles.txt")
    assert "préfèrent être éveillées" in paper.text
    assert [warning.kind for warning in paper.warnings] == ["encoding-guessed"]


@pytest.mark.parametrize("doctype", ["", "<!DOCTYPE article PUBLIC '-//NLM//DTD' 'archivearticle.dtd'>"])
def test_named_characters_are_read(doctype: str) -> None:
    article = f"{doctype}<article><body><p>TNF-&alpha; rose &ge; 5&nbsp;mg &amp; fell.</p></body></article>"
    assert read_paper(article.encode(), name="bees.xml").text == "TNF-α rose ≥ 5 mg & fell."


@pytest.mark.parametrize("text", ["[Article in French] Bees nap.", "<0.05 was the limit.", "{sic} Bees nap."])
def test_prose_may_begin_like_markup(text: str) -> None:
    assert read_paper(text.encode(), name="bees.txt").text == text


def test_the_name_decides_nothing() -> None:
    assert read_paper(JATS.encode(), name="bees.pdf").text == read_paper(JATS.encode(), name="bees.md").text


def test_markup_in_text_stays_text() -> None:
    hostile = "<script>alert(1)</script> costs $5 and $6, :red[loud] and [here](javascript:alert(1))."
    paper = read_paper(f"Bees nap.\n\n{hostile}".encode(), name="note.txt")
    assert hostile in paper.text


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=300).map(str.encode),
        st.text("<>/ap &;![]\"'", max_size=80).map(str.encode),
    )
)
def test_any_bytes_give_a_paper_or_a_paper_error(data: bytes) -> None:
    with contextlib.suppress(PaperError):
        paper = read_paper(data, name="fuzz")
        assert all(paper.text[s.start : s.end] == s.text and s.text for s in paper.sentences)


BIOC = '{"documents": [{"passages": [{"infons": {"type": "%s"}, "text": "Bees nap."}, {"text": "They do%s."}]}]}'
DEEP = '{"documents": [{"passages": ' + "[" * 200_000


@pytest.mark.parametrize(
    "text",
    [
        BIOC % ("title_²", ""),
        BIOC % ("title_" + "9" * 5000, ""),
        BIOC % ("title_1", "\\ud800"),
        DEEP,
        '{"documents": [{"passages": [{"offset": ' + "9" * 5000 + "}]}]}",
        "<TEI><text><body><div><p>Bees [" + "1" * 5000 + "][2] nap.</p></div></body></text></TEI>",
        "<article><body><p>"
        + "<table-wrap><table><tr><td>" * 40
        + "Bees"
        + "</td></tr></table></table-wrap>" * 40
        + "</p></body></article>",
        "# a" + " " * 20_000 + "b",
        "**a " * 20_000,
        "![" * 20_000,
        "# T\n\n| a |\n| --" + " " * 20_000 + "x",
        "vs. A " * 20_000,
        "." * 20_000,
        "# T\n" + "".join(f"\n## Funding {n}\n\nHoney.\n" for n in range(3000)),
    ],
    ids=lambda text: text[:24],
)
def test_hostile_files_are_read_or_refused_in_a_moment(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(PaperError):
        paper = read_paper(text.encode(), name="hostile")
        paper.text.encode()  # can be shown and written
        assert len(paper.text) < 4 * len(text)
    assert time.process_time() - start < 3


def test_twenty_thousand_sentences_take_seconds() -> None:
    data = ("The bees of hive 7 napped for 3.5 h (P < 0.05). " * 20 + "\n\n").encode() * 1000
    start = time.process_time()
    paper = read_paper(data, name="long.txt")
    assert len(paper.sentences) == 20_000
    assert time.process_time() - start < 10


def test_every_real_paper_keeps_its_offsets(shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    files = sorted((shared_data / "evidence_inference" / "xml").iterdir()) + sorted((shared_data / "formats").iterdir())
    assert len(files) >= 330
    for file in files:
        paper = read_once(file)
        assert len(paper.sentences) >= 20, file.name
        last = 0
        for index, sentence in enumerate(paper.sentences):
            assert paper.text[sentence.start : sentence.end] == sentence.text, file.name
            assert sentence.index == index
            assert sentence.start >= last
            last = sentence.end
        assert [s.index for s in paper.sections] == list(range(len(paper.sections)))
        assert paper.sections[0].first == 0
        assert paper.sections[-1].last == len(paper.sentences) - 1
        assert all(a.last + 1 == b.first for a, b in pairwise(paper.sections))
        assert any(sentence.kind is Kind.BODY for sentence in paper.sentences)


# ---- What a file says is in the paper or left out under a name, in formats without pages too ----

SAMPLES = Path(__file__).parents[3] / "sample_data"
MOST = 0.002  # of letters and digits: a broken sign may be repaired to another, and a short text be said twice


def letters(text: str) -> Counter[str]:
    return Counter(sign for sign in text.casefold() if sign.isalpha() or sign.isdecimal())


def lost(text: str, paper: Paper) -> float:
    """The share of the letters and digits of a text that are in no account of the paper."""
    own = "\n".join([paper.text, *(item.text for item in (*paper.left_out, *paper.set_aside))])
    wanted = letters(text)
    return (wanted - letters(own)).total() / wanted.total()


def said_in(file: Path) -> str:
    root = etree.fromstring(file.read_bytes(), etree.XMLParser(load_dtd=False, resolve_entities=False, recover=True))
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    said = {
        "".join(filter(str.isalnum, text.casefold())) for text in map(str, root.itertext())
    }  # each once: titles are repeated
    return " ".join(said)


@pytest.mark.parametrize("name", ["leg-cramps.xml", "stair-climbing.tei.xml"])
def test_samples_add_up(name: str, read_once: Callable[[Path], Paper]) -> None:
    paper = read_once(SAMPLES / name)
    assert lost(said_in(SAMPLES / name), paper) <= MOST
    assert Account.UNPLACED not in {item.kind for item in paper.left_out}
    assert Account.REFERENCES in {item.kind for item in paper.left_out}


def test_published_files_add_up(shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    files = [
        *(shared_data / "formats").glob("*.xml"),
        *sorted((shared_data / "evidence_inference" / "xml").glob("*.nxml"))[::40],
    ]
    assert len(files) > 15
    shares = {file.name: lost(said_in(file), read_once(file)) for file in files}
    assert {name: share for name, share in shares.items() if share > MOST} == {}


def jats(body: str) -> Paper:
    return read_paper(
        f"<article><front><article-meta><aff>Oslo</aff></article-meta></front>{body}</article>".encode(), name="x.xml"
    )


def test_elements_go_to_the_account_of_what_they_stand_in() -> None:
    paper = jats(
        "<body><sec><title>Methods</title><p>We asked nurses.<fn><p>All of them.</p></fn></p></sec>"
        "<sec><title>Funding</title><p>None was had.</p></sec></body>"
        "<back><ref-list><title>References</title><ref><mixed-citation>Bie B. Naps.</mixed-citation></ref></ref-list></back>"
    )
    assert [(item.kind, item.text) for item in paper.left_out] == [
        (Account.FRONT, "Oslo"),
        (Account.FOOTNOTE, "All of them."),
        (Account.STATEMENT, "Funding None was had."),
        (Account.REFERENCES, "References Bie B. Naps."),
    ]
    assert paper.sections_left_out == ("Funding", "References")


def test_what_no_reader_knows_is_told() -> None:
    paper = jats("<body><p>We asked nurses.</p></body><strange><p>Naps were longer on Mondays.</p></strange>")
    assert [(item.kind, item.text) for item in paper.left_out if item.kind is Account.UNPLACED] == [
        (Account.UNPLACED, "Naps were longer on Mondays.")
    ]
    assert ["Naps were longer on Mondays." in warning.message for warning in paper.warnings] == [True]


def test_passages_of_bioc_are_told() -> None:
    def passage(section: str, kind: str, text: str) -> dict[str, object]:
        return {"infons": {"section_type": section, "type": kind}, "text": text}

    passages = [
        passage("TITLE", "front", "Naps of nurses"),
        passage("METHODS", "title_1", "Methods"),
        passage("METHODS", "paragraph", "We asked nurses."),
        passage("METHODS", "title_1", "Funding"),
        passage("METHODS", "paragraph", "None was had."),
        passage("REF", "ref", "Bie B. Naps."),
    ]
    paper = read_paper(json.dumps({"documents": [{"passages": passages}]}).encode(), name="x.json")
    assert [(item.kind, item.text) for item in paper.left_out] == [
        (Account.STATEMENT, "Funding"),
        (Account.STATEMENT, "None was had."),
        (Account.REFERENCES, "Bie B. Naps."),
    ]


def test_sections_of_plain_text_are_told() -> None:
    paper = read_paper(
        b"Naps of nurses at night\n\nMethods\n\nWe asked nurses.\n\nFunding\n\nNone was had.\n", name="x.txt"
    )
    assert [(item.kind, item.text) for item in paper.left_out] == [
        (Account.STATEMENT, "Funding"),
        (Account.STATEMENT, "None was had."),
    ]


def test_what_is_put_back_stands_behind_the_text() -> None:
    text = b"Naps of nurses at night\n\nMethods\n\nWe asked nurses.\n\nFunding\n\nNone was had.\n"
    paper, back = read_paper(text, name="x.txt"), read_paper(text, name="x.txt", put_back=True)
    assert back.id != paper.id
    assert back.sentences[: len(paper.sentences)] == paper.sentences
    assert [s.text for s in back.pool[len(paper.pool) :]] == [
        "Left out, and put back by a reviewer",
        "Funding",
        "None was had.",
    ]
    assert not back.left_out
    assert all(back.text[s.start : s.end] == s.text for s in back.sentences)


# ---- Measured on real papers: annotated evidence is in the text, and two formats of a paper agree ----


def letters_and_digits(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def test_annotated_evidence_is_in_the_text(shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    folder = shared_data / "evidence_inference"
    spans: dict[str, set[str]] = {}
    for item in json.loads((folder / "items.json").read_text("utf-8")):
        spans.setdefault(item["pmcid"], set()).update(a["evidence"] for a in item["annotations"])
    found = total = 0
    for paper_id, evidence in spans.items():
        file = next((folder / "xml").glob(f"{paper_id}.*"))
        text = letters_and_digits(read_once(file).text)
        total += len(evidence)
        found += sum(letters_and_digits(span) in text for span in evidence)
    assert total > 1000
    assert found / total >= 0.995


PAPERS = ["ORT-1745-3674-81-405", "aas0055-0039", "apa0100-0653", "sobs89-975", "sonc50-621"]


def body_sentences(paper: Paper) -> set[str]:
    return {letters_and_digits(s.text) for s in paper.sentences if s.kind is Kind.BODY}


@pytest.mark.parametrize("name", PAPERS)
def test_jats_and_tei_of_a_paper_agree(shared_data: Path, read_once: Callable[[Path], Paper], name: str) -> None:
    jats, tei = (read_once(shared_data / "formats" / f"{name}.{kind}.xml") for kind in ("jats", "tei"))
    assert letters_and_digits(jats.title or "") == letters_and_digits(tei.title or "")
    assert jats.doi == tei.doi
    # GROBID misses headings and may change the order of two neighbouring subsections; the main parts stay in order.
    main = [[s.kind for s in paper.sections if s.level == 1 and s.title != "Title"] for paper in (jats, tei)]
    assert [kind for kind in main[0] if kind in main[1]] == main[1]
    titles = [[s.title.lower() for s in paper.sections] for paper in (jats, tei)]
    kept = [[title for title in own if title in other] for own, other in (titles, titles[::-1])]
    assert len(kept[1]) >= 3
    moved = sum(ours != theirs for ours, theirs in zip(*kept, strict=True))
    assert moved <= 2
    ours, theirs = body_sentences(jats), body_sentences(tei)
    assert len(ours & theirs) / min(len(ours), len(theirs)) >= 0.9
    assert len(ours & theirs) / len(ours) >= 0.9
