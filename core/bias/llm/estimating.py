"""What judging will ask, as far as that can be told before the first answer. Nothing is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.bias.llm.strategies import RETRIEVED, Strategy
from core.bias.llm.wording import View, Wording
from core.bias.model import Domain, StudyContext
from core.evidence.llm import parts
from core.evidence.model import candidates
from core.llm import Estimate, ModelName, Request, estimate
from core.paper import Paper


def estimate_run(
    model: ModelName, strategy: Strategy, domains: Iterable[Domain], paper: Paper, study: StudyContext
) -> Estimate:
    """What judging these domains will use if no answer has to be asked for again and none is in the cache."""
    return estimate(expected_requests(strategy, domains, paper, study), f"{model.provider}:{model.model}")


def expected_requests(
    strategy: Strategy, domains: Iterable[Domain], paper: Paper, study: StudyContext
) -> Iterator[Request]:
    """The requests of a run.

    Which sentences a search will bring depends on the answers: here it brings the paper's longest.
    """
    wording = Wording(study, paper.title or paper.name)
    whole = parts.whole(paper, candidates(paper))
    longest = sorted(whole.shown, key=lambda number: -len(whole.shown[number]))[:RETRIEVED]
    if not whole.shown:
        return
    for domain in domains:
        if strategy is Strategy.WHOLE:
            yield wording.judgement(domain, whole, View.WHOLE)
            continue
        yield wording.support(domain, whole, RETRIEVED)
        if strategy is Strategy.HIGHLIGHTS:
            yield wording.judgement(domain, whole, View.HIGHLIGHTS, highlighted=longest)
        else:
            yield wording.judgement(domain, parts.chosen(paper, longest), View.RETRIEVED)
