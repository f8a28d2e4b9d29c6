"""A project of many papers that the queue has answered, made without reading or asking: for tests of speed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from core.bias import tool_named
from core.bias.model import HIGH, LOW, Judgement, Support
from core.evidence.model import EvidenceSentence
from core.findings.model import Finding, Passage
from core.grounding.model import PaperVerdict
from core.paper import read_paper
from core.references import Reference
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit
from core.store import (
    Project,
    ProjectState,
    ReviewerJudgement,
    Saved,
    Store,
    StoredCriterion,
    StoredFinding,
    StoredPaper,
    StoredReference,
    StoredSuggestion,
)
from core.store.model import R
from tests.core.review.papers import trial

CRITERIA = tuple(Criterion(CriterionKind.OWN, f"Followed up for {weeks} weeks") for weeks in range(1, 4))
HYPOTHESES = ("Walking improves sleep", "Walking is easy to do")
DOMAINS = tuple(domain.id for domain in tool_named("rob1").domains)
SUPPORT = tuple(Support(index, round(1 / (index + 1), 6)) for index in range(5))
WHY = (
    "Reports a statistical test; stands in the results; compares groups; adds figures not given before (104, 54, 6.4)."
)
CHOSEN = tuple(EvidenceSentence(index, round(1 / (index + 1), 6), rationale=WHY) for index in range(10))
ABSTRACT = "Adults walked in the evening, and slept. " * 45
WORDS = "sleep walking town adults garden river winter music bread letter cloud stone market horse paper window".split()


def fill(store: Store, *, papers: int) -> Project:
    """So many papers, each with its reference and with every answer of the plan; a tenth of the references has no paper."""
    project = Project(
        "large", "Walking in many towns", ("Ann", "Ben"), "rob1", blind=False, criteria=CRITERIA, hypotheses=HYPOTHESES
    )  # fmt: skip
    numbers = range(papers)
    ids = [f"{number:064x}" for number in numbers]
    state = ProjectState(
        _saved(project),
        tuple(_saved(paper(project.id, id, number), number) for number, id in enumerate(ids)),
        tuple(
            _saved(ReviewerJudgement(project.id, id, project.tool, domain, name, level))
            for name, every, level in (("Ann", 3, LOW), ("Ben", 6, HIGH))
            for id in ids[::every]
            for domain in DOMAINS
        ),
        tuple(
            _saved(
                StoredSuggestion(
                    project.id, id, project.tool, "offline", Judgement(domain, LOW, "By a computer.", SUPPORT)
                )
            )
            for id in ids
            for domain in DOMAINS
        ),
        (),
        (),
        (),
        references=tuple(
            _saved(reference(project.id, number, ids[number] if number % 10 else None), number) for number in numbers
        ),
        findings=tuple(_saved(finding(project.id, id, hypothesis)) for id in ids for hypothesis in HYPOTHESES),
        criteria=tuple(
            _saved(
                StoredCriterion(project.id, id, CriterionSuggestion("offline", one.id, Fit.MET, "The methods say so."))
            )
            for id in ids
            for one in CRITERIA
        ),
    )
    with store.writing("Ann") as change:
        change.import_project(state)
        for id in ids:
            change.keep_text(project.id, id, replace(read_paper(trial(0), name="trial.md"), id=id))
    return project


def _saved(record: R, number: int = 0) -> Saved[R]:
    came = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number)
    return Saved(record, 1, "Ann", came, came)


def finding(project: str, id: str, hypothesis: str) -> StoredFinding:
    said = Passage(3, "Walking improved sleep significantly in adults.", None, "Results")
    return StoredFinding(
        project, id, Finding("offline", hypothesis, PaperVerdict.SUPPORTS, "One sentence supports it.", said, sentences=CHOSEN)
    )  # fmt: skip


def paper(project: str, id: str, number: int) -> StoredPaper:
    return StoredPaper(
        project, id, f"{number}.md", title(number), f"Author{number} A et al. · Journal of Sleep 20{number % 20:02}",
        f"Author{number} et al.", year=2000 + number % 20, authors=(f"Ann Author{number}", "Ben Other"),
        doi=f"10.1000/{number}", abstract=ABSTRACT,
    )  # fmt: skip


def reference(project: str, number: int, paper: str | None) -> StoredReference:
    said = Reference(
        title(number), (f"Author{number}, Ann",), 2000 + number % 20, "Journal of Sleep", f"10.1000/{number}",
        abstract=ABSTRACT, fields={"AB": (ABSTRACT,), "TI": (title(number),)},
    )  # fmt: skip
    return StoredReference(project, f"export-{number}", "export.ris", number + 1, said, paper, "DOI" if paper else "")


def title(number: int) -> str:
    words = (WORDS[number % 16], WORDS[number // 16 % 16], WORDS[number * 7 % 16])
    return f"{' and '.join(words)} in town {number}: a randomised trial".capitalize()
