"""The graphs that ship are the ones that are made, hold no weights, and the one of integers computes nearly the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto
from safetensors.numpy import load_file

from core.entailment import InContext
from core.entailment.reader import WEIGHTS, Reader, Writer
from core.text.encoder import GRAPH, INTEGER_GRAPH, Transformer, load_encoder
from core.text.encoder_files import model_folder
from core.training.minilm_graphs import integer_minilm, minilm
from core.training.reader import packed, unpacked

QUESTION = "Daily walks reduce back pain compared with usual care in adults"


@pytest.mark.parametrize(("path", "made"), [(GRAPH, minilm()), (INTEGER_GRAPH, integer_minilm())])
def test_the_file_that_ships_is_the_one_that_is_made(path: Path, made: ModelProto) -> None:
    assert onnx.load(path, load_external_data=False) == made


@pytest.mark.parametrize("made", [minilm(), integer_minilm()])
def test_it_names_its_weights_and_holds_none(made: ModelProto) -> None:
    outside = [one for one in made.graph.initializer if one.data_location == onnx.TensorProto.EXTERNAL]
    scales = [one for one in outside if one.name.endswith(".scale")]
    assert len(outside) - len(scales) == 2 + 6 * 16  # the embeddings' normalisation, and six layers
    assert len(scales) in (0, 6 * 6), "one for each matrix of integers"
    inside = [one for one in made.graph.initializer if one.data_location != onnx.TensorProto.EXTERNAL]
    assert {one.name for one in inside} <= {"rows", "width", "middle", "last", "one", "step", "least", "zero"}
    assert made.ByteSize() < 50_000


def test_integers_give_nearly_the_same_whatever_else_is_in_the_batch() -> None:
    folder = model_folder()
    assert folder is not None
    encoder, shipped = load_encoder(folder), load_file(WEIGHTS)
    told = ("lower", "much higher, by 12 points (95% CI 8 to 16),", "not different")
    sentences = [InContext(f"Back pain was {how} after daily walks than after usual care.") for how in told]
    whole = Transformer(encoder.embeddings, unpacked(shipped))
    pairs = Writer(encoder.pieces).pairs(QUESTION, sentences)
    means = whole.pooled([pair.pieces for pair in pairs], second=[pair.second for pair in pairs])
    logits = means @ shipped["head.D.weight"].T + shipped["head.D.bias"]
    precise = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    together = Reader(encoder, shipped).directions(QUESTION, sentences)
    assert together == pytest.approx(precise, abs=0.08)
    for row, sentence in enumerate(sentences):
        alone = Reader(encoder, shipped).directions(QUESTION, [sentence])
        assert alone[0] == pytest.approx(together[row], abs=2e-4)  # probabilities are rounded to four decimals


def test_layers_are_shipped_in_eight_bits_and_come_back_nearly_as_they_were() -> None:
    random = np.random.default_rng(0)
    weights = {
        "encoder.weight": random.normal(size=(8, 16)).astype(np.float32),
        "encoder.bias": random.normal(size=8).astype(np.float32),
        "head.D.weight": random.normal(size=(4, 16)).astype(np.float32),
    }
    shipped = packed(weights)
    assert shipped["encoder.weight"].dtype == np.int8
    back = unpacked(shipped)
    assert back.keys() == weights.keys()
    step = np.abs(weights["encoder.weight"]).max(axis=1, keepdims=True) / 127
    assert (np.abs(back["encoder.weight"] - weights["encoder.weight"]) <= step / 2 + 1e-6).all()
    assert np.array_equal(back["head.D.weight"], weights["head.D.weight"])
