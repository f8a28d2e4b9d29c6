"""`evidence ... --check-wording`: the same search for other wordings of the hypothesis, and what they changed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.commands.terminal import printable, terminal_progress
from core.evidence import Evidence, EvidenceEngine
from core.evidence.sensitivity import Change, Rewording, other_wordings, sensitivity
from core.paper import Paper

if TYPE_CHECKING:
    from collections.abc import Sequence


def add_check(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--check-wording",
        action="store_true",
        help="search for the negated hypothesis and a paraphrase too, and show what changes; a language model writes "
        "both, other engines take the negation alone",
    )
    parser.add_argument("--paraphrase", metavar="TEXT", help="the paraphrase to check, in your own words")


def check(
    engine: EvidenceEngine, paper: Paper, evidence: Evidence, arguments: argparse.Namespace
) -> tuple[Change, ...] | None:
    """What other wordings change; None if nobody asked. Raises as the engine does."""
    if not (arguments.check_wording or arguments.paraphrase):
        return None
    wordings = other_wordings(engine, evidence.query.hypothesis)
    if arguments.paraphrase:
        wordings[Rewording.PARAPHRASE] = arguments.paraphrase
    with terminal_progress() as progress:
        return sensitivity(engine, paper, evidence, wordings, progress=progress)


def change_documents(changes: Sequence[Change] | None) -> list[dict[str, object]] | None:
    """The JSON array `wording`; None if nothing was checked."""
    if changes is None:
        return None
    return [
        {
            "rewording": change.rewording.value,
            "hypothesis": change.evidence.query.hypothesis,
            "overlap": change.overlap,
            "kept": change.kept,
            "lost": change.lost,
            "gained": change.gained,
            "contradictions": change.contradictions,
            "stances": {found.index: found.stance for found in change.evidence.sentences if found.stance},
            "cost_usd": change.evidence.cost_usd,
        }
        for change in changes
    ]


def change_lines(changes: Sequence[Change]) -> Iterator[str]:
    """The same for people."""
    for change in changes:
        total = len(change.kept) + len(change.lost) + len(change.gained)
        yield f"\n{change.rewording.value}: {printable(change.evidence.query.hypothesis)}"
        yield f"     {len(change.kept)} of {total} sentences shared"
        for name in ("lost", "gained", "contradictions"):
            if indices := getattr(change, name):
                yield f"     {name}: {', '.join(f'[{index}]' for index in indices)}"
