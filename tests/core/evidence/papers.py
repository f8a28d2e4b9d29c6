"""Made-up papers for the engines' tests."""

from __future__ import annotations

from collections.abc import Sequence

from core.paper import Format, Kind, Paper
from core.paper.draft import Block, PaperDraft
from core.paper.read import assemble

HYPOTHESIS = "Daily naps improve memory in honey bees."


def paper_of(*blocks: Block, name: str = "made-up.xml") -> Paper:
    """A paper of these blocks; its id follows from what it says."""
    draft = PaperDraft(title="Naps", blocks=list(blocks))
    return assemble(draft, data=repr(blocks).encode("utf-8", "surrogatepass"), name=name, format=Format.TEXT)


def body(*sentences: str) -> Block:
    return Block(Kind.BODY, " ".join(sentences), sentences=sentences)


def heading(title: str) -> Block:
    return Block(Kind.HEADING, title, level=1)


def bee_trial(*, more: Sequence[str] = ()) -> Paper:
    """A small trial, with a caption and a table row; `more` are sentences added to its results."""
    return paper_of(
        Block(Kind.TITLE, "Naps and memory in honey bees"),
        Block(Kind.ABSTRACT, "", sentences=(
            "Little is known about the sleep of insects.",
            "Forty bees were assigned at random to a daily nap or to none.",
            "Memory scores were higher with a nap (82 versus 64 points; P = 0.003).",
        )),
        heading("Introduction"),
        body("Bees visit many flowers on one flight [3].", "Memory in honey bees has been studied for a century [4]."),
        heading("Methods"),
        body("Hives stood in a quiet garden.", "Memory was tested with coloured discs by a blinded observer."),
        heading("Results"),
        body("Napping bees remembered 41% more flowers than the others (95% CI 22 to 60, P < 0.001).", "Two bees flew away.", *more),
        Block(Kind.CAPTION, "Table 1. Memory by group."),
        Block(Kind.TABLE, "Nap | 82 | 64 | 0.003"),
        heading("Discussion"),
        body("A daily nap may improve memory in honey bees.", "We thank nobody."),
    )  # fmt: skip
