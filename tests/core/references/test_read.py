"""References read from RIS, NBIB and CSV, and what is wrong in them; DOIs, PMIDs and years."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ReferencesError
from core.references import Reference, ReferenceFile, read_references
from core.references.model import bare_doi, bare_pmid, year_in

# ---- DOIs, PMIDs and years, as files write them ----


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000/ABC", "10.1000/abc"),
        ("https://doi.org/10.1000/abc.", "10.1000/abc"),
        ("http://dx.doi.org/10.1000/abc", "10.1000/abc"),
        ("doi:10.1000/abc", "10.1000/abc"),
        ("DOI: https://doi.org/10.1000/abc", "10.1000/abc"),
        ("10.1000/abc [doi]", "10.1000/abc"),
        ("https://doi.org/10.1000%2Fabc", "10.1000/abc"),
        ("10.1002/(SICI)1(19980815)17:15<1661::AID>3.0.CO;2-2", "10.1002/(sici)1(19980815)17:15<1661::aid>3.0.co;2-2"),
        ("10.1016/S0140-6736(20)30183-5", "10.1016/s0140-6736(20)30183-5"),
        ("10.1000/abc)", "10.1000/abc"),
        ("10.1000/abc(1)", "10.1000/abc(1)"),
        ("10.1000/abc and more", None),
        ("10.1000/", None),
        ("11.1000/abc", None),
        ("n/a", None),
        ("", None),
    ],
)
def test_bare_doi(text: str, doi: str | None) -> None:
    assert bare_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "pmid"), [("123", "123"), ("PMID: 123", "123"), ("00123", "123"), ("123.0", "123"), ("0", None), ("PMC12", None), ("12a", None)]
)  # fmt: skip
def test_bare_pmid(text: str, pmid: str | None) -> None:
    assert bare_pmid(text) == pmid


@pytest.mark.parametrize(
    ("text", "year"), [("2020", 2020), ("15 March 2020", 2020), ("2020//", 2020), ("1499", None), ("20201", None), ("in press", None)]
)  # fmt: skip
def test_year_in(text: str, year: int | None) -> None:
    assert year_in(text) == year


# ---- References read from RIS, NBIB and CSV, and what is wrong in them ----

GOOD = "TY  - JOUR\nTI  - Naps in honey bees\nER  - \n"


def read(text: str | bytes) -> ReferenceFile:
    return read_references(text.encode() if isinstance(text, str) else text, name="file")


def only(text: str | bytes) -> Reference:
    file = read(text)
    assert not file.broken
    [(number, reference)] = file.references
    assert number == 1
    return reference


def reasons(file: ReferenceFile) -> list[tuple[str, str]]:
    """Places, and the first sentence of each reason."""
    return [(one.place, one.reason.partition(". ")[0]) for one in (*file.broken, *file.doubts)]


RIS = """Provider: A Library
TY  - JOUR
AU  - Rossi, Ada
A1  - Ng, Bo
TI  - Naps in
  honey bees
T2  - Hive Notes
PY  - 2020/03/15/
DO  - https://doi.org/10.1000/NAPS.1
AB  - We tried naps.

They help (NCT01234567).
KW  - bees
KW  - naps
DB  - MEDLINE
AN  - 31234567
UR  - https://hive.example/a;b
ER  - """


def test_ris() -> None:
    reference = only(RIS)
    assert reference.title == "Naps in honey bees"
    assert reference.authors == ("Rossi, Ada", "Ng, Bo")
    assert (reference.year, reference.journal) == (2020, "Hive Notes")
    assert (reference.doi, reference.pmid) == ("10.1000/naps.1", "31234567")
    assert reference.abstract == "We tried naps. They help (NCT01234567)."
    assert reference.registrations == ("NCT01234567",)
    assert reference.fields["KW"] == ("bees", "naps")
    assert reference.fields["UR"] == ("https://hive.example/a;b",)
    assert reference.fields["TY"] == ("JOUR",)


NBIB = """PMID- 31234567
OWN - NLM
DP  - 2020 Mar 15
TI  - Naps in honey
      bees.
LID - S0000-0000(20)30000-1 [pii]
LID - 10.1000/naps.1 [doi]
AB  - BACKGROUND: Bees - busy.
FAU - Rossi, Ada
AU  - Rossi A
JT  - Hive notes
TA  - Hive N
SI  - ClinicalTrials.gov/NCT01234567

PMID- 31234568
TI  - Another.
AU  - Ng B
"""


def test_nbib() -> None:
    file = read(NBIB)
    first, second = (reference for _, reference in file.references)
    assert first.title == "Naps in honey bees."
    assert first.authors == ("Rossi, Ada",)
    assert (first.year, first.journal, first.doi, first.pmid) == (2020, "Hive notes", "10.1000/naps.1", "31234567")
    assert first.registrations == ("NCT01234567",)
    assert first.abstract == "BACKGROUND: Bees - busy."
    assert (second.authors, second.pmid) == (("Ng B",), "31234568")
    assert not file.broken
    assert not file.doubts


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("title,authors,year,doi,pmid,abstract", '"Naps, long","Rossi, A.; Ng, B.",2020,10.1000/naps,31,"A ""nap""."'),
        ("Title;Authors;Year;DOI;PMID;Abstract", "Naps, long;Rossi, A.//Ng, B.;2020;10.1000/naps;31;A \"nap\"."),
        ("Title\tAuthor\tPublication Year\tDOI\tPubMed ID\tAbstract Note",
         'Naps, long\tRossi, A.; Ng, B.\t2020\thttps://doi.org/10.1000/Naps\t31\tA "nap".'),  # Zotero's names
        ("key,title,authors,year,doi,pubmed_id,abstract",
         '1,"Naps, long","Rossi, A., Ng, B.",2020,doi:10.1000/naps,31,"A ""nap""."'),  # Rayyan's
        ("Title,Authors,Published Year,DOI,PMID,Abstract,Notes",
         '"Naps, long","Rossi, A. and Ng, B.",2020-01,10.1000/naps,31.0,"A ""nap"".",'),  # Covidence's
    ],
)  # fmt: skip
def test_tables(header: str, row: str) -> None:
    reference = only(f"{header}\r\n{row}\r\n")
    assert reference.title == "Naps, long"
    assert reference.authors == ("Rossi, A.", "Ng, B.")
    assert (reference.year, reference.doi, reference.pmid) == (2020, "10.1000/naps", "31")
    assert reference.abstract == 'A "nap".'
    assert set(reference.fields) <= set(header.replace(";", ",").replace("\t", ",").split(","))


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("Rossi A, Ng B and Li C", ("Rossi A", "Ng B", "Li C")),
        ("Ada Rossi, Bo Ng, and Cy Li", ("Ada Rossi", "Bo Ng", "Cy Li")),
        ("Rossi, A., Ng, B. and Li, C.", ("Rossi, A.", "Ng, B.", "Li, C.")),
        ("de Rossi, Ada Maria and Ng, Bo", ("de Rossi, Ada Maria", "Ng, Bo")),
        ("Ada Rossi and Bo Ng and Cy Li", ("Ada Rossi", "Bo Ng", "Cy Li")),
        ("Rossi A", ("Rossi A",)),
        ("Rossi, Ada", ("Rossi, Ada",)),
    ],
)
def test_the_authors_in_one_cell(cell: str, people: tuple[str, ...]) -> None:
    assert only(f'title,authors\n"Naps, long","{cell}"\n').authors == people


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, end: str) -> None:
    text = "TY  - JOUR\nTI  - Sieste chez l'abeille étudiée\nER  - \n".replace("\n", end)
    file = read(text.encode(encoding))
    assert [reference.title for _, reference in file.references] == ["Sieste chez l'abeille étudiée"]
    assert bool(file.doubts) == (encoding == "latin-1")


def test_wrong_ris_entries_are_reported_and_the_others_read() -> None:
    file = read(
        "TY  - JOUR\nTI  - One\nER  - \n"
        "\nWhat is this?\n"
        "TY  - JOUR\nTI  - No end\n"
        "TY  - JOUR\nTI  - Three\nDO  - on request\nPY  - soon\nER  - \n"
        "TI  - No beginning\nER  - \n"
        "TY  - JOUR\nTI  - \nAU  - Ng, Bo\nER  - \n"
        "TY  - JOUR\nTI  - Six\nER  -\n\n"
        "TY  - JOUR\nTI  - Cut o"
    )
    assert [(number, reference.title) for number, reference in file.references] == [
        (1, "One"),
        (3, "Three"),
        (6, "Six"),
    ]
    assert reasons(file) == [
        ("record 2, line 6", "It has no end tag (ER), so it may be cut off"),
        ("record 4, line 13", "It does not begin with TY"),
        ("record 5, line 15", "It has no title"),
        ("record 7, line 23", "It has no end tag (ER), so it may be cut off"),
        ("line 5", "This line belongs to no record"),
        ("record 3, line 8", "“on request” is no DOI"),
        ("record 3, line 8", "“soon” is no year"),
    ]
    assert (file.references[1][1].doi, file.references[1][1].year) == (None, None)


def test_a_file_whose_program_writes_no_end_tags_is_read_with_a_doubt() -> None:
    file = read("TY  - JOUR\nTI  - One\n\nTY  - JOUR\nTI  - Two\n")
    assert [reference.title for _, reference in file.references] == ["One", "Two"]
    assert [one.place for one in file.doubts] == ["the file"]


def test_what_only_looks_like_an_end_tag_is_text() -> None:
    assert only("TY  - JOUR\nTI  - Naps\nAB  - The receptor\nER  - positive ones\nER  - \n").abstract == (
        "The receptor ER - positive ones"
    )


def test_tags_with_one_space_or_a_tab() -> None:
    assert only("TY - JOUR\nTI - Naps: IL-6\nPY\t- 2020\nER -\n").year == 2020


def test_numbers_between_records_and_files_put_together_are_no_fault() -> None:
    file = read(f"1.\n{GOOD}2.\n\ufeff{GOOD}")
    assert len(file.references) == 2
    assert not file.broken
    assert not file.doubts


def test_wrong_rows_are_reported_and_the_others_read() -> None:
    file = read('title,year,doi\nOne,2020,\nTwo,2020\n,2020,\n"Open,2020,\nFive,20,\n,,\nSix,2021,x,y\nSeven,2021,,,\n')
    assert [(number, reference.title) for number, reference in file.references] == [
        (1, "One"),
        (5, "Five"),
        (7, "Seven"),
    ]
    assert reasons(file) == [
        ("row 2, line 3", "It has 2 cells, and the header has 3"),
        ("row 3, line 4", "It has no title"),
        ("row 4, line 5", "A quotation mark in it is not closed"),
        ("row 6, line 8", "It has 4 cells, and the header has 3"),
        ("row 5, line 6", "“20” is no year"),
    ]


def test_the_line_that_tells_excel_the_separator() -> None:
    assert only("sep=;\nTitle;DOI\nNaps;10.1000/naps\n").doi == "10.1000/naps"


def test_cells_may_hold_lines() -> None:
    file = read('title,abstract\nOne,"First\nsecond"\nTwo,\n')
    assert [reference.abstract for _, reference in file.references] == ["First second", ""]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b" \n", "is empty"),
        (b"%PDF-1.7 ...", "is a PDF"),
        (b"PK\x03\x04 ...", "Excel"),
        (b"\x00\x01\x02\x03" * 50, "binary"),
        (b"<!DOCTYPE html><html><body>503</body></html>", "a web page"),
        (b"<?xml version='1.0'?><xml><records/></xml>", "XML"),
        (b"@article{rossi2020,\n title={Naps},\n}", "BibTeX"),
        (b"% Exported\n@article{rossi2020,\n title={Naps},\n}", "BibTeX"),
        (b'[{"title": "Naps"}]', "JSON"),
        (b"%0 Journal Article\n%T Naps\n", "EndNote"),
        (b"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Rossi, A\n", "Web of Science"),
        (b"Naps in bees\nA trial.", "holds no references"),
        (b"name,age\nAda,3\n", "“title” among them"),
        (b"title,doi\n", "holds no reference that could be read"),
        (b"TY  - JOUR\nAU  - Ng, Bo\nER  - \n", "record 1, line 1. It has no title."),
    ],
)
def test_files_that_hold_no_references(data: bytes, said: str) -> None:
    with pytest.raises(ReferencesError, match="file") as caught:
        read(data)
    assert said in str(caught.value)


def test_the_pmid_of_a_note_or_a_link() -> None:
    assert only("TY  - JOUR\nTI  - Naps\nN1  - PMID: 77 PMCID: PMC8\nER  - ").pmid == "77"
    assert only("TY  - JOUR\nTI  - Naps\nUR  - https://pubmed.ncbi.nlm.nih.gov/78/\nER  - ").pmid == "78"
    assert only("TY  - JOUR\nTI  - Naps\nN1  - Comment in: Ng B. PMID: 77\nAN  - 79\nER  - ").pmid is None


def test_the_doi_of_a_note_or_a_link() -> None:
    assert only(
        "TY  - JOUR\nTI  - Naps\nN1  - Accession Number: 2. Language: English. DOI: 10.1000/Naps. \nER  - "
    ).doi == ("10.1000/naps")
    assert only("TY  - JOUR\nTI  - Naps\nN1  - A comment on DOI: 10.1000/other\nER  - ").doi is None
    assert only("TY  - JOUR\nTI  - Naps\nUR  - http://dx.doi.org/10.1000%2FNaps\nER  - ").doi == "10.1000/naps"


PIECES = [
    "TY  - JOUR",
    "TI  - Naps",
    "ER  - ",
    "ER  -",
    "PMID- 1",
    "TI  -",
    "title,doi",
    '"',
    ",",
    "\n",
    "\r",
    " ",
    "x",
    "\ufeff",
    "\0",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map("".join) | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for data in (text.encode("utf-8", "replace"), text.encode("utf-16", "replace"), text.encode("latin-1", "replace")):
        try:
            file = read(data)
        except ReferencesError:
            continue
        assert file.references
        assert all(reference.title for _, reference in file.references)
        numbers = [number for number, _ in file.references]
        assert numbers == sorted(set(numbers))
