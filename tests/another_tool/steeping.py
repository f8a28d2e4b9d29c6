"""A tool that nobody published: levels of its own, and a question that is numbered as RoB 2's first."""

from __future__ import annotations

from core.bias.model import BLUE, GREEN, Answer, Answers, Domain, Level, LevelStyle, Question, Raise, Tool

CALM, STIRRED, SPILT = Level("calm"), Level("stirred"), Level("spilt")


def poured(answers: Answers) -> Level:
    """Stirred by the first answer, spilt by the second."""
    if answers["1.2"] is Answer.YES:
        return SPILT
    return STIRRED if answers["1.1"] is Answer.YES else CALM


TOOL = Tool(
    id="steeping",
    name="Steeping",
    source="Nowhere",
    levels={
        CALM: LevelStyle("Calm", "~", GREEN),
        STIRRED: LevelStyle("Stirred", "∿", BLUE),
        SPILT: LevelStyle("Spilt", "✖", "#5B2A86", "#FFFFFF"),
    },
    overall=True,
    raising=Raise(STIRRED, SPILT),
    domains=(
        Domain(
            id="pouring",
            name="Pouring",
            bias="bias of the pot",
            definition="Whether the tea was poured.",
            criteria={CALM: "It stood still.", STIRRED: "It was moved.", SPILT: "It left the cup."},
            robvis="Pouring",
            questions=(
                Question("1.1", "Was it stirred?", (Answer.YES, Answer.NO)),
                Question("1.2", "Did it spill?", (Answer.YES, Answer.NO)),
            ),
            algorithm=poured,
        ),
        Domain(
            id="leaves",
            name="Leaves",
            bias="bias of the leaf",
            definition="Whether the leaves were whole.",
            criteria={CALM: "Whole.", STIRRED: "Broken.", SPILT: "Dust."},
            robvis="Leaves",
        ),
    ),
)

TOOLS = (TOOL,)
