"""Drugs by the name of their class, and classes by the names of their drugs."""

from __future__ import annotations

import pytest

from core.evidence import engine_named
from core.evidence.model import PaperVerdict
from core.findings import find
from core.findings.claim import claim_of
from core.findings.drug_classes import names_used
from core.findings.topicality import missing_topics
from core.paper import Kind
from core.paper.draft import Block
from tests.core.evidence.papers import body, heading, paper_of


@pytest.mark.parametrize(
    ("topic", "text", "names"),
    [
        ("SGLT2 inhibitors", "Dapagliflozin was given beside metformin.", {"dapagliflozin"}),
        ("SGLT-2 inhibitors", "Gliflozins were compared.", {"gliflozins"}),
        ("statins", "Simvastatin, not nystatin or somatostatin.", {"simvastatin"}),
        ("Beta-blockers", "Metoprolol and carvedilol.", {"metoprolol", "carvedilol"}),
        ("β-blockers", "Bisoprolol.", {"bisoprolol"}),
        ("ACE inhibitors", "Ramipril was begun in April.", {"ramipril"}),
        ("angiotensin receptor blockers", "Candesartan.", {"candesartan"}),
        ("beta-agonists", "Salmeterol lowers no cholesterol.", {"salmeterol"}),
        ("cephalosporins", "Cefazolin; the cephalic vein.", {"cefazolin"}),
        ("proton pump inhibitors", "Omeprazole, not aripiprazole.", {"omeprazole"}),
        ("GLP-1 receptor agonists", "Semaglutide lowers a peptide.", {"semaglutide"}),
        ("monoclonal antibodies", "Denosumab.", {"denosumab"}),
        ("NSAIDs", "Ibuprofen, diclofenac and celecoxib.", {"ibuprofen", "diclofenac", "celecoxib"}),
        ("dapagliflozin 10 mg", "An SGLT2 inhibitor was given.", {"sglt2 inhibitor"}),
        ("antivirals", "Aciclovir (acyclovir) or valaciclovir.", {"aciclovir", "acyclovir", "valaciclovir"}),
        ("GnRH agonists", "Leuprolide, leuprorelin, goserelin.", {"leuprolide", "leuprorelin", "goserelin"}),
        ("GnRH agonists", "Ghrelin rose.", set()),
        # another drug of the class is another drug
        ("simvastatin", "Rosuvastatin was given.", set()),
        ("walking", "Simvastatin was given.", set()),
    ],
)
def test_names(topic: str, text: str, names: set[str]) -> None:
    assert names_used(topic, text) == names


STATIN = paper_of(
    Block(Kind.TITLE, "Simvastatin for honey bees"),
    heading("Results"),
    body("Memory was better with simvastatin than with placebo (P = 0.01)."),
    body("Flights did not differ (P = 0.7)."),
)


@pytest.mark.parametrize("engine", ["bm25", "offline"])
def test_a_paper_on_a_drug_is_on_its_class(engine: str) -> None:
    finding = find(STATIN, "Statins improve memory compared with placebo", engine=engine_named(engine))
    assert finding.verdict is PaperVerdict.SUPPORTS


def test_a_paper_on_another_class_is_set_aside() -> None:
    assert missing_topics(STATIN, claim_of("Fibrates improve memory"), "bm25") == ("Fibrates",)
    assert missing_topics(STATIN, claim_of("Statins improve memory"), "bm25") == ()
