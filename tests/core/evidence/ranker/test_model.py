"""Our evaluation of a LightGBM text model beside LightGBM's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.evidence.ranker.model import FOLDER, load_trees

lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is needed for training only")


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    rows = random.normal(size=(900, 6)).round(1)  # rounded: many values lie exactly on a threshold
    return rows, ((rows[:, 0] > 0.3) | (rows[:, 1] * rows[:, 2] > 0.5)).astype(float)


@pytest.mark.parametrize("leaves", [2, 7, 31])
def test_scores_are_lightgbms_own(data: tuple[np.ndarray, np.ndarray], tmp_path: Path, leaves: int) -> None:
    rows, target = data
    settings = {"objective": "cross_entropy", "num_leaves": leaves, "verbose": -1, "num_threads": 1}
    model = lightgbm.train(settings, lightgbm.Dataset(rows, target), 40)
    model.save_model(tmp_path / "model.txt")
    trees = load_trees(tmp_path / "model.txt")
    np.testing.assert_allclose(trees.scores(rows), model.predict(rows, raw_score=True), rtol=0, atol=1e-12)


def test_a_tree_that_never_splits_is_a_constant(tmp_path: Path) -> None:
    rows, target = np.zeros((50, 2)), np.linspace(0, 1, 50)
    settings = {"objective": "cross_entropy", "verbose": -1, "num_threads": 1}
    model = lightgbm.train(settings, lightgbm.Dataset(rows, target), 3)
    model.save_model(tmp_path / "model.txt")
    expected = model.predict(rows, raw_score=True)
    np.testing.assert_allclose(load_trees(tmp_path / "model.txt").scores(rows), expected, atol=1e-12)


def test_contributions_add_up_to_the_score(data: tuple[np.ndarray, np.ndarray], tmp_path: Path) -> None:
    rows, target = data
    settings = {"objective": "cross_entropy", "verbose": -1, "num_threads": 1}
    lightgbm.train(settings, lightgbm.Dataset(rows, target), 20).save_model(tmp_path / "model.txt")
    trees = load_trees(tmp_path / "model.txt")
    roots = trees.value[:, 0].sum()
    np.testing.assert_allclose(trees.contributions(rows).sum(axis=1) + roots, trees.scores(rows), atol=1e-9)


@pytest.mark.parametrize("file", ["evidence.txt", "results.txt", "trials.txt"])
def test_the_shipped_models_score_as_lightgbm_does(file: str) -> None:
    trees = load_trees(FOLDER / file)
    random = np.random.default_rng(1)
    rows = random.normal(scale=2, size=(300, len(trees.features)))
    for column in range(rows.shape[1]):  # half the values lie exactly on a threshold: those go left
        thresholds = trees.threshold[(trees.split == column) & (trees.left != trees.right)]
        if len(thresholds):
            rows[::2, column] = random.choice(thresholds, size=150)
    model = lightgbm.Booster(model_str=(FOLDER / file).read_text() + "\nend of trees\n")
    np.testing.assert_allclose(trees.scores(rows), model.predict(rows, raw_score=True), rtol=0, atol=1e-12)


def test_another_file_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text("cos\nsystem\n")
    with pytest.raises(ValueError, match="not a LightGBM text model"):
        load_trees(tmp_path / "model.txt")
