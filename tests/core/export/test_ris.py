"""References written as RIS, with decisions in their notes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.export.ris import DecidedReference, ris
from core.references import Reference, read_references
from core.screening.model import ScreeningVerdict

RIS = """TY  - CONF
AU  - Rossi, Ada
TI  - Naps in bees
PY  - 2020
UR  - https://hive.example/a;b
XX  - ours
N1  - A note.
N1  - Vouch: exclude by Ann (2026-01-01)
N1  - ASReview_irrelevant
ER  -\x20
"""


def read(text: str) -> list[Reference]:
    file = read_references(text.encode(), name="x.ris")
    assert not file.broken
    assert not file.doubts
    return [reference for _, reference in file.references]


def test_what_was_read_from_ris_is_written_as_it_was() -> None:
    assert ris(map(DecidedReference, read(RIS))) == RIS


def test_decisions_are_notes_and_replace_older_ones() -> None:
    [reference] = read(RIS)
    entry = DecidedReference(
        reference,
        notes=["include by Ann (2026-11-20)"],
        settled=ScreeningVerdict.INCLUDE,
        by_reviewer={"Ann": ScreeningVerdict.INCLUDE, 'B"o\n|': ScreeningVerdict.UNSURE},
        exclusion_reasons=["wrong population, age", "no trial"],
    )
    [back] = read(ris([entry]))
    assert back.fields["N1"] == (
        "A note.",
        "Vouch: include by Ann (2026-11-20)",
        "ASReview_relevant",
        'Vouch: RAYYAN-INCLUSION: {"Ann"=>"Included","B\'o \'"=>"Maybe"}'
        " | RAYYAN-EXCLUSION-REASONS: wrong population  age,no trial".replace("  ", " "),
    )
    assert {tag: values for tag, values in back.fields.items() if tag != "N1"} == {
        tag: values for tag, values in reference.fields.items() if tag != "N1"
    }


def test_unsure_is_no_label_of_asreview() -> None:
    text = ris([DecidedReference(Reference("Naps"), settled=ScreeningVerdict.UNSURE)])
    assert "ASReview" not in text


def test_what_was_read_from_other_formats_comes_back() -> None:
    nbib = (
        b"PMID- 77\nOWN - NLM\nDP  - 2020 Mar\nTI  - Naps in bees.\nLID - 10.1000/naps [doi]\nFAU - Rossi, Ada\nAU  - Rossi A\n"
        b"JT  - Hive\nVI  - 4\nSI  - ClinicalTrials.gov/NCT01234567\n"
    )
    table = b'Title,Authors,Year,DOI,PMID,Notes,Score\nNaps,"Rossi, A.; Ng, B.",2020,doi:10.1000/naps,77,mine,0.5\n'
    for data in (nbib, table):
        [(_, reference)] = read_references(data, name="x").references
        text = ris([DecidedReference(reference)])
        [back] = read(text)
        assert replace(back, fields={}) == replace(reference, fields={})
        assert "\nER  - \n" in text
    assert back.fields["N1"] == ("mine", "Other fields: Score: 0.5")


def test_values_that_look_like_tags_stay_values() -> None:
    hostile = Reference(
        "Naps\nER  - \nTY  - JOUR\nTI  - Evil", ("Rossi\rER  - ", "\u2028TY  - JOUR"), abstract="ER  - "
    )
    [back] = read(ris([DecidedReference(hostile, notes=["one\nER  - \ntwo"])]))
    assert back.title == "Naps ER - TY - JOUR TI - Evil"
    assert back.authors == ("Rossi ER -", "TY - JOUR")
    assert back.abstract == "ER -"
    assert back.fields["N1"] == ("Vouch: one ER - two",)


LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\nER -TYPMID"), min_size=1).filter(
    lambda text: bool(text.split())
)


@given(
    st.lists(
        st.builds(Reference, title=LINES, authors=st.lists(LINES, max_size=2).map(tuple), abstract=LINES), max_size=3
    )
)
def test_any_text_comes_back_on_one_line(references: list[Reference]) -> None:
    text = ris(map(DecidedReference, references))
    back = [reference for _, reference in read_references(text.encode(), name="x").references] if references else []
    assert [(r.title, list(r.authors), r.abstract) for r in back] == [
        (line(r.title), list(dict.fromkeys(map(line, r.authors))), line(r.abstract)) for r in references
    ]


def line(text: str) -> str:
    return " ".join(text.split())
