"""A cell of the evidence table in a reviewer's hands: one's own verdict, and where two differ what they settle on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.evidence.model import PaperVerdict, candidates
from core.export.evidence_table import SIGNS, TableCell
from core.export.evidence_table.model import MEANING
from core.findings.model import Finding, Passage
from core.review.working import in_full
from core.store import CellView, GivenVerdict, Reading, StoredPaper, VerdictConsensus, question_key
from pages._ui.escape import plain, short
from pages._ui.review import passage
from pages._ui.review.stored import the_store
from pages._ui.state import Session

_LONGEST = 160  # letters of a sentence in the list of them


@dataclass(frozen=True, slots=True)
class _Cell:
    """What is known of a paper and a hypothesis, as one reviewer may see it."""

    paper: StoredPaper
    finding: Finding | None
    view: CellView
    sentences: dict[int, Passage]  # to choose from, by index: the engine's first

    @property
    def engines(self) -> tuple[str, ...]:
        """Whose finding is in view."""
        return (self.finding.engine,) if self.finding else ()


@dataclass(frozen=True, slots=True)
class _Said:
    """What a form holds when it is sent."""

    verdict: PaperVerdict | None = None
    sentence: Passage | None = None
    effect: str = ""
    words: str = ""


def offer(now: Session) -> None:
    """A button beside the paper that was opened from the table, for whoever is a reviewer."""
    there, project, reviewer = passage.came_from(now), now.review.project, now.review.reviewer
    if there is None or not there.hypothesis or project is None or reviewer is None:
        return
    with st.sidebar:
        if st.button("Your verdict", key="own-verdict", icon=":material/gavel:", width="stretch"):
            ask(project, reviewer, there.paper, there.hypothesis, sentence=there.sentence)


@st.dialog("Your verdict", width="medium")
def ask(project: str, reviewer: str, paper: str, hypothesis: str, *, sentence: int | None = None) -> None:
    """Draw the dialog; `sentence`: the one that was looked at, to begin with."""
    try:
        with the_store().reading() as store:
            cell = _look(store, project, reviewer, paper, hypothesis)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.markdown(f"**{plain(hypothesis, limit=400)}**")
    st.caption(plain(cell.paper.title or cell.paper.name, limit=200))
    _show_engine(cell.finding)
    own, view = cell.view.own, cell.view
    at = f"{paper}-{question_key(hypothesis)}"  # what was begun in one cell is not for another
    looked_at = cell.sentences.get(sentence) if sentence is not None else None
    begun = _Said(own.verdict, own.sentence, own.effect, own.comment) if own else _Said(sentence=looked_at)
    # Another window's verdict has another version: this form is then drawn anew, and overwrites nothing.
    said = _form(f"own-{at}-{view.own_version}", cell, begun, asks="Comment", label="Save")
    if said is not None:
        record = GivenVerdict(
            project, paper, hypothesis, reviewer, said.verdict, said.sentence, said.effect, said.words, cell.engines
        )
        _save(reviewer, record, view.own_version)
    _show_people(TableCell(cell.finding, people=view))
    if not (view.differ or view.consensus):
        return
    old = view.consensus
    begun = _Said(old.verdict, old.sentence, old.effect, old.why) if old else _Said()
    with st.container(border=True):
        st.markdown("**Settled**" if old else "**Settle it**")
        label = "Settle anew" if old else "Settle"
        said = _form(f"consensus-{at}-{view.consensus_version}", cell, begun, asks="Why, in a few words", label=label)
        if said is not None and said.verdict is not None:
            settled = VerdictConsensus(
                project, paper, hypothesis, said.verdict, said.words, view.by, said.sentence, said.effect
            )
            _save(reviewer, settled, view.consensus_version)


def _look(store: Reading, project: str, reviewer: str, paper: str, hypothesis: str) -> _Cell:
    question = question_key(hypothesis)
    found = [one for one in store.findings(project, questions=[question]) if one.record.paper == paper]
    engine = in_full(store.project(project).record.plan).evidence
    finding = passage.wanted(found, engine) if found else None
    view = store.verdicts(project, reader=reviewer).get((paper, question), CellView())
    first = (finding.strongest_for, finding.strongest_against, *finding.nearest) if finding else ()
    sentences = {one.index: one for one in first if one is not None}
    if (text := store.text(project, paper)) is not None:
        for one in candidates(text):
            sentences.setdefault(one.index, Passage(one.index, one.text, one.page, text.section_of(one).title))
    for kept in (view.own, view.consensus):
        if kept is not None and kept.sentence is not None:
            sentences.setdefault(kept.sentence.index, kept.sentence)
    return _Cell(store.paper(project, paper).record, finding, view, sentences)


def _show_engine(finding: Finding | None) -> None:
    if finding is None:
        st.caption("No engine has read this paper for this hypothesis yet.")
        return
    verdict = f"{SIGNS[finding.verdict]} {finding.verdict}" if finding.verdict else "no verdict"
    sure = f" ({finding.sureness})" if finding.sureness else ""
    st.caption(plain(f"{finding.engine}: {verdict}{sure}. {finding.reason}", limit=400))


def _show_people(cell: TableCell) -> None:
    """What the others made of it, as far as one may see."""
    view = cell.people
    for one in view.others:
        if one.verdict is not None:
            words = f"{one.reviewer}: {SIGNS[one.verdict]} {one.verdict}. {one.comment} {one.effect}"
            st.markdown(plain(words, limit=600))
            if one.sentence is not None:
                st.caption(plain(f"“{one.sentence.text}”", limit=400))
    if cell.whose:
        st.caption(plain(cell.whose))


def _form(key: str, cell: _Cell, given: _Said, *, asks: str, label: str) -> _Said | None:
    """The fields of a verdict; what they hold, if they were sent just now."""
    verdicts: list[PaperVerdict] = list(PaperVerdict)
    options: list[int | None] = [None, *cell.sentences]
    with st.form(f"{key}-form", border=False):
        verdict = st.radio(
            "Verdict",
            verdicts,
            index=verdicts.index(given.verdict) if given.verdict else None,
            format_func=lambda one: f"{SIGNS[one]} {one}",
            horizontal=True,
            help="  \n".join(f"{SIGNS[one]} **{one}**: {MEANING[one]}" for one in verdicts),
            key=f"{key}-verdict",
        )
        chosen = st.selectbox(
            "Sentence that decides (optional; type to search)",
            options,
            index=options.index(given.sentence.index) if given.sentence else 0,
            format_func=partial(_in_words, cell.sentences),
            key=f"{key}-sentence",
        )
        effect = st.text_input("Effect as printed (optional)", given.effect, max_chars=300, key=f"{key}-effect")
        words = st.text_input(asks, given.words, max_chars=2000, key=f"{key}-words")
        with st.container(horizontal=True, gap="small"):
            sent = st.form_submit_button(label, type="primary", key=f"{key}-send")
            mine = label == "Save" and given.verdict is not None
            back = mine and st.form_submit_button("Take it back", key=f"{key}-back")
    if not (sent or back):
        return None
    if verdict is None and not back:
        st.caption(":material/info: Choose one of the five verdicts.")
        return None
    passage_chosen = cell.sentences[chosen] if chosen is not None else None
    return _Said(None if back else verdict, passage_chosen, effect.strip(), words.strip())


def _in_words(sentences: dict[int, Passage], index: int | None) -> str:
    if index is None:
        return "None"
    one = sentences[index]
    return short(f"p. {one.page} · {one.text}" if one.page else one.text, _LONGEST)


def _save(who: str, record: GivenVerdict | VerdictConsensus, seen: int) -> None:
    """Store it, and close the dialog; what keeps it from being stored is told where it stands."""
    try:
        with the_store().writing(who) as change:
            change.save(record, seen=seen)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.rerun()
