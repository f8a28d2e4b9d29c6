"""Train the reader and write the layers that ship."""

from __future__ import annotations

import hashlib
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file as load_arrays
from safetensors.numpy import save_file
from safetensors.torch import load_file
from sklearn.linear_model import LogisticRegression
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from core.benchmarks.seen import for_development
from core.entailment import Direction, Entailment, InContext
from core.entailment.reader import WEIGHTS, Writer, packed, unpacked
from core.evidence.ranker.cross_encoder import Pair
from core.findings.question_parts import QuestionParts
from core.paper import read_paper
from core.settings import load_settings
from core.text.encoder import load_encoder
from core.text.encoder_files import model_folder
from core.text.similarity import Embedder
from core.training import data, parser_of
from core.training.cross_encoder import Net
from core.training.data import Parts, ReaderExample, ReaderExamples, Trial, rows

# How training puts a question into words, and sentences that say the opposite of what a trial wrote.

OPPOSITE = {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP, Direction.SAME: Direction.SAME}
_VERBS = (
    "increases", "reduces", "improves", "lowers", "raises", "decreases", "worsens", "does not change", "has an effect on"
)  # fmt: skip
_TYPED = (
    "{i} {verb} {o} compared with {c}", "Compared with {c}, {i} {verb} {o}", "{i} {verb} {o} more than {c}",
    "There is no difference in {o} between {i} and {c}", "{o} is higher after {i} than after {c}",
    "{o} is lower with {i} than with {c}", "{o} differs between {i} and {c}",
)  # fmt: skip
_PLAINLY = {
    Direction.UP: ("increased", "raised", "led to more", "led to higher"),
    Direction.DOWN: ("reduced", "lowered", "led to less", "cut"),
    Direction.SAME: ("made no difference to", "did not change", "had no clear effect on"),
}
# What a hypothesis that says so claims of its outcome.
_STATED = {
    Direction.UP: (
        "{i} increases {o} compared with {c}", "{i} raises {o} compared with {c}", "{o} is higher with {i} than with {c}",
        "Compared with {c}, {i} increases {o}", "{i} leads to more {o} than {c}",
    ),
    Direction.DOWN: (
        "{i} reduces {o} compared with {c}", "{i} lowers {o} more than {c}", "{i} decreases {o} compared with {c}",
        "{o} is lower after {i} than after {c}", "Compared with {c}, {i} reduces {o}",
    ),
    Direction.SAME: (
        "There is no difference in {o} between {i} and {c}", "{i} does not change {o} compared with {c}",
        "{i} has no effect on {o}",
    ),
}  # fmt: skip
_CLAIMED = ("{i} {verb} {o} compared with {c}.", "Compared with {c}, {i} {verb} {o}.", "In this study {i} {verb} {o}.")
_ANTONYMS = (
    "higher lower, increased decreased, increase decrease, increases decreases, greater smaller, more less, larger smaller, "
    "improved worsened, improvement worsening, better worse, longer shorter, reduced increased, reduction increase, "
    "reductions increases, elevated reduced, rose fell, highest lowest, superior inferior, fewer more, faster slower, raised lowered"
)
_MOST_WORDS = 3  # that tell a direction: a sentence with more of them tells several
_SIGNIFICANT = 0.05


def _both_ways() -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in _ANTONYMS.split(", "):
        one, other = pair.split()
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


_OTHER_WAY = _both_ways()
_DIRECTION = re.compile(rf"\b({'|'.join(sorted(_OTHER_WAY, key=len, reverse=True))})\b", re.IGNORECASE)
_P = re.compile(r"([pP]\s?[-–]?\s?(?:value)?\s*)(?:=|<|≤)\s*0?(\.\d+)")
_TESTED = re.compile(r"\b(was|were|is|are|had|showed|did|has|have)\s+(?:statistically\s+)?significant(?:ly)?\b")
_SAID = re.compile(r"\b(?:statistically )?significant(?:ly)?\b")
_DENIED = re.compile(r"\b(?:no|not|non)\b", re.IGNORECASE)


def typed(intervention: str, comparator: str, outcome: str, draw: random.Random) -> str:
    """A question as a person might type it; the direction that it claims is drawn and says nothing of the result."""
    verb = draw.choice(_VERBS)
    if not comparator:
        return f"{intervention} {verb} {outcome}"
    return draw.choice(_TYPED).format(i=intervention, c=comparator, o=outcome, verb=verb)


def stated(intervention: str, comparator: str, outcome: str, way: Direction, draw: random.Random) -> str:
    """A hypothesis that claims this direction."""
    return draw.choice(_STATED[way]).format(i=intervention, c=comparator, o=outcome)


def claimed(intervention: str, comparator: str, outcome: str, told: Direction, draw: random.Random) -> str:
    """A plain sentence that tells this direction."""
    way = draw.choice(_CLAIMED) if comparator else "{i} {verb} {o}."
    return way.format(i=intervention, c=comparator, o=outcome, verb=draw.choice(_PLAINLY[told]))


def turned_round(sentence: str) -> str | None:
    """The sentence with every direction the other way; None where it tells none, or too many."""
    if not 0 < len(_DIRECTION.findall(sentence)) <= _MOST_WORDS:
        return None
    return _DIRECTION.sub(_opposite, sentence)


def _opposite(match: re.Match[str]) -> str:
    other = _OTHER_WAY[match[0].lower()]
    return other.capitalize() if match[0][0].isupper() else other


def without_significance(sentence: str, draw: random.Random) -> str | None:
    """The sentence with its difference no longer significant; None where nothing tells that it is."""
    values = [float(match[2]) for match in _P.finditer(sentence)]
    if len(values) == 1 and values[0] <= _SIGNIFICANT:
        found = _P.sub(lambda match: f"{match[1]}= 0.{draw.randint(10, 95)}", sentence)
        return _SAID.sub(lambda match: draw.choice(["", f"not {match[0]}"]), found)
    tested = _TESTED.search(sentence)
    if tested is None or _DENIED.search(sentence):
        return None
    return (
        f"{sentence[: tested.start()]}{tested[0].replace(tested[1], f'{tested[1]} not', 1)}{sentence[tested.end() :]}"
    )


HEADS = {"D": len(Direction), "S": len(Entailment), "C": len(Direction)}
_SHARES = {"D": 0.56, "S": 0.29, "M": 0.12, "C": 0.03}  # of the pairs that are drawn, by the head of the example
_OF_DIRECTION = {"not on this": 0.42, "no difference": 0.2, "up or down": 0.38}
_OF_CLAIMS, _OF_SENTENCES = 0.5, 1.6  # how often plain claims and summary sentences are drawn, beside a hypothesis' 1
_BATCH, _TOGETHER = 32, 8  # pairs a step; steps' pairs that are sorted by length together
_RATE = 1e-4
_EXCHANGED = 0.12  # how often the two arms of a question change places, and the answer with them
_WRITTEN = 600  # seconds between two copies of what is learned so far
_MULTIPLE = 16  # word pieces: each length costs a second of preparation, so that there are few
_APART = 6  # one paper in so many is kept for what stands on top
_OF_READINGS, _STRENGTH = 3.0, 0.03  # weight of a reading's hypothesis, and of the regression that reads claims
_CLUSTERS = 5  # of the matrix for training, as well


class ReaderNet(Net):
    """The network with a head a task."""

    def __init__(self, weights: Mapping[str, Tensor]) -> None:
        super().__init__(weights)
        del self.head
        heads = {name: nn.Linear(384, width) for name, width in HEADS.items()}
        for name, head in heads.items():
            if f"head.{name}.weight" in weights:
                head.load_state_dict({part: weights[f"head.{name}.{part}"] for part in ("weight", "bias")})
                continue
            nn.init.normal_(head.weight, std=0.02, generator=torch.Generator().manual_seed(0))
            nn.init.zeros_(head.bias)
        self.heads = nn.ModuleDict(heads)

    def tuned(self) -> dict[str, Tensor]:
        heads = {
            f"head.{name}.{part}": tensor
            for name, head in self.heads.items()
            for part, tensor in head.state_dict().items()
        }
        return self.layers_by_name() | heads

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Take over layers and heads, by the names that `tuned` gives."""
        with torch.no_grad():
            for name, tensor in self.tuned().items():
                tensor.copy_(weights[name])

    def loss(self, drawn: Sequence[tuple[str, Pair, frozenset[int], float]]) -> Tensor:
        """Of a step: what each pair may be is as likely as its labels together."""
        with torch.autocast("cpu", torch.bfloat16):
            pooled = self.pooled([pair for _, pair, _, _ in drawn], multiple=_MULTIPLE)
        loss = torch.zeros(())
        for name, head in self.heads.items():
            own = [place for place, one in enumerate(drawn) if one[0] == name]
            if own:
                logs = F.log_softmax(head(pooled[own]), -1)
                closed = torch.full(logs.shape, -1e9)
                for row, place in enumerate(own):
                    closed[row, list(drawn[place][2])] = 0.0
                weights = torch.tensor([drawn[place][3] for place in own])
                loss = loss - (torch.logsumexp(logs + closed, -1) * weights).sum() / len(drawn)
        return loss


def train_reader() -> None:
    """Train the reader and write the layers that ship.

        python -m core.training reader [--data FOLDER] [--minutes 50] [--start FILE] [--out FILE] [--seed 1]

    Starts from the shipped MiniLM, or goes on from a reader that was trained before (`--start`). The word vectors
    stay as they are; all six layers and the heads learn, in bfloat16. No paper of a set for development
    (`*/dev.jsonl`, the editors' summaries) gives an example, nor does a sixth of the others and five clusters of the
    matrix for training: what stands on top of the reader is fitted to those (`verdicts`, `summaries`). Half
    an hour to an hour on two processors; the rate falls to nothing over the time that is given, and what is learned
    so far is written every ten minutes. A reader that was trained further is the mean of what it was and what it
    became, which is right more often than either on trials that are new to both. The head that tells which way a
    hypothesis claims is fitted last, as a regression. Reads the data folder.
    """
    parser = parser_of(train_reader)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--minutes", type=float, default=50)
    parser.add_argument("--start", type=Path, help="a reader to go on from (default: MiniLM as it is installed)")
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
    examples = ReaderExamples(folder, trials, apart, embedder, options.seed).gather()
    print(
        f"{len(examples):,} examples of {len(trials) - len(apart & trials.keys())} papers and more spans",
        file=sys.stderr,
    )
    weights = load_file(encoder / "model.safetensors")
    if options.start:
        weights |= {name: torch.from_numpy(part) for name, part in unpacked(load_arrays(options.start)).items()}
    net, writer = ReaderNet(weights), Writer(load_encoder(encoder).pieces)
    train(net, examples, writer, minutes=options.minutes, seed=options.seed, out=options.out)
    if options.start:
        net.load(mean_of(net.tuned(), weights))
    fit_claims(net, examples, writer, seed=options.seed)
    _write(net, options.out)


def mean_of(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Half of each, of every tensor of the first."""
    return {name: (tensor.detach() + other[name]) / 2 for name, tensor in one.items()}


def fit_claims(net: ReaderNet, examples: Sequence[ReaderExample], writer: Writer, *, seed: int) -> None:
    """Fit the head of claims to the layers as they are: to the hypotheses of the readings, and to questions put as claims."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    told = [(one.asked, next(iter(one.labels)), _OF_READINGS) for one in examples if one.head == "C"]
    asked = {one.asked: None for one in examples if isinstance(one.asked, Parts) and one.asked.told is not None}
    for parts in asked:
        for _ in range(2):
            way = draw.choice(list(OPPOSITE))
            told.append((stated(parts.intervention, parts.comparator, parts.outcome, way, draw), way, 1.0))
    pairs = [writer.pairs(str(text), [InContext("")])[0] for text, _, _ in told]
    net.eval()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        rows = [net.pooled(pairs[at : at + _BATCH], multiple=_MULTIPLE).float() for at in range(0, len(pairs), _BATCH)]
    model = LogisticRegression(C=_STRENGTH, max_iter=3000)
    model.fit(torch.cat(rows).numpy(), [label for _, label, _ in told], sample_weight=[weight for _, _, weight in told])
    fitted = {name: tensor.clone() for name, tensor in net.tuned().items()}
    for label, weights, bias in zip(model.classes_, model.coef_, model.intercept_, strict=True):
        fitted["head.C.weight"][label], fitted["head.C.bias"][label] = torch.from_numpy(weights), float(bias)
    net.load(fitted)


def _write(net: ReaderNet, out: Path) -> None:
    save_file(packed({name: tensor.detach().float().numpy() for name, tensor in net.tuned().items()}), out)


def trials_of(folder: Path, embedder: Embedder, only: frozenset[str] | None = None) -> dict[str, Trial]:
    """The trials that are at hand in full, by the names of their files; `only` those of these names."""
    found = {}
    for path in sorted((folder / "evidence_inference" / "xml").glob("*.nxml")):
        if only is not None and path.stem not in only:
            continue
        paper = read_paper(path.read_bytes(), name=path.name)
        found[path.stem] = Trial(paper, embedder.compare(paper, paper.title or path.stem).vectors)
    return found


def for_the_top(folder: Path) -> frozenset[str]:
    """The papers that what stands on top of the reader is fitted to."""
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


def train(
    net: ReaderNet, examples: Sequence[ReaderExample], writer: Writer, *, minutes: float, seed: int, out: Path
) -> None:
    """Draw, step, and let the rate fall to nothing over the time; now and then write what is learned to `out`."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    torch.manual_seed(seed)
    optimiser = torch.optim.AdamW(
        [
            {"params": net.layers.parameters(), "lr": _RATE, "times": 1.0},
            {"params": net.heads.parameters(), "lr": _RATE, "times": 5.0},
        ],
        weight_decay=0.01,
    )
    drawn, step, losses = _drawn(examples, draw), 0, [0.0]
    started = written = time.perf_counter()
    net.train()
    while (share := (time.perf_counter() - started) / (60 * minutes)) < 1:
        several = sorted((_shown(next(drawn), writer, draw) for _ in range(_BATCH * _TOGETHER)), key=_length)
        batches = [several[start : start + _BATCH] for start in range(0, len(several), _BATCH)]
        draw.shuffle(batches)
        for batch in batches:
            for group in optimiser.param_groups:
                group["lr"] = _RATE * group["times"] * min(1.0, (step + 1) / 150) * max(0.02, 1 - share)
            loss = net.loss(batch)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            losses.append(loss.item())
            step += 1
        print(f"{share:.0%}, step {step}, loss {np.mean(losses[-80:]):.3f}", file=sys.stderr, flush=True)
        if time.perf_counter() - written > _WRITTEN:
            _write(net, out)
            written = time.perf_counter()
    net.eval()


def _length(drawn: tuple[str, Pair, frozenset[int], float]) -> int:
    return len(drawn[1].pieces)


def _drawn(examples: Sequence[ReaderExample], draw: random.Random) -> Iterator[ReaderExample]:
    """Examples without end: first the head, then the kind, then one of it."""
    bins: dict[str, dict[tuple[str, int], list[ReaderExample]]] = defaultdict(lambda: defaultdict(list))
    for one in examples:
        bins[one.head][_kind(one)].append(one)
    heads = list(_SHARES)
    while True:
        head = draw.choices(heads, [_SHARES[name] for name in heads])[0]
        kinds = list(bins[head])
        weights = [_often(head, kind, len(bins[head][kind])) for kind in kinds]
        yield draw.choice(bins[head][draw.choices(kinds, weights)[0]])


def _kind(one: ReaderExample) -> tuple[str, int]:
    if one.head == "D":
        only = next(iter(one.labels)) if len(one.labels) == 1 else Direction.UP
        return {0: "not on this", 3: "no difference"}.get(only, "up or down"), 0
    asked = "sentence" if one.of_summary else "claim" if isinstance(one.asked, Parts) else "hypothesis"
    return asked, min(one.labels)


def _often(head: str, kind: tuple[str, int], count: int) -> float:
    if head == "D":
        return _OF_DIRECTION[kind[0]]
    if head == "S":
        return {"claim": _OF_CLAIMS, "sentence": _OF_SENTENCES}.get(kind[0], 1.0)
    return float(count**0.5)


def _shown(one: ReaderExample, writer: Writer, draw: random.Random) -> tuple[str, Pair, frozenset[int], float]:
    """An example as it is read this time: in some words, with some of its surroundings, and now and then the other way."""
    asked, labels, sentences = one.asked, one.labels, one.sentences
    told = labels <= {Direction.UP, Direction.DOWN, Direction.SAME}
    if isinstance(asked, Parts):
        i, c, o = asked.intervention, asked.comparator, asked.outcome
        if asked.told is not None:
            say = draw.choice(list(OPPOSITE)) if draw.random() < 0.6 else asked.told
            if labels == {Entailment.SUPPORTED} and say != asked.told:
                labels = frozenset({Entailment.CONTRADICTED})
            asked = claimed(i, c, o, say, draw)
        else:
            if told and c and draw.random() < _EXCHANGED:
                i, c, labels = c, i, frozenset(OPPOSITE[Direction(label)] for label in labels)
            asked = QuestionParts(i, c, o).template if draw.random() < 0.5 else typed(i, c, o, draw)
    if one.head == "M":
        return "S", writer.of_several(asked, sentences), labels, one.weight
    sentence = sentences[0]
    if one.head == "D" and labels <= {Direction.UP, Direction.DOWN}:
        sentence, labels = _otherwise(sentence, labels, draw)
    seen = InContext(
        sentence.text,
        title=sentence.title if draw.random() < 0.85 else "",
        part=sentence.part,
        before=sentence.before if draw.random() < 0.8 else "",
    )
    return one.head, writer.pairs(asked, [seen])[0], labels, one.weight


def _otherwise(sentence: InContext, labels: frozenset[int], draw: random.Random) -> tuple[InContext, frozenset[int]]:
    """Now and then the sentence turned round, or without its significance."""
    chance = draw.random()
    if chance < 0.3 and (text := turned_round(sentence.text)):
        labels = frozenset(OPPOSITE[Direction(label)] for label in labels)
    elif 0.3 <= chance < 0.45 and (text := without_significance(sentence.text, draw)):
        labels = frozenset({Direction.SAME})
    else:
        return sentence, labels
    return InContext(text, sentence.title, sentence.part, sentence.before), labels
