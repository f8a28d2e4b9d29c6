"""Which designs a paper has by its own account, and whether it has the one that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.bias.reading import is_denied
from core.screening.model import Fit
from core.screening.offline.design_words import AGAINST, FAMILIES, INCLUDES, TRIALS, WORDINGS, Design
from core.screening.offline.findings import Finding, quoted
from core.screening.offline.reading import OWN_ACCOUNT, Place, Reading, named

# A paper about other papers, or about a study to come, names designs that are not its own.
_ABOUT_OTHERS = (Design.REVIEW, Design.META_ANALYSIS, Design.EDITORIAL)


@dataclass(frozen=True, slots=True)
class Sign:
    """Words by which a paper tells its design."""

    place: Place
    sentence: int | None  # None: the title, where it is not among the sentences
    words: str

    @property
    def in_words(self) -> str:
        return f"{self.place.says()} {quoted(self.words)}"


Signs = Mapping[Design, tuple[Sign, ...]]


def signs_of(reading: Reading) -> Signs:
    """Every design that the paper shows signs of, those in its title first."""
    found: dict[Design, tuple[Sign, ...]] = {}
    passages = list(reading.own_passages)
    if not any(place is Place.TITLE for place, *_ in passages) and reading.title:
        titled: list[tuple[Place, int | None, str]] = [(Place.TITLE, None, reading.title)]
    else:
        titled = []
    for design, wording in WORDINGS.items():
        signs = []
        for place, sentence, passage in [*titled, *passages]:
            pattern = wording.titled if place is Place.TITLE else wording.said
            match = next((m for m in pattern.finditer(passage) if not is_denied(passage[: m.start()][-60:])), None)
            if match is not None:
                signs.append(Sign(place, sentence, match[0]))
        if signs:
            found[design] = tuple(sorted(signs, key=lambda sign: OWN_ACCOUNT.index(sign.place)))
    return found


def has_design(asked: Design, reading: Reading, signs: Signs) -> Finding:
    """Whether the paper is what is asked for. Not, only where it says that it is something else."""
    own = [sign for design in (asked, *INCLUDES.get(asked, ())) for sign in signs.get(design, ())]
    other = _about_others(signs)
    if own and asked not in _ABOUT_OTHERS:
        if other is not None and asked is not Design.PROTOCOL:
            return _not(asked, *other)
        if asked in TRIALS | {Design.TRIAL} and Design.ANIMAL in signs and Design.HUMAN not in signs:
            animals = signs[Design.ANIMAL]
            return Finding(
                Fit.UNCLEAR, f"{own[0].in_words}, of animals: {animals[0].in_words}", _places([*own, *animals])
            )
        if Design.PROTOCOL in signs and asked in TRIALS | {Design.TRIAL} and _titled(signs[Design.PROTOCOL]):
            sign = signs[Design.PROTOCOL][0]
            return Finding(Fit.UNCLEAR, f"{sign.in_words}: it may have no results yet", _places([sign, *own]))
    clashing = signs.get(Design.HUMAN if asked is Design.ANIMAL else Design.ANIMAL, ())
    if own and clashing and asked in (Design.HUMAN, Design.ANIMAL):
        return Finding(Fit.UNCLEAR, f"{own[0].in_words}, and {clashing[0].in_words}", _places([*own, *clashing]))
    if own and (asked not in _ABOUT_OTHERS or other is not None):
        return Finding(Fit.MET, own[0].in_words, _places(own))
    if asked is Design.PROTOCOL and reading.at(Place.RESULTS):
        return Finding(Fit.NOT_MET, "it reports results and nowhere calls itself a protocol")
    against = [(design, signs[design]) for design in Design if design in AGAINST.get(asked, ()) and design in signs]
    if not own and against:
        design, shown = min(against, key=lambda one: OWN_ACCOUNT.index(one[1][0].place))
        return _not(asked, design, shown)
    places = _read(reading)
    silent = f"{named(places)} do" if len(places) > 1 else f"the {named(places)} does"
    return Finding(Fit.UNCLEAR, f"{silent} not tell whether it is {asked.in_words}", _places(own))


def lacks_design(asked: Design, reading: Reading, signs: Signs) -> Finding:
    """For a criterion that excludes a design. One that a report would name is absent where a whole paper does not."""
    found = has_design(asked, reading, signs)
    shown = [sign for design in (asked, *INCLUDES.get(asked, ())) for sign in signs.get(design, ())]
    if found.fit is Fit.UNCLEAR and not shown and asked not in FAMILIES and reading.has_methods:
        return Finding(Fit.MET, f"{named(_read(reading))} nowhere call it {asked.in_words}")
    return found.inverted()


def _about_others(signs: Signs) -> tuple[Design, tuple[Sign, ...]] | None:
    """The design by which a paper is about other papers; None where it shows that it made a trial itself."""
    trial = sum(sign.place is not Place.TITLE for sign in signs.get(Design.RANDOMISED, ()))
    for design in _ABOUT_OTHERS:
        shown = signs.get(design, ())
        if _titled(shown) or (len(shown) > trial):
            return design, shown
    return None


def _not(asked: Design, design: Design, signs: tuple[Sign, ...]) -> Finding:
    reason = f"{signs[0].in_words}, so it is {design.in_words}, not {asked.in_words}"
    return Finding(Fit.NOT_MET, reason, _places(signs))


def _titled(signs: tuple[Sign, ...]) -> bool:
    return any(sign.place is Place.TITLE for sign in signs)


def _places(signs: list[Sign] | tuple[Sign, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(sign.sentence for sign in signs if sign.sentence is not None))


def _read(reading: Reading) -> list[Place]:
    return [place for place in OWN_ACCOUNT if place is Place.TITLE or reading.at(place)]
