"""`demo-server`: a model server for tests and demonstrations, on this computer only."""

from __future__ import annotations

import argparse

from core.errors import QueryError
from core.llm.demo import DemoServer, Fault
from core.llm.demo.questions import order_named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--port", type=int, default=8765, help="0: any free one (default: %(default)s)")
    parser.add_argument("--latency", type=float, default=0.0, metavar="S", help="seconds before each answer")
    parser.add_argument("--context", type=int, metavar="N", help="tokens of a question and its answer (default: any)")
    parser.add_argument(
        "--fault", metavar="NAME", help=f"misbehave, always or (as 429x2) for 2 calls: {', '.join(Fault)}"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted. Prints the settings that make Vouch use the server."""
    if arguments.latency < 0:
        raise QueryError(f"A latency of {arguments.latency} seconds is not possible.")
    if arguments.context is not None and arguments.context < 1:
        raise QueryError(f"--context is {arguments.context}: it must be at least 1.")
    try:
        server = DemoServer(
            port=arguments.port,
            latency=arguments.latency,
            context=arguments.context,
            fault=order_named(arguments.fault) if arguments.fault else None,
        )
    except (OSError, OverflowError):
        raise QueryError(f"Port {arguments.port} cannot be used. Choose another with --port, or 0 for any.") from None
    with server:
        print("A demo server answers on this computer. It shares words, it does not understand. Try it with:\n")
        for name, value in server.environment.items():
            print(f"export {name}={value}")
        print("\npython -m core evidence PAPER --hypothesis H --engine openai:demo", flush=True)
        server.wait()
    return 0
