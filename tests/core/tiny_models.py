"""An encoder and a reranker of a few kilobytes, with random weights, saved to a folder as the tools save them."""

from __future__ import annotations

from pathlib import Path

_WORDS = [
    *"abcdefghijklmnopqrstuvwxyz",
    *"the of and naps bees memory tea pain trial sleep placebo improve reduced".split(),
]


def save_encoder(folder: Path, *, query: str = "", passage: str = "", tokenizer: bool = True) -> str:
    """A sentence encoder; its name is its folder. Without a tokenizer it is what a forgetful author leaves."""
    from sentence_transformers import SentenceTransformer
    from transformers import BertModel

    plain = folder / "plain"
    BertModel(_configuration()).save_pretrained(plain)
    if not tokenizer:
        return str(plain)
    _tokenizer().save_pretrained(plain)
    model = SentenceTransformer(
        str(plain), device="cpu", local_files_only=True, prompts={"query": query, "document": passage}
    )
    model.save(str(folder / "encoder"), create_model_card=False)  # which would ask the hub
    return str(folder / "encoder")


def save_reranker(folder: Path, *, classes: int = 1) -> str:
    """A cross-encoder; its name is its folder."""
    from transformers import BertForSequenceClassification

    BertForSequenceClassification(_configuration(classes)).save_pretrained(folder / "reranker")
    _tokenizer().save_pretrained(folder / "reranker")
    return str(folder / "reranker")


def _configuration(classes: int = 1):
    import torch
    from transformers import BertConfig

    torch.manual_seed(7)
    return BertConfig(
        vocab_size=len(_WORDS) + 4, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=64, num_labels=classes, initializer_range=0.5,
    )  # fmt: skip


def _tokenizer():
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = Tokenizer(models.WordLevel({word: n for n, word in enumerate([*marks, *_WORDS])}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        model_max_length=64,
    )  # fmt: skip
