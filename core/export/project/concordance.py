"""How far each two reviewers of a project agree, domain by domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from core.bias.agreement import Agreement, agreement
from core.bias.model import Tool
from core.export.project.levels import papers_to_judge, present
from core.store.model import ProjectState


@dataclass(frozen=True, slots=True)
class Pair:
    """Two reviewers on one domain."""

    reviewers: tuple[str, str]
    domain: str  # its name
    agreement: Agreement


def concordance(state: ProjectState, tool: Tool) -> Iterator[Pair]:
    """Every two reviewers on every domain, from what each said alone; a consensus is not counted."""
    papers = papers_to_judge(state)
    given = {(one.reviewer, one.paper, one.domain): one.level for one in present(state.judgements)}
    for pair in combinations(state.project.record.reviewers, 2):
        one, other = pair
        for domain in tool.domains:
            levels = [(given.get((one, id, domain.id)), given.get((other, id, domain.id))) for id in papers]
            yield Pair(pair, domain.name, agreement(levels, tool.scale))
