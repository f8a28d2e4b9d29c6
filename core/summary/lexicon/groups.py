"""Things of one kind that exclude each other: who was studied, who got what, and when. Beginnings of words or phrases."""

from __future__ import annotations

_AGES = (
    "child, kids, paediatric, pediatric, boys, girls, youngster, school / adult, grown-up, grownup"
    " / infant, newborn, neonat, babies, baby, toddler / adolescen, teen"
    " / elderly, older adult, older people, geriatric, senior, elder, over 65"
)
_SPECIES = (
    "rat, rats / mouse, mice, murine / patients, people, humans, human, participants, persons, volunteers, women, men"
    " / dogs, dog, canine / rabbit / pig, pigs, porcine"
)
_VISITS = (
    "baseline, at the start, before, prior to, pre-treatment, pretreatment, beginning, at the outset, pretest, pre-test,"
    " preoperative, initially / after, following, post-treatment, posttreatment, end of, follow-up, afterwards, posttest,"
    " post-test, postoperative, finally"
)
WHO = 6  # groups at the head of the list: of people and animals, of whom nothing is said unless they were studied
# One line a group; members apart by "/", their forms by ",".
GROUPS: tuple[tuple[tuple[str, ...], ...], ...] = tuple(
    tuple(tuple(form.strip() for form in member.split(",")) for member in line.split("/"))
    for line in f"""
    women, woman, female, girl, mother, she, her / men, man, males, male, boys, boy, father, he, his
    {_AGES}
    {_SPECIES}
    healthy, without the disease / patients
    smokers, smoker, smoking / non-smoker, nonsmoker, never smok
    diabetic, with diabetes / non-diabetic, nondiabetic, without diabetes
    type 1, type i / type 2, type ii
    hospitali, inpatient, in-patient, in hospital / outpatient, out-patient, at home, community
    placebo, control, sham, dummy, usual care, standard care, comparison group / intervention, treatment group, treated, active, experimental
    {_VISITS}
    short-term, short term, immediate, acute / long-term, long term, chronic, lasting
    early, earlier / late, later
    first / last, second / third
    morning / evening, night / afternoon
    summer / winter / spring / autumn
    rural / urban, city, cities
    left / right
    upper / lower
    mild, moderate / severe
    primary / secondary
    systolic / diastolic
    oral, by mouth / intravenous, injected, injection, infusion / topical, cream / inhaled, inhaler
    low dose, low-dose, lower dose / high dose, high-dose, higher dose
    premenopausal, pre-menopausal / postmenopausal, post-menopausal
    north / south
    ldl, bad cholesterol / hdl, good cholesterol
    married / single
    full-term, term infant / preterm, premature
    primary care, general practice / intensive care
    developed countries, high-income / developing countries, low-income
    """.strip().splitlines()
)
