"""Templates: what is wrong with one is said when it is loaded, not in the middle of a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.bias import StudyContext, tool_named
from core.bias.llm.wording import BiasPrompts as BiasWording
from core.bias.llm.wording import ShownText
from core.errors import PromptError
from core.evidence.llm import EvidencePrompts, EvidenceStrategy
from core.evidence.model import EvidenceQuery, candidates
from core.grounding.checking import Part
from core.paper import read_paper
from core.prompts import FOLDER, load_prompt

GOOD = "For people.\n\n[variables]\nwho, what\n\n[task]\nTell $who of $what for $$5.\n"


def written(folder: Path, text: str) -> Path:
    (folder / "letter.md").write_text(text, encoding="utf-8")
    return folder


def test_values_go_in_once_and_are_never_read_as_templates(tmp_path: Path) -> None:
    prompt = load_prompt("letter", variables=("who", "what"), folder=written(tmp_path, GOOD))
    assert prompt.fill("task", who="$what", what="{who} $5") == "Tell $what of {who} $5 for $5."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("who, what", "who"), "does not declare the variable “what”"),
        (GOOD.replace("who, what", "who, what, when"), "declares the unknown variable “when”"),
        (GOOD.replace("of $what ", ""), "declares, but does not use, the variable “what”"),
        (GOOD.replace("[task]", "[tasks]"), "lacks the part “task”"),
        (GOOD.replace("$$5", "$5"), "holds a stray dollar sign in the part “task”"),
    ],
)
def test_a_wrong_template_is_refused_at_load(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PromptError, match=re.escape(message)):
        load_prompt("letter", variables=("who", "what"), folder=written(tmp_path, text))


def test_a_missing_template_is_named(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match=r"prompts/letter\.md is missing"):
        load_prompt("letter", variables=(), folder=tmp_path)


def test_another_word_is_another_hash(tmp_path: Path) -> None:
    first = load_prompt("letter", variables=("who", "what"), folder=written(tmp_path, GOOD))
    second = load_prompt("letter", variables=("who", "what"), folder=written(tmp_path, GOOD.replace("Tell", "Warn")))
    assert first.hash != second.hash


def test_every_evidence_template_is_used_by_some_strategy() -> None:
    paper = read_paper(b"# Results\n\nIt worked.", name="paper.md")
    used = {"evidence-reword", "evidence-embedding"}  # other words; and what encoders are told
    for strategy in EvidenceStrategy:
        for results_only in (False, True):
            query = EvidenceQuery("It works.", results_only=results_only)
            used |= {name for name, _ in EvidencePrompts(strategy, paper, query).hashes}
    assert used == {path.stem for path in FOLDER.glob("evidence-*.md")}


def test_every_template_on_risk_of_bias_is_used() -> None:
    paper = read_paper(b"# Results\n\nIt worked.", name="paper.md")
    part = Part.whole(paper, candidates(paper))
    by_criteria, by_questions = tool_named("rob1").domains[0], tool_named("rob2").domains[0]
    wording = BiasWording(StudyContext())
    for view in ShownText:
        wording.judgement(by_criteria, part, view)
        wording.judgement(by_questions, part, view)
    wording.support(by_criteria, part, 3)
    wording.choice(by_criteria, part, ["One", "Two"], "AB")
    used = {"bias-definition"} | {name for name, _ in wording.hashes}  # a passage is cut before anything is judged
    assert used == {path.stem for path in FOLDER.glob("bias-*.md")}
