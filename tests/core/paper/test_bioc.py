"""BioC, as XML and as JSON."""

from __future__ import annotations

import json

import pytest

from core.errors import DamagedFile
from core.paper import Format, Kind, Paper, SectionKind, read_paper

PASSAGES = [
    (
        {"section_type": "TITLE", "type": "front", "article-id_doi": "10.1000/made.up", "article-id_pmid": "77"},
        "Naps in bees",
    ),
    ({"section_type": "ABSTRACT", "type": "abstract_title_1"}, "Aim"),
    ({"section_type": "ABSTRACT", "type": "abstract"}, "To see bees nap. They do."),
    ({"section_type": "METHODS", "type": "title_1"}, "What we did"),
    ({"section_type": "METHODS", "type": "title_2"}, "Hives"),
    ({"section_type": "METHODS", "type": "paragraph"}, "Two hives."),
    ({"section_type": "TABLE", "type": "table_caption"}, "Naps by hive."),
    ({"section_type": "TABLE", "type": "table"}, "Hive\tNaps\nA\t3"),
    ({"section_type": "RESULTS", "type": "title_1"}, "Results"),
    ({"section_type": "RESULTS", "type": "paragraph"}, "They nap."),
    ({"section_type": "DISCUSS", "type": "title_1"}, "Funding"),
    ({"section_type": "DISCUSS", "type": "paragraph"}, "Honey."),
    ({"section_type": "REF", "type": "ref"}, "Bee A. 2001."),
]


def as_json() -> str:
    passages = [{"offset": 0, "infons": infons, "text": text} for infons, text in PASSAGES]
    return json.dumps([{"source": "PMC", "documents": [{"id": "1", "passages": passages}]}])


def as_xml() -> str:
    passages = "".join(
        "<passage>"
        + "".join(f'<infon key="{k}">{v}</infon>' for k, v in infons.items())
        + f"<text>{text}</text></passage>"
        for infons, text in PASSAGES
    )
    return (
        f"<?xml version='1.0'?><collection><source>PMC</source><document><id>1</id>{passages}</document></collection>"
    )


@pytest.mark.parametrize(("data", "format_"), [(as_json(), Format.BIOC_JSON), (as_xml(), Format.BIOC_XML)])
def test_both_forms_give_the_same_paper(data: str, format_: Format) -> None:
    paper = read_paper(data.encode(), name="bees")
    assert paper.format is format_
    check(paper)


def check(paper: Paper) -> None:
    assert (paper.title, paper.doi, paper.pmid) == ("Naps in bees", "10.1000/made.up", "77")
    assert [(s.title, s.kind, s.level) for s in paper.sections] == [
        ("Title", SectionKind.OTHER, 1),
        ("Abstract", SectionKind.ABSTRACT, 1),
        ("What we did", SectionKind.METHODS, 1),
        ("Hives", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
    ]
    assert [s.text for s in paper.sentences if s.kind is Kind.TABLE] == ["Hive | Naps", "A | 3"]
    assert paper.sections_left_out == ("Funding", "References")
    assert "Honey" not in paper.text


def test_cut_off_json_is_damaged() -> None:
    with pytest.raises(DamagedFile, match="cut off"):
        read_paper(as_json()[:-40].encode(), name="bees.json")


def test_authors_year_and_journal_are_those_of_the_front_and_not_of_a_reference() -> None:
    front = {
        "type": "front",
        "section_type": "TITLE",
        "year": "2020",
        "journal": "Hive Notes; 2020; 3(1)",
        "name_0": "surname:van der Bie;given-names:Ada J",
        "name_1": "surname:Rossi;given-names:K",
    }
    reference = {"type": "ref", "section_type": "REF", "year": "1999", "name_0": "surname:Other;given-names:A"}
    passages = [
        {"infons": front, "text": "Naps in bees"},
        {"infons": {"type": "paragraph", "section_type": "METHODS"}, "text": "Registered as NCT01234567."},
        {"infons": reference, "text": "Old naps. NCT09999999"},
    ]
    paper = read_paper(json.dumps({"documents": [{"passages": passages}]}).encode(), name="bees.json")
    assert paper.authors == ("Ada J van der Bie", "K Rossi")
    assert (paper.journal, paper.year, paper.registrations) == ("Hive Notes", 2020, ("NCT01234567",))


AUTO_CORPUS = [
    ("document title", ("document title",), "Naps in bees"),
    ("textual abstract section", ("Abstract", "Background"), "To see bees nap."),
    ("textual abstract section", ("Abstract", "Findings"), "They do."),
    ("keywords section", ("Keywords",), "bees; naps"),
    ("document part", ("Key points",), "Bees nap, say the editors."),
    ("introduction section", ("Introduction",), "Bees are busy."),
    ("methods section", ("What we did", "Hives"), "Two hives."),
    ("methods section", ("What we did", "Hives"), "Both were warm."),
    ("methods section", ("What we did", "Naps"), "We looked."),
    ("results section", ("Results",), "They nap."),
    ("document part", ("Funding",), "Honey."),
    ("references section", ("References",), "Bee A. 2001."),
]


def test_the_sections_of_auto_corpus_are_told_by_the_titles_above_each_text() -> None:
    passages = [
        {
            "offset": 0,
            "infons": {f"section_title_{n}": title for n, title in enumerate(titles, 1)}
            | {"iao_name_1": name, "iao_id_1": "IAO:0000000"},
            "text": text,
            "sentences": [],
            "annotations": [],
        }
        for name, titles, text in AUTO_CORPUS
    ]
    data = json.dumps(
        {"source": "Auto-CORPus (full-text)", "infons": {}, "documents": [{"id": "1", "passages": passages}]}
    )
    paper = read_paper(data.encode(), name="bees.json")
    assert paper.title == "Naps in bees"
    assert [(s.title, s.kind, s.level) for s in paper.sections] == [
        ("Title", SectionKind.OTHER, 1),
        ("Abstract", SectionKind.ABSTRACT, 1),
        ("Introduction", SectionKind.INTRODUCTION, 1),
        ("What we did", SectionKind.METHODS, 1),
        ("Hives", SectionKind.METHODS, 2),
        ("Naps", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
        ("Key points", SectionKind.ABOUT, 1),
    ]
    assert [s.text for s in paper.sentences if s.kind is Kind.ABSTRACT] == ["To see bees nap.", "They do."]
    assert [s.text for s in paper.sentences if s.kind is Kind.BODY] == [
        "Bees are busy.", "Two hives.", "Both were warm.", "We looked.", "They nap.", "Bees nap, say the editors.",
    ]  # fmt: skip
    assert paper.sections_left_out == ("Keywords", "Funding", "References")
