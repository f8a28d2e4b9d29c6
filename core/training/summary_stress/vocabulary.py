"""The words that the stress set is made with. What stands in the lists of the test papers is never used for tuning.

These are the maker's words. They were written beside, and apart from, those that the checks look for
(`core/summary/lexicon`): a check that knows a word only because it is here proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

Pairs = Sequence[tuple[str, str]]


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    lines = [line.split("=", 1) for line in text.strip().splitlines()]
    return tuple((left.strip(), right.strip()) for left, right in lines)


# From a paper's words to plain ones that say the same.
PLAIN: Pairs = _pairs(
    """
    participants = people taking part
    patients = people
    demonstrated = showed
    administered = given
    approximately = about
    prior to = before
    subsequently = later
    in order to = to
    adverse events = side effects
    mortality = deaths
    hypertension = high blood pressure
    randomly assigned = assigned by chance
    randomized to = put by chance into
    randomised to = put by chance into
    assessed = checked
    evaluated = examined
    investigated = looked at
    significantly higher = clearly higher
    significantly lower = clearly lower
    no significant difference = no clear difference
    no significant differences = no clear differences
    no statistically significant = no clear
    increased = went up
    decreased = went down
    improved = got better
    individuals = people
    subjects = people
    myocardial infarction = heart attack
    cardiovascular = heart and blood vessel
    additionally = also
    furthermore = also
    following = after
    received = were given
    therapy = treatment
    efficacy = effectiveness
    symptoms = complaints
    questionnaire = survey
    compared with = compared to
    """
)
PLAIN_TEST: Pairs = _pairs(
    """
    children = kids
    physicians = doctors
    renal = kidney
    conducted = carried out
    obtained = got
    determined = worked out
    the majority of = most
    utilized = used
    declined = dropped
    elevated = raised
    reduced = cut
    did not differ = were about the same
    were similar = were much alike
    duration = length
    hepatic = liver
    pulmonary = lung
    infants = babies
    adolescents = teenagers
    elderly = older
    medication = medicine
    fatigue = tiredness
    body weight = weight
    blood glucose = blood sugar
    greater = larger
    adherence = sticking to the treatment
    discontinued = stopped
    initiated = started
    surgery = an operation
    postoperative = after the operation
    trial = study
    control group = comparison group
    intervention = programme
    enrolled = signed up
    however = but
    frequently = often
    sufficient = enough
    """
)

FRAMES = ("The study found that {}", "In this study, {}", "The researchers report that {}")
FRAMES_TEST = ("According to the authors, {}", "What the team saw was that {}", "Put simply, {}")

OPPOSITES: Pairs = _pairs(
    """
    increased = decreased
    increase = decrease
    increases = decreases
    higher = lower
    greater = smaller
    improved = worsened
    improvement = deterioration
    improvements = deteriorations
    improve = worsen
    improves = worsens
    better = worse
    reduction = increase
    reductions = increases
    reduced = increased
    reduces = increases
    reduce = increase
    more likely = less likely
    lower = higher
    decrease = increase
    decreased = increased
    no significant difference = a significant difference
    no significant differences = significant differences
    no difference = a marked difference
    not significantly = significantly
    did not = did indeed
    was associated = was not associated
    were associated = were not associated
    significantly = not significantly
    was effective = was not effective
    """
)
OPPOSITES_TEST: Pairs = _pairs(
    """
    rose = fell
    fell = rose
    longer = shorter
    shorter = longer
    faster = slower
    elevated = lowered
    declined = climbed
    decline = climb
    beneficial = harmful
    benefit = harm
    effective = useless
    superior = inferior
    inferior = superior
    stronger = weaker
    enhanced = impaired
    enhance = impair
    prolonged = shortened
    were similar = were far apart
    was similar = was far apart
    similar = very different
    positive = negative
    less = more
    more = less
    fewer = more
    larger = smaller
    smaller = larger
    did not differ = differed sharply
    differed = did not differ
    well tolerated = poorly tolerated
    comparable = quite unlike
    prevented = brought on
    failed to = managed to
    gain = loss
    loss = gain
    relief = aggravation
    successful = unsuccessful
    favourable = unfavourable
    """
)

ROLES: Pairs = _pairs(
    """
    intervention group = control group
    control group = intervention group
    treatment group = control group
    placebo group = treatment group
    women = men
    men = women
    children = adults
    adults = children
    patients = healthy volunteers
    before = after
    after = before
    baseline = the last visit
    at the end of = at the start of
    placebo = the active drug
    """
)
ROLES_TEST: Pairs = _pairs(
    """
    experimental group = control group
    exercise group = control group
    boys = girls
    girls = boys
    female = male
    male = female
    mothers = fathers
    infants = teenagers
    elderly = young
    older = younger
    outpatients = inpatients
    smokers = people who never smoked
    short-term = long-term
    long-term = short-term
    first = last
    systolic = diastolic
    diastolic = systolic
    morning = evening
    postoperative = preoperative
    preoperative = postoperative
    nurses = surgeons
    post-treatment = pre-treatment
    early = late
    right = left
    left = right
    intravenous = oral
    oral = intravenous
    usual care = the new programme
    students = pensioners
    rural = urban
    pregnant = postmenopausal
    type 2 = type 1
    mild = severe
    severe = mild
    """
)

SURER: Pairs = _pairs(
    """
    may be = is
    may have = has
    may = does
    might be = is
    might = does
    could be = is
    suggest that = prove that
    suggests that = proves that
    suggesting that = which proves that
    appears to be = is
    appear to be = are
    was associated with = caused
    were associated with = caused
    is associated with = causes
    are associated with = cause
    possible = certain
    potentially = definitely
    correlated with = was caused by
    appeared to = did
    """
)
SURER_TEST: Pairs = _pairs(
    """
    could = will
    can = will
    is likely to = is bound to
    are likely to = are bound to
    likely = beyond question
    indicate that = leave no doubt that
    indicates that = leaves no doubt that
    seems to be = is
    seem to be = are
    tended to be = was
    predictor of = reason for
    predictors of = reasons for
    related to = to blame for
    linked to = the reason for
    potential = proven
    we hypothesized that = it is settled that
    trend towards = clear
    promising = proven
    possibly = as everyone now knows,
    probably = as is now established,
    associated with = responsible for
    relationship between = causal effect linking
    """
)
SURE_FRAMES = ("It is now certain that {}", "The study proves that {}")
SURE_FRAMES_TEST = (
    "Beyond any doubt, {}",
    "It has been settled once and for all that {}",
    "Science has shown conclusively that {}",
)

ABSOLUTE: Pairs = _pairs(
    """
    patients = all patients
    participants = all participants
    most = all
    some = all
    many = all
    reduced = completely eliminated
    improved = always improved
    effective = 100% effective
    often = always
    rarely = never
    few = no
    women = all women
    children = every one of the children
    """
)
ABSOLUTE_TEST: Pairs = _pairs(
    """
    subjects = each and every subject
    participants = participants, without exception,
    patients = patients, every last one,
    significantly = totally
    improvement = complete cure
    improved = perfectly restored
    reduction = total disappearance
    decreased = vanished altogether
    usually = invariably
    treatment = foolproof treatment
    safe = entirely free of risk
    increased = invariably increased
    associated = invariably associated
    showed = showed in every single case
    tolerated = tolerated by everybody
    individuals = absolutely everyone
    """
)
ABSOLUTE_ENDS = (" in every patient", " at all times")
ABSOLUTE_ENDS_TEST = (" with no exception whatsoever", " forever", " under all circumstances")

# Statements about something that a paper names, which it does not make.
ADDED = (
    "{} is one of the most common health problems in the world.",
    "{} costs health services billions every year.",
    "Doctors usually recommend {} only after other options have been tried.",
    "Earlier research in animals had already shown why {} matters.",
    "{} works by blocking a protein on the surface of cells.",
    "Some people find that {} becomes harder to deal with as they get older.",
)
ADDED_TEST = (
    "{} was first described more than a century ago.",
    "Health authorities in several countries have updated their guidance on {}.",
    "Experts warn that {} is often misunderstood by the public.",
    "People who live alone tend to have more trouble with {}.",
    "Thanks to new technology, {} can now be followed from home.",
    "{} runs in families, and genes play a large part.",
)

# What an outcome did, in the words of a claim: by the experts' label, {o} outcome, {i} intervention, {c} comparator.
CLAIMS = {
    "significantly increased": ("{o} was higher with {i} than with {c}.", "Compared with {c}, {i} significantly increased {o}."),
    "significantly decreased": ("{o} was lower with {i} than with {c}.", "Compared with {c}, {i} significantly decreased {o}."),
    "no significant difference": ("There was no significant difference in {o} between {i} and {c}.", "{i} and {c} led to similar {o}."),
}  # fmt: skip
CLAIMS_TEST = {
    "significantly increased": ("{i} raised {o} more than {c} did.", "People who had {i} ended up with a higher {o} than those who had {c}."),
    "significantly decreased": ("{i} cut {o} more than {c} did.", "People who had {i} ended up with a lower {o} than those who had {c}."),
    "no significant difference": ("{i} made no real difference to {o}, compared with {c}.", "As for {o}, {i} was no different from {c}."),
}  # fmt: skip
