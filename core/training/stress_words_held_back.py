"""Words that only the sentences of the test papers are made with: nothing was tuned on them. Names as in vocabulary.py."""

from __future__ import annotations

from core.training.stress_words import Pairs, pairs_in

PLAIN: Pairs = pairs_in(
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

FRAMES = ("According to the authors, {}", "What the team saw was that {}", "Put simply, {}")

OPPOSITES: Pairs = pairs_in(
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

ROLES: Pairs = pairs_in(
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

SURER: Pairs = pairs_in(
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
SURE_FRAMES = (
    "Beyond any doubt, {}",
    "It has been settled once and for all that {}",
    "Science has shown conclusively that {}",
)

ABSOLUTE: Pairs = pairs_in(
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
ABSOLUTE_ENDS = (" with no exception whatsoever", " forever", " under all circumstances")

ADDED = (
    "{} was first described more than a century ago.",
    "Health authorities in several countries have updated their guidance on {}.",
    "Experts warn that {} is often misunderstood by the public.",
    "People who live alone tend to have more trouble with {}.",
    "Thanks to new technology, {} can now be followed from home.",
    "{} runs in families, and genes play a large part.",
)

CLAIMS = {
    "significantly increased": ("{i} raised {o} more than {c} did.", "People who had {i} ended up with a higher {o} than those who had {c}."),
    "significantly decreased": ("{i} cut {o} more than {c} did.", "People who had {i} ended up with a lower {o} than those who had {c}."),
    "no significant difference": ("{i} made no real difference to {o}, compared with {c}.", "As for {o}, {i} was no different from {c}."),
}  # fmt: skip
