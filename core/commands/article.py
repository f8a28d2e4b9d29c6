"""`article TEMPLATE --topic T --library FOLDER`: an article from many papers, section by section."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from core.answering import Question, answer_engines_named
from core.answering.model import GATHERED
from core.articles import TEMPLATES, Article, estimate_article, template_named, write_article
from core.commands.common import (
    add_budget,
    budget_of,
    bytes_of,
    printable,
    require_writable,
    tell_cost,
    terminal_progress,
    write_whole,
)
from core.engines import DEFAULT_ENGINE
from core.errors import QueryError
from core.export.answer_view import NO_NOTICES
from core.export.article import ARTICLE_FILES, article_document, article_markdown
from core.export.grades import key_of, origins_json, statements_csv
from core.grading.statements import drawn, statements_of, statements_of_text
from core.library import library_of_folder
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
    parser.add_argument(
        "--statements",
        type=Path,
        metavar="FILE",
        help="write its sentences for blinded grading: .csv; then `grades FILE`",
    )
    parser.add_argument(
        "--beside", type=Path, metavar="FILE", help="another article as text, whose sentences go among them"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="draws the order of the statements")
    add_budget(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Write the article. Reports unreadable files and failed sections (status 2)."""
    template = template_named(arguments.template)
    first = template.sections(arguments.topic)[0]  # says what is wrong with a topic before anything is indexed
    settings = Question(first.question, arguments.k)
    if (out := arguments.out) is not None:
        if out.suffix.lower() not in ARTICLE_FILES:
            raise QueryError(f"“{out}” has no known ending. Name a file with one of: {', '.join(ARTICLE_FILES)}.")
        require_writable(out)
    if arguments.beside is not None and arguments.statements is None:
        raise QueryError("--beside needs --statements FILE, which the sentences are written into.")
    beside = "" if arguments.beside is None else bytes_of(arguments.beside).decode("utf-8", errors="replace")
    if (statements := arguments.statements) is not None:
        require_writable(statements)
    engine = answer_engines_named(
        arguments.engine, gathers=arguments.gather_engine, plans=arguments.agent_engine, budget=budget_of(arguments)
    )
    with terminal_progress() as progress:
        papers = library_of_folder(arguments.library, progress=progress)
        tell_cost(
            arguments.engine,
            lambda model: estimate_article(model, template, arguments.topic, papers.library, settings),
        )
        article = write_article(
            template,
            arguments.topic,
            papers.library,
            engine,
            settings=settings,
            kept_in=load_settings().home / "articles",
            progress=progress,
        )
    date = datetime.now(UTC)
    if out is not None:
        write_whole(out, ARTICLE_FILES[out.suffix.lower()](article, date, NO_NOTICES, ()))
    if statements is not None:
        _write_statements(statements, article, beside, arguments.seed)
    failures = (*papers.failures, *article.problems)
    for failure in failures:
        print(printable(failure), file=sys.stderr)
    if arguments.json:
        print(json.dumps(article_document(article, date) | {"failed": list(failures)}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(map(printable, article_markdown(article, date).splitlines())))
    return 2 if failures else 0


def _write_statements(file: Path, article: Article, beside: str, seed: int) -> None:
    """Write the list for graders, and beside it the file that tells the origin of each statement."""
    statements = drawn([*statements_of(article), *statements_of_text(beside)], seed)
    write_whole(file, statements_csv(statements, {}))
    write_whole(key_of(file), origins_json(statements))
