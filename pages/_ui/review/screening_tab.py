"""The tabs Agreement and Screening: the reviewers' progress, and how far they agree."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import streamlit as st

from core.bias import Level
from core.bias.agreement import FEWEST_FOR_INTERVAL, Agreement, AgreementEstimate, agreement
from core.bias.model import OVERALL
from core.errors import VouchError
from core.screening.agreement import ReviewerScreening, screening_agreement
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.paper_view.screening import letter_of
from pages._ui.review import navigation, tables
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.tables import ScreeningCounts, counts_of, items_payload
from pages._ui.screening.state import ScreeningSnapshot, read_screening, stop_hint
from pages._ui.state import Session
from pages._ui.stored import the_store

# ---- agreement on risk of bias ----

_NOT_DEFINED = "–"
_ABOUT = (
    "Papers that only one of the two has judged are left out, and counted. In brackets: 95% intervals, papers "
    f"resampled; a dash in them: fewer than {FEWEST_FOR_INTERVAL} papers, or the figure defined on too few samples. "
    "Kappa is Cohen's; the weighted one takes levels that are further apart for a stronger disagreement. AC1 "
    "is Gwet's, which stays meaningful where nearly all levels are alike. A dash alone: not defined, as where all levels are "
    "the same."
)


def show_agreement(snapshot: ProjectSnapshot) -> None:
    """Draw the table of agreement for a pair of reviewers."""
    pairs = list(combinations(snapshot.project.reviewers, 2))
    if not pairs:
        st.caption("One reviewer alone: nothing to compare.")
        return
    if not any(len([level for level in one.levels.values() if level]) > 1 for one in snapshot.levels):
        st.caption("Shown when two reviewers have judged the same domain of a paper, and you may see both.")
        return
    pair = pairs[0]
    if len(pairs) > 1:
        pair = st.selectbox("Reviewers", pairs, format_func=" and ".join, key="agreement-of", width=300)
    found = by_domain(snapshot, *pair)
    st.table(
        {
            "Domain": [plain(name) for name in found],
            "Papers": [one.pairs for one in found.values()],
            "Only one": [one.unpaired for one in found.values()],
            "Agreed": [share_in_words(one.agreed) for one in found.values()],
            "Kappa": [coefficient_in_words(one.kappa) for one in found.values()],
            "Weighted kappa": [coefficient_in_words(one.weighted_kappa) for one in found.values()],
            "AC1": [coefficient_in_words(one.ac1) for one in found.values()],
        },
        border="horizontal",
        hide_index=True,
    )
    st.caption(_ABOUT)


def by_domain(snapshot: ProjectSnapshot, one: str, other: str) -> dict[str, Agreement]:
    """The agreement of two reviewers on each domain, by its name, as far as the reader may see their levels."""
    pairs: dict[str, list[tuple[Level | None, Level | None]]] = {domain.id: [] for domain in snapshot.tool.domains}
    alone = dict.fromkeys(pairs, 0)  # judged by one of the two, but hidden from the reader
    for place in snapshot.levels:
        if place.domain == OVERALL:
            continue
        if place.hidden:
            alone[place.domain] += len({one, other} & set(place.by)) == 1
        else:
            pairs[place.domain].append((place.levels.get(one), place.levels.get(other)))
    found = {}
    for domain in snapshot.tool.domains:
        seen = agreement(pairs[domain.id], snapshot.tool.scale)
        found[domain.name] = replace(seen, unpaired=seen.unpaired + alone[domain.id])
    return found


def share_in_words(estimate: AgreementEstimate) -> str:
    """A share with its interval, in per cent."""
    if estimate.value is None:
        return _NOT_DEFINED
    return f"{100 * estimate.value:.0f}%{_interval(estimate, 100, 0)}"


def coefficient_in_words(estimate: AgreementEstimate) -> str:
    """A coefficient with its interval."""
    if estimate.value is None:
        return _NOT_DEFINED
    return f"{_rounded(estimate.value, 2)}{_interval(estimate, 1, 2)}"


def _interval(estimate: AgreementEstimate, unit: int, digits: int) -> str:
    if estimate.low is None or estimate.high is None:
        return f"\u00a0({_NOT_DEFINED})"
    interval = f" ({_rounded(unit * estimate.low, digits)} to {_rounded(unit * estimate.high, digits)})"
    return interval.replace(" ", "\u00a0")  # keeps it on one line


def _rounded(value: float, digits: int) -> str:
    """A number with a typographic minus sign, and none before zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


# ---- screening ----


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the tab."""
    try:
        with the_store().reading() as store:
            seen = read_screening(store, snapshot.project.id, snapshot.reviewer or "")
            verdicts = store.own_verdicts(snapshot.project.id, snapshot.reviewer or "")
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    counts = counts_of(seen)
    with st.container(key="screening-row", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(counts_in_words(counts), width="content")
        st.space("stretch")
        label = f"Settle screening conflicts ({counts.conflicts})"
        if (
            snapshot.reviewer is not None
            and counts.conflicts
            and st.button(label, key="settle-screening", icon=":material/handshake:")
        ):
            go_to_item(session, seen, seen.conflicts[0], settling=True)
    st.caption(plain(_by_reviewer(counts)))
    if session.screening.by_promise and (hint := stop_hint(verdicts, left=len(seen.undecided))):
        st.caption(f":material/flag: {hint}")
    if not seen.project.criteria and snapshot.reviewer is not None:
        st.caption("No criteria yet: add them under Settings, and each is looked for in every paper.")
    _agreement(seen)
    chosen = tables.draw_items(key=f"screening-{snapshot.project.id}", data=items_payload(seen))
    if chosen is not None and chosen[1] in seen.items and snapshot.reviewer is not None:
        go_to_item(session, seen, chosen[1], settling=chosen[0] == "settle")


def go_to_item(session: Session, seen: ScreeningSnapshot, item: str, *, settling: bool = False) -> None:
    """Open the Screening page with this item on its desk."""
    work = session.screening
    work.sit_down(seen.project.id, seen.reviewer)
    work.settling = settling
    work.go_to(item)
    st.switch_page(frame.SCREENING, query_params=navigation.item_address(session))


def counts_in_words(counts: ScreeningCounts) -> str:
    """The counts of items in words. Items included by title and abstract only are counted separately as well."""
    apart = f" ({counts.by_abstract} by title and abstract)" if counts.by_abstract else ""
    parts = [f"**{counts.included}** included{apart}", f"**{counts.excluded}** excluded", f"**{counts.open}** open"]
    return " · ".join(parts)


def _by_reviewer(counts: ScreeningCounts) -> str:
    """Each reviewer's progress, in words."""
    return " · ".join(f"{name}: {done} of {counts.items} decided" for name, done in counts.decided.items())


def _agreement(seen: ScreeningSnapshot) -> None:
    """Draw the agreement of a pair of reviewers, computed only when unfolded."""
    pairs = list(combinations(seen.project.reviewers, 2))
    if not pairs or not any(len(view.verdicts) > 1 for view in seen.views.values()):
        return
    with st.expander("Agreement", icon=":material/handshake:", on_change="rerun") as unfolded:
        if not unfolded.open:
            return
        pair = pairs[0]
        if len(pairs) > 1:
            pair = st.selectbox("Reviewers", pairs, format_func=" and ".join, key="screening-agreement-of", width=300)
        found = agreements(seen, *pair)
        st.table(
            {
                "": [plain(name, limit=80) for name in found],
                "Both": [one.pairs for one in found.values()],
                "Only one": [one.unpaired for one in found.values()],
                "Agreed": [share_in_words(one.agreed) for one in found.values()],
                "Kappa": [coefficient_in_words(one.kappa) for one in found.values()],
                "AC1": [coefficient_in_words(one.ac1) for one in found.values()],
            },
            border="horizontal",
            hide_index=True,
        )
        st.caption(
            "What only one of the two has judged is left out, and counted. In brackets: 95% intervals, papers "
            "resampled. Decisions that you may not see yet are not counted."
        )


def agreements(seen: ScreeningSnapshot, one: str, other: str) -> dict[str, Agreement]:
    """The agreement of two reviewers on verdicts and each criterion, as far as the reader may see their decisions."""
    judged: dict[str, dict[str, ReviewerScreening]] = {one: {}, other: {}}
    for item, view in seen.views.items():
        for given in (view.own, *view.others):
            if given is not None and given.reviewer in judged and item in seen.items:
                judged[given.reviewer][item] = ReviewerScreening(given.verdict, given.fits)
    (found,) = screening_agreement(judged, seen.project.criteria)
    names = {
        criterion.id: f"{letter_of(place)} · {criterion.text}" for place, criterion in enumerate(seen.project.criteria)
    }
    by_criterion = {names[id]: one for id, one in found.criteria.items()}
    return {"Verdict": found.verdicts} | ({"All criteria": found.all_criteria} if names else {}) | by_criterion
