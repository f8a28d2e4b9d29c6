"""Compare the numbers of a summary sentence with those of the paper's sentences that it is checked against.

“Eight” equals 8, “about a third” equals 34%, and a month equals 4 weeks within rounding. A number "differs" only if exactly
one number of the paper can be its counterpart. Otherwise it is "not found", and another sentence may have it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from core.paper import Paper
from core.summary.model import SentenceCheck, Span
from core.text.numbers import Number, Quantity, comparable, consistent, numbers_in, same_but_unit
from core.text.words import light_stem, word_after

_PAIRED = 8  # counts of a sentence that are tried for sums and shares
_SMALL = 10  # a smaller number, sum or denominator may agree by chance
_SHARE = (0.51, 3.0)  # tolerance of a share in percentage points: stated exactly, or roughly


class NumberAgreement(StrEnum):
    """How a number of the summary compares with the paper's."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class PairedNumber:
    """A number of a summary sentence and its counterpart in the paper."""

    said: Span  # in the summary sentence
    agreement: NumberAgreement
    index: int | None = None  # the paper's sentence with the counterpart; None: not found
    stands: tuple[Span, ...] = ()  # the counterpart in that sentence; two for a sum or a share


Pieces = list[tuple[str, str | None]]  # a text cut at its numbers: (piece, the number's agreement or None)


@dataclass(frozen=True, slots=True)
class AlignedSentences:
    """A summary sentence and the paper's nearest sentences, each in pieces."""

    said: Pieces
    nearest: tuple[tuple[int, Pieces], ...]  # by index into the paper's sentences, best first


def align_numbers(check: SentenceCheck, paper: Paper) -> AlignedSentences:
    """Pair a checked sentence with its support, and mark the numbers of both."""
    indices = dict.fromkeys(found.index for found in check.support if found.index is not None)
    texts = {index: paper.sentences[index].text for index in indices}
    numbers = pair_numbers(check.text, list(texts.items()))
    standing = {
        index: [(span, one.agreement) for one in numbers if one.index == index for span in one.stands]
        for index in texts
    }
    return AlignedSentences(
        _pieces(check.text, [(one.said, one.agreement) for one in numbers]),
        tuple((index, _pieces(text, standing[index])) for index, text in texts.items()),
    )


def _pieces(text: str, marks: Iterable[tuple[Span, NumberAgreement]]) -> Pieces:
    """`text`, cut where its marks begin and end. Of marks that overlap, the first counts."""
    cut: Pieces = []
    done = 0
    for span, agreement in sorted(marks, key=lambda mark: mark[0].start):
        if span.start >= done:
            cut += [(text[done : span.start], None), (text[span.start : span.end], agreement.value)]
            done = span.end
    return [(piece, agreement) for piece, agreement in [*cut, (text[done:], None)] if piece]


def pair_numbers(text: str, sources: Sequence[tuple[int, str]]) -> tuple[PairedNumber, ...]:
    """One pair for each number of `text`, in order. `sources`: (index, sentence), nearest first."""
    said = numbers_in(text)
    standing = [(index, source, number) for index, source in sources for number in numbers_in(source)]
    return tuple(_pair(text, number, said, sources, standing) for number in said)


def has_figure_of(text: str, numbers: Sequence[PairedNumber], sentences: Collection[int]) -> bool:
    """Whether one of these sentences of the paper has a number of `text`. Small ones are ignored: they may agree by chance.

    `numbers` is the result of `pair_numbers` for `text`.
    """
    return any(
        pair.agreement is NumberAgreement.AGREES
        and pair.index in sentences
        and len(pair.stands) == 1  # a sum or a share is not itself in the sentence
        and number.value >= _SMALL
        for pair, number in zip(numbers, numbers_in(text), strict=True)
    )


def _pair(
    text: str,
    number: Number,
    said: Iterable[Number],
    sources: Sequence[tuple[int, str]],
    standing: Sequence[tuple[int, str, Number]],
) -> PairedNumber:
    here = _span(number)
    for same in (consistent, _consistent_bare):
        for index, _, other in standing:
            if same(number, other):
                return PairedNumber(here, NumberAgreement.AGREES, index, (_span(other),))
    for index, source in sources:
        if made_of := _made_of(number, numbers_in(source)):
            return PairedNumber(here, NumberAgreement.AGREES, index, made_of)
    instead = [
        (index, other)
        for index, source, other in standing
        if comparable(number, other)
        and not any(consistent(one, other) or _consistent_bare(one, other) for one in said)
        and (_tells_what(number) or _counts_the_same(text, number, source, other))
    ]
    # The likely original is the same figure with another unit, or else a number with the same unit.
    closest = [one for one in instead if same_but_unit(number, one[1])]
    closest = closest or [one for one in instead if one[1].unit == number.unit] or instead
    if len({other.value for _, other in closest}) == 1:
        index, other = closest[0]
        return PairedNumber(here, NumberAgreement.DIFFERS, index, (_span(other),))
    return PairedNumber(here, NumberAgreement.NOT_FOUND)


def _consistent_bare(said: Number, stands: Number) -> bool:
    """Whether they agree when the paper's number has no unit of its own, as in “aged 8 to 10 years” or a table cell."""
    return said.unit is not None and stands.unit is None and consistent(replace(said, unit=None), stands)


def _made_of(number: Number, others: Sequence[Number]) -> tuple[Span, ...]:
    """The two numbers of a sentence of which `number` is the sum or share, or the one that adds up to 100% with it."""
    if number.quantity is Quantity.PERCENT:
        for other in others:
            if other.quantity is Quantity.PERCENT and abs(100 - other.value - number.value) < 0.05:
                return (_span(other),)
    counts = [n for n in others if n.quantity is Quantity.PLAIN and n.unit is None and n.value == int(n.value)]
    for one, two in combinations(counts[:_PAIRED], 2):
        low, high = sorted((one.value, two.value))
        summed = number.quantity is Quantity.PLAIN and number.value >= _SMALL and number.value == low + high
        shared = (
            number.quantity is Quantity.PERCENT
            and high >= _SMALL
            and abs(100 * low / high - number.value) <= _SHARE[number.rough]
        )
        if summed or shared:
            return _span(one), _span(two)
    return ()


def _tells_what(number: Number) -> bool:
    """Whether the number says what it measures; a bare count does not."""
    return number.unit is not None or number.quantity is not Quantity.PLAIN


def _counts_the_same(text: str, number: Number, source: str, other: Number) -> bool:
    """Whether the same word follows both numbers, as in “40 women” and “42 women”."""
    one, two = _counted(text, number), _counted(source, other)
    return one is not None and one == two


def _counted(text: str, number: Number) -> str | None:
    following = word_after(text, number.end)
    return None if following is None or following[0].isdigit() else light_stem(following)


def _span(number: Number) -> Span:
    return Span(number.start, number.end)
