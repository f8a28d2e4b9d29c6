"""Registration numbers of trials."""

from __future__ import annotations

import pytest

from core.paper import read_paper
from core.paper.registrations import registrations_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(ClinicalTrials.gov number, NCT01234567.)", "NCT01234567"),
        ("NCT 0123-4567", "NCT01234567"),
        ("nct#01234567", "NCT01234567"),
        ("ISRCTN 12345678", "ISRCTN12345678"),
        ("ISRCTN registry number: 12345678", "ISRCTN12345678"),
        ("EudraCT number 2008–007149–30", "2008-007149-30"),
        ("EudraCT 2008-007149-30-GB", "2008-007149-30"),
        ("EU CT 2022-501234-12-00", "2022-501234-12-00"),
        ("UMIN-CTR ID: UMIN000012345", "UMIN000012345"),
        ("UMIN Clinical Trials Registry", None),
        ("ACTRN: 12605000000606p", "ACTRN12605000000606"),
        ("ChiCTR-TRC-10001234", "ChiCTR-TRC-10001234"),
        ("ChiCTR 1900022345", "ChiCTR1900022345"),
        ("CTRI / 2018/01/011234", "CTRI/2018/01/011234"),
        ("DRKS-ID: DRKS00012345", "DRKS00012345"),
        ("Dutch Trial Register (NTR 1234)", "NTR1234"),
        ("trialregister.nl, NL7654", "NL7654"),
        ("NTR 1234 mice", None),
        ("registered address: NL12345", None),
        ("IRCT 20130812014333N45", "IRCT20130812014333N45"),
        ("KCT0001234", "KCT0001234"),
        ("TCTR20180101001", "TCTR20180101001"),
        ("PACTR201801001234567", "PACTR201801001234567"),
        ("RBR-9k2bhy", "RBR-9k2bhy"),
        ("jRCTs031180123", "jRCTs031180123"),
        ("JapicCTI-123456", "JapicCTI-123456"),
        ("SLCTR/2018/012", "SLCTR/2018/012"),
        ("PROSPERO (CRD42014012345)", "CRD42014012345"),
        ("LBCTR2020012345", "LBCTR2020012345"),
        ("RPCEC00000123", "RPCEC00000123"),
        ("NCT012345678", None),  # a digit too many
        ("tel. 2008-007149-3", None),
        ("a dose of 12345678 units", None),
    ],
)
def test_the_look_of_each_register(text: str, number: str | None) -> None:
    assert registrations_in(text) == (() if number is None else (number,))


def test_order_of_first_mention_and_each_once() -> None:
    text = "ISRCTN12345678, NCT01234567, ISRCTN 12345678"
    assert registrations_in(text) == ("ISRCTN12345678", "NCT01234567")


PAPER = """# Naps in bees: a trial

## Abstract

{abstract}

## Methods

{methods}

## Discussion

Our result agrees with that of the registered trial NCT09999999.

## References

1. Bee A. Hive. ClinicalTrials.gov NCT08888888.
"""


@pytest.mark.parametrize(
    ("abstract", "methods", "numbers"),
    [
        ("Bees nap (NCT01111111).", "As in NCT07777777, bees napped.", ("NCT01111111",)),
        ("Bees nap.", "It was registered (NCT01111111). Another did so too (NCT07777777).", ("NCT01111111",)),
        ("NCT01111111.", "It was registered as EudraCT 2008-007149-30.", ("NCT01111111", "2008-007149-30")),
        ("Bees nap.", "Bees were those of NCT01111111.", ("NCT01111111",)),
        ("Bees nap.", "Bees napped.", ()),
    ],
)
def test_a_papers_own_number_and_not_those_that_it_cites(abstract: str, methods: str, numbers: tuple[str, ...]) -> None:
    paper = read_paper(PAPER.format(abstract=abstract, methods=methods).encode(), name="bees.md")
    assert paper.registrations == numbers
