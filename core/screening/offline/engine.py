"""`offline` for screening: rules for designs, people and numbers, and lexical and semantic similarity for the rest.

It needs no key and no network. It says that a criterion is not met only if the paper says something else, because a
wrong exclusion costs most. docs/screening.md tells how good it is.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from core.engines import Opening
from core.evidence.model import EvidenceSentence
from core.paper import Paper
from core.progress import Progress, silent
from core.screening.model import CRITERION_SENTENCES, Criterion, CriterionKind, CriterionSuggestion, Fit
from core.screening.offline.criteria import Clause, Designs, clauses_of, parse_clause
from core.screening.offline.designs import FAMILIES, Signs, design_statements, has_design, lacks_design
from core.screening.offline.reading import (
    CriterionFinding,
    Language,
    ScreenedPaper,
    all_of,
    any_of,
    quoted,
    read_for_screening,
    sentence_of,
)
from core.screening.offline.topics import CriterionVectors, about
from core.text.similarity import Embedder

_KEPT = 4  # papers kept prepared: the criteria of one paper come one after another

_NO_TEXT = "The paper holds no sentence to judge by."
_NOT_ENGLISH = "The paper is not in English, the only language that the rules of this engine read."


class OfflineScreeningEngine:
    """Reads a paper once, and checks each criterion against it."""

    name = "offline"

    def __init__(self, embedder: Embedder | None) -> None:
        """Without an embedder, semantic similarity is left out."""
        self._embedder = embedder
        self._meaning = CriterionVectors(embedder) if embedder is not None else None
        self._kept: OrderedDict[tuple[str, int], tuple[ScreenedPaper, Signs]] = OrderedDict()
        self._lock = Lock()

    def suggest(self, criterion: Criterion, paper: Paper, *, progress: Progress = silent) -> CriterionSuggestion:
        reading, signs = self._read(paper, progress)
        if not reading.sentences:
            return CriterionSuggestion(self.name, criterion.id, None, _NO_TEXT)
        if reading.language is Language.OTHER:
            return CriterionSuggestion(self.name, criterion.id, None, _NOT_ENGLISH)
        findings = [self._clause(clause, criterion.kind, reading, signs) for clause in clauses_of(criterion)]
        found = (
            all_of(findings) if findings else CriterionFinding(Fit.UNCLEAR, "the criterion names nothing to look for")
        )
        chosen = found.sentences[:CRITERION_SENTENCES]
        progress(1.0, "Done")
        return CriterionSuggestion(
            self.name,
            criterion.id,
            found.fit,
            sentence_of(found.reason),
            tuple(EvidenceSentence(index, round(1 - rank / len(chosen), 6)) for rank, index in enumerate(chosen)),
        )

    def _clause(self, clause: Clause, kind: CriterionKind, reading: ScreenedPaper, signs: Signs) -> CriterionFinding:
        asked = parse_clause(clause.text, kind)
        shown = about(asked.topic, kind, reading, self._meaning) if asked.topic else None
        if clause.tangled:
            reason = f"rules cannot tell what {quoted(clause.text)} excludes"
            return CriterionFinding(Fit.UNCLEAR, reason, shown.sentences if shown else ())
        if shown is not None and asked.loose and shown.fit is Fit.MET:
            shown = replace(shown, fit=Fit.UNCLEAR, reason=f"rules cannot tell whether {quoted(clause.text)} holds")
        limits = [limit.judge(reading) for limit in asked.limits]
        if clause.denied:
            found = [lacks_design(design, reading, signs) for design in asked.designs.named]
            # With a topic, "no children with asthma" excludes fewer papers than "no children".
            found += [limit.inverted() for limit in limits] if not asked.topic else []
            if shown is not None:
                reason = f"whether {quoted(clause.text)} applies is for a reader to tell"
                return CriterionFinding(Fit.UNCLEAR, reason, shown.sentences)
        else:
            of_design = _designs(asked.designs, reading, signs)
            found = [one for one in (of_design, shown) if one is not None] + limits
        return (
            all_of(found)
            if found
            else CriterionFinding(Fit.UNCLEAR, f"rules cannot tell what {quoted(clause.text)} asks for")
        )

    def _read(self, paper: Paper, progress: Progress) -> tuple[ScreenedPaper, Signs]:
        key = (paper.id, len(paper.sentences))
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0].paper == paper:
            return kept
        reading = read_for_screening(paper, self._embedder, progress=progress)
        made = (reading, design_statements(reading))
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made


def _designs(designs: Designs, reading: ScreenedPaper, signs: Signs) -> CriterionFinding | None:
    """One of several alternative designs is enough; attributes ("double-blind") must hold as well."""
    if not designs.named:
        return None
    found = {design: has_design(design, reading, signs) for design in designs.named}
    if not designs.any_is_enough:
        return all_of(list(found.values()))
    families = [one for design, one in found.items() if design in FAMILIES]
    attributes = [one for design, one in found.items() if design not in FAMILIES]
    if not families:
        return any_of(attributes)
    return all_of([any_of(families), *attributes])


def open_offline(opening: Opening) -> OfflineScreeningEngine:
    """See `core.engines`."""
    return OfflineScreeningEngine(Embedder.if_installed(opening.settings.embeddings))
