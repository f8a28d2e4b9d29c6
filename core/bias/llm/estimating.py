"""What judging will ask, as far as that can be told before the first answer. Nothing is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.bias.llm.strategies import RETRIEVED, Strategy, letters_for
from core.bias.llm.wording import View, Wording
from core.bias.model import Domain, StudyContext
from core.evidence.llm import parts
from core.evidence.llm.parts import Part
from core.evidence.model import candidates
from core.llm import Estimate, ModelName, Request, estimate
from core.paper import Paper


def estimate_run(
    model: ModelName, strategy: Strategy, domains: Iterable[Domain], paper: Paper, study: StudyContext
) -> Estimate:
    """What judging these domains will use if no answer has to be asked for again and none is in the cache."""
    return _estimate(model, expected_requests(strategy, domains, paper, study))


def estimate_support(model: ModelName, domain: Domain, paper: Paper, study: StudyContext, k: int) -> Estimate:
    """What a search for support sentences will use."""
    return _estimate(model, [_wording(paper, study).support(domain, _whole(paper), k)])


def estimate_from_sentences(model: ModelName, domain: Domain, sentences: Sequence[str]) -> Estimate:
    """What a judgement on given sentences will use."""
    return _estimate(model, [Wording(StudyContext()).judgement(domain, parts.given(sentences), View.COLLECTED)])


def estimate_pick(
    model: ModelName, domain: Domain, paper: Paper, study: StudyContext, options: Sequence[str]
) -> Estimate:
    """What the choice among support judgements will use."""
    request = _wording(paper, study).choice(domain, _whole(paper), options, letters_for(options))
    return _estimate(model, [request])


def expected_requests(
    strategy: Strategy, domains: Iterable[Domain], paper: Paper, study: StudyContext
) -> Iterator[Request]:
    """The requests of a run.

    Which sentences a search will bring depends on the answers: here it brings the paper's longest.
    """
    wording, whole = _wording(paper, study), _whole(paper)
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


def _estimate(model: ModelName, requests: Iterable[Request]) -> Estimate:
    return estimate(requests, f"{model.provider}:{model.model}")


def _wording(paper: Paper, study: StudyContext) -> Wording:
    return Wording(study, paper.title or paper.name)


def _whole(paper: Paper) -> Part:
    return parts.whole(paper, candidates(paper))
