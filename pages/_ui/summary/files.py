"""What a reviewer takes away of a checked summary."""

from __future__ import annotations

import json
from functools import partial

import streamlit as st

from core import __version__
from core.export.summary import summary_document
from core.export.summary_page import summary_page
from core.export.summary_table import summary_csv
from core.paper import Paper
from pages._ui.downloads import download, now_here, stem
from pages._ui.open_paper import OpenPaper
from pages._ui.summary.work import Version


def show(opened: OpenPaper, version: Version) -> None:
    """Draw the buttons. A file is made when it is asked for, with the labels of the last drawing."""
    name = f"{stem(opened.paper)}-summary"
    page, table, document = (partial(make, opened.paper, version) for make in (_page, _table, _document))
    with st.container(key="summary-files", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            "The summary and your labels are saved as you work. To take them away:",
            width="content",
        )
        download(
            "HTML",
            page,
            name=f"{name}.html",
            mime="text/html",
            about="A page for co-authors, with every label and its support",
        )
        download("CSV", table, name=f"{name}.csv", mime="text/csv", about="A line for each sentence of the summary")
        download("JSON", document, name=f"{name}.json", mime="application/json", about="All of it, for programs")


def _page(paper: Paper, version: Version) -> bytes:
    return summary_page(version.report, paper, version.measures, version.own, date=now_here()).encode()


def _table(paper: Paper, version: Version) -> bytes:
    return summary_csv(version.report, paper, version.own, date=now_here()).encode()


def _document(paper: Paper, version: Version) -> bytes:
    document = summary_document(version.report, paper, version.measures, version.own)
    document |= {"vouch_version": __version__, "date": now_here().isoformat(), "paper": paper.id}
    return json.dumps(document, ensure_ascii=False, indent=1).encode()
