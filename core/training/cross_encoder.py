"""The cross-encoder: MiniLM's layers in torch for tuning, the training, and the scores."""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from core.errors import EngineUnavailable
from core.evidence.model import EvidenceQuery
from core.evidence.ranker.cross_encoder import Pair, Pieces, in_context, pairs
from core.evidence.ranker.model import READ, Training, cross_encoder_path
from core.settings import load_settings
from core.text.encoder import load_encoder
from core.text.encoder_files import MISSING, model_folder
from core.text.similarity import Embedder
from core.training import parser_of
from core.training.data import data_folder
from core.training.ranker import (
    CROSS_FOLDS,
    EVIDENCE,
    RESULTS,
    SEED,
    TRIALS,
    AspectFeatures,
    HeldOutScores,
    QuestionFeatures,
    SpanFeatures,
    Vector,
    check_apart,
    cross_validated,
    folds,
    held_back_trials,
    key,
    load_questions,
    reword,
    reworded,
    sample_paper,
)

# MiniLM's layers in torch for tuning, with the same arithmetic as `core.text.encoder`.
#
# The package transformers has the same network, but its attention takes a third more time to train on a CPU.

_LAYERS, _HEADS, _WIDTH, _DEEP = 6, 12, 384, 1536
_DROPPED = 0.1
OUTPUTS = 2  # the share of the evidence that a sentence covers, and the share of the results


def half_precision(device: str = "cpu") -> torch.autocast:
    """Autocast to bfloat16 if the device supports it; a CPU without it would be forty times slower than in float32."""
    able = torch.cpu.get_capabilities() if device == "cpu" else {"bf16": True}
    return torch.autocast(device, torch.bfloat16, any(able.get(name) for name in ("avx512_bf16", "amx_bf16", "bf16")))


class Net(nn.Module):
    """Pairs -> log-odds, (pairs, 2). The embeddings are frozen; the layers (with dropout) and the head are trained."""

    def __init__(self, weights: Mapping[str, Tensor], *, dropped_inside: float = 0.0) -> None:
        super().__init__()
        self.embeddings = {name: weights[f"embeddings.{name}"] for name in (
            "word_embeddings.weight", "position_embeddings.weight", "token_type_embeddings.weight",
            "LayerNorm.weight", "LayerNorm.bias")}  # fmt: skip
        self.layers = nn.ModuleList(_Layer(dropped_inside) for _ in range(_LAYERS))
        self.head = nn.Linear(_WIDTH, OUTPUTS)
        if "head.weight" in weights:
            self.head.load_state_dict({name: weights[f"head.{name}"] for name in ("weight", "bias")})
        else:
            nn.init.normal_(self.head.weight, std=0.02, generator=torch.Generator().manual_seed(0))
            nn.init.constant_(self.head.bias, -1.0)
        for number, layer in enumerate(self.layers):
            layer.load_state_dict({name: weights[_shipped(number, name)] for name in layer.state_dict()})

    def tuned(self) -> dict[str, Tensor]:
        """All trained weights, by their names in the shipped files."""
        return self.layers_by_name() | {f"head.{name}": tensor for name, tensor in self.head.state_dict().items()}

    def layers_by_name(self) -> dict[str, Tensor]:
        """The weights of the layers, by their names in the shipped files."""
        return {
            _shipped(number, name): tensor
            for number, layer in enumerate(self.layers)
            for name, tensor in layer.state_dict().items()
        }

    def forward(self, rows: Sequence[Pair]) -> Tensor:
        logits: Tensor = self.head(self.pooled(rows))
        return logits

    def pooled(self, rows: Sequence[Pair], *, multiple: int = 1) -> Tensor:
        """The mean over each pair's word pieces, (pairs, 384). Rows are padded to a `multiple` of word pieces."""
        longest = -(-max(len(row.pieces) for row in rows) // multiple) * multiple
        ids, kinds = (torch.zeros(len(rows), longest, dtype=torch.long) for _ in range(2))
        real = torch.zeros(len(rows), longest, dtype=torch.bool)
        for place, row in enumerate(rows):
            ids[place, : len(row.pieces)] = torch.tensor(row.pieces)
            kinds[place, row.second : len(row.pieces)] = 1
            real[place, : len(row.pieces)] = True
        return self.mean(ids, kinds, real)

    def mean(self, ids: Tensor, kinds: Tensor, real: Tensor) -> Tensor:
        """Like `pooled`, from word pieces, the text of each, and a mask of real ones, all (pairs, pieces)."""
        share = real / real.sum(1, keepdim=True)
        hidden = self.hidden(ids, kinds, real)
        return F.dropout((hidden.float() * share[:, :, None]).sum(1), _DROPPED, self.training)

    def hidden(self, ids: Tensor, kinds: Tensor, real: Tensor) -> Tensor:
        """The last layer's output for each word piece, (pairs, pieces, 384)."""
        hidden = F.dropout(self._embedded(ids, kinds), _DROPPED, self.training)
        unseen = torch.where(real, 0.0, -1e9)[:, None, None, :].to(torch.bfloat16)
        for layer in self.layers:
            hidden = layer(hidden, unseen)
        return hidden

    @torch.no_grad()
    def _embedded(self, ids: Tensor, kinds: Tensor) -> Tensor:
        of = self.embeddings
        hidden = of["word_embeddings.weight"][ids] + of["token_type_embeddings.weight"][kinds]
        hidden += of["position_embeddings.weight"][: ids.shape[1]]
        return F.layer_norm(hidden, (_WIDTH,), of["LayerNorm.weight"], of["LayerNorm.bias"], 1e-12)


class _Layer(nn.Module):
    """One transformer layer (Devlin et al. 2019)."""

    def __init__(self, dropped: float) -> None:
        super().__init__()
        self.dropped = dropped
        self.query, self.key, self.value = (nn.Linear(_WIDTH, _WIDTH) for _ in range(3))
        self.attended = nn.Linear(_WIDTH, _WIDTH)
        self.widen, self.narrow = nn.Linear(_WIDTH, _DEEP), nn.Linear(_DEEP, _WIDTH)
        self.attended_norm, self.out_norm = nn.LayerNorm(_WIDTH, 1e-12), nn.LayerNorm(_WIDTH, 1e-12)

    def forward(self, hidden: Tensor, unseen: Tensor) -> Tensor:
        """`hidden`: (pairs, pieces, 384); `unseen`: (pairs, 1, 1, pieces), added to attention scores."""
        count, longest, _ = hidden.shape
        weight = torch.cat([self.query.weight, self.key.weight, self.value.weight])
        bias = torch.cat([self.query.bias, self.key.bias, self.value.bias])
        mixed = F.linear(hidden, weight, bias).view(count, longest, 3, _HEADS, _WIDTH // _HEADS)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-1, -2) * (_WIDTH // _HEADS) ** -0.5 + unseen
        context = (scores.softmax(-1) @ value).transpose(1, 2).reshape(count, longest, _WIDTH)
        hidden = self.attended_norm(F.dropout(self.attended(context), self.dropped, self.training) + hidden)
        deep = self.narrow(F.gelu(self.widen(hidden)))
        out: Tensor = self.out_norm(F.dropout(deep, self.dropped, self.training) + hidden)
        return out


# The name of a layer's part -> its name in the shipped file.
_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "out_norm": "output.LayerNorm",
}


def _shipped(layer: int, name: str) -> str:
    part, kind = name.split(".")
    return f"encoder.layer.{layer}.{_NAMES[part]}.{kind}"


# Tune the cross-encoder: its examples for each question, the loss, and its scores on unseen papers.


_HARD, _EASY = 60, 30  # sentences without evidence to sample from: the best by the trees, and random ones
_ROWS = 24  # pairs in a batch
_LISTWISE = 0.5  # weight of the loss for the order within a question; the rest is for each sentence alone


@dataclass(frozen=True)
class PairExample:
    """A question and the sentences that training may use. The rows of all arrays are these sentences."""

    question: QuestionFeatures
    places: NDArray[np.intp]  # their indices among the candidates
    target: Tensor  # (rows, 2): the share of the evidence, and of the results, that each covers
    gold: NDArray[np.intp]  # rows
    hard: NDArray[np.intp]
    easy: NDArray[np.intp]
    scored: NDArray[np.intp]  # the best by the trees, whether gold or not
    pairs: Sequence[Sequence[Pair]]  # by wording: the question as it is and, for a trial, reworded


@dataclass(frozen=True)
class CrossEncoderSample:
    """How many sentences of a question are used in one step."""

    gold: int
    hard: int
    easy: int


OF_ASPECTS, OF_SPANS = CrossEncoderSample(16, 14, 4), CrossEncoderSample(3, 6, 1)


def example(question: QuestionFeatures, tree_scores: Sequence[Vector], pieces: Pieces, *, seed: int) -> PairExample:
    """An example from a question. `tree_scores`: (candidates,) each, from trees that have not seen the paper."""
    random = np.random.default_rng(seed)
    if isinstance(question, AspectFeatures):
        target = np.stack([question.target(results_only=mode) for mode in (False, True)], axis=1)
    else:
        assert isinstance(question, SpanFeatures)  # noqa: S101
        target = np.repeat(question.target[:, None], OUTPUTS, axis=1)
    orders = [np.argsort(-scores.round(6), kind="stable") for scores in tree_scores]
    without = target.max(axis=1) == 0
    gold = np.flatnonzero(~without)
    hard = np.unique(np.concatenate([order[without[order]][:_HARD] for order in orders]))
    rest = np.flatnonzero(without)
    easy = random.choice(rest, min(_EASY, len(rest)), replace=False)
    scored = np.unique(np.concatenate([order[:READ] for order in orders]))
    places = np.unique(np.concatenate([gold, hard, easy, scored]))
    hypothesis = question.hypothesis
    candidates = EvidenceQuery(hypothesis).candidates(question.paper)
    wordings = [hypothesis] + ([reword(hypothesis)] if isinstance(question, SpanFeatures) else [])
    shown = [candidates[place] for place in places]
    row = {int(place): number for number, place in enumerate(places)}

    def rows(some: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.array([row[int(place)] for place in some], dtype=np.intp)

    return PairExample(
        question,
        places,
        torch.tensor(target[places], dtype=torch.float32),
        gold=rows(gold),
        hard=rows(hard),
        easy=rows(easy),
        scored=rows(scored),
        pairs=[pairs(question.paper, shown, wording, pieces) for wording in wordings],
    )


Step = Sequence[
    tuple[PairExample, CrossEncoderSample, bool]
]  # (example, sample, whether both outputs are trained on it or only the one for results)


def tune(net: Net, steps: Sequence[Step], *, rate: float, seed: int, name: str) -> None:
    """Run the steps once. The learning rate rises over the first tenth of them and then falls to zero."""
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    optimiser = torch.optim.AdamW(
        [{"params": net.layers.parameters(), "lr": rate}, {"params": net.head.parameters(), "lr": 5 * rate}],
        weight_decay=0.01,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (0.1 * len(steps))) * (1 - step / len(steps))
    )
    net.train()
    losses: list[float] = []
    started = time.perf_counter()
    for number, step in enumerate(steps, 1):
        loss = _loss(net, step, random)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        losses.append(loss.item())
        if number % 20 == 0 or number == len(steps):
            seconds = time.perf_counter() - started
            mean = float(np.mean(losses[-20:]))
            print(
                f"{name}: step {number} of {len(steps)}, loss {mean:.3f}, {seconds:.0f} s", file=sys.stderr, flush=True
            )


def _loss(net: Net, step: Step, random: np.random.Generator) -> Tensor:
    shown: list[Pair] = []
    targets = []
    for example, sample, _ in step:
        drawn = np.concatenate(
            [
                random.choice(rows, min(count, len(rows)), replace=False)
                for rows, count in (
                    (example.gold, sample.gold),
                    (example.hard, sample.hard),
                    (example.easy, sample.easy),
                )
            ]
        )
        drawn = np.unique(drawn)
        wording = example.pairs[int(random.integers(len(example.pairs)))]
        shown += [wording[row] for row in drawn]
        targets.append(example.target[drawn])
    logits = _in_batches(net, shown)
    loss = torch.zeros(())
    start = 0
    for (_, _, both), target in zip(step, targets, strict=True):
        own = logits[start : start + len(target)]
        start += len(target)
        if not both:
            own, target = own[:, 1:], target[:, 1:]  # noqa: PLW2901
        share = target / target.sum(0, keepdim=True).clamp_min(1e-6)
        listwise = -(share * F.log_softmax(own, 0)).sum(0).mean()
        loss = loss + F.binary_cross_entropy_with_logits(own, target) + _LISTWISE * listwise
    return loss / len(step)


def _in_batches(net: Net, rows: Sequence[Pair]) -> Tensor:
    """The network's outputs for the rows, in their order. Pairs are batched by length. Shape: (len(rows), 2)."""
    order = sorted(range(len(rows)), key=lambda row: len(rows[row].pieces))
    found = []
    for start in range(0, len(order), _ROWS):
        with half_precision():
            found.append(net([rows[row] for row in order[start : start + _ROWS]]))
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(found).float()[back]


@torch.no_grad()
def scores(net: Net, example: PairExample, *, wording: int = 0) -> Vector:
    """The log-odds of the `scored` sentences, and NaN for all others. Shape: (candidates, 2)."""
    net.eval()
    found = np.full((len(example.question.index), OUTPUTS), np.nan)
    shown = [example.pairs[wording][row] for row in example.scored]
    found[example.places[example.scored]] = _in_batches(net, shown).numpy()
    return found


def steps_of_trials(trials: Sequence[PairExample], *, epochs: int, together: int, seed: int) -> list[Step]:
    """Steps with every trial's question once per epoch, `together` of them in a step; both outputs are trained."""
    random = np.random.default_rng(seed)
    steps: list[Step] = []
    for _ in range(epochs):
        order = random.permutation(len(trials))
        steps += [
            [(trials[place], OF_SPANS, True) for place in order[start : start + together]]
            for start in range(0, len(order), together)
        ]
    return steps


def steps_of_both(
    aspects: Sequence[PairExample], trials: Sequence[PairExample], *, epochs: int, beside: int, seed: int
) -> list[Step]:
    """Steps with every question of EvidenceBench once per epoch, one in a step, and `beside` randomly drawn trials.

    For a trial's question only the results are annotated, so trials train only the output for results.
    """
    random = np.random.default_rng(seed)
    drawn = [
        trials[place]
        for _ in range(math.ceil(epochs * len(aspects) * beside / max(1, len(trials))))
        for place in random.permutation(len(trials))
    ]
    steps: list[Step] = []
    for _ in range(epochs):
        for place in random.permutation(len(aspects)):
            some = [drawn.pop() for _ in range(beside)]
            steps.append([(aspects[place], OF_ASPECTS, True), *((one, OF_SPANS, False) for one in some)])
    return steps


def sample_read() -> str:
    """A checksum of the input from a sample paper. When it changes, the cross-encoder must be trained again."""
    paper = sample_paper()
    return hashlib.sha256("\n".join(in_context(paper, paper.sentences)).encode()).hexdigest()


TRIALS_EPOCHS, TRIALS_RATE, _TOGETHER = 2, 1.5e-4, 4  # the last: questions in a step
FOLD_EPOCHS, FOLD_RATE, _BESIDE = 3, 1.2e-4, 1  # the last: trials' questions in a step, with one of EvidenceBench


def train_cross_encoder() -> int:
    """Tune the cross-encoder, write the layers that ship, and score papers that they have not seen.

        python -m core.training cross-encoder             all parts, one after the other
        python -m core.training cross-encoder --part 2    one part: `trials`, then the folds at once, then `all`

    Starts from the shipped MiniLM, whose word vectors stay as they are. `trials` learns from four fifths of the
    papers of Evidence Inference (MIT, CC BY); the last fifth is held back for measuring. From there the numbered
    parts learn from two thirds of EvidenceBench (CC BY-NC-SA) each, with some of the same trials beside it, and score
    the rest. `all`, which ships, is the mean of their layers. The scores of unseen papers are kept in VOUCH_HOME,
    where the training of the ranker finds them: run it afterwards. Seeded; one thread a part, about ten minutes of it each; in
    half precision, so that another processor gives layers that are alike, not equal. What is done is not done again:
    delete the folder to start anew.
    """
    parser = parser_of(train_cross_encoder)
    parts = [Training.TRIALS.value, *map(str, range(CROSS_FOLDS)), Training.ALL.value]
    parser.add_argument("--part", choices=parts, help="this one only")
    chosen = parser.parse_args().part
    torch.set_num_threads(1)
    settings = load_settings()
    kept = HeldOutScores.at(settings.home)
    aspects, spans = load_questions(data_folder(), Embedder.installed(settings.embeddings))
    examples = _examples(aspects, spans, kept)
    for part in [chosen] if chosen else parts:
        _run(part, examples, kept)
    return 0


def _run(part: str, examples: Sequence[PairExample], kept: HeldOutScores) -> None:
    """Tune a part on its training set, score its test set, and write the layers if the part ships."""
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


def sets(part: str, examples: Sequence[PairExample]) -> tuple[list[PairExample], list[PairExample]]:
    """The training set and the test set of a part."""
    questions = [e.question for e in examples]
    held_back, fold_of = held_back_trials(questions), folds(questions, CROSS_FOLDS, SEED)
    trials = [e for e in examples if isinstance(e.question, SpanFeatures)]
    aspects = [e for e in examples if isinstance(e.question, AspectFeatures)]
    seen = [e for e in trials if e.question.group not in held_back]
    unseen = [e for e in trials if e.question.group in held_back]
    if part == Training.TRIALS:
        return seen, [*unseen, *aspects]
    seen += [e for e in aspects if str(fold_of[e.question.group]) != part]
    return seen, unseen if part == Training.ALL else [e for e in aspects if str(fold_of[e.question.group]) == part]


def _tuned(part: str, seen: Sequence[PairExample], kept: HeldOutScores) -> dict[str, Tensor]:
    """The tuned layers of a part."""
    trials = [e for e in seen if isinstance(e.question, SpanFeatures)]
    if part == Training.TRIALS:
        net, rate = _net(None), TRIALS_RATE
        steps = steps_of_trials(trials, epochs=TRIALS_EPOCHS, together=_TOGETHER, seed=SEED)
    else:
        net, rate = _net(kept.folder / f"{Training.TRIALS}.safetensors"), FOLD_RATE
        aspects = [e for e in seen if isinstance(e.question, AspectFeatures)]
        steps = steps_of_both(aspects, trials, epochs=FOLD_EPOCHS, beside=_BESIDE, seed=SEED)
    tune(net, steps, rate=rate, seed=SEED, name=part)
    return net.tuned()


def _mean_of_folds(kept: HeldOutScores) -> dict[str, Tensor]:
    """The mean of the folds' layers (Wortsman et al. 2022); together they have seen every paper of EvidenceBench."""
    tuned = [load_file(kept.folder / f"{number}.safetensors") for number in range(CROSS_FOLDS)]
    return {name: torch.stack([layers[name] for layers in tuned]).mean(0) for name in tuned[0]}


def _examples(
    aspects: Sequence[AspectFeatures], spans: Sequence[SpanFeatures], kept: HeldOutScores
) -> list[PairExample]:
    """All questions, with the best sentences by trees that have not seen their papers."""
    questions: list[QuestionFeatures] = [*aspects, *spans]
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
        recipes = (RESULTS, EVIDENCE if isinstance(question, AspectFeatures) else TRIALS)
        best = [trees[f"{recipe.file} {key(question)}"] for recipe in recipes]
        found.append(example(question, best, pieces, seed=number))
    return found


def _net(layers: Path | None) -> Net:
    """The network with these layers, or with MiniLM's."""
    return Net(load_file(_minilm() / "model.safetensors") | (load_file(layers) if layers else {}))


def _scored(net: Net, unseen: Sequence[PairExample]) -> Iterator[tuple[str, Vector]]:
    for one in unseen:
        yield key(one.question), scores(net, one)
        if isinstance(one.question, SpanFeatures):
            yield reworded(one.question), scores(net, one, wording=1)


def _minilm() -> Path:
    folder = model_folder()
    if folder is None:
        raise EngineUnavailable(MISSING)
    return folder
