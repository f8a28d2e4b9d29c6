"""A model server for tests and demonstrations, on this computer only: it speaks the providers' wire formats.

Its answers are computed from the request by sharing of words; it understands nothing. It misbehaves on demand.
"""

from core.llm.demo.questions import Fault
from core.llm.demo.server import DemoServer

__all__ = ["DemoServer", "Fault"]
