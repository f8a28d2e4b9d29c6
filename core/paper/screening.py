"""What is set aside from every format alike: sentences that speak to a machine, and characters that do not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from core.errors import NoText
from core.paper.addressed import addressed_to_machine
from core.paper.draft import Block, Draft
from core.paper.invisible_characters import invisible_spans
from core.paper.model import Kind, PaperWarning, Reason, SetAside
from core.paper.sentences import split_sentences

# Kinds that are one sentence however many full stops they hold.
_WHOLE = frozenset({Kind.TITLE, Kind.HEADING, Kind.TABLE})


def screen(draft: Draft) -> None:
    """Take out of the draft's blocks what readers cannot see and what does not speak to them, and list it."""
    draft.blocks = [screened for block in draft.blocks if (screened := _screened(block, draft.set_aside))]
    if draft.title and addressed_to_machine([draft.title])[0]:
        draft.title = None


def sentence_spans(block: Block, text: str) -> list[tuple[int, int]]:
    """Where the sentences of a block begin and end in its text."""
    if block.sentences:
        spans, start = [], 0
        for sentence in block.sentences:
            spans.append((start, start + len(sentence)))
            start += len(sentence) + 1
        return spans
    if block.kind in _WHOLE:
        return [(0, len(text))]
    return split_sentences(text)


def warnings_of(set_aside: Iterable[SetAside]) -> Iterator[PaperWarning]:
    """One warning for each page and reason."""
    order = list(Reason)
    listed = sorted(set_aside, key=lambda item: (item.page or 0, order.index(item.reason)))
    for (page, reason), group in groupby(listed, key=lambda item: (item.page, item.reason)):
        count = sum(1 for _ in group)
        where = f" on page {page}" if page else ""
        if reason is Reason.ADDRESSED:
            what = f"{count} sentences{where} speak" if count > 1 else f"A sentence{where} speaks"
            message = f"{what} to a language model, not to a reader, and was set aside."
            kind = "addressed-to-machine"
        else:
            what = f"{count} texts{where} were set aside: each" if count > 1 else f"A text{where} was set aside: it"
            message, kind = f"{what} {reason.in_words}.", "hidden-text"
        yield PaperWarning(kind, message.replace("reader, and was", "reader, and were") if count > 1 else message, page)


def only_hidden_text(name: str) -> NoText:
    """The error for a file that holds nothing that readers can see."""
    return NoText(
        f"“{name}” holds only text that readers cannot see, or that is not meant for them. Check where it comes from; "
        "the command line reads such text with --keep-set-aside."
    )


def _screened(block: Block, set_aside: list[SetAside]) -> Block | None:
    """The block without what is set aside; None if nothing is left. A file's own sentences keep their number."""
    if block.sentences:
        flags = addressed_to_machine(block.sentences)
        set_aside += [SetAside(s, Reason.ADDRESSED) for s, flag in zip(block.sentences, flags, strict=True) if flag]
        kept = tuple("" if flag else s for s, flag in zip(block.sentences, flags, strict=True))
        return replace(block, sentences=kept) if any(flags) else block
    hidden = invisible_spans(block.text)
    if hidden:
        set_aside += [SetAside(item.text, Reason.CHARACTERS, block.page) for item in hidden if item.text]
        block = block.without([(item.start, item.end) for item in hidden])
    spans = sentence_spans(block, block.text)
    flags = addressed_to_machine([block.text[start:end] for start, end in spans])
    if not any(flags):
        return block
    set_aside += [
        SetAside(block.text[start:end], Reason.ADDRESSED, block.page_at(start))
        for (start, end), flag in zip(spans, flags, strict=True)
        if flag
    ]
    if all(flags):
        return None
    return block.without(list(_runs(spans, flags, len(block.text))))


def _runs(spans: list[tuple[int, int]], flags: list[bool], length: int) -> Iterator[tuple[int, int]]:
    """The stretches of text that flagged sentences take up, with the white space after them."""
    starts = [*(start for start, _ in spans), length]
    for flag, group in groupby(range(len(spans)), key=flags.__getitem__):
        indices = list(group)
        if flag:
            last = indices[-1] == len(spans) - 1
            start = spans[indices[0] - 1][1] if last and indices[0] else starts[indices[0]]
            yield start, starts[indices[-1] + 1]
