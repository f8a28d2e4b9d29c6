"""Effects as papers print them, format by format, in sentences of our own."""

from __future__ import annotations

import time

import pytest

from core.findings import effects
from core.findings.stated_effects import only_tests_interaction

Stated = tuple[str, float, float | None, float | None, float | None, str]

WITH_INTERVAL: list[tuple[str, Stated]] = [
    # brackets
    ("Deaths fell (HR 0.75 (95% CI 0.60–0.94)).", ("HR", 0.75, 0.60, 0.94, 95, "")),
    ("RR 0.75 [0.60, 0.94] favoured naps.", ("RR", 0.75, 0.60, 0.94, None, "")),
    ("Stings were rarer (odds ratio 0.5 [95% CI, 0.3 to 0.8]).", ("OR", 0.5, 0.3, 0.8, 95, "")),
    ("The odds ratio for a sting was 0.5 (0.3-0.8).", ("OR", 0.5, 0.3, 0.8, None, "")),
    ("Naps helped (HR = 0.84, (95% CI 0.71, 0.99)).", ("HR", 0.84, 0.71, 0.99, 95, "")),
    ("Naps helped (RR=2.5 [1.1; 5.7]).", ("RR", 2.5, 1.1, 5.7, None, "")),
    ("(hazard ratio [HR] 0.665; 95% confidence interval [95% CI] 0.544–0.812)", ("HR", 0.665, 0.544, 0.812, 95, "")),
    # no brackets
    ("For stings, OR = 1.2; 95% CI: 1.0 to 1.4.", ("OR", 1.2, 1.0, 1.4, 95, "")),
    ("The RR was 1.9, 95% CI 1.2 to 3.0, for swarming.", ("RR", 1.9, 1.2, 3.0, 95, "")),
    ("HR=0.66, 95%CI=0.5-0.9", ("HR", 0.66, 0.5, 0.9, 95, "")),
    ("relative risk 1.6, 95 % confidence interval 1.1–2.3", ("RR", 1.6, 1.1, 2.3, 95, "")),
    # in words, as American journals print it
    ("(hazard ratio, 0.75; 95% confidence interval, 0.60 to 0.94; P = .01)", ("HR", 0.75, 0.6, 0.94, 95, "P = .01")),
    ("(hazard ratio for swarming, 1.05; 95% CI, 0.90 to 1.22)", ("HR", 1.05, 0.90, 1.22, 95, "")),
    ("odds ratio (OR) 1.5 [95% confidence interval (CI) 1.1, 2.0]", ("OR", 1.5, 1.1, 2.0, 95, "")),
    ("hazard ratio [HR] = 0.69; 95% confidence interval [CI] = 0.50-0.94", ("HR", 0.69, 0.50, 0.94, 95, "")),
    ("The incidence rate ratio was 0.85 (95% CI 0.43–1.42).", ("IRR", 0.85, 0.43, 1.42, 95, "")),
    ("a prevalence ratio of 1.40 (95% CI: 0.85, 2.30)", ("PR", 1.40, 0.85, 2.30, 95, "")),
    ("a ratio of geometric means of 1.10 (90% CI 0.97 to 1.25)", ("GMR", 1.10, 0.97, 1.25, 90, "")),
    # points in the middle of the line, commas
    ("The hazard ratio was 0·75 (95% CI 0·60–0·94; p=0·01).", ("HR", 0.75, 0.60, 0.94, 95, "p=0·01")),
    ("OR 0,75 (95% CI 0,60–0,94)", ("OR", 0.75, 0.60, 0.94, 95, "")),
    ("a mean difference of 1,200 flights (95% CI 1,100 to 1,300)", ("MD", 1200, 1100, 1300, 95, "")),
    ("OR .48 (95% CI .32 to .71)", ("OR", 0.48, 0.32, 0.71, 95, "")),
    # signs
    ("Mean difference −1.7 (95%CI −3.1, −0.4).", ("MD", -1.7, -3.1, -0.4, 95, "")),
    ("The mean difference was -1.7 mm (95% CI -3.1 to -0.4; P = 0.01).", ("MD", -1.7, -3.1, -0.4, 95, "P = 0.01")),
    ("MD –1.7 (95% CI –3.1 – –0.4)", ("MD", -1.7, -3.1, -0.4, 95, "")),
    ("SMD -0.4 (95% CI: -0.7--0.1)", ("SMD", -0.4, -0.7, -0.1, 95, "")),
    ("OR, 0.75 (95% CI, 0.60--0.94)", ("OR", 0.75, 0.60, 0.94, 95, "")),
    ("a risk difference of +0.7% (95% confidence interval -1.9%, +3.3%)", ("RD", 0.7, -1.9, 3.3, 95, "")),
    ("MD = − 2.3, 95% CI − 4.0 to − 0.6", ("MD", -2.3, -4.0, -0.6, 95, "")),
    # per cent and units
    ("The risk difference was 5.1% (95% CI 2.0% to 8.2%).", ("RD", 5.1, 2.0, 8.2, 95, "")),
    ("The absolute difference was 5.1 percentage points (95% CI, 1.2 to 9.0).", ("difference", 5.1, 1.2, 9.0, 95, "")),
    ("mean difference 1.6 mmol/L, 95%CI: 1.0–2.2 mmol/L; p < 0.001", ("MD", 1.6, 1.0, 2.2, 95, "p < 0.001")),
    ("The difference in weight was −2.3 kg/m2 (95% CI −3.1 to −1.5).", ("difference", -2.3, -3.1, -1.5, 95, "")),
    ("an absolute risk reduction of 4% (95% CI 1% to 7%)", ("ARR", 4, 1, 7, 95, "")),
    ("a relative risk reduction of 28% (95% CI, 11 to 42)", ("RRR", 28, 11, 42, 95, "")),
    # other levels
    ("aHR=0.66, 90% CI=0.5-0.9", ("aHR", 0.66, 0.5, 0.9, 90, "")),
    ("The hazard ratio was 0.80 (97.5% CI 0.62 to 1.03).", ("HR", 0.80, 0.62, 1.03, 97.5, "")),
    ("OR 0.6 (99% CI 0.4 to 0.9)", ("OR", 0.6, 0.4, 0.9, 99, "")),
    ("OR 1.5 (CI 95%: 1.1-2.0)", ("OR", 1.5, 1.1, 2.0, 95, "")),
    ("RR 1.37; CI: 0.68–2.76, p-value = 0.382", ("RR", 1.37, 0.68, 2.76, None, "p-value = 0.382")),
    ("odds ratio 0.7 (95% credible interval 0.5 to 1.0)", ("OR", 0.7, 0.5, 1.0, 95, "")),
    ("HR 0.9 (95% CrI 0.8–1.1)", ("HR", 0.9, 0.8, 1.1, 95, "")),
    # adjusted
    ("adjusted odds ratio [AOR] = 2.1 (95% CI = 1.2, 3.4)", ("aOR", 2.1, 1.2, 3.4, 95, "")),
    ("The adjusted hazard ratio for swarming was 0.8 (0.6-1.1).", ("aHR", 0.8, 0.6, 1.1, None, "")),
    ("the multivariable-adjusted OR was 0.8 (95% CI 0.6 to 1.1)", ("aOR", 0.8, 0.6, 1.1, 95, "")),
    ("adj. OR 0.8 (95% CI 0.6 to 1.1)", ("aOR", 0.8, 0.6, 1.1, 95, "")),
    # an interval before the value, or announced
    ("It was rarer (95% CI 0.60 to 0.94; HR 0.75).", ("HR", 0.75, 0.60, 0.94, 95, "")),
    ("OR (95% CI) was 0.75 (0.60-0.94)", ("OR", 0.75, 0.60, 0.94, 95, "")),
    ("HR [95% CI] = 0.08 [0.03–0.28], p<0.0001", ("HR", 0.08, 0.03, 0.28, 95, "p<0.0001")),
    ("Mean difference (95% CI): 3.0 (1.0, 5.0)", ("MD", 3.0, 1.0, 5.0, 95, "")),
    # differences
    ("The difference between groups was 2.3 mg (95% CI 1.1 to 3.5; P<0.001).", ("difference", 2.3, 1.1, 3.5, 95, "P<0.001")),
    ("Between-group difference, 3.4 points [95% CI, 1.2 to 5.6]; P=.003", ("difference", 3.4, 1.2, 5.6, 95, "P=.003")),
    ("Naps took 6 minutes more (difference 6 minutes, 95% CI –11 to 23; P = 0.49).", ("difference", 6, -11, 23, 95, "P = 0.49")),
    ("difference = -0.62; 90% CI = -3.20 to 1.97", ("difference", -0.62, -3.20, 1.97, 90, "")),
    ("a least squares mean difference of -0.14, 95% CI -0.44, 0.15", ("MD", -0.14, -0.44, 0.15, 95, "")),
    ("the difference in means was 4 (95% CI 1 to 7)", ("MD", 4, 1, 7, 95, "")),
    ("a weighted mean difference of 4 (95% CI 1 to 7)", ("WMD", 4, 1, 7, 95, "")),
    ("a treatment effect of 4.0 (95% CI 1.0 to 7.0)", ("effect", 4, 1, 7, 95, "")),
    ("a mean difference from baseline between groups of 3 (95% CI 1 to 5)", ("MD", 3, 1, 5, 95, "")),
    # regression, sizes, numbers needed to treat
    ("β = -0.32, 95% CI -0.5 to -0.1", ("β", -0.32, -0.5, -0.1, 95, "")),
    ("a regression coefficient of 0.4 (95% CI 0.1 to 0.7)", ("β", 0.4, 0.1, 0.7, 95, "")),
    ("Cohen's d = 0.45 (95% CI 0.10 to 0.80)", ("d", 0.45, 0.10, 0.80, 95, "")),
    ("Hedges' g 0.45 (95% CI 0.10 to 0.80)", ("g", 0.45, 0.10, 0.80, 95, "")),
    ("The number needed to treat was 12 (95% CI 8 to 25).", ("NNT", 12, 8, 25, 95, "")),
    ("NNH 30 (95% CI 20 to 60)", ("NNH", 30, 20, 60, 95, "")),
    ("The number needed to treat to harm was 12 (95% CI 8 to 20).", ("NNH", 12, 8, 20, 95, "")),
    # rows of tables
    ("Stings | 12 (5%) | 20 (8%) | RR 0.62 (0.31 to 1.24)", ("RR", 0.62, 0.31, 1.24, None, "")),
]  # fmt: skip
ALONE: list[tuple[str, Stated]] = [
    ("The risk was reduced (RR=0.5, p<0.05).", ("RR", 0.5, None, None, None, "p<0.05")),
    ("Cohen's d = 0.45", ("d", 0.45, None, None, None, "")),
    ("an effect size of 0.35", ("ES", 0.35, None, None, None, "")),
    ("with a mean difference of −5.4 (P=.008)", ("MD", -5.4, None, None, None, "P=.008")),
    ("β = 0.3 (p = 0.02)", ("β", 0.3, None, None, None, "p = 0.02")),
]


@pytest.mark.parametrize(("sentence", "stated"), WITH_INTERVAL + ALONE)
def test_formats(sentence: str, stated: Stated) -> None:
    (effect,) = effects(sentence, sentence=7)
    assert (effect.measure, effect.value, effect.low, effect.high, effect.level, effect.p) == stated
    assert effect.text in sentence
    assert effect.sentence == 7


@pytest.mark.parametrize(
    "sentence",
    [
        # one group's own
        "The mean score was 12.1 (95% CI 10.0 to 14.2) with naps and 13 (95% CI 11 to 15) without.",
        "The proportion was 53.6% (95% CI 39.7–67.0%).",
        "There was no difference: 4.2 (95% CI 3.1-5.3) vs 4.4 (95% CI 3.3-5.5).",
        "The difference was 4.2 (95% CI 3.1-5.3) vs 4.4 (95% CI 3.3-5.5).",
        "Differences from baseline were 3.4 (95% CI 2.0 to 4.1).",
        "The mean difference before and after naps was 3.4 (95% CI 2.0 to 4.1).",
        # impossible
        "HR 0.75 (95% CI 0.80–0.94)",
        "OR 1.2 (95% CI 1.4 to 1.0)",
        # look-alikes
        "Naps or 12 hours (95% CI 10-13).",
        "HR 75 (95% CI 70 to 80) beats per minute",
        "With α = 0.05 and β = 0.80, 400 bees were needed.",
        "This is a small effect size [23].",
        "Naps | None | Adjusted difference in means (1) | p",
        "A mean difference of 40 flights can be seen with a power of 80%.",
        "It was large within groups (d = 4.15).",
        "They differed (p = 0.03).",
        "The ratio of workers to drones was 3.",
        "An HR of the hive | (95% CI) | P",
        "",
    ],
)
def test_what_is_no_effect(sentence: str) -> None:
    assert effects(sentence) == []


def test_several_in_one_sentence() -> None:
    sentence = "Stings (OR 0.5 (95% CI 0.3 to 0.7)) and swarms (RR 0.9 (95% CI 0.7 to 1.2); p = 0.5) were rarer."
    assert [(one.measure, one.value, one.p) for one in effects(sentence)] == [("OR", 0.5, ""), ("RR", 0.9, "p = 0.5")]


def test_a_list_has_its_measure_once() -> None:
    sentence = "The OR was 0.5 (95% CI 0.3 to 0.7) for stings and 0.8 (95% CI 0.6 to 0.9) for swarms."
    assert [(one.measure, one.value, one.text) for one in effects(sentence)] == [
        ("OR", 0.5, "OR was 0.5 (95% CI 0.3 to 0.7)"),
        ("OR", 0.8, "0.8 (95% CI 0.6 to 0.9)"),
    ]


def test_the_text_has_whole_brackets_or_none() -> None:
    (effect,) = effects("(HR for swarming, 0.75; 95% CI, 0.60 to 0.94)")
    assert effect.text == "HR for swarming, 0.75; 95% CI, 0.60 to 0.94"


def test_hostile_lengths_are_read_in_little_time() -> None:
    started = time.perf_counter()
    for hostile in ("HR " * 20_000, "HR 0.5 (" * 5_000, "95% CI " * 10_000, "difference " * 10_000 + "1", "1" * 50_000):
        effects(hostile)
    assert time.perf_counter() - started < 20  # a pattern that runs away takes hours


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("Benefits on death were similar regardless of sex (P interaction 0.741 and 0.312).", True),
        ("The benefit was similar with and without diabetes (P for interaction = 0.7).", True),
        ("Pain fell by 28% in men and 12% in women (p-value for interaction was 0.27).", True),
        ("The drug reduced deaths without heterogeneity of that benefit by sex.", True),
        ("The hazard ratio was 0.80 (95% CI 0.7 to 0.9), alike in all subgroups (P for interaction = 0.4).", False),
        ("Pain fell (P < 0.001), in all groups alike (p-interaction 0.3).", False),
        ("Weight fell more in the diet group over time (P for interaction = 0.03).", False),
        ("Pain fell (P < 0.001).", False),
        ("There was an interaction between drug and diet.", False),
    ],
)
def test_what_tells_only_whether_groups_of_patients_differ(text: str, only: bool) -> None:
    assert only_tests_interaction(text) is only
