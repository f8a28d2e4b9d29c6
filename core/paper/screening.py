"""What is set aside from every format alike: sentences that speak to a machine, and characters that do not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from core.errors import NoText
from core.paper.addressed import addressed_in
from core.paper.draft import Block, Draft
from core.paper.invisible_characters import invisible_spans
from core.paper.model import Kind, PaperWarning, Reason, SetAside
from core.paper.sentences import split_sentences

Span = tuple[int, int]  # where something begins and ends in a text

# Kinds that are one sentence however many full stops they hold.
_WHOLE = frozenset({Kind.TITLE, Kind.HEADING, Kind.TABLE})


def screen(draft: Draft) -> list[tuple[Block, list[Span]]]:
    """The draft's blocks, and where the sentences of each stand, without what readers cannot see and what does not
    speak to them, which is listed in the draft's `set_aside`.
    """
    shown = [_without_invisible(block) for block in draft.blocks]
    spans = [sentence_spans(block, block.text) for block, _ in shown]
    texts = [
        block.sentences or [block.text[a:b] for a, b in where] for (block, _), where in zip(shown, spans, strict=True)
    ]
    *flags, of_title = addressed_in([*texts, [draft.title or ""]])
    if any(of_title):
        draft.title = None
    result: list[tuple[Block, list[Span]]] = []
    for (block, hidden), where, flagged in zip(shown, spans, flags, strict=True):
        draft.set_aside += hidden
        if not any(flagged):
            result.append((block, where))
        elif kept := _without_flagged(block, where, flagged, draft.set_aside):
            result.append((kept, sentence_spans(kept, kept.text)))
    return result


def sentence_spans(block: Block, text: str) -> list[Span]:
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


def _without_invisible(block: Block) -> tuple[Block, list[SetAside]]:
    """The block without characters that do not show, and what they say. A file's own sentences stay as they are."""
    hidden = [] if block.sentences else invisible_spans(block.text)
    if not hidden:
        return block, []
    said = [SetAside(item.text, Reason.CHARACTERS, block.page) for item in hidden if item.text]
    return block.without([(item.start, item.end) for item in hidden]), said


def _without_flagged(block: Block, spans: list[Span], flags: list[bool], set_aside: list[SetAside]) -> Block | None:
    """The block without the flagged sentences; None if nothing is left. A file's own sentences keep their number."""
    if block.sentences:
        set_aside += [SetAside(s, Reason.ADDRESSED) for s, flag in zip(block.sentences, flags, strict=True) if flag]
        kept = tuple("" if flag else s for s, flag in zip(block.sentences, flags, strict=True))
        return replace(block, sentences=kept)
    set_aside += [
        SetAside(block.text[start:end], Reason.ADDRESSED, block.page_at(start))
        for (start, end), flag in zip(spans, flags, strict=True)
        if flag
    ]
    return None if all(flags) else block.without(list(_runs(spans, flags, len(block.text))))


def _runs(spans: list[Span], flags: list[bool], length: int) -> Iterator[tuple[int, int]]:
    """The stretches of text that flagged sentences take up, with the white space after them."""
    starts = [*(start for start, _ in spans), length]
    for flag, group in groupby(range(len(spans)), key=flags.__getitem__):
        indices = list(group)
        if flag:
            last = indices[-1] == len(spans) - 1
            start = spans[indices[0] - 1][1] if last and indices[0] else starts[indices[0]]
            yield start, starts[indices[-1] + 1]
