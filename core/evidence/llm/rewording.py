"""A hypothesis in other words, by a model."""

from __future__ import annotations

from pydantic import Field

from core.evidence.llm.asking import Asker
from core.llm import ReplySchema, Request
from core.prompts import load_prompt


class Wordings(ReplySchema):
    """The answer. Servers without schemas cannot give it."""

    paraphrase: str = Field(description="The same claim in other words.")
    negation: str = Field(description="The claim that is true exactly when the hypothesis is false.")


def reworded(asker: Asker, hypothesis: str) -> tuple[str, str]:
    """A paraphrase and a negation. Raises `ModelError` if the model gives none."""
    prompt = load_prompt("evidence-reword", variables=("hypothesis",), parts=("system", "task"))
    request = Request(
        system=prompt.fill("system"),
        context="",
        task=prompt.fill("task", hypothesis=" ".join(hypothesis.split())),
        schema=Wordings,
        label="Other words",
    )
    [reply] = asker.ask_all([request])
    if reply.problem is not None:
        raise reply.problem
    assert isinstance(reply.data, Wordings)  # a reply without a problem has the form that was asked for  # noqa: S101
    return reply.data.paraphrase, reply.data.negation
