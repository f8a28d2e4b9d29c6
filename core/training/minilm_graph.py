"""Makes `core/evidence/minilm.onnx`, what MiniLM computes as ONNX Runtime reads it: `python -m core.training.minilm_graph`.

It names its weights as their safetensors files do, and holds none: they are given when it is loaded, those of the sentence
encoder or those of a cross-encoder. Where the runtime has an operator of its own that does several steps at once, it is
used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from onnx import ModelProto, NodeProto, TensorProto, helper

from core.evidence.embedding_transformer import DIMENSIONS, GRAPH

LAYERS, HEADS, DEEP = 6, 12, 1536
_RUNTIMES = "com.microsoft"  # the domain of the operators that are ONNX Runtime's own
_FUSED = ("MultiHeadAttention", "SkipLayerNormalization")
_EPSILON = 1e-12
_FAR_BELOW = -1e9  # attention to padding


def main() -> None:
    """Write the file."""
    GRAPH.write_bytes(minilm().SerializeToString(deterministic=True))
    print(f"{GRAPH.name}: {GRAPH.stat().st_size:,} bytes")


def minilm() -> ModelProto:
    """Word pieces' vectors, (texts, longest, 384), and 1 for the real ones, (texts, longest) -> their means, (texts, 384)."""
    graph = _Graph()
    rows, width = graph.numbers("rows", -1, DIMENSIONS), graph.numbers("width", DIMENSIONS)
    graph.node("Concat", graph.node("Shape", "real"), width, output="padded", axis=0)
    hidden = graph.node("LayerNormalization", "embedded", *graph.norm("embeddings.LayerNorm"), epsilon=_EPSILON)
    hidden = graph.node("Reshape", hidden, rows)
    for number in range(LAYERS):
        hidden = _layer(graph, hidden, f"encoder.layer.{number}")
    _mean(graph, graph.node("Reshape", hidden, "padded"))
    taken = [
        helper.make_tensor_value_info("embedded", TensorProto.FLOAT, ["texts", "longest", DIMENSIONS]),
        helper.make_tensor_value_info("real", TensorProto.INT32, ["texts", "longest"]),
    ]
    given = helper.make_tensor_value_info("means", TensorProto.FLOAT, ["texts", DIMENSIONS])
    made = helper.make_graph(graph.nodes, "MiniLM", taken, [given], graph.tensors)
    operators = [helper.make_opsetid("", 20), helper.make_opsetid(_RUNTIMES, 1)]
    return helper.make_model(made, opset_imports=operators, ir_version=10)


def _layer(graph: _Graph, hidden: str, name: str) -> str:
    """Attention and two dense layers over rows of word pieces, each part added to what it was given and normalised."""
    mixed = [
        graph.node("Reshape", graph.dense(hidden, f"{name}.attention.self.{part}", DIMENSIONS, DIMENSIONS), "padded")
        for part in ("query", "key", "value")
    ]
    context = graph.node("MultiHeadAttention", *mixed, "", "real", num_heads=HEADS, mask_filter_value=_FAR_BELOW)
    hidden = _added(graph, hidden, graph.node("Reshape", context, "rows"), f"{name}.attention.output", DIMENSIONS)
    wide = graph.node("Gelu", graph.dense(hidden, f"{name}.intermediate.dense", DIMENSIONS, DEEP))
    return _added(graph, hidden, wide, f"{name}.output", DEEP)


def _added(graph: _Graph, hidden: str, rows: str, name: str, width: int) -> str:
    """LayerNorm(hidden + dense(rows))."""
    narrow = graph.dense(rows, f"{name}.dense", width, DIMENSIONS)
    return graph.node("SkipLayerNormalization", narrow, hidden, *graph.norm(f"{name}.LayerNorm"), epsilon=_EPSILON)


def _mean(graph: _Graph, hidden: str) -> None:
    """`means`, over the real word pieces of each text."""
    middle = graph.numbers("middle", 1)
    real = graph.node("Cast", "real", to=TensorProto.FLOAT)
    summed = graph.node("Squeeze", graph.node("MatMul", graph.node("Unsqueeze", real, middle), hidden), middle)
    graph.node("Div", summed, graph.node("ReduceSum", real, middle), output="means")


@dataclass(frozen=True, slots=True)
class _Graph:
    """What is computed, as it grows. Everything goes by its name."""

    nodes: list[NodeProto] = field(default_factory=list)
    tensors: list[TensorProto] = field(default_factory=list)

    def node(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """An operator; its output."""
        output = output or f"{operator} {len(self.nodes)}"
        domain = _RUNTIMES if operator in _FUSED else ""
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def dense(self, rows: str, name: str, width: int, out: int) -> str:
        """Rows times a dense layer's weights, (out, width), and its bias."""
        weight, bias = self._weight(f"{name}.weight", out, width), self._weight(f"{name}.bias", out)
        return self.node("Gemm", rows, weight, bias, transB=1)

    def norm(self, name: str) -> tuple[str, str]:
        """Scale and shift of a layer normalisation."""
        return self._weight(f"{name}.weight", DIMENSIONS), self._weight(f"{name}.bias", DIMENSIONS)

    def numbers(self, name: str, *values: int) -> str:
        """A constant."""
        self.tensors.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def _weight(self, name: str, *shape: int) -> str:
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="given when loaded")
        self.tensors.append(tensor)
        return name


if __name__ == "__main__":
    main()
