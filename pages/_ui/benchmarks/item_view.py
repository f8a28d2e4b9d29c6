"""One item on the page: what was asked, what is gold, and what each engine answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.benchmarks.contents import case_of, gold_of, gold_sentences, paper_of
from core.benchmarks.model import Item, ItemResult
from core.paper import Paper
from pages._ui.escape import plain

_LONG = 320  # letters of a sentence


def show_item(item: Item[Any, Any], answers: Mapping[str, ItemResult]) -> None:
    """Draw the item; `answers` by engine."""
    paper, gold = paper_of(item), gold_sentences(item)
    st.markdown(f"**{plain(question_in_words(item), limit=600)}**")
    if paper is not None:
        st.caption(plain(paper.title or paper.name, limit=200))
    st.markdown(f"Gold: {_gold_in_words(item)}")
    if paper is not None and gold:
        _list([(index, "●") for index in sorted(gold)], paper)
    for engine, result in answers.items():
        st.markdown(f"**{plain(engine)}**: {_answer_in_words(result)}")
        if result.error is None and paper is not None:
            marks = [(i, "✓" if i in gold else "✕") if gold else (i, "·") for i in result.response.sentences]
            _list(marks, paper)
    if gold:
        st.caption("● gold · ✓ chosen, and gold · ✕ chosen, and not gold")


def question_in_words(item: Item[Any, Any]) -> str:
    """What the engines were asked."""
    question, case = item.question, case_of(item)
    if case is not None:
        return f"{case.bias}. {case.study.objective}"
    if (query := getattr(question, "query", None)) is not None:
        return str(query.hypothesis)
    return str(getattr(question, "text", None) or f"Domain: {getattr(question, 'domain', item.category)}")


def _gold_in_words(item: Item[Any, Any]) -> str:
    if item.labels:
        return plain(", ".join(item.labels))
    gold = gold_of(item)
    if gold is not None:
        sentences, aspects = len(gold.by_sentence), len(gold.aspects)
        return f"{sentences} sentence{'s' * (sentences != 1)}" + (f" on {aspects} aspects" if aspects > 1 else "")
    texts, right = getattr(item.gold, "texts", ()), getattr(item.gold, "right", None)
    return plain(texts[right], limit=_LONG) if right is not None else "none"


def _answer_in_words(result: ItemResult) -> str:
    if result.error is not None:
        return plain(f"failed, and counts as 0. {result.error}")
    given = [label or "no answer" for label in result.response.labels]
    scores = [f"{name} {value:.2g}" for name, value in result.scores.items()]
    return plain(", ".join([*given, *scores, f"{result.response.seconds:.2f} s"]))


def _list(marked: list[tuple[int, str]], paper: Paper) -> None:
    """Sentences by their index, each with its mark. One that no paper has is gold or an answer all the same."""
    lines = []
    for index, mark in marked:
        known = 0 <= index < len(paper.sentences)
        text = paper.sentences[index].text if known else "a sentence that is not in the paper"
        lines.append(f"- {mark} {plain(text, limit=_LONG)}")
    st.markdown("\n".join(lines))
