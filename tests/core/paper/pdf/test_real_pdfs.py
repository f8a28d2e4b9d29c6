"""Seven published trial reports from six publishers, checked by hand against their pages."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core.paper import Kind, Paper, SectionKind, read_paper


@dataclass(frozen=True)
class Expected:
    """What a reader of the printed page sees; phrases stand within one sentence and are a few words long."""

    doi: str
    title: str  # its first words
    sections: str  # the initials of the kinds of its first-level sections
    sentences: tuple[int, int]  # in the abstract, in the body
    ends: tuple[tuple[str, str, str], ...]  # section title, first words, last words
    phrases: tuple[str, ...]
    absent: tuple[str, ...]
    cells: tuple[str, ...] = ()
    warnings: frozenset[tuple[str, int]] = frozenset()


EXPECTED = {
    "PMC4655321": Expected(
        "10.1016/S0140-6736(15)00257-3",
        "Spironolactone versus placebo, bisoprolol, and doxazosin",
        "AIMRD",
        (18, 168),
        (
            ("Introduction", "Resistant hypertension, defined as", "could be discovered."),
            ("Randomisation and masking", "The full trial protocol", "to their sequence allocation."),
            ("Results", "Between May 15, 2009,", "maximum of 6·5 mmol/L."),
            ("Discussion", "PATHWAY-2 is the first", "at an earlier stage."),
        ),
        (
            "diabetes, chronic kidney disease, and obesity.[1,2]",
            "heterogeneous state, with average responses",
            "(or ≥135 mm Hg for patients with diabetes)",
            "to move to the next drug in sequence",
            "(1) spironolactone 25–50 mg, (2) doxazosin",
            "the α1-adrenoceptor blocker, doxazosin",
            "significant by (2) the difference",
            "was superior to placebo (–8·70 mm Hg",
            "to compare different blood pressure-lowering treatments",
            "renal impairment, hyperkalaemia",
        ),
        ("www.thelancet.com", "Articles", "University of Dundee", "defi ned", "Correspondence to"),
        ("Age (years) | 61·4 (9·6)",),
    ),
    "PMC7068068": Expected(
        "10.1002/clc.23309",
        "Efficacy and safety of dronedarone",
        "AIMRDD",
        (12, 77),
        (
            ("INTRODUCTION", "Antiarrhythmic drugs (AADs) have", "in the ATHENA study."),
            ("Safety", "TEAEs occurred in 83.1%", "(P = .14)."),
            ("CONCLUSION", "In this post hoc", "adequately sized prospective studies."),
        ),
        (
            "first-line treatment for maintenance",
            "Heart Rhythm Society (HRS) AF guidelines.[1,2]",
            "either spontaneously or after electrical or pharmacologic",
            "(38.9%) randomized to dronedarone and",
            "≥75 years old or ≥70 years old",
            "two sudden cardiac deaths, and one case",
            "randomized to dronedarone, this outcome",
            "ablation and medical therapy arms highlights",
            "(HR: 0.65 [95% CI: 0.42, 1.00], P < .05",
            "are not mutually exclusive.[1,2,5]",
        ),
        ("VAMOS", "wileyonlinelibrary", "Correspondence", "Number at risk", "Sanofi-Aventis, Paris"),
        ("White | 77 (85.6) | 96 (90.6) | 1982 (90.0) | 1965 (89.0)",),
    ),
    "PMC7594536": Expected(
        "10.1161/CIRCULATIONAHA.120.048739",
        "Renal and Cardiovascular Effects of SGLT2 Inhibition",
        "AIMRD",
        (12, 175),
        (
            ("Study Design", "The study was approved", "to the treatment order."),
            ("Baseline Characteristics", "Recruitment is summarized in", "were no participant dropouts."),
            ("Conclusions", "In the RECEDE-CHF trial,", "beneficial role in HF."),
        ),
        (
            "SGLT2 (sodium-glucose cotransporter-2) inhibitors have demonstrated",
            "the majority (≈90%) of the filtered glucose",
            "hospitalization for heart failure (HF).[1–3]",
            "mechanistic studies are required to understand",
            "returned at 3±2 days",
            "(α=0.05) to detect a 20% increase",
            "300 µmol/min (SD 60).[12]",
            "87% were taking β-blockers",
            "Griffin et al[18] recently",
            "(mean difference, 535 mL [95% CI, 133–936]; P=0.005)",
        ),
        (
            "ORIGINAL RESEARCH",
            "Mordi et al",
            "Circulation. 2020",
            "contributed equally",
            "Data Supplement is available",
        ),
        ("β-blocker | 20 (87.0)",),
    ),
    "PMC7864599": Expected(
        "10.1161/CIRCULATIONAHA.120.052186",
        "Effect of Empagliflozin on Left Ventricular Volumes",
        "AIMRD",
        (16, 106),
        (
            ("Introduction", "Adverse left ventricular remodeling,", "2 diabetes or prediabetes."),
            ("Randomization and Stratification", "Patients were randomly assigned", "or prediabetes status."),
            ("Limitations", "We did not include", "of clinical trials."),
        ),
        (
            "slow the progression of, or even reverse, remodeling",
            "Effects of Empagliflozin on Cardiac Structure",
            "glycohemoglobin ≥48 mmol/mol [≥6.5%]",
            "left ventricular ejection fraction (LVEF) ≤40%",
            "and (2) left ventricular global longitudinal strain",
            "CI, –10.8 to –1.2) mL/m2 (P=0.015)",
            "Only 1 prior trial has examined",
            "SHIFT (Systolic Heart Failure Treatment With",
            "the Data Supplement).[15–17]",
            "N-terminal pro-B-type natriuretic peptide by 28%",
        ),
        ("ORIGINAL RESEARCH", "Lee et al Empagliflozin", "Editorial, see", "Key Words", "The full author list"),
        ("Male, n (%) | 77 (73.3) | 34 (65.4) | 43 (81.1)",),
    ),
    "PMC9669535": Expected(
        "10.1186/s13098-022-00951-5",
        "The effect of EMPAgliflozin on markers of inflammation",
        "AIMRDD",
        (13, 166),
        (
            ("Introduction", "Type 2 diabetes mellitus", "artery disease (CAD)."),
            ("Trial design", "The study protocol has", "from all patients."),
            ("Adverse events", "No serious drug related", "and placebo groups."),
        ),
        (
            "anti-inflammatory effects of empagliflozin.",
            "patients with T2DM and CAD, 6-month treatment",
            "interleukin 1β (IL-1β) and high-sensitive",
            "body mass index (BMI)≥40",
            "8× 10^5 cells per tube",
            "centrifuged at 3500 rpm",
            "FITC-conjugated anti-P-selectin Ab",
            "0.5×SD [12]",
            "N-2-Hydroxyethylpiperazine-N",
            "(− 1.80; − 0.32), P=0.006",
        ),
        ("Gohari et al. Diabetology", "Page 5 of", "Open Access", "Mousavi Hospital, Zanjan University", "Keywords"),
        ("HTN | 44 (93.6%) | 43 (89.6%) | 0.714",),
    ),
    "38914124pmid": Expected(
        "10.1038/s41591-024-03133-0",
        "Effects of semaglutide with and without",
        "AIRDM",
        (12, 182),
        (
            ("Introduction", "People with type 2", "initiated after randomization."),
            ("Discussion", "In a prespecified analysis", "T2D and CKD."),
            ("Methods", "The design and main", "trial was completed."),
        ),
        (
            "chronic kidney disease (CKD) exhibit a high risk",
            "powered for CV outcomes as primary and kidney outcomes",
            "as secondary[1,2].",
            "≥50% estimated glomerular filtration rate reduction",
            "ml min−1/1.73 m2",
            "is shown in Extended Data Fig. 1.",
            "death (Fig. 1b) occurred in the subgroup",
            "once-weekly subcutaneous semaglutide (1.0 mg)",
            "blood pressure and HbA1c[18–21].",
            "urine albumin-to-creatinine ratio (UACR)",
        ),
        ("Nature Medicine |", "Check for updates", "Received: 17 May", "e-mail", "KfH Kidney Centre"),
        ("P value | <0.001 | <0.001",),
        frozenset({("page-without-text", 21), ("page-without-text", 22)}),
    ),
    "PMC12113407": Expected(
        "10.3390/life15050802",
        "Empagliflozin Leads to Faster Improvement",
        "AIMRDD",
        (9, 90),
        (
            ("Endpoints", "The aim of this", "changes in metabolic parameters."),
            ("Statistical Analysis", "Statistical analysis was performed", "significance between groups."),
            ("Conclusions", "Short-term treatment with SGLT2", "the clinical setting."),
        ),
        (
            "carotid–femoral pulse wave velocity (cf-PWV)",
            "to compare the acute effect on cf-PWV",
            "BMI < 40 kg/m2, (c) HbA1c",
            "with stable hypertension (<140/90 mmHg)",
            "stored at −80 °C",
            "The last 10 cardiac complexes",
            "The operator also used a tape",
            "(all p > 0.05)",
            "net change (∆) in cf-PWV",
            "The dapagliflozin group did not show",
        ),
        ("Life 2025", "FOR PEER REVIEW", "Academic Editor", "Licensee MDPI", "of 12"),
        ("Man | 5 (50%) | 4 (40%) | 3 (30%)",),
    ),
}
KINDS = {
    "A": SectionKind.ABSTRACT, "I": SectionKind.INTRODUCTION, "M": SectionKind.METHODS,
    "R": SectionKind.RESULTS, "D": SectionKind.DISCUSSION,
}  # fmt: skip


@cache
def content(folder: Path, name: str) -> bytes:
    return (folder / "pdf" / f"{name}.pdf").read_bytes()


@cache
def read(folder: Path, name: str) -> Paper:
    return read_paper(content(folder, name), name=f"{name}.pdf")


def prose(paper: Paper, kind: Kind) -> list[str]:
    return [s.text for s in paper.sentences if s.kind is kind]


@pytest.mark.parametrize("name", EXPECTED)
def test_identity_and_offsets(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    assert paper.doi == EXPECTED[name].doi
    assert (paper.title or "").startswith(EXPECTED[name].title)
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    pages = [s.page for s in paper.sentences if s.kind is Kind.BODY]
    assert None not in pages
    assert {(w.kind, w.page) for w in paper.warnings} == EXPECTED[name].warnings


@pytest.mark.parametrize("name", EXPECTED)
def test_sections_and_their_first_and_last_words(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    main = [s.kind for s in paper.sections if s.level == 1 and s.title != "Title"]
    assert main == [KINDS[letter] for letter in EXPECTED[name].sections]
    for title, first, last in EXPECTED[name].ends:
        section = next(s for s in paper.sections if s.title == title)
        # A section's own text, without the boxes and subsections below it.
        text = [s.text for s in paper.sentences_of(section) if s.kind in {Kind.BODY, Kind.ABSTRACT}]
        assert text[0].startswith(first)
        assert text[-1].endswith(last)


@pytest.mark.parametrize("name", EXPECTED)
def test_number_of_sentences(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    for kind, expected in zip((Kind.ABSTRACT, Kind.BODY), EXPECTED[name].sentences, strict=True):
        assert len(prose(paper, kind)) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("name", EXPECTED)
def test_hard_sentences(shared_data: Path, name: str) -> None:
    sentences = [s.text for s in read(shared_data, name).sentences if s.kind in {Kind.BODY, Kind.ABSTRACT}]
    missing = [phrase for phrase in EXPECTED[name].phrases if not any(phrase in text for text in sentences)]
    assert missing == []


@pytest.mark.parametrize("name", EXPECTED)
def test_nothing_that_is_not_text(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    assert [phrase for phrase in EXPECTED[name].absent if phrase in paper.text] == []
    assert all(cell in prose(paper, Kind.TABLE) for cell in EXPECTED[name].cells)


def test_eight_threads_read_what_one_reads(shared_data: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        papers = pool.map(lambda name: read_paper(content(shared_data, name), name=f"{name}.pdf"), [*EXPECTED] * 3)
        assert list(papers) == [read(shared_data, name) for name in EXPECTED] * 3
