"""Turn sentences into claims by cutting, not rewriting: a claim's words are its sentence's, in the same order."""

from __future__ import annotations

import re

# Text that introduces a result and is not part of it. A hedge (“may”, “suggest that”) is part of it, and is kept.
_LEAD = re.compile(
    r"(?:(?:however|moreover|furthermore|in addition|additionally|overall|in conclusion|in summary|to conclude|thus|therefore|hence"
    r"|consequently|finally|interestingly|notably|importantly|similarly|likewise|conversely|in contrast|on the other hand|also"
    r"|as expected|nevertheless|nonetheless|of note|accordingly|in brief|taken together|and|but|conclusions?|results?|findings?)"
    r"\s?[,:]\s*"
    r"|(?:conclusions?|results?|findings?|interpretation)\s+(?=(?-i:[A-Z][a-z]))"  # a heading that ran into its text
    r"|(?:in|from) (?:this|our|the present|the current) (?:\w+ ){0,3}(?:study|trial|analysis|sample|data|results|findings),?\s+"
    r"(?:(?:it (?:is|was) (?:found|shown|concluded)|we (?:found|show(?:ed)?|conclude[d]?|observed)) that\s+)?"
    r"|(?:we|the authors?) (?:also )?(?:found|showed?|observed|conclude[d]?|demonstrated?|report(?:ed)?|have shown|have demonstrated) that\s+"
    r"|(?:this|our|the present|the current) (?:\w+ ){0,3}(?:study|trial|findings?|results?|analysis|data) (?:has |have )?"
    r"(?:found|shows?|showed|shown|demonstrates?|demonstrated|confirms?|confirmed|reveals?|revealed|indicates? that|indicated that)\s+that\s+"
    r"|(?:our|the|these) (?:findings|results|data|main finding) (?:show(?:ed)?|demonstrate[d]?|confirm(?:ed)?|reveal(?:ed)?|was) that\s+"
    r"|it (?:was|is) (?:found|shown|concluded|observed) that\s+"
    r"|the results (?:showed|show) that\s+)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\s*\((?:see\s)?(?:also\s)?(?:supplementa\w+\s|additional\s|online\s)?(?:tables?|figs?\.?|figures?|appendix|appendices|file)\s?[^()]*\)"
    r"|\s*\[(?:\d+|[-–,;\s])+\]",
    re.IGNORECASE,
)
_STATISTICS = re.compile(
    r"\s*\((?=[^()]*(?:\bp\s?[<=>≤≥]|\bCI\b|\bSD\b|\bSE\b|\bSEM\b|±|χ|\bd\s?=|\br\s?=|\bt\s?=|\bF\s?[=(]|η|β\s?=|\bn\s?=|95\s?%))"
    r"(?:[^()]|\([^()]*\))*\)",
    re.IGNORECASE,
)


def cut(sentence: str) -> str:
    """The sentence without the introduction to its result, without references and without statistics in brackets."""
    text = " ".join(sentence.split())
    for pattern in (_REFERENCE, _STATISTICS):
        text = pattern.sub("", text)
    while (lead := _LEAD.match(text)) is not None and lead.end():
        text = text[lead.end() :]
    text = re.sub(r"\s+([.,;:])", r"\1", text).strip()
    return text[:1].upper() + text[1:]
