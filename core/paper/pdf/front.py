"""What is neither abstract nor text at the front of a paper, and how abstracts are built."""

from __future__ import annotations

import re

from core.paper.model import PARTS_IN_ORDER
from core.paper.sections import main_kind, normalise_title

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
    """What follows the word “Abstract” or “Summary” that a text begins with; None where it does not."""
    match = _ABSTRACT.match(text)
    return None if match is None else text[match.end() :]


def abstract_labels(text: str) -> list[tuple[int, int]]:
    """Where an abstract names its parts within a paragraph: “Methods. We asked ... Results: Few ...”."""
    return [match.span() for match in _LABEL.finditer(text) if is_abstract_part(match["name"] or match["capitals"])]


def is_abstract_part(title: str) -> bool:
    """Whether a title is one that structured abstracts are divided by."""
    return normalise_title(title) in _PARTS or main_kind(title) in PARTS_IN_ORDER
