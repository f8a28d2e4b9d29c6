"""Train the reader and write the layers that ship."""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file as load_arrays
from safetensors.numpy import save_file
from safetensors.torch import load_file
from sklearn.linear_model import LogisticRegression
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from core.benchmarks.seen import for_development
from core.entailment import Direction, Entailment, InContext
from core.entailment.reader import CARD, WEIGHTS, Writer
from core.evidence.ranker.cross_encoder import Pair
from core.paper import read_paper
from core.settings import load_settings
from core.text.encoder import Matrix, load_encoder
from core.text.encoder_files import model_folder
from core.text.similarity import Embedder
from core.training import data, parser_of
from core.training.cross_encoder import Net, half_precision
from core.training.data import Trial, rows
from core.training.reader_examples import AskedParts, ReaderExample, ReaderExamples
from core.training.reader_pairs import HEADS, Numbers, Pool, masked_pool, pool_of, shown, sources_of, stated, written

_WIDTHS = {"D": len(Direction), "S": len(Entailment), "C": len(Direction)}
_BATCH, _WARMING = 256, 200  # pairs per step; steps over which the learning rate rises
_TOGETHER = 16  # the pairs of so many steps are sorted by length together
_DROPPED_INSIDE, _WEIGHT_DECAY = 0.1, 0.02
_SOFT = 0.7  # weight of the teachers in the loss, while the last network learns from the three before it
_GUESSED, _GUESSED_TELLING = 0.15, 0.4  # masked shares of word pieces: of most, of those that tell a direction
_MASK, _OF_MASKED = 103, 0.3  # MiniLM's mask token; the weight of the loss on masked pieces
_SCALE = ".scale"  # suffix of the tensor that holds the scale of each row of an integer tensor
_APART = 6  # one paper in so many is set aside for the regressions on top of the reader
_OF_READINGS, _STRENGTH = 3.0, 0.03  # weight of a reading's hypothesis; strength of the regression for claims
_CLUSTERS = 5  # clusters of the training matrix that are set aside as well
_TEMPERED, _TEMPERATURES = (
    8000,
    tuple(1 + 0.25 * step for step in range(21)),
)  # the number of examples; the temperatures to try


@dataclass(frozen=True, slots=True)
class _Stage:
    """A stage of the training."""

    steps: int
    rate: float
    masked: float = 0.0  # the share of steps that also predict masked words
    batch: int = _BATCH


_FIRST, _TUNED, _LAST = _Stage(5160, 4e-4, masked=0.5), _Stage(3060, 1.5e-4, masked=0.15), _Stage(2580, 1.5e-4)
_AGAIN = _Stage(1300, 1e-4, batch=128)
_PAIRS_FIRST, _PAIRS = 600_000, 1_200_000
_COMPOSED_FIRST, _COMPOSED = 0.4, 0.08  # shares of pairs that are from invented trials
_NETWORKS = 3  # networks that are tuned independently and then averaged
# When the shipped network is trained again: its weight in the mean with the one before, the shares of pairs by head, and
# how many times the examples of reviews' hypotheses are made.
_NEW, _SHARES_AGAIN, _REVIEWS_AGAIN = 0.7, {"D": 0.70, "S": 0.20, "M": 0.10}, 3


class ReaderNet(Net):
    """The network with one head per task, and one that predicts masked words."""

    def __init__(
        self, weights: Mapping[str, Tensor], device: torch.device, *, dropped_inside: float = _DROPPED_INSIDE
    ) -> None:
        super().__init__(weights, dropped_inside=dropped_inside)
        del self.head
        self.device = device
        self.embeddings = {name: part.to(device) for name, part in self.embeddings.items()}
        self.heads = nn.ModuleDict({name: nn.Linear(384, width) for name, width in _WIDTHS.items()})
        for name, head in self.heads.items():
            if f"head.{name}.weight" in weights:
                head.load_state_dict({part: weights[f"head.{name}.{part}"] for part in ("weight", "bias")})
        self.guess = nn.Sequential(nn.Linear(384, 384), nn.GELU(), nn.LayerNorm(384))
        self.to(device)

    def tuned(self) -> dict[str, Tensor]:
        heads = {
            f"head.{name}.{part}": tensor
            for name, head in self.heads.items()
            for part, tensor in head.state_dict().items()
        }
        return self.layers_by_name() | heads

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Load layers and heads, by the names that `tuned` gives."""
        with torch.no_grad():
            for name, tensor in self.tuned().items():
                tensor.copy_(weights[name])

    def to_processor(self) -> None:
        """Move the network to the CPU, for inference."""
        self.to("cpu").eval()
        self.embeddings = {name: part.cpu() for name, part in self.embeddings.items()}

    def logarithms(self, pooled: Tensor) -> dict[str, Tensor]:
        """The log-probabilities of each head."""
        return {name: F.log_softmax(self.heads[name](pooled).float(), -1) for name in HEADS}


class _Batches:
    """Endless batches of a pool's pairs, on the device."""

    def __init__(self, pool: Pool, size: int, device: torch.device, seed: int) -> None:
        self._pool, self._device, self._draw = pool, device, np.random.default_rng(seed)
        self._size = min(size, len(pool.lengths))
        self._starts = np.cumsum(pool.lengths) - pool.lengths
        self._rows = self._endless()

    def next(self) -> tuple[tuple[Tensor, Tensor, Tensor], Numbers]:
        """(word pieces, the text of each, a mask of real ones), all (pairs, pieces); and the indices of the pairs."""
        rows, pool = next(self._rows), self._pool
        columns = np.arange(-(-pool.lengths[rows].max() // 8) * 8)[None]
        real = columns < pool.lengths[rows, None]
        ids = np.zeros(real.shape, np.int64)
        ids[real] = pool.pieces[(self._starts[rows, None] + columns)[real]]
        kinds = ((columns >= pool.second[rows, None]) & real).astype(np.int64)
        ids_, kinds_, real_ = (torch.from_numpy(part).to(self._device) for part in (ids, kinds, real))
        return (ids_, kinds_, real_), rows

    def _endless(self) -> Iterator[Numbers]:
        count, size = len(self._pool.lengths), self._size
        while True:
            order = self._draw.permutation(count)
            for start in range(0, count - size + 1, size * _TOGETHER):
                some = order[start : start + size * _TOGETHER]
                some = some[np.argsort(self._pool.lengths[some], kind="stable")]
                whole = range(len(some) // size)
                for place in self._draw.permutation(len(whole)):
                    yield some[place * size : (place + 1) * size]


def train_reader() -> None:
    """Train the reader and write the layers that ship.

        python -m core.training reader [--data FOLDER] [--device cuda] [--share 1] [--out FILE] [--seed 1]

    Training starts from the installed MiniLM. The word vectors are frozen; all six layers and the heads are trained, in
    bfloat16. The first stage uses pairs of which two in five are from invented trials (`core.training.composed`); in
    half of its steps the network also predicts masked words of trials, mostly words that tell a direction. From there,
    three networks are tuned on nearly only real pairs. The last network starts from the mean of the three, and learns
    their combined output. No paper of a development set (`*/dev.jsonl`, the editors' summaries) is used, nor are a
    sixth of the other papers and five clusters of the training matrix: the regressions on top of the reader are fitted
    to those (`verdicts`, `summaries`). The head for the direction that a hypothesis claims is fitted last, as a
    regression. Takes about twelve minutes on a large GPU, and a day or more on two processors (`--share 0.05` takes a
    twentieth of that). Reads the data folder.

    With `--again`, the shipped reader is trained further instead, for 1,300 steps of 128 pairs, and averaged with the
    one before. It takes about 45 minutes on two processors that calculate in bfloat16.
    """
    parser = parser_of(train_reader)
    parser.add_argument("--again", action="store_true", help="train the shipped reader further")
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--share", type=float, default=1.0, help="of all steps and pairs")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder, embedder, encoder = (
        options.data or data.data_folder(),
        Embedder.if_installed(load_settings().embeddings),
        model_folder(),
    )
    if embedder is None or encoder is None:
        raise SystemExit("The reader is trained from the sentence encoder, which is not installed.")
    trials = trials_of(folder, embedder)
    apart = for_development(folder) | for_the_top(folder)
    reviews = _REVIEWS_AGAIN if options.again else 1
    examples = ReaderExamples(folder, trials, apart, embedder, options.seed).gather(reviews=reviews)
    print(
        f"{len(examples):,} examples of {len(trials) - len(apart & trials.keys())} papers and more spans",
        file=sys.stderr,
    )
    weights, writer = load_file(encoder / "model.safetensors"), Writer(load_encoder(encoder).pieces)
    device = torch.device(options.device)
    if options.again:
        begun = weights | _shipped_before_tempering()
        net = train_again(begun, examples, device, share=options.share, seed=options.seed)
    else:
        texts = _texts([trial for name, trial in trials.items() if name not in apart])
        net = train(weights, examples, texts, device, share=options.share, seed=options.seed)
    others = (
        frozenset(row["pmcid"] for row in rows(folder / "evidence_inference" / "annotations.jsonl")) | trials.keys()
    )
    unseen = ReaderExamples(folder, trials, others - for_the_top(folder), embedder, options.seed).gather(invented=False)
    net.to_processor()
    temperatures = temper(net, unseen, writer, seed=options.seed)
    fit_claims(net, examples, writer, seed=options.seed)
    _write(net, temperatures, options.out)


def train(
    weights: Mapping[str, Tensor],
    examples: Sequence[ReaderExample],
    texts: Sequence[str],
    device: torch.device,
    *,
    share: float,
    seed: int,
) -> ReaderNet:
    """All three stages of the training, each with this share of its steps and pairs."""
    torch.manual_seed(seed)
    sources, processes = sources_of(examples), os.cpu_count() or 1
    pairs, masked = int(share * _PAIRS), masked_pool(texts)
    mixed = pool_of(sources, int(share * _PAIRS_FIRST), composed=_COMPOSED_FIRST, seed=2 * seed, processes=processes)
    pool = pool_of(sources, pairs, composed=_COMPOSED, seed=2 * seed + 1, processes=processes)
    first = ReaderNet(weights, device)
    _Training(first, mixed, masked, seed).run(_FIRST, share)
    begun, tuned = dict(weights) | {name: tensor.cpu() for name, tensor in first.tuned().items()}, []
    for number in range(_NETWORKS):
        tuned.append(ReaderNet(begun, device))
        _Training(tuned[-1], pool, masked, seed + number).run(_TUNED, share)
    last = ReaderNet(begun, device)
    last.load(mean_of([net.tuned() for net in tuned]))
    _Training(last, pool, masked, seed + _NETWORKS, teachers=tuned).run(_LAST, share)
    return last


def train_again(
    weights: Mapping[str, Tensor],
    examples: Sequence[ReaderExample],
    device: torch.device,
    *,
    share: float,
    seed: int,
) -> ReaderNet:
    """One more stage for a trained network, without dropout in its layers, which is slow on a processor.

    Returns the mean of the networks before and after it.
    """
    torch.manual_seed(seed)
    count = int(share * _AGAIN.steps * _AGAIN.batch)
    sources = sources_of(examples, _SHARES_AGAIN)
    pool = pool_of(sources, count, composed=_COMPOSED, seed=seed, processes=os.cpu_count() or 1)
    net = ReaderNet(weights, device, dropped_inside=0.0)
    before = {name: tensor.detach().clone() for name, tensor in net.tuned().items()}
    _Training(net, pool, None, seed).run(_AGAIN, share)
    after = {name: tensor.detach() for name, tensor in net.tuned().items()}
    net.load({name: _NEW * after[name] + (1 - _NEW) * before[name] for name in before})
    return net


def mean_of(networks: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of the networks, tensor by tensor."""
    return {name: torch.stack([one[name].detach() for one in networks]).mean(0) for name in networks[0]}


def _texts(trials: Sequence[Trial]) -> list[str]:
    """Sentences of trials: pairs of neighbours, and every second sentence alone."""
    found = []
    for trial in trials:
        sentences = [one.text for one in trial.paper.sentences if len(one.text) > 30]
        found += [f"{one} {following}" for one, following in list(pairwise(sentences))[::2]] + sentences[1::2]
    return found


class _Training:
    """Trains one network on one pool; with `teachers`, it also learns to predict their combined output."""

    def __init__(
        self,
        net: ReaderNet,
        pool: Pool,
        masked: tuple[Pool, np.typing.NDArray[np.bool_]] | None,
        seed: int,
        teachers: Sequence[ReaderNet] = (),
    ) -> None:
        self._net, self._pool, self._seed, self._teachers = net, pool, seed, [one.eval() for one in teachers]
        self._draw = random.Random(seed)  # noqa: S311 - no secret
        self._masked: Pool | None = None
        self._telling = torch.zeros(0)
        if masked is not None:
            self._masked, self._telling = masked[0], torch.from_numpy(masked[1]).to(net.device)

    def run(self, stage: _Stage, share: float) -> None:
        """Run a stage. The learning rate rises over the first steps and then falls to nearly zero."""
        net, steps, began = self._net.train(), max(1, int(stage.steps * share)), time.perf_counter()
        pairs = _Batches(self._pool, stage.batch, net.device, self._seed)
        hidden = _Batches(self._masked, stage.batch, net.device, self._seed) if self._masked else None
        others = [part for name, part in net.named_parameters() if not name.startswith("heads.")]
        groups = [{"params": others, "times": 1.0}, {"params": net.heads.parameters(), "times": 3.0}]
        optimiser = torch.optim.AdamW(groups, lr=stage.rate, weight_decay=_WEIGHT_DECAY)
        losses: list[Tensor] = []
        for step in range(steps):
            for group in optimiser.param_groups:
                group["lr"] = (
                    stage.rate * group["times"] * min(1.0, (step + 1) / _WARMING) * max(0.01, 1 - step / steps)
                )
            loss = self._of_pairs(pairs)
            losses.append(loss.detach())
            if hidden is not None and self._draw.random() < stage.masked:
                loss = loss + _OF_MASKED * self._of_hidden_words(hidden)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            if (step + 1) % 500 == 0 or step + 1 == steps:
                mean, seconds = float(torch.stack(losses[-200:]).mean()), time.perf_counter() - began
                print(f"step {step + 1} of {steps}, loss {mean:.3f}, {seconds:.0f} s", file=sys.stderr, flush=True)
        net.eval()

    def _of_pairs(self, batches: _Batches) -> Tensor:
        """The loss of a batch of pairs: the probability of a pair's label set is the sum over its labels."""
        batch, rows = batches.next()
        device, pool = self._net.device, self._pool
        head, labels = (torch.from_numpy(part[rows]).to(device) for part in (pool.head, pool.labels))
        weight = torch.from_numpy(pool.weight[rows]).to(device)
        with half_precision(device.type):
            found = self._net.logarithms(self._net.mean(*batch))
            with torch.no_grad():
                taught = [teacher.logarithms(teacher.mean(*batch)) for teacher in self._teachers]
        loss = torch.zeros((), device=device)
        for place, (name, logs) in enumerate(found.items()):
            may_be = ((labels[:, None] >> torch.arange(logs.shape[1], device=device)) & 1).bool()
            each = -torch.logsumexp(logs.masked_fill(~may_be, -1e9), -1)
            if taught:
                together = torch.stack([one[name] for one in taught]).mean(0).softmax(-1)
                each = (1 - _SOFT) * each - _SOFT * (together * logs).sum(-1)
            loss = loss + (each * weight * (head == place)).sum() / len(rows)
        return loss

    def _of_hidden_words(self, batches: _Batches) -> Tensor:
        (ids, kinds, real), _ = batches.next()
        chance = torch.where(self._telling[ids], _GUESSED_TELLING, _GUESSED)
        hidden = (torch.rand(ids.shape, device=ids.device) < chance) & real
        hidden[:, 0] = False  # the special token at the beginning
        how = torch.rand(ids.shape, device=ids.device)
        shown = torch.where(hidden & (how < 0.8), _MASK, ids)
        shown = torch.where(hidden & (how > 0.9), torch.randint_like(ids, 1000, len(self._telling)), shown)
        vectors = self._net.embeddings["word_embeddings.weight"]
        with half_precision(ids.device.type):
            guessed = self._net.guess(self._net.hidden(shown, kinds, real)[hidden])
            logits = F.linear(guessed, vectors.to(guessed.dtype))
        return F.cross_entropy(logits.float(), ids[hidden])


def _shipped_before_tempering() -> dict[str, Tensor]:
    weights = {name: torch.from_numpy(one.copy()) for name, one in unpacked(load_arrays(WEIGHTS)).items()}
    for head, by in json.loads(CARD.read_text(encoding="utf-8"))["temperatures"].items():
        for part in ("weight", "bias"):
            weights[f"head.{head}.{part}"] *= by
    return weights


def temper(net: ReaderNet, unseen: Sequence[ReaderExample], writer: Writer, *, seed: int) -> dict[str, float]:
    """Calibrate each head on unseen papers: divide its log-odds by a temperature, which is returned (Guo et al. 2017)."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    pairs: dict[str, list[Pair]] = {name: [] for name in HEADS}
    labels: dict[str, list[int]] = {name: [] for name in HEADS}
    for one in draw.sample(unseen, min(len(unseen), _TEMPERED)):
        seen = shown(one, draw, as_it_is=True) if one.head != "C" and len(one.labels) == 1 else None
        if seen is not None and len(seen.labels) == 1:
            pairs[seen.head].append(written(writer, seen))
            labels[seen.head].append(next(iter(seen.labels)))
    temperatures = {}
    for name in HEADS:
        with torch.no_grad():
            logits, gold = net.heads[name](_pooled(net, pairs[name])), torch.tensor(labels[name])
            by = min(_TEMPERATURES, key=lambda one: float(F.cross_entropy(logits / one, gold)))
            print(f"head {name}: log-odds divided by {by}", file=sys.stderr)
            for part in net.heads[name].parameters():
                part.div_(by)
            temperatures[name] = by
    return temperatures


def _pooled(net: ReaderNet, pairs: Sequence[Pair]) -> Tensor:
    """The pooled vectors, in the order of the pairs. Shape: (pairs, 384)."""
    order = sorted(range(len(pairs)), key=lambda place: len(pairs[place].pieces))
    found = torch.empty(len(pairs), 384)
    with torch.no_grad(), half_precision():
        for start in range(0, len(order), 64):
            some = order[start : start + 64]
            found[some] = net.pooled([pairs[place] for place in some], multiple=16).float()
    return found


def fit_claims(net: ReaderNet, examples: Sequence[ReaderExample], writer: Writer, *, seed: int) -> None:
    """Fit the head for claims on the fixed layers, with hypotheses of readings and questions turned into claims."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    read = {one.asked: next(iter(one.labels)) for one in examples if one.head == "C"}
    told = [(asked, label, _OF_READINGS) for asked, label in read.items()]
    asked = {one.asked: None for one in examples if isinstance(one.asked, AskedParts) and one.asked.told is not None}
    for parts in asked:
        for _ in range(2):
            way = draw.choice((Direction.UP, Direction.DOWN, Direction.SAME))
            told.append((stated(parts.intervention, parts.comparator, parts.outcome, way, draw), way, 1.0))
    pairs = [writer.pairs(str(text), [InContext("")])[0] for text, _, _ in told]
    pooled = _pooled(net, pairs)
    model = LogisticRegression(C=_STRENGTH, max_iter=3000)
    model.fit(pooled.numpy(), [label for _, label, _ in told], sample_weight=[weight for _, _, weight in told])
    fitted = {name: tensor.clone() for name, tensor in net.tuned().items()}
    for label, weights, bias in zip(model.classes_, model.coef_, model.intercept_, strict=True):
        fitted["head.C.weight"][label], fitted["head.C.bias"][label] = torch.from_numpy(weights), float(bias)
    net.load(fitted)


def _write(net: ReaderNet, temperatures: Mapping[str, float], out: Path) -> None:
    save_file(packed({name: tensor.detach().float().numpy() for name, tensor in net.tuned().items()}), out)
    if out == WEIGHTS:
        card = json.loads(CARD.read_text(encoding="utf-8")) | {"temperatures": temperatures}
        CARD.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def packed(weights: Mapping[str, Matrix]) -> dict[str, NDArray[np.generic]]:
    """Compress layers for shipping: matrices to int8 with a scale per row, heads to float32, all else to float16."""
    found: dict[str, NDArray[np.generic]] = {}
    for name, tensor in weights.items():
        if tensor.ndim == 2 and not name.startswith("head."):
            scale = np.abs(tensor).max(axis=1) / 127
            found[name] = np.rint(tensor / scale[:, None]).astype(np.int8)
            found[name + _SCALE] = scale.astype(np.float32)
        else:
            found[name] = tensor.astype(np.float32 if name.startswith("head.") else np.float16)
    return found


def unpacked(shipped: Mapping[str, NDArray[np.generic]]) -> dict[str, Matrix]:
    """Reverse `packed`, up to its rounding errors."""
    found = {}
    for name, tensor in shipped.items():
        if not name.endswith(_SCALE):
            scale = shipped.get(name + _SCALE)
            full = tensor.astype(np.float32)
            found[name] = full if scale is None else full * scale.astype(np.float32)[:, None]
    return found


def trials_of(folder: Path, embedder: Embedder, only: frozenset[str] | None = None) -> dict[str, Trial]:
    """The trials that are available in full, by the names of their files; with `only`, just these."""
    found = {}
    for path in sorted((folder / "evidence_inference" / "xml").glob("*.nxml")):
        if only is not None and path.stem not in only:
            continue
        paper = read_paper(path.read_bytes(), name=path.name)
        found[path.stem] = Trial(paper, embedder.compare(paper, paper.title or path.stem).vectors)
    return found


def for_the_top(folder: Path) -> frozenset[str]:
    """The papers to which the regressions on top of the reader are fitted; the reader is not trained on them."""
    cells = rows(folder / "review_matrix" / "train.jsonl")
    clusters = sorted({cell["cluster"] for cell in cells})
    random.Random(7).shuffle(clusters)  # noqa: S311 - no secret
    of_clusters = {cell["paper"] for cell in cells if cell["cluster"] in clusters[:_CLUSTERS]}
    in_matrix = {cell["paper"] for cell in cells}
    at_hand = {path.stem for path in (folder / "evidence_inference" / "xml").glob("*.nxml")}
    others = {name for name in at_hand if name not in in_matrix and _number(name) % _APART == 0}
    return frozenset(of_clusters | others) - for_development(folder)


def _number(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16)
