"""How sure a sentence is of itself, and whether it says that one thing makes another."""

from __future__ import annotations

# "may" is not the month: the month stands before a number or is written large in the middle of a sentence.
HEDGES = (
    "may", "might", "could", "possible", "possibly", "possibility", "potential", "potentially", "perhaps", "maybe",
    "suggest", "suggests", "suggested", "suggesting", "suggestive", "appear", "appears", "appeared", "apparently",
    "seem", "seems", "seemed", "seemingly", "likely", "unlikely", "probable", "probably", "hypothesis", "hypothesise",
    "hypothesize", "hypothesised", "hypothesized", "speculate", "speculated", "assume", "assumed", "presume", "presumably",
    "tend", "tends", "tended", "tendency", "trend", "trends", "preliminary", "unclear", "uncertain", "unknown", "inconclusive",
    "promising", "indicate", "indicates", "indicated", "imply", "implies", "implied", "believed",
    "pilot", "exploratory",
    "conceivable", "conceivably", "arguably", "proposed", "postulated", "hint", "hints",
)  # fmt: skip

STRONG = (
    "prove", "proves", "proved", "proven", "proof", "definitely", "definitive", "definitively", "certainly", "certain",
    "undoubtedly", "doubtless", "unquestionably", "confirm", "confirms", "confirmed", "conclusive", "conclusively",
    "establish", "establishes", "established", "demonstrates", "demonstrate", "demonstrated", "guarantee", "guarantees",
    "guaranteed", "must", "will", "sure", "surely", "undeniable", "undeniably", "inevitably", "indisputable", "without doubt",
    "no doubt", "without question", "beyond doubt", "for certain", "for sure", "always", "in fact",
)  # fmt: skip

CAUSES = (
    "cause", "causes", "caused", "causing", "lead to", "leads to", "led to", "leading to", "result in", "results in",
    "resulted in", "resulting in", "due to", "because of", "thanks to", "produce", "produces", "produced", "induce", "induces",
    "induced", "trigger", "triggers", "triggered", "brings about", "brought about", "responsible for",
    "is the reason", "are the reason", "drives", "driven by", "gives rise to", "creates", "provoke", "provokes", "provoked",
    "determines", "the cause of", "owing to", "stems from", "brings on", "directly",
)  # fmt: skip

ASSOCIATES = (
    "associated", "association", "associations", "associate", "correlated", "correlation", "correlates", "correlate", "related",
    "relationship", "relation", "linked", "link", "predict", "predicts", "predicted", "predictor", "predictors", "predictive",
    "risk factor", "risk factors", "connection", "connected", "coincide", "accompanied", "goes along with", "went along with",
    "tied to", "odds ratio", "hazard ratio", "covariate",
)  # fmt: skip

ABSOLUTES = (
    "all", "every", "everyone", "everybody", "always", "never", "none", "nobody", "no one", "completely", "complete", "totally", "entirely",
    "fully", "wholly", "cure", "cures", "cured", "proves", "prove", "proven", "guarantee", "guarantees", "guaranteed", "eliminate", "eliminates",
    "eliminated", "eradicate", "eradicates", "eradicated", "perfect", "perfectly", "only", "any", "without exception", "each and every",
    "100%", "absolutely", "impossible", "forever", "permanently", "universally", "invariably", "undoubtedly", "whatsoever",
    "everything", "nothing", "best", "miracle", "flawless", "at all times", "under all circumstances", "in every case",
    "no risk", "no side effects", "harmless", "entire", "definitively", "instantly", "across the board", "to a man",
)  # fmt: skip
