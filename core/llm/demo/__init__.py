"""A model server for tests and demonstrations, on this computer only. It implements the providers' wire formats.

It computes its answers from the words that texts in the request share, without any understanding. It misbehaves on
demand.
"""

from core.llm.demo.questions import Fault
from core.llm.demo.server import DemoServer

__all__ = ["DemoServer", "Fault"]
