"""Fit and train the models that `offline` ships, and measure them on unseen papers. Needs the data folder.

`python -m core.training` lists the commands. Nothing of the product imports this.
"""

import inspect
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable


def parser_of(command: Callable[[], object]) -> ArgumentParser:
    """A parser for the arguments of a command; the command's docstring is its help."""
    return ArgumentParser(
        prog=sys.argv[0], description=inspect.getdoc(command), formatter_class=RawDescriptionHelpFormatter
    )
