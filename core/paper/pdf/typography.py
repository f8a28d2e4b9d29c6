"""What a line's type and first words say about it: body text, captions, keywords, labels."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache

from core.paper.model import PARTS_IN_ORDER
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.pdfium import in_tenths
from core.paper.sections import is_left_out, main_kind, normalise_title

# ---- How captions begin ----

_NAME = r"(?:(?:supplementa(?:l|ry)|extended data|online|additional|appendix)\s+)?(?:figure|fig\.?|table|tab\.|scheme|chart)"
_NUMBER = r"\s*(?:[SA]?\d{1,3}[A-Za-z]?|[IVX]{1,5})"
_START = re.compile(rf"{_NAME}{_NUMBER}(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_LABEL_END = re.compile(r"\s*[.:|–—-]|\s*\(?cont|\s+[A-Z(]|\s*$")
_TABLE = re.compile(r"(?:\w+\s+){0,2}tab", re.IGNORECASE)


def starts_caption(line: Line) -> bool:
    """Whether a caption begins here: a label with its number, set off from what follows (not "Figure 2 shows")."""
    if line.text[:1] not in "FTSEAOCftseaoc":
        return False
    match = _START.match(line.text)
    if match is None:
        return False
    rest = match["rest"]
    if not _LABEL_END.match(rest):
        return False
    if rest.strip()[:1] in {".", ":", "|", "–", "—", "-"} or not rest.strip():
        return True
    return bool(line.lead) or line.font.bold


def has_certain_label(line: Line) -> bool:
    """Whether a colon or bar ends the label, as it never does in a sentence: “Table 2: Outcomes”."""
    match = _START.match(line.text)
    return match is not None and match["rest"].lstrip()[:1] in {":", "|"}


def is_label(text: str) -> bool:
    """Whether a text is nothing but a label: “TABLE 1”."""
    match = _START.match(text)
    return match is not None and not match["rest"].strip(" .:|–—-")


def names_table(text: str) -> bool:
    """Whether a caption belongs to a table."""
    return bool(_TABLE.match(text))


# ---- The front: keywords, labels, and how abstracts are built ----

_CLUTTER = re.compile(
    r"(?:©|\(c\)|copyright\b|this (?:is an )?open[- ]access|open access\b|received\b.{0,40}\d|accepted\b.{0,30}\d|revised\b.{0,30}\d"
    r"|published\b.{0,40}\d{4}|available online|correspond|\*?\s*address (?:for|all|correspond|reprint)|reprint requests"
    r"|e-?mails?\b|(?:how )?to cite|cite this|please cite|citation:|doi\b|https?://|www\.|academic editor|handling editor|edited by|reviewed by"
    r"|(?:from|\d|\*|†|a|b)?\s*(?:the )?(?:department|division|school|faculty|institute|university|hospital|cent(?:er|re)) (?:of|for)\b"
    r"|author affiliations|full list of author|list of authors|these authors|"
    r"\S{1,3}\s?(?:contributed equally)|editorial, see|see (?:editorial|comment)"
    r"|supplement(?:al|ary) (?:material|content)|disclosures?:|funding:|the full author list|licen[cs]ee |this article is licensed|correction to)",
    re.IGNORECASE,
)
_KEYWORDS = re.compile(r"(?:key ?words?|index terms|mesh terms|abbreviations)\b\s*(?:and phrases)?", re.IGNORECASE)
_ABSTRACT = re.compile(
    r"(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary|structured abstract)(?:\s*[.:—–-]\s*|\s+(?=\(?[A-Z1])|$)", re.IGNORECASE
)
# “Background: ”, “Results. ”, “OBJECTIVE—”, “Methods | ”, and in capitals without a sign: “PURPOSE To see ...”.
_LABEL = re.compile(
    r"(?:^|(?<=[.?!)\]] ))(?:\(\d\) |\d\. )?(?:(?P<name>[A-Z][A-Za-z ,&/'’-]{2,60}?)"
    r"(?:\s?:(?=\s*\S)|\.(?=\s+[\dA-Z(“\"≥≤<>])|\s?[—–](?=\s?[\dA-Z(“\"≥≤<>])|\s\|(?=\s)| -(?=\s[A-Z]))"
    r"|(?P<capitals>[A-Z]{3,}(?:(?:, | & | |/)[A-Z]{2,}){0,5})(?= [\dA-Z(“][a-z\d ]))"
)
_PARTS = frozenset(
    """
    background|backgrounds|context|introduction|importance|rationale|objective|objectives|aim|aims|purpose|goal|goals|hypothesis
    |background and aims|background and objectives|background and purpose|background & aims|aims and objectives|study objectives
    |methods|method|design|setting|settings|participants|patients|subjects|interventions|intervention|exposures|measurements
    |study design|design and setting|design, setting, and participants|design, setting and participants|setting and participants
    |materials and methods|patients and methods|subjects and methods|methods and results|methods and findings|methodology|main outcome measures
    |main outcome measure|main outcomes and measures|primary outcome|outcome measures|outcomes|primary and secondary outcome measures
    |design|trial design|study population|ethics and dissemination|data extraction and synthesis|main measures|key results
    |randomisation|randomization|results|findings|main results|primary funding source|limitations|limitation|conclusion|conclusions
    |conclusions and relevance|interpretation|discussion|significance|implications|clinical implications|clinical relevance
    |trial registration|trial registration number|registration|clinical trial registration|clinical trials registration|clinicaltrials.gov
    |funding|copyright|sources of funding|level of evidence|meaning|question|data sources|study selection|data extraction|data synthesis
    |aims and hypothesis|aim and hypothesis|conclusions and interpretation|conclusion and interpretation|background and aim|study objective
    |background and objective|introduction and objectives|introduction and aims|purpose of the study|aim of the study|aims of the study
    |context and objective|rationale and objectives|objectives and hypothesis|research question|study question|measurements and main results
    |methods and measurements|methods and main results|design and participants|participants and interventions|participants and setting
    |participants and settings|patients and interventions|patients and setting|outcome|outcomes and measures|outcome and measures
    |main outcomes|main outcome|measures|search strategy|search methods|selection criteria|data collection and analysis|authors' conclusions
    |statistical analysis|key findings|subjects and setting|sample|procedures|procedure|clinical significance|relevance|trial registry number
    |clinical rehabilitation impact|registration details|clinical trial information|methods and analysis|summary of background data
    |electronic supplementary material|supplementary material|supplementary information|supplemental material
    |study registration|trial registry|registration number|clinical registration number|research design and methods
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)


def is_clutter(text: str) -> bool:
    """Whether a paragraph is of the kind that surrounds titles: addresses, dates, licences, how to cite."""
    return bool(_CLUTTER.match(text.strip(" *∗⋆†‡§¶|")))


def is_keywords(text: str) -> bool:
    """Whether a paragraph lists keywords or abbreviations."""
    return bool(_KEYWORDS.match(text.strip()))


def after_abstract_label(text: str) -> str | None:
    """The text after “Abstract” or “Summary” at its start; None if it has neither."""
    match = _ABSTRACT.match(text)
    return None if match is None else text[match.end() :]


def abstract_labels(text: str) -> list[tuple[int, int]]:
    """The spans of the names of parts in a paragraph of an abstract: “Methods. We asked ... Results: Few ...”."""
    return [match.span() for match in _LABEL.finditer(text) if is_abstract_part(match["name"] or match["capitals"])]


def is_abstract_part(title: str) -> bool:
    """Whether a title is one of a structured abstract's parts."""
    return normalise_title(title) in _PARTS or main_kind(title) in PARTS_IN_ORDER


# ---- Text from OCR: its size is guessed line by line, and depends on whether letters have tails ----

_FONT = "GlyphLess"  # the font of a text layer from Tesseract, and so from ocrmypdf
_WOBBLE = 0.18  # of a size: a larger difference means another size
_NEIGHBOUR_LINES = 8  # lines before and after that a line is compared with


def even_out_sizes(pages: list[PageLines]) -> None:
    """Give recognised lines the usual size of their neighbours, unless they are clearly set in another.

    Paragraphs, notes and headings are recognised by size, so every wrong guess would look like one of these.
    """
    for page in pages:
        recognised = [line for line in page.lines if line.font.name.startswith(_FONT)]
        usual = [_usual(recognised, index) for index in range(len(recognised))]
        for line, size in zip(recognised, usual, strict=True):
            if abs(line.size - size) <= _WOBBLE * size:
                line.size = size


def _usual(lines: list[Line], index: int) -> float:
    near = lines[max(0, index - _NEIGHBOUR_LINES) : index + _NEIGHBOUR_LINES + 1]
    return statistics.median_low([line.size for line in near if line.words > 2] or [lines[index].size])


# ---- The type of the body, measured over all pages ----

_FAMILY_END = re.compile(r"[-.,]|Regular|Roman|Light|Medium|Book|(?<=[a-z])(?:Ital|Bold)|MT\b")
_PROSE_WORDS = 5
_FEW_LINES = 3
_SMALL_CAPITALS = 0.75  # of the size of body text: the least size of headings in small capitals
_NEAR = 0.35  # points by which sizes of one kind of text may differ
_SHARE = 0.1  # the least share of the prose that a second size of body text has (methods in small print)


@dataclass(frozen=True, slots=True)
class Typography:
    """The size and styles of body text, and the width of its columns."""

    size: float
    font: str
    styles: frozenset[tuple[str, float]]
    width: float
    leading: float

    def is_body(self, line: Line) -> bool:
        """Whether a line is set like body text. Bold or italic words are allowed, whole bold lines are not."""
        if (line.font.name, line.size) in self.styles:
            return True
        if abs(line.size - self.size) >= _NEAR or line.font.bold:
            return False
        full = line.words > 5 and line.width > 0.6 * self.width
        return full or (family(line.font.name) == family(self.font) and (not line.font.italic or line.words > 3))

    def has_begun(self, flow: list[Line]) -> bool:
        """Whether a page has at least a few lines of body text."""
        return sum(line.words >= _PROSE_WORDS and self.is_body(line) for line in flow) >= _FEW_LINES

    def is_emphatic(self, line: Line) -> bool:
        """Whether a line is set to stand out, as headings are."""
        if line.size < (_SMALL_CAPITALS if line.text.isupper() else 0.85) * self.size:
            return False
        return (
            line.font.bold
            or line.font.italic
            or line.size > self.size + 0.6
            or line.text.isupper()
            or (line.font.name != self.font)
        )


def measure(pages: list[PageLines]) -> Typography | None:
    """The typography of a paper's body; None if the paper has hardly any prose."""
    prose = Counter[tuple[str, float]]()
    widths: dict[tuple[str, float], Counter[int]] = defaultdict(Counter)
    gaps = Counter[float]()
    in_references = False
    for page in pages:
        before: Line | None = None
        in_caption = False
        for line in page.lines:
            is_prose = line.words >= _PROSE_WORDS
            if not is_prose:
                in_references = names_references(line.text) or (in_references and main_kind(line.text) is None)
            if in_references:
                continue
            style, gap, same = line.style, 0.0, False
            if before is not None:
                gap, same = before.y - line.y, before.style == style
            if starts_caption(line):
                in_caption = True
            elif in_caption and (not same or gap > 2.5 * line.size):
                in_caption = False
            if is_prose and not in_caption and not line.font.bold:
                prose[style] += len(line.text)
                widths[style][round(line.width / 4)] += 1
                if same and 0 < gap < 3 * line.size:
                    gaps[in_tenths(gap)] += 1
            before = line
    if not prose:
        return None
    style = prose.most_common(1)[0][0]
    total = sum(prose.values())
    styles = {
        other
        for other, count in prose.items()
        if family(other[0]) == family(style[0])
        and 0.72 * style[1] <= other[1] <= 1.15 * style[1]
        and count >= _SHARE * total
    }
    return Typography(
        size=style[1],
        font=style[0],
        styles=frozenset(styles | {style}),
        width=4.0 * widths[style].most_common(1)[0][0],
        leading=gaps.most_common(1)[0][0] if gaps else 1.2 * style[1],
    )


@lru_cache(maxsize=1000)
def family(font: str) -> str:
    """The family of a font by its name: “Frutiger” of “Frutiger-Light”."""
    return _FAMILY_END.split(font, maxsplit=1)[0]


def names_references(text: str) -> bool:
    """Whether a line is the heading of a bibliography."""
    return text[:1].isupper() and len(text) < 40 and text.casefold().startswith(("ref", "lit")) and is_left_out(text)
