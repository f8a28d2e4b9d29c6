"""`article TEMPLATE --topic T --library FOLDER`: an article from many papers, section by section."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from core.answering import answer_engines_named
from core.answering.model import GATHERED
from core.articles import TEMPLATES, estimate_article, template_named, write_article
from core.commands.common import (
    add_budget,
    budget_of,
    printable,
    require_writable,
    terminal_progress,
    write_whole,
)
from core.engines import DEFAULT_ENGINE
from core.errors import QueryError
from core.export.answer_view import NO_NOTICES
from core.export.article import ARTICLE_FILES, article_document, article_markdown
from core.library import library_of_folder
from core.llm import CostEstimate, model_named
from core.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "template", metavar="TEMPLATE", help=f"{', '.join(TEMPLATES)}, or a file of yours that ends with .md"
    )
    parser.add_argument("--topic", required=True, metavar="T", help="what the article is about, in a few words")
    parser.add_argument("--library", type=Path, required=True, metavar="FOLDER", help="the papers; indexed once")
    parser.add_argument(
        "--engine", default=DEFAULT_ENGINE, help="offline, bm25, embedding, or a language model (default: %(default)s)"
    )
    parser.add_argument("--gather-engine", metavar="E", help="another model that reads passages, or offline")
    parser.add_argument("--agent-engine", metavar="E", help="another model that plans the steps")
    parser.add_argument("-k", type=int, default=GATHERED, help="passages gathered for a section (default: %(default)s)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=f"write it into a file as well: {', '.join(ARTICLE_FILES)}"
    )
    add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Write the article. Files that cannot be read, and sections that failed, are told (status 2)."""
    template = template_named(arguments.template)
    template.sections(arguments.topic)  # says what is wrong with a topic before anything is indexed
    if (out := arguments.out) is not None:
        if out.suffix.lower() not in ARTICLE_FILES:
            raise QueryError(f"“{out}” has no known ending. Name a file with one of: {', '.join(ARTICLE_FILES)}.")
        require_writable(out)
    engine = answer_engines_named(
        arguments.engine, gathers=arguments.gather_engine, plans=arguments.agent_engine, budget=budget_of(arguments)
    )
    with terminal_progress() as progress:
        papers = library_of_folder(arguments.library, progress=progress)
        if (model := model_named(arguments.engine)) is not None:
            used = estimate_article(model, template, arguments.topic, papers.library, arguments.k)
            print(_cost_before(used), file=sys.stderr)
        article = write_article(
            template,
            arguments.topic,
            papers.library,
            engine,
            k=arguments.k,
            kept_in=load_settings().home / "articles",
            progress=progress,
        )
    date = datetime.now(UTC)
    if out is not None:
        write_whole(out, ARTICLE_FILES[out.suffix.lower()](article, date, NO_NOTICES))
    failures = (*papers.failures, *article.problems)
    for failure in failures:
        print(printable(failure), file=sys.stderr)
    if arguments.json:
        print(json.dumps(article_document(article, date) | {"failed": list(failures)}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(map(printable, article_markdown(article, date).splitlines())))
    return 2 if failures else 0


def _cost_before(used: CostEstimate) -> str:
    """What an article will cost, for whoever may still stop it."""
    tokens = f"About {used.calls:,} questions with {used.input_tokens:,} tokens, besides an agent's steps"
    if used.least_usd is None or used.most_usd is None:
        return f"{tokens}; the price of this model is not known."
    return f"{tokens}: ${used.least_usd:.2f} to ${used.most_usd:.2f}."
