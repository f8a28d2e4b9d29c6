"""An evidence table of three papers and two hypotheses, made by hand."""

from __future__ import annotations

from core.bias.model import LOW
from core.bias.tools.rob2 import SOME_CONCERNS
from core.export.evidence_table import BiasCell, TableCell, TableRow
from core.findings.model import Effect, Finding, Passage
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict
from core.store.review_model import CellView, ReviewerVerdict, VerdictConsensus
from tests.core.export.reviews import HOSTILE

SLEEP, PAIN = "Tea improves sleep", "Tea lowers pain"
EFFECT = Effect("MD", -2.5, -3.75, -1.0, 95.0, "p = 0.01", "-2.5 (95% CI -3.75 to -1.0; p = 0.01)", 7)
SUPPORTS = Finding(
    "offline",
    SLEEP,
    PaperVerdict.SUPPORTS,
    "Two sentences of the results say so.",
    Passage(7, "=Sleep improved by -2.5 (95% CI -3.75 to -1.0; p = 0.01).", 4, "Results"),
    Passage(9, "It was the same at 24 weeks.", None, "Discussion"),
    EFFECT,
    cost_usd=0.25,
    prompts=(("finding", "a" * 64),),
    check="The sentence does not name the outcome: check.",
    probability=0.87,
)
NOT_REPORTED = Finding(
    "offline",
    PAIN,
    PaperVerdict.NOT_REPORTED,
    "No result is on pain.",
    probability=0.96,
    nearest=(Passage(3, "Pain was asked about at the start.", 2, "Methods"),),
)
SETTLED = CellView(
    ReviewerVerdict(
        "p", "x", PAIN, "Ann", PaperVerdict.SUPPORTS, Passage(10, "Pain fell.", 4, ""), "", "Plain enough."
    ),
    others=(ReviewerVerdict("p", "x", PAIN, "Ben", PaperVerdict.REFUTES),),
    consensus=VerdictConsensus(
        "p",
        "x",
        PAIN,
        PaperVerdict.MIXED,
        "Two scales disagree.",
        ("Ann", "Ben"),
        Passage(11, "It hurt less.", 5, "Results"),
        "p = 0.04",
    ),
    settled_by="Ben",
    by=("Ann", "Ben"),
    all_in=True,
)
NOT_JUDGED = Finding("bm25", PAIN, None, "No sentence comes close to the hypothesis.", cost_usd=None)
ROWS = (
    TableRow(
        "a" * 64,
        "Ito 2019",
        "Tea and sleep",
        "Sleep 2019;1:2",
        "10.1000/tea.1",
        ScreeningVerdict.INCLUDE,
        bias=BiasCell(SOME_CONCERNS),
        cells={SLEEP: TableCell(SUPPORTS), PAIN: TableCell(NOT_JUDGED)},
    ),
    TableRow(
        "b" * 64,
        HOSTILE,
        "=1+1",
        doi="javascript:alert(1)",
        screening=ScreeningVerdict.EXCLUDE,
        screening_note="+Wrong design",
        bias=BiasCell(LOW, "offline"),
        cells={SLEEP: TableCell(error="The model did not answer in time.")},
    ),
    TableRow("c" * 64, "Rossi 2020", screening_note="Ann and Ben differ", bias=BiasCell(why="Ann and Ben differ.")),
)
HYPOTHESES = (SLEEP, PAIN)
