"""Tune the cross-encoder, write the layers that ship, and score papers that they have not seen.

    python -m core.training.train_cross_encoder             all parts, one after the other
    python -m core.training.train_cross_encoder --part 2    one part: `trials`, then the folds at once, then `all`

Starts from the shipped MiniLM, whose word vectors stay as they are. `trials` learns from four fifths of the papers of
Evidence Inference (MIT, CC BY); the last fifth is held back for measuring. From there the numbered parts learn from two
thirds of EvidenceBench (CC BY-NC-SA) each, with some of the same trials beside it, and score the rest. `all`, which
ships, is the mean of their layers. The scores of unseen papers are kept in VOUCH_HOME, where `train_ranker` finds them:
run it afterwards. Seeded; one thread a part, about ten minutes of it each; in half precision, so that another processor
gives layers that are alike, not equal. What is done is not done again: delete the folder to start anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.errors import EngineUnavailable
from core.evidence.embedding import Embedder
from core.evidence.embedding_files import MISSING, model_folder
from core.evidence.embedding_model import load_encoder
from core.evidence.ranker.model import Training, cross_encoder_path
from core.settings import load_settings
from core.training.cross_encoder_net import Net
from core.training.cross_encoder_scores import CROSS_FOLDS, Kept, held_back_trials
from core.training.cross_encoder_training import (
    Example,
    example,
    sample_read,
    scores,
    steps_of_both,
    steps_of_trials,
    tune,
)
from core.training.evidence_data import data_folder
from core.training.ranker_data import Aspects, Question, Spans, folds, load_questions
from core.training.ranker_training import (
    EVIDENCE,
    RESULTS,
    SEED,
    TRIALS,
    Vector,
    check_apart,
    cross_validated,
    key,
    reworded,
)  # fmt: skip

TRIALS_EPOCHS, TRIALS_RATE, _TOGETHER = 2, 1.5e-4, 4  # questions a step
FOLD_EPOCHS, FOLD_RATE, _BESIDE = 3, 1.2e-4, 1  # trials' questions a step beside one of EvidenceBench


def main() -> int:
    """Tune, score, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = [Training.TRIALS.value, *map(str, range(CROSS_FOLDS)), Training.ALL.value]
    parser.add_argument("--part", choices=parts, help="this one only")
    chosen = parser.parse_args().part
    torch.set_num_threads(1)
    settings = load_settings()
    kept = Kept.at(settings.home)
    aspects, spans = load_questions(data_folder(), Embedder.installed(settings.embeddings))
    examples = _examples(aspects, spans, kept)
    for part in [chosen] if chosen else parts:
        _run(part, examples, kept)
    return 0


def _run(part: str, examples: Sequence[Example], kept: Kept) -> None:
    """Tune on what the part may see, and score what it may not; the shipped parts are written."""
    seen, unseen = sets(part, examples)
    check_apart([e.question for e in seen], [e.question for e in unseen])
    layers = kept.folder / f"{part}.safetensors"
    if not layers.is_file():
        save_file(_mean_of_folds(kept) if part == Training.ALL else _tuned(part, seen, kept), layers)
    net = _net(layers)
    if kept.load(part) is None:
        kept.save(part, dict(_scored(net, unseen)))
    if part in [*Training]:
        halves = {name: tensor.half().contiguous() for name, tensor in net.tuned().items()}
        save_file(halves, cross_encoder_path(Training(part)), metadata={"reads": sample_read()})


def sets(part: str, examples: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """What a part learns from, and what it is measured on."""
    questions = [e.question for e in examples]
    held_back, fold_of = held_back_trials(questions), folds(questions, CROSS_FOLDS, SEED)
    trials = [e for e in examples if isinstance(e.question, Spans)]
    aspects = [e for e in examples if isinstance(e.question, Aspects)]
    seen = [e for e in trials if e.question.group not in held_back]
    unseen = [e for e in trials if e.question.group in held_back]
    if part == Training.TRIALS:
        return seen, [*unseen, *aspects]
    seen += [e for e in aspects if str(fold_of[e.question.group]) != part]
    return seen, unseen if part == Training.ALL else [e for e in aspects if str(fold_of[e.question.group]) == part]


def _tuned(part: str, seen: Sequence[Example], kept: Kept) -> dict[str, Tensor]:
    """The layers of a part, tuned."""
    trials = [e for e in seen if isinstance(e.question, Spans)]
    if part == Training.TRIALS:
        net, rate = _net(None), TRIALS_RATE
        steps = steps_of_trials(trials, epochs=TRIALS_EPOCHS, together=_TOGETHER, seed=SEED)
    else:
        net, rate = _net(kept.folder / f"{Training.TRIALS}.safetensors"), FOLD_RATE
        aspects = [e for e in seen if isinstance(e.question, Aspects)]
        steps = steps_of_both(aspects, trials, epochs=FOLD_EPOCHS, beside=_BESIDE, seed=SEED)
    tune(net, steps, rate=rate, seed=SEED, name=part)
    return net.tuned()


def _mean_of_folds(kept: Kept) -> dict[str, Tensor]:
    """The mean of the folds' layers, which together have seen every paper of EvidenceBench (Wortsman et al. 2022)."""
    tuned = [load_file(kept.folder / f"{number}.safetensors") for number in range(CROSS_FOLDS)]
    return {name: torch.stack([layers[name] for layers in tuned]).mean(0) for name in tuned[0]}


def _examples(aspects: Sequence[Aspects], spans: Sequence[Spans], kept: Kept) -> list[Example]:
    """All questions, with the sentences that trees which had not seen their papers think most of."""
    questions: list[Question] = [*aspects, *spans]
    trees = kept.load("trees")
    if trees is None:
        trees = {}
        for recipe in (EVIDENCE, RESULTS, TRIALS):
            print(f"cross-validating {recipe.file}", file=sys.stderr, flush=True)
            trees |= {f"{recipe.file} {name}": found for name, found in cross_validated(recipe, questions).items()}
        kept.save("trees", trees)
    pieces = load_encoder(_minilm()).pieces
    found = []
    for number, question in enumerate(questions):
        recipes = (RESULTS, EVIDENCE if isinstance(question, Aspects) else TRIALS)
        best = [trees[f"{recipe.file} {key(question)}"] for recipe in recipes]
        found.append(example(question, best, pieces, seed=number))
    return found


def _net(layers: Path | None) -> Net:
    """The network with these layers, or with those of MiniLM."""
    return Net(load_file(_minilm() / "model.safetensors") | (load_file(layers) if layers else {}))


def _scored(net: Net, unseen: Sequence[Example]) -> Iterator[tuple[str, Vector]]:
    for one in unseen:
        yield key(one.question), scores(net, one)
        if isinstance(one.question, Spans):
            yield reworded(one.question), scores(net, one, wording=1)


def _minilm() -> Path:
    folder = model_folder()
    if folder is None:
        raise EngineUnavailable(MISSING)
    return folder


if __name__ == "__main__":
    raise SystemExit(main())
