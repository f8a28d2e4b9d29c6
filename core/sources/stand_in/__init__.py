"""A stand-in for the literature services, on this computer: for tests and demonstrations. All that it knows is invented."""

from core.sources.stand_in.literature import Work, invented
from core.sources.stand_in.server import SourceFault, StandIn

__all__ = ["SourceFault", "StandIn", "Work", "invented"]
