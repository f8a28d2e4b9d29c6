"""Judgements of one paper as the JSON document of `bias --json`."""

from __future__ import annotations

from collections.abc import Sequence

from core.bias import Domain, Judgement, Tool
from core.paper import Paper


def as_document(
    tool: Tool, domains: Sequence[Domain], judgements: Sequence[Judgement], paper: Paper, engine: str
) -> dict[str, object]:
    """The judgements as the JSON document of `bias --json`; a level that is missing is null."""
    levels = {judgement.domain: judgement.level for judgement in judgements}
    return {
        "tool": tool.id,
        "engine": engine,
        "title": paper.title,
        "domains": [
            {
                "domain": domain.id,
                "name": domain.name,
                "judgement": judgement.level,
                "rationale": judgement.rationale,
                "support": [
                    {
                        "index": support.index,
                        "text": paper.sentences[support.index].text,
                        "score": support.score,
                        "reason": support.reason or None,
                    }
                    for support in judgement.support
                ],
                "answers": dict(judgement.answers),
                "deciding_words": list(judgement.deciding_words),
                "searched": list(judgement.searched),
                "rejected": [{"index": index, "text": paper.sentences[index].text} for index in judgement.rejected],
            }
            for domain, judgement in zip(domains, judgements, strict=True)
        ],
        "overall": tool.overall_level(levels),
    }
