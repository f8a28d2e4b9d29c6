"""An answer that a model wrote: its sentences with numbered sources. A press on a source opens the paper."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core.answering import Answer, Citation, CitationStatus
from core.library import Passage
from pages._ui import assets
from pages._ui.ask.leaving import follow, open_at
from pages._ui.escape import plain
from pages._ui.state import Session

SIGNS = {
    CitationStatus.QUOTED: "“",
    CitationStatus.SUPPORTED: "✓",
    CitationStatus.CONTRADICTED: "✗",
    CitationStatus.CANNOT_TELL: "?",
}
_MEANING = {
    CitationStatus.QUOTED: "quoted: the sentence is the passage's own",
    CitationStatus.SUPPORTED: "supported: the passage says it, as far as the reader of this computer can tell",
    CitationStatus.CONTRADICTED: "contradicted: the passage says otherwise, as far as the reader can tell",
    CitationStatus.CANNOT_TELL: "cannot tell: the reader finds it neither said nor denied there",
}

_written = st.components.v2.component(
    "vouch_answer",
    html='<div class="written"></div>',
    css=assets.styles("written_answer"),
    js=assets.script("written_answer"),
)


def show(session: Session, project: str, answer: Answer, *, key: str = "written") -> None:
    """Draw the paragraphs and the status of their citations. A press on a citation opens its paper."""
    chosen = _written(key=f"{key}-{project}", data=payload(answer), on_chosen_change=lambda: None).chosen
    st.caption(_checked(answer))
    citation = _chosen(answer, chosen)
    if citation is not None:
        open_at(session, project, citation.passage.rpartition("/")[0], citation.sentences)
        follow(session)


def numbers(answer: Answer) -> dict[str, int]:
    """The number of each cited paper, in the order of the answer."""
    cited = (one.passage.rpartition("/")[0] for said in answer.statements for one in said.citations)
    return {paper: number for number, paper in enumerate(dict.fromkeys(cited), 1)}


def payload(answer: Answer) -> dict[str, object]:
    """The data that the script draws (types.d.ts: AnswerData)."""
    known = {one.passage.id: one.passage for one in answer.evidence}
    titles = {paper.id: paper.title or paper.name for paper in answer.sources}
    numbered = numbers(answer)

    def about(one: Citation, paper: str) -> str:
        return ". ".join(filter(None, (titles.get(paper, ""), place(known.get(one.passage)), _MEANING[one.status])))

    def cited(one: Citation) -> dict[str, object]:
        paper = one.passage.rpartition("/")[0]
        return {
            "number": numbered[paper],
            "status": one.status.value,
            "sign": SIGNS[one.status],
            "about": about(one, paper),
        }

    return {
        "sentences": [
            {"text": one.text, "begins": one.begins_paragraph, "citations": list(map(cited, one.citations))}
            for one in answer.statements
        ]
    }


def place(passage: Passage | None) -> str:
    """Section and page, as far as known."""
    if passage is None:
        return ""
    return ", ".join(filter(None, (passage.section, f"page {passage.page}" if passage.page else "")))


def _checked(answer: Answer) -> str:
    """How many citations have each status, in words, and how many sentences have no citation."""
    counts = Counter(one.status for said in answer.statements for one in said.citations)
    parts = [f"{SIGNS[status]} {counts[status]} {status.value}" for status in CitationStatus if counts[status]]
    bare = sum(not said.citations for said in answer.statements)
    told = f"Citations: {', '.join(parts)}" if parts else "No citations"
    return plain(told + f" · {bare} of {len(answer.statements)} sentences without a source" * bool(bare))


def _chosen(answer: Answer, chosen: object) -> Citation | None:
    """The citation that the browser's message names; None if there is none."""
    match chosen:
        case [int(place), int(which)] if 0 <= place < len(answer.statements):
            citations = answer.statements[place].citations
            return citations[which] if 0 <= which < len(citations) else None
        case _:
            return None
