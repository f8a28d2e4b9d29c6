"""What reviews call their biases: RoBBR's six categories, and the domain of RoB 1 that is nearest (section 4.1, table 12).

There are hundreds of names. One that tells its categories, as in "... (performance and detection bias)", belongs to
them, and may belong to several; any other is filed as the name that it is equivalent to.
"""

from __future__ import annotations

import re

CATEGORIES = ("selection", "attrition", "performance", "detection", "reporting", "deviation")
# RobotReviewer judges these domains alone (RoBBR, table 8).
ROBOTREVIEWER = ("concealment", "detection", "performance", "sequence")

_TOLD = re.compile(r"((?:\w+(?: bias)?(?:,? and |, | & | ?/ ?))*\w+) bias\b")  # one kind, or a list of kinds
# By words, where the name tells no category; the first that fits.
_EQUIVALENT = (
    (("deviation",), re.compile(r"\bdeviat|\bintended intervention")),
    (("reporting",), re.compile(r"\bselective|\breported results?\b|\breporting\b")),
    (("attrition",), re.compile(r"\b(incomplete|missing)\b.*\b(data|outcomes?)\b|\battrition\b|\bdrop-?outs?\b")),
    (
        ("selection",),
        re.compile(r"\brandomi[sz]|\bsequence\b|\bconcealment\b|\ballocation\b|\bbaseline\b|\bselection of partic"),
    ),
    (("detection",), re.compile(r"\bmeasur\w+ of (the )?outcomes?\b|\b(blind|mask)\w+ (of )?(the )?(outcome|assess)")),
    (
        ("performance",),
        re.compile(r"\b(blind|mask)\w+ (of )?(the )?(participant|patient|personnel|caregiver|provider|clinician)"),
    ),
    (("performance", "detection"), re.compile(r"\b(blind|mask)(ing|ed)\b")),
)
_DOMAINS = (
    ("concealment", re.compile(r"\bconceal")),
    ("other", re.compile(r"\bbaseline\b|\bother\b(?! (outcome|adverse))")),
    ("sequence", re.compile(r"\bsequence\b|\brandomi[sz]")),
)
_DOMAIN_OF = {
    "selection": "sequence",
    "attrition": "attrition",
    "performance": "performance",
    "detection": "detection",
    "reporting": "reporting",
    "deviation": "performance",
}


def categories_of(bias: str) -> tuple[str, ...]:
    """The categories of a bias by its name, in the order of `CATEGORIES`; () where it is none of them."""
    name = _plain(bias)
    told = {word for kinds in _TOLD.findall(name) for word in re.findall(r"\w+", kinds)} & set(CATEGORIES)
    if not told:
        told = set(next((found for found, pattern in _EQUIVALENT if pattern.search(name)), ()))
    return tuple(category for category in CATEGORIES if category in told)


def domain_of(bias: str) -> str:
    """The id of the domain of RoB 1 whose question is nearest to the bias's; "other" where none is near."""
    name = _plain(bias)
    for domain, pattern in _DOMAINS:
        if pattern.search(name):
            return domain
    categories = categories_of(bias)
    return _DOMAIN_OF[categories[0]] if categories else "other"


def robotreviewer_domain(bias: str) -> str | None:
    """The one of RobotReviewer's four domains that this bias is, in RoB 1's words; None if it is none."""
    domain = domain_of(bias)
    by_words = {
        "sequence": "sequence generation",
        "concealment": "allocation concealment",
        "performance": "blinding of participants",
        "detection": "blinding of outcome",
    }
    return domain if domain in by_words and by_words[domain] in _plain(bias) else None


def _plain(bias: str) -> str:
    return " ".join(bias.lower().split())
