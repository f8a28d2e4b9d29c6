"""The graph that ships is the one that is made, and holds no weights."""

from __future__ import annotations

import onnx

from core.evidence.embedding_transformer import GRAPH
from core.training.minilm_graph import minilm


def test_the_file_that_ships_is_the_one_that_is_made() -> None:
    shipped = onnx.load(GRAPH, load_external_data=False)
    assert shipped == minilm()


def test_it_names_its_weights_and_holds_none() -> None:
    assert GRAPH.stat().st_size < 50_000
    outside = [tensor for tensor in minilm().graph.initializer if tensor.data_location == onnx.TensorProto.EXTERNAL]
    assert len(outside) == 2 + 6 * 16  # the embeddings' normalisation, and six layers
    inside = [tensor for tensor in minilm().graph.initializer if tensor.data_location != onnx.TensorProto.EXTERNAL]
    assert {tensor.name: tuple(tensor.int64_data) for tensor in inside} == {
        "rows": (-1, 384),
        "width": (384,),
        "middle": (1,),
    }
