"""`bias-from-sentences`: a judgement from given sentences alone, one a line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.bias import Domain, Judgement, tool_named
from core.bias.engine import judge_from_sentences
from core.bias.engines import DEFAULT_ENGINE, bias_engine_named
from core.commands.bias_inputs import add_domain_arguments, domain_of, own_domain, sentences_of
from core.commands.terminal import printable
from core.errors import QueryError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_domain_arguments(parser)
    parser.add_argument(
        "--sentences", type=Path, required=True, metavar="FILE", help="a text file, one sentence a line"
    )
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="offline, bm25 or embedding (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Print the judgement."""
    domain = _domain(arguments)
    sentences = sentences_of(arguments.sentences)
    judgement = judge_from_sentences(domain, sentences, engine=bias_engine_named(arguments.engine))
    if arguments.json:
        document = as_document(domain, judgement, sentences, arguments.engine)
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        print(f"{printable(domain.name)}: {judgement.level or 'no judgement'}\n{printable(judgement.rationale)}")
    return 0


def as_document(domain: Domain, judgement: Judgement, sentences: list[str], engine: str) -> dict[str, object]:
    """The judgement as the JSON document of `bias-from-sentences --json`; support counts the lines from 0."""
    return {
        "domain": domain.id,
        "engine": engine,
        "judgement": judgement.level,
        "rationale": judgement.rationale,
        "support": [{"index": support.index, "text": sentences[support.index]} for support in judgement.support],
        "answers": dict(judgement.answers),
        "deciding_words": list(judgement.deciding_words),
    }


def _domain(arguments: argparse.Namespace) -> Domain:
    if arguments.definition is not None:
        return own_domain(arguments.definition, arguments.domain)
    if not arguments.domain:
        raise QueryError("Which domain? Name one with --domain, such as sequence or D1.")
    return domain_of(tool_named(arguments.tool), arguments.domain)
