"""The flow of a review's records as PRISMA 2020 has it: the counts, and the diagram drawn from them."""

from core.export.prisma.counts import FlowCounts, FlowItem, Removal, Source, SourceKind, Stream, flow_of
from core.export.prisma.drawing import flow_diagram

__all__ = ["FlowCounts", "FlowItem", "Removal", "Source", "SourceKind", "Stream", "flow_diagram", "flow_of"]
