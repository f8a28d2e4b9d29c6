"""The words that the stress set is made with; more that only the test papers see are in held_back.py.

These are the maker's words: the same worker_options wrote the set and the product, so that its figures say little.
"""

from __future__ import annotations

from collections.abc import Sequence

Pairs = Sequence[tuple[str, str]]


def pairs_in(text: str) -> tuple[tuple[str, str], ...]:
    """The pairs of a text with one a line, set apart by an equals sign."""
    lines = [line.split("=", 1) for line in text.strip().splitlines()]
    return tuple((left.strip(), right.strip()) for left, right in lines)


# From a paper's words to plain ones that say the same.
PLAIN: Pairs = pairs_in(
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
FRAMES = ("The study found that {}", "In this study, {}", "The researchers report that {}")
OPPOSITES: Pairs = pairs_in(
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
ROLES: Pairs = pairs_in(
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
SURER: Pairs = pairs_in(
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
SURE_FRAMES = ("It is now certain that {}", "The study proves that {}")
ABSOLUTE: Pairs = pairs_in(
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
ABSOLUTE_ENDS = (" in every patient", " at all times")
# Statements about something that a paper names, which it does not make.
ADDED = (
    "{} is one of the most common health problems in the world.",
    "{} costs health services billions every year.",
    "Doctors usually recommend {} only after other options have been tried.",
    "Earlier research in animals had already shown why {} matters.",
    "{} works by blocking a protein on the surface of cells.",
    "Some people find that {} becomes harder to deal with as they get older.",
)
# What an outcome did, in the words of a claim: by the experts' label, {o} outcome, {i} intervention, {c} comparator.
CLAIMS = {
    "significantly increased": ("{o} was higher with {i} than with {c}.", "Compared with {c}, {i} significantly increased {o}."),
    "significantly decreased": ("{o} was lower with {i} than with {c}.", "Compared with {c}, {i} significantly decreased {o}."),
    "no significant difference": ("There was no significant difference in {o} between {i} and {c}.", "{i} and {c} led to similar {o}."),
}  # fmt: skip
