"""Write MiniLM's computation as graphs for ONNX Runtime, without its weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from onnx import ModelProto, NodeProto, TensorProto, helper

from core.text.encoder import DIMENSIONS, GRAPH, INTEGER_GRAPH
from core.training import parser_of

_LAYERS, _HEADS, _DEEP = 6, 12, 1536
_RUNTIMES = "com.microsoft"  # the domain of ONNX Runtime's own operators
_FUSED = ("MatMulIntegerToFloat", "MultiHeadAttention", "SkipLayerNormalization")
_EPSILON = 1e-12
_FAR_BELOW = -1e9  # the attention score of padding


def write_minilm_graphs() -> None:
    """Write MiniLM's computation as graphs for ONNX Runtime: `python -m core.training minilm-graphs`.

    `core/text/minilm.onnx` computes in single precision, `core/text/minilm-int8.onnx` multiplies integers. Both name
    their weights as the safetensors files do, and hold none: they are given when a graph is loaded, those of the
    sentence encoder or those of a cross-encoder. Where the runtime has an operator of its own that does several steps
    at once, it is used.
    """
    parser_of(write_minilm_graphs).parse_args()
    for path, graph in ((GRAPH, minilm()), (INTEGER_GRAPH, integer_minilm())):
        path.write_bytes(graph.SerializeToString(deterministic=True))
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def minilm() -> ModelProto:
    """Vectors of word pieces, (texts, longest, 384), and a mask, (texts, longest) -> their means, (texts, 384)."""
    return _made(_Graph())


def integer_minilm() -> ModelProto:
    """The same, with dense layers that multiply integers."""
    return _made(_IntegerGraph())


def _made(graph: _Graph) -> ModelProto:
    rows, width = graph.numbers("rows", -1, DIMENSIONS), graph.numbers("width", DIMENSIONS)
    graph.node("Concat", graph.node("Shape", "real"), width, output="padded", axis=0)
    hidden = graph.node("LayerNormalization", "embedded", *graph.norm("embeddings.LayerNorm"), epsilon=_EPSILON)
    hidden = graph.node("Reshape", hidden, rows)
    for number in range(_LAYERS):
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
    """Attention and two dense layers over rows of word pieces, each with a residual connection and normalisation."""
    mixed = [
        graph.node("Reshape", graph.dense(hidden, f"{name}.attention.self.{part}", DIMENSIONS, DIMENSIONS), "padded")
        for part in ("query", "key", "value")
    ]
    context = graph.node("MultiHeadAttention", *mixed, "", "real", num_heads=_HEADS, mask_filter_value=_FAR_BELOW)
    hidden = _added(graph, hidden, graph.node("Reshape", context, "rows"), f"{name}.attention.output", DIMENSIONS)
    wide = graph.node("Gelu", graph.dense(hidden, f"{name}.intermediate.dense", DIMENSIONS, _DEEP))
    return _added(graph, hidden, wide, f"{name}.output", _DEEP)


def _added(graph: _Graph, hidden: str, rows: str, name: str, width: int) -> str:
    """LayerNorm(hidden + dense(rows))."""
    narrow = graph.dense(rows, f"{name}.dense", width, DIMENSIONS)
    return graph.node("SkipLayerNormalization", narrow, hidden, *graph.norm(f"{name}.LayerNorm"), epsilon=_EPSILON)


def _mean(graph: _Graph, hidden: str) -> None:
    """Add the output `means`, over the real word pieces of each text."""
    middle = graph.numbers("middle", 1)
    real = graph.node("Cast", "real", to=TensorProto.FLOAT)
    summed = graph.node("Squeeze", graph.node("MatMul", graph.node("Unsqueeze", real, middle), hidden), middle)
    graph.node("Div", summed, graph.node("ReduceSum", real, middle), output="means")


@dataclass(frozen=True, slots=True)
class _Graph:
    """A graph under construction. Nodes and tensors refer to each other by name."""

    nodes: list[NodeProto] = field(default_factory=list)
    tensors: list[TensorProto] = field(default_factory=list)

    def node(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add an operator, and return the name of its output."""
        output = output or f"{operator} {len(self.nodes)}"
        domain = _RUNTIMES if operator in _FUSED else ""
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def dense(self, rows: str, name: str, width: int, out: int) -> str:
        """Add a dense layer with weights of shape (out, width) and a bias."""
        weight, bias = self._weight(f"{name}.weight", out, width), self._weight(f"{name}.bias", out)
        return self.node("Gemm", rows, weight, bias, transB=1)

    def norm(self, name: str) -> tuple[str, str]:
        """Add the scale and shift of a layer normalisation, and return their names."""
        return self._weight(f"{name}.weight", DIMENSIONS), self._weight(f"{name}.bias", DIMENSIONS)

    def numbers(self, name: str, *values: int) -> str:
        """Add a constant, and return its name."""
        self.tensors.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def _weight(self, name: str, *shape: int, kind: int = TensorProto.FLOAT) -> str:
        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="given when loaded")
        self.tensors.append(tensor)
        return name


_LEAST = 1e-12  # the largest value of a row that is taken for zero
_STEPS = 63  # of a row on either side of zero: seven bits, so that no processor's sum of two products overflows


@dataclass(frozen=True, slots=True)
class _IntegerGraph(_Graph):
    """A graph whose dense layers multiply integers: rows rounded to seven bits, each by its own scale, and eight-bit weights.

    Because each row has its own scale, the other texts of a batch change a text's vector no more than without rounding.
    """

    rounded: dict[str, tuple[str, str]] = field(default_factory=dict)  # rows -> the same as integers, and their scales

    def dense(self, rows: str, name: str, width: int, out: int) -> str:
        """Add a dense layer with integer weights of shape (width, out), a scale for each column, and a bias."""
        integers, scale = self._integers(rows)
        weight = self._weight(f"{name}.weight", width, out, kind=TensorProto.INT8)
        scales, bias = self._weight(f"{name}.weight.scale", out), self._weight(f"{name}.bias", out)
        product = self.node("MatMulIntegerToFloat", integers, weight, "one", scales, "zero")
        return self.node("Add", self.node("Mul", product, scale), bias)

    def _integers(self, rows: str) -> tuple[str, str]:
        if not self.rounded:
            self.numbers("last", -1)
            self.tensors.append(helper.make_tensor("one", TensorProto.FLOAT, [], [1.0]))
            self.tensors.append(helper.make_tensor("step", TensorProto.FLOAT, [], [1 / _STEPS]))
            self.tensors.append(helper.make_tensor("least", TensorProto.FLOAT, [], [_LEAST]))
            self.tensors.append(helper.make_tensor("zero", TensorProto.UINT8, [], [_STEPS + 1]))
        if rows not in self.rounded:
            largest = self.node("Max", self.node("ReduceMax", self.node("Abs", rows), "last"), "least")
            scale = self.node("Mul", largest, "step")
            integers = self.node("QuantizeLinear", self.node("Div", rows, scale), "one", "zero")
            self.rounded[rows] = integers, scale
        return self.rounded[rows]
