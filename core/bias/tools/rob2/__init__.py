"""RoB 2 for three designs and two effects, built from shared domains (Sterne et al., BMJ 2019;366:l4898), in our words."""

from __future__ import annotations

from dataclasses import replace

from core.bias.model import GREEN, HIGH, LOW, RED, YELLOW, Domain, LevelStyle, Raise, RobvisTemplate, Tool
from core.bias.tools.rob2.algorithms import SOME_CONCERNS
from core.bias.tools.rob2.designs import (
    CARRYOVER,
    CLUSTER_DEVIATIONS,
    CLUSTER_MEASUREMENT,
    CLUSTER_MISSING_DATA,
    CLUSTER_RANDOMISATION,
    CROSSOVER_DEVIATIONS,
    CROSSOVER_KNEW,
    CROSSOVER_MISSING_DATA,
    CROSSOVER_RANDOMISATION,
    CROSSOVER_SELECTION,
    RECRUITMENT,
)
from core.bias.tools.rob2.domains import ADHERENCE, DEVIATIONS, MEASUREMENT, MISSING_DATA, RANDOMISATION, SELECTION

__all__ = ["SOME_CONCERNS", "TOOLS"]

_ASSIGNMENT, _ADHERING = "assignment to the intervention", "adhering to the intervention"
_PARALLEL, _CLUSTER, _CROSSOVER = "parallel-group trial", "cluster-randomised trial", "crossover trial"
_GUIDANCE = {
    _PARALLEL: "guidance of 22 August 2019",
    _CLUSTER: "guidance for cluster-randomised trials, 18 March 2021",
    _CROSSOVER: "guidance for crossover trials, 18 March 2021",
}
_ROBVIS = {_PARALLEL: RobvisTemplate("ROB2"), _CLUSTER: RobvisTemplate("ROB2-Cluster"), _CROSSOVER: RobvisTemplate()}


def _tool(id: str, name: str, design: str, effect: str, *domains: Domain) -> Tool:
    return Tool(
        id=id,
        name=name,
        source=f"Sterne et al., BMJ 2019;366:l4898, effect of {effect}; {_GUIDANCE[design]}",
        levels={
            LOW: LevelStyle("Low", "+", GREEN),
            SOME_CONCERNS: LevelStyle("Some concerns", "!", YELLOW),
            HIGH: LevelStyle("High", "×", RED, "#FFFFFF"),
        },
        domains=domains,
        overall=True,
        raising=Raise(SOME_CONCERNS, HIGH),
        judges_results=True,
        family="RoB 2",
        design=design,
        effect=effect,
        robvis=_ROBVIS[design],
    )


def _parallel(id: str, name: str, effect: str, deviations: Domain) -> Tool:
    domains = (RANDOMISATION, deviations, MISSING_DATA, MEASUREMENT, SELECTION)
    return _tool(id, name, _PARALLEL, effect, *domains)


def _cluster(id: str, name: str, effect: str, deviations: Domain) -> Tool:
    before, after = (CLUSTER_RANDOMISATION, RECRUITMENT), (CLUSTER_MISSING_DATA, CLUSTER_MEASUREMENT, SELECTION)
    return _tool(id, name, _CLUSTER, effect, *before, deviations, *after)


def _crossover(id: str, name: str, effect: str, deviations: Domain) -> Tool:
    before, after = (CROSSOVER_RANDOMISATION, CARRYOVER), (CROSSOVER_MISSING_DATA, MEASUREMENT, CROSSOVER_SELECTION)
    # robvis has no template for crossover trials, and its generic one shows column names.
    named = (replace(one, robvis=".".join(one.name.split())) for one in (*before, deviations, *after))
    return _tool(id, name, _CROSSOVER, effect, *named)


_CROSSOVER_ADHERENCE = replace(ADHERENCE, questions=(*CROSSOVER_KNEW, *ADHERENCE.questions[2:]))

TOOLS = (
    _parallel("rob2", "RoB 2", _ASSIGNMENT, DEVIATIONS),
    _parallel("rob2-adhering", "RoB 2 (adhering)", _ADHERING, ADHERENCE),
    _cluster("rob2-cluster", "RoB 2 (cluster)", _ASSIGNMENT, CLUSTER_DEVIATIONS),
    _cluster("rob2-cluster-adhering", "RoB 2 (cluster, adhering)", _ADHERING, ADHERENCE),
    _crossover("rob2-crossover", "RoB 2 (crossover)", _ASSIGNMENT, CROSSOVER_DEVIATIONS),
    _crossover("rob2-crossover-adhering", "RoB 2 (crossover, adhering)", _ADHERING, _CROSSOVER_ADHERENCE),
)
