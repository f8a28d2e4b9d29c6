"""A tree ensemble from LightGBM's text format, evaluated with numpy alone: importing LightGBM takes longer than ranking.

The text format holds numbers only, so that a model file can do no harm, and is read in milliseconds.
Gives LightGBM's own raw scores (a test compares them).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.evidence.ranker.columns import Vector

Numbers = NDArray[np.int32]
_ZERO = np.float64(np.float32(1e-35))  # LightGBM takes numbers up to this for zero
_ROWS = 512  # rows evaluated together: bounds the memory at rows x trees


@dataclass(frozen=True, slots=True)
class Trees:
    """All trees in arrays of one row a tree. A leaf is a node of its own, whose two children are itself."""

    features: tuple[str, ...]
    split: Numbers  # (trees, nodes): the feature that a node looks at
    threshold: Vector  # (trees, nodes): at most this goes left
    left: Numbers
    right: Numbers
    value: Vector  # (trees, nodes): a leaf's score; an inner node's mean score
    depth: int

    def scores(self, rows: Vector) -> Vector:
        """The raw score (log-odds) of each row. `rows`: (n, len(features))."""
        found = np.empty(len(rows))
        for start in range(0, len(rows), _ROWS):
            part = rows[start : start + _ROWS]
            *_, leaves = self._nodes(part)
            found[start : start + _ROWS] = self.value.ravel()[leaves].sum(axis=1)
        return found

    def contributions(self, rows: Vector) -> Vector:
        """How much each feature moved each row's score, summed along the paths. Shape: (n, len(features)).

        Saabas 2014: a split's share is the mean score after it less the mean score before it.
        """
        moved = np.zeros(rows.shape)
        split, value = self.split.ravel(), self.value.ravel()
        row = np.arange(len(rows))[:, None]
        nodes = self._nodes(rows)
        before = next(nodes)
        for after in nodes:
            np.add.at(moved, (row, split[before]), value[after] - value[before])
            before = after
        return moved

    def _nodes(self, rows: Vector) -> Iterator[NDArray[np.intp]]:
        """Where each row stands in each tree, level by level: (n, trees), as places in the flattened arrays."""
        trees, size = self.split.shape
        base = (np.arange(trees) * size)[None, :]
        split, threshold = self.split.ravel(), self.threshold.ravel()
        left = (self.left + base.T).ravel()
        right = (self.right + base.T).ravel()
        flat = np.where(np.abs(rows) <= _ZERO, 0.0, rows).ravel()
        offset = (np.arange(len(rows)) * rows.shape[1])[:, None]
        node = np.repeat(base, len(rows), axis=0).astype(np.intp)
        yield node
        for _ in range(self.depth):
            node = np.where(flat[offset + split[node]] <= threshold[node], left[node], right[node])
            yield node


def load_trees(path: Path) -> Trees:
    """Read a model that LightGBM saved as text. Raises `ValueError` if it is no such model, or uses categories."""
    head, *blocks = path.read_text(encoding="ascii").split("\nTree=")
    if not head.startswith("tree\n") or not blocks:
        raise ValueError(f"{path} is not a LightGBM text model")
    trees = [_fields(block) for block in blocks]
    size = max(2 * int(tree["num_leaves"]) - 1 for tree in trees)
    split = np.zeros((len(trees), size), dtype=np.int32)
    threshold, value = np.zeros(split.shape), np.zeros(split.shape)
    left = np.repeat(np.arange(size, dtype=np.int32)[None, :], len(trees), axis=0)
    right = left.copy()
    depth = 0
    for number, tree in enumerate(trees):
        leaves = int(tree["num_leaves"])
        inner = leaves - 1
        if int(tree["num_cat"]):
            raise ValueError(f"{path} splits on categories, which are not supported")
        value[number, inner : inner + leaves] = _floats(tree["leaf_value"])
        if not inner:
            continue
        split[number, :inner] = _integers(tree["split_feature"])
        threshold[number, :inner] = _floats(tree["threshold"])
        value[number, :inner] = _floats(tree["internal_value"])
        for side, name in ((left, "left_child"), (right, "right_child")):
            child = _integers(tree[name])
            side[number, :inner] = np.where(child >= 0, child, inner + ~child)  # a leaf is written as -(number + 1)
        depth = max(depth, _depth(left[number], right[number], inner))
    return Trees(tuple(_fields(head)["feature_names"].split()), split, threshold, left, right, value, depth)


def _fields(block: str) -> dict[str, str]:
    lines = block.split("\n\n", maxsplit=1)[0].splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _floats(text: str) -> Vector:
    return np.array(text.split(), dtype=np.float64)


def _integers(text: str) -> Numbers:
    return np.array(text.split(), dtype=np.int32)


def _depth(left: Numbers, right: Numbers, inner: int) -> int:
    level, depth = [0], 0
    while level := [int(child) for node in level if node < inner for child in (left[node], right[node])]:
        depth += 1
    return depth
