"""What asking a language model once will use, before anything is sent."""

from __future__ import annotations

from core.bias.llm.engine import strategy_of as bias_strategy_of
from core.bias.llm.estimating import estimate_run as estimate_judgements
from core.errors import QueryError
from core.evidence.llm.engine import strategy_of
from core.evidence.llm.estimating import estimate_run
from core.llm import Estimate, ModelName
from core.paper import Paper
from core.summary.llm.engine import estimate_check
from pages._ui.compare.work import BiasWanted, EvidenceWanted, SummaryWanted


def estimate(model: ModelName, what: EvidenceWanted | BiasWanted | SummaryWanted, paper: Paper) -> Estimate:
    """The calls, tokens and money of one answer. Raises `VouchError` where there is nothing to ask yet."""
    match what:
        case EvidenceWanted(query):
            return estimate_run(model, strategy_of(model), paper, query)
        case BiasWanted(tool, study):
            return estimate_judgements(model, bias_strategy_of(model), tool.domains, paper, study)
        case SummaryWanted(summary, source):
            if not any(map(str.isalnum, summary)):
                raise QueryError("The summary is empty. Write or paste at least one sentence about the paper.")
            return estimate_check(model, summary, paper, source)
