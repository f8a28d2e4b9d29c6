"""What a language model said, on its way to the browser."""

from __future__ import annotations

import json

from core.evidence import Evidence, EvidenceQuery, EvidenceSentence, ModelRun, Stance
from core.evidence.model import Match, PaperVerdict, Step, Verdict
from core.evidence.sensitivity import Rewording, compare
from pages._ui.paper_view.model_run import changes_payload, run_payload, verdict_payload
from pages._ui.paper_view.payload import ranked

STEP = Step("Results", "Because.", (3,), ("5 was chosen twice.",), ("[99] Invented",) * 3, cost_usd=None)
FAILED = Step("Methods", "", (), error="The model declined.", text="No.", cost_usd=0.0)
RUN = ModelRun("openai:demo", "sections", (), (STEP, FAILED), Verdict(PaperVerdict.MIXED, 3, None))


def answer(*stances: Stance | None, run: ModelRun | None = RUN) -> Evidence:
    sentences = tuple(
        EvidenceSentence(index, 1.0, stance, match=Match.REPAIRED) for index, stance in enumerate(stances, start=3)
    )
    return Evidence("openai:demo@sections", EvidenceQuery("Tea works"), sentences, 0.1, run=run)


def test_every_step_goes_with_its_faults_and_its_failure() -> None:
    sent = json.loads(json.dumps(run_payload(RUN, answered=True)))
    assert (sent["model"], sent["answered"]) == ("openai:demo", True)
    good, bad = sent["steps"]
    assert (good["chosen"], good["faults"]) == ([3], [["5 was chosen twice.", 1]])
    assert good["notInPaper"] == [["[99] Invented", 3]]
    assert (bad["error"], bad["text"]) == ("The model declined.", "No.")
    assert run_payload(None, answered=True) is None


def test_what_is_not_in_the_paper_is_no_item() -> None:
    items = ranked(answer(Stance.SUPPORTS))
    assert [(item["index"], item["stance"], item["match"], item["bar"]) for item in items] == [
        (3, "supports", "repaired", None)
    ]


def test_the_verdict_names_its_sentences() -> None:
    assert verdict_payload(answer()) == {"judgement": "mixed", "for": 3, "against": None, "unread": ["Methods"]}
    assert verdict_payload(answer(run=None)) is None
    assert verdict_payload(None) is None


def test_changes_name_both_stances_of_a_contradiction() -> None:
    before, after = answer(Stance.SUPPORTS, Stance.REFUTES), answer(Stance.SUPPORTS)
    sent = json.loads(json.dumps(changes_payload((compare(before, after, Rewording.NEGATION),), before)))
    assert (sent[0]["kept"], sent[0]["lost"], sent[0]["gained"]) == (1, [4], [])
    assert sent[0]["contradictions"] == [[3, "supports", "supports"]]
    assert sent[0]["judged"]
    unjudged = answer(None)
    assert not changes_payload((compare(unjudged, unjudged, Rewording.PARAPHRASE),), unjudged)[0]["judged"]
