"""What a file says is in the paper or left out under a name, in formats without pages too."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from core.paper import Account, Paper, read_paper

SAMPLES = Path(__file__).parents[3] / "sample_data"
MOST = 0.002  # of letters and digits: a broken sign may be repaired to another, and a short text be said twice


def letters(text: str) -> Counter[str]:
    return Counter(sign for sign in text.casefold() if sign.isalpha() or sign.isdecimal())


def lost(text: str, paper: Paper) -> float:
    """The share of the letters and digits of a text that are in no account of the paper."""
    own = "\n".join([paper.text, *(item.text for item in (*paper.left_out, *paper.set_aside))])
    wanted = letters(text)
    return (wanted - letters(own)).total() / wanted.total()


def read(file: Path) -> tuple[str, Paper]:
    data = file.read_bytes()
    root = etree.fromstring(data, etree.XMLParser(load_dtd=False, resolve_entities=False, recover=True))
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    said = {
        "".join(filter(str.isalnum, text.casefold())) for text in map(str, root.itertext())
    }  # each once: titles are repeated
    return " ".join(said), read_paper(data, name=file.name)


@pytest.mark.parametrize("name", ["leg-cramps.xml", "stair-climbing.tei.xml"])
def test_samples_add_up(name: str) -> None:
    text, paper = read(SAMPLES / name)
    assert lost(text, paper) <= MOST
    assert Account.UNPLACED not in {item.kind for item in paper.left_out}
    assert Account.REFERENCES in {item.kind for item in paper.left_out}


def test_published_files_add_up(shared_data: Path) -> None:
    files = [
        *(shared_data / "formats").glob("*.xml"),
        *sorted((shared_data / "evidence_inference" / "xml").glob("*.nxml"))[::40],
    ]
    assert len(files) > 15
    shares = {file.name: lost(*read(file)) for file in files}
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
