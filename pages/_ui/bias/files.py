"""What a reviewer takes away from judging, and how it comes back."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.bias import tools
from core.bias.assessment import Assessment
from core.errors import VouchError
from core.export.assessment import assessment_csv, assessment_json
from core.export.assessment_file import read_assessment
from core.export.project.single import assessment_report
from core.export.robvis import StudyLevels, robvis_csv
from core.paper import study_name
from pages._ui.downloads import download, now_here, stem
from pages._ui.open_paper import OpenPaper
from pages._ui.review.sheet import Sheet
from pages._ui.state import Session
from pages._ui.uploads import LARGEST_MB


def show(now: Session, opened: OpenPaper, sheet: Sheet | None = None) -> None:
    """Draw the buttons and the field that takes a file back. A file is made when it is asked for.

    On a paper of a project the files hold the reviewer's own work, and none is taken back: the store has it.
    """
    st.caption("Judgements are saved as you make them. To take them away:")
    tool = sheet.tool if sheet else now.bias.tool
    name = f"{stem(opened.paper)}-{tool.id}"
    table, document, robvis = (partial(make, now, opened, sheet) for make in (_csv, _json, _robvis))
    with st.container(horizontal=True, gap="small"):
        download(
            "JSON",
            document,
            name=f"{name}.json",
            mime="application/json",
            about=f"All that you judged with {tool.name}, and what was suggested",
        )
        download("CSV", table, name=f"{name}.csv", mime="text/csv", about="A line for each sentence of each domain")
        download(
            "CSV for robvis",
            robvis,
            name=f"{name}-robvis.csv",
            mime="text/csv",
            about="The levels, to plot with robvis",
            keeps=False,
        )
        if sheet is None:  # a project has one of all its papers
            download(
                "Report",
                partial(_report, now, opened),
                name=f"{name}.html",
                mime="text/html",
                about="One page to read and print: each judgement with its reason, and the sentences where they stand",
                keeps=False,
            )
    if sheet is not None:
        return
    key = f"restore-{now.uploads}"
    st.file_uploader(
        "Open a JSON file from here again",
        type="json",
        key=key,
        on_change=_restore,
        args=(now, opened, key),
        max_upload_size=LARGEST_MB,
    )


def _csv(now: Session, opened: OpenPaper, sheet: Sheet | None) -> bytes:
    return assessment_csv(opened.paper, _seen(now, opened, sheet), date=now_here()).encode()


def _json(now: Session, opened: OpenPaper, sheet: Sheet | None) -> bytes:
    study = sheet.study if sheet else now.bias.study
    return assessment_json(opened.paper, _seen(now, opened, sheet), study, date=now_here()).encode()


def _robvis(now: Session, opened: OpenPaper, sheet: Sheet | None) -> bytes:
    assessment = _seen(now, opened, sheet)
    paper = opened.paper
    study = study_name(paper.authors, paper.year, otherwise=paper.title or paper.name)
    levels = StudyLevels(study, assessment.levels, assessment.overall)
    return robvis_csv(assessment.tool, [levels]).encode()


def _report(now: Session, opened: OpenPaper) -> bytes:
    assessment, paper = _seen(now, opened, None), opened.paper
    return assessment_report(paper, assessment, now.bias.study, date=now_here(), blind=now.bias.blind).encode()


def _seen(now: Session, opened: OpenPaper, sheet: Sheet | None) -> Assessment:
    """Whoever judges blind takes no suggestion away that was not shown."""
    if sheet is not None:
        return sheet.assessment
    return opened.bias.with_tool(now.bias.tool).assessment.as_seen(blind=now.bias.blind)


def _restore(now: Session, opened: OpenPaper, key: str) -> None:
    """Go on with the file in the field, in place of what was judged with its tool."""
    now.uploads += 1  # with a new key the field is empty again
    try:
        assessment, study = read_assessment(st.session_state[key].getvalue(), opened.paper, tools())
    except VouchError as error:
        now.problem = str(error)
        return
    now.problem = None
    judged = opened.bias.with_tool(assessment.tool)
    judged.assessment = assessment
    judged.number += 1  # newer than anything that the browser has sent
    now.bias.use(assessment.tool, study)
