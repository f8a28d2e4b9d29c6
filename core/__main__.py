"""`python -m core COMMAND`: the core without a browser, for batches and scripts."""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module
from typing import NoReturn

from core import __version__
from core.commands.common import printable
from core.errors import QueryError, VouchError

# A command is imported only when it is called, so that each one starts as fast as it can.
COMMANDS = {
    "read": "show a paper's sections and sentences",
    "evidence": "find the sentences that bear on a hypothesis",
    "bias": "judge a study's risk of bias, with the sentences that support it",
    "bias-from-sentences": "judge a domain of risk of bias from given sentences alone",
    "summary": "check a plain summary against its paper, or write one",
    "ask": "ask all papers of a folder or of the app a question, and be answered with quotations",
    "article": "write an article on a topic from a folder of papers, section by section, each sentence with its sources",
    "grades": "show how graders rated an article's statements, blind, beside another article's",
    "claims": "list what a paper claims, with the sentences that say so",
    "contradictions": "compare a paper's claims with a library: who contradicts them, who agrees",
    "review": "many papers as one review: read, screened, tabulated by hypothesis",
    "sources": "search literature services, fetch open full texts, look for retractions",
    "bench": "measure an engine on a benchmark with known answers",
    "convert-farebio": "convert labelled summaries from FaReBio's layout into ours",
    "make": "make a benchmark from your own reviews, or test whether its labels hold",
    "gold": "write what a project's reviewers settled as gold data, in the benchmarks' layouts",
    "engines": "list the engines and whether they can run here",
    "demo-server": "answer like a language model server, for tests and demonstrations",
}


class _Parser(argparse.ArgumentParser):
    """Reports a mistake in one line, like every other user error."""

    def error(self, message: str) -> NoReturn:
        raise QueryError(f"{message[:1].upper()}{message[1:]}. See “{self.prog} --help”.")


def main(argv: list[str] | None = None) -> int:
    """Run one command. A user's mistake is one line on standard error and exit status 2."""
    for stream in (sys.stdout, sys.stderr):  # papers may hold characters that the terminal lacks
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except VouchError as error:
        print(f"vouch: {printable(str(error))}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output closed it, as in `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("vouch: stopped", file=sys.stderr)
        return 130


def _run(words: list[str]) -> int:
    parser = _Parser(prog="python -m core", description="Find, judge and verify evidence in papers.")
    parser.add_argument("--version", action="version", version=f"vouch {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command_parser = commands.add_parser(name, help=summary, description=summary)
        if words and words[0] == name:
            command = import_module(f"core.commands.{name.replace('-', '_')}")
            command.add_arguments(command_parser)
            command_parser.set_defaults(run=command.run)
    arguments = parser.parse_args(words)
    status: int = arguments.run(arguments)
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    raise SystemExit(main())
