"""MiniLM's layers in torch, to be tuned: the same arithmetic as `core.evidence.embedding_transformer`.

transformers holds the same network, but its attention costs a third more time to train on a processor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from core.evidence.ranker.pairs import Pair

_LAYERS, _HEADS, _WIDTH, _DEEP = 6, 12, 384, 1536
_DROPPED = 0.1
OUTPUTS = 2  # how much of the evidence a sentence covers, and how much of the results


class Net(nn.Module):
    """Pairs -> log-odds, (pairs, 2). The embeddings stay as they are; layers and head learn."""

    def __init__(self, weights: Mapping[str, Tensor]) -> None:
        super().__init__()
        self.embeddings = {name: weights[f"embeddings.{name}"] for name in (
            "word_embeddings.weight", "position_embeddings.weight", "token_type_embeddings.weight",
            "LayerNorm.weight", "LayerNorm.bias")}  # fmt: skip
        self.layers = nn.ModuleList(_Layer() for _ in range(_LAYERS))
        self.head = nn.Linear(_WIDTH, OUTPUTS)
        if "head.weight" in weights:
            self.head.load_state_dict({name: weights[f"head.{name}"] for name in ("weight", "bias")})
        else:
            nn.init.normal_(self.head.weight, std=0.02, generator=torch.Generator().manual_seed(0))
            nn.init.constant_(self.head.bias, -1.0)
        for number, layer in enumerate(self.layers):
            layer.load_state_dict({name: weights[_shipped(number, name)] for name in layer.state_dict()})

    def tuned(self) -> dict[str, Tensor]:
        """All that learned, by the names of the shipped files."""
        return self.layers_by_name() | {f"head.{name}": tensor for name, tensor in self.head.state_dict().items()}

    def layers_by_name(self) -> dict[str, Tensor]:
        """The layers by the names of the shipped files."""
        return {
            _shipped(number, name): tensor
            for number, layer in enumerate(self.layers)
            for name, tensor in layer.state_dict().items()
        }

    def forward(self, rows: Sequence[Pair]) -> Tensor:
        logits: Tensor = self.head(self.pooled(rows))
        return logits

    def pooled(self, rows: Sequence[Pair], *, multiple: int = 1) -> Tensor:
        """The mean over each pair's word pieces, (pairs, 384). Rows are filled up to a `multiple` of word pieces."""
        hidden, real = self._embedded(rows, multiple)
        hidden = F.dropout(hidden, _DROPPED, self.training)
        unseen = torch.where(real, 0.0, -1e9)[:, None, None, :].to(torch.bfloat16)
        for layer in self.layers:
            hidden = layer(hidden, unseen)
        share = real / real.sum(1, keepdim=True)
        return F.dropout((hidden.float() * share[:, :, None]).sum(1), _DROPPED, self.training)

    @torch.no_grad()
    def _embedded(self, rows: Sequence[Pair], multiple: int) -> tuple[Tensor, Tensor]:
        longest = -(-max(len(row.pieces) for row in rows) // multiple) * multiple
        ids, kinds = (
            torch.zeros(len(rows), longest, dtype=torch.long),
            torch.zeros(len(rows), longest, dtype=torch.long),
        )
        real = torch.zeros(len(rows), longest, dtype=torch.bool)
        for place, row in enumerate(rows):
            ids[place, : len(row.pieces)] = torch.tensor(row.pieces)
            kinds[place, row.second : len(row.pieces)] = 1
            real[place, : len(row.pieces)] = True
        of = self.embeddings
        hidden = of["word_embeddings.weight"][ids] + of["token_type_embeddings.weight"][kinds]
        hidden += of["position_embeddings.weight"][:longest]
        return F.layer_norm(hidden, (_WIDTH,), of["LayerNorm.weight"], of["LayerNorm.bias"], 1e-12), real


class _Layer(nn.Module):
    """One transformer layer (Devlin et al. 2019)."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(_WIDTH, _WIDTH) for _ in range(3))
        self.attended, self.widen, self.narrow = (
            nn.Linear(_WIDTH, _WIDTH),
            nn.Linear(_WIDTH, _DEEP),
            nn.Linear(_DEEP, _WIDTH),
        )
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
        hidden = self.attended_norm(self.attended(context) + hidden)
        out: Tensor = self.out_norm(self.narrow(F.gelu(self.widen(hidden))) + hidden)
        return out


# A layer's part -> its name in the shipped file.
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
