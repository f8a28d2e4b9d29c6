"""Compare what Python sends to the browser with the types in types.d.ts, which its scripts are checked against."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from core.bias import tool_named
from core.bias.assessment import Assessment
from core.bias.model import HIGH, LOW
from core.evidence import Stance
from core.evidence.model import Decision
from core.evidence.sensitivity import Rewording, compare
from core.screening.model import ScreeningVerdict
from core.store import DomainView
from core.summary import Label
from pages._ui import assets
from pages._ui.compare.desk import comparing_payload
from pages._ui.paper_view import payload
from pages._ui.paper_view.bias import judging_payload, settling_payload
from pages._ui.paper_view.screening import criteria_payload, item_payload, others_payload, own_payload, sides_payload
from pages._ui.paper_view.summary import checking_payload
from pages._ui.review.tables import items_payload
from run import ROOT
from tests.pages import test_bias_payload as bias
from tests.pages import test_evidence_table as table
from tests.pages import test_paper_view as desk
from tests.pages import test_screening_payload as screening
from tests.test_scripts import node, run, tool


def sent_payloads() -> dict[str, object]:
    """What Python sends, by the name of its type in types.d.ts."""
    view = DomainView(own=bias.judged("Ann", HIGH), others=(bias.judged("Ben", LOW),))
    whole = DomainView(own=view.own, others=view.others, consensus=bias.settled("sequence", HIGH))
    one = screening.said("Ann", ScreeningVerdict.INCLUDE)
    snapshot = screening.seen()
    before, after = desk.answer(Stance.SUPPORTS, Stance.REFUTES), desk.answer(Stance.SUPPORTS)
    return {
        "Paper": payload.paper_payload(desk.PAPER, ((595.0, 842.0),)),
        "RankedSentence[]": [*payload.ranked_payload(desk.evidence_of(3, 4)), *payload.ranked_payload(before)],
        'View["decisions"]': payload.decisions_payload({3: Decision.ADDED}),
        "Gold": payload.gold_payload(desk.GOLD, desk.evidence_of(3, 4, 9), {}, k=10),
        "Run": payload.run_payload(desk.RUN, answered=True),
        "PaperVerdict": payload.verdict_payload(before),
        "WordingChange[]": payload.changes_payload((compare(before, after, Rewording.NEGATION),), before),
        'Omit<JudgingView, "beginAt">': judging_payload(Assessment(tool_named("rob2")), hidden={"D1"}),
        "SettledDomain[]": settling_payload(tool_named("rob1"), {"sequence": whole}, ("Ann", "Ben")),
        "CheckingView": checking_payload(desk.report(), desk.PAPER, {0: Label.SUPPORTED}),
        "ComparingView": comparing_payload((), None),
        "Criterion[]": criteria_payload([screening.ADULTS, screening.TEA], {}, sentences=5),
        "OwnScreening": own_payload(one, 1),
        'Pick<ScreeningView, "others" | "hidden" | "settled">': others_payload(
            snapshot.view("d"), ("Ann", "Ben"), "Ann"
        ),
        'Pick<ScreeningView, "sides" | "differ" | "settledVersion">': sides_payload(snapshot.view("c"), ("Ann", "Ben")),
        "ScreenedItem": item_payload(snapshot.items["a"]),
        "ItemsData": items_payload(snapshot),
        'Omit<EvidenceData, "begin" | "judges">': table.payload(*table.ROWS),
    }


@pytest.mark.slow
def test_types_fit_what_python_sends(tmp_path: Path) -> None:
    types = re.findall(r"^export type (\w+)", (assets.FOLDER / "types.d.ts").read_text(encoding="utf-8"), re.MULTILINE)
    source = f'import type {{ {", ".join(types)} }} from "{(assets.FOLDER / "types").as_posix()}";\n'
    for number, (kind, value) in enumerate(sent_payloads().items()):
        source += f"export const sent{number}: {kind} = {json.dumps(value)};\n"
    (tmp_path / "sent.ts").write_text(source, encoding="utf-8")
    settings = {"extends": str(ROOT / "tsconfig.json"), "include": ["sent.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    run(node(), tool("typescript/bin/tsc"), "--project", str(tmp_path))
