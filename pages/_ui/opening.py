"""Opening a file, a sample or a scan as a paper on the desk; and the screen that offers this while no paper is open."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.benchmarks.bias_gold import best_tool, for_tool, merged, read_bias_gold
from core.benchmarks.evidencebench import is_evidencebench, read_evidencebench
from core.benchmarks.gold import Instance
from core.benchmarks.robbr import is_robbr
from core.benchmarks.samples import Sample, samples
from core.bias import known_tools
from core.errors import DatasetError, NoTextLayer, VouchError
from core.paper import read_paper
from core.paper.pdf.ocr import ocr_is_available
from core.paper.read import read_scan
from core.text.words import counted
from pages._ui import autosave
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper, one_line
from pages._ui.page_jobs import ProgressBar
from pages._ui.state import Collection, Scan, Session, current_session

LARGEST_MB = 200  # not for whole projects, which only the server limits (.streamlit/config.toml)


# ---- files and samples ----


def upload_field(key: str, *, label: str) -> bool:
    """Draw a field that opens any dropped file. Returns True if a file was read and the page has to be drawn again."""
    session = current_session()
    # No `type=`: an unknown or misnamed file is recognised by its content.
    file = st.file_uploader(label, key=f"{key}-{session.uploads}", max_upload_size=LARGEST_MB)
    if file is None:
        return False
    with st.spinner(f"Reading the file ({len(file.getvalue()) / 1e6:.1f} MB)"):
        # Not emptied earlier: a click may end this run at the spinner, and the next run must still find the file.
        session.uploads += 1  # a new key empties the uploader
        open_file(session, file.getvalue(), name=file.name)
    return True


def open_file(session: Session, data: bytes, *, name: str) -> None:
    """Open a paper, or a benchmark file with its first paper. An error becomes the session's problem."""
    session.scan = None
    try:
        if is_robbr(data):
            _open_bias_gold(session, data, name=name)
        elif is_evidencebench(data):
            _open_collection(session, data, name=name)
        else:
            session.put_on_desk(read_paper(data, name=name), data)
            autosave.save(session)  # restores earlier work on it
    except NoTextLayer as error:
        session.problem = str(error)
        session.scan = Scan(data, name) if ocr_is_available() else None
    except VouchError as error:
        session.problem = str(error)


def _open_collection(session: Session, data: bytes, *, name: str) -> None:
    file = read_evidencebench(data, name=name)
    if not file.instances:
        raise DatasetError(f"No record can be used. {file.broken[0]}")
    session.collection = Collection(name, file.instances, len(file.broken))
    open_record(session, 0)


def _open_bias_gold(session: Session, data: bytes, *, name: str) -> None:
    """Attach the judgements in a file to the paper on the desk, or open the first paper in the file."""
    here = session.open
    found = read_bias_gold(data, name=name, paper=here.paper if here else None)
    opened = here if here is not None and found.paper is here.paper else session.put_on_desk(found.paper)
    work = opened.bias
    work.labelled, work.show_gold = merged((*found.labelled, *work.labelled)), True
    left = [counted(found.others, "judgement") + " on other papers"] if found.others else []
    left += [f"{counted(len(found.broken), 'record')} that cannot be used"] if found.broken else []
    work.gold_note = f"{name} also holds {' and '.join(left)}." if left else ""
    if not for_tool(work.labelled, session.bias.tool):
        session.bias.tool_id = best_tool(work.labelled, known_tools().values()).id


def open_record(session: Session, record: int) -> None:
    """Open the paper of a record of the session's collection."""
    if session.collection is not None:
        open_instance(session, session.collection.instances[record]).record = record


def open_instance(session: Session, instance: Instance) -> OpenPaper:
    """Open a paper with known gold, with its hypothesis filled in."""
    opened = session.put_on_desk(instance.paper)
    opened.golds[one_line(instance.hypothesis)] = instance.gold
    if opened.question != one_line(instance.hypothesis):
        opened.evidence = None
    opened.ask(instance.hypothesis)
    return opened


def open_sample(session: Session, sample: Sample) -> None:
    """Open a sample paper. If there is no work on it yet, search it for its first hypothesis."""
    try:
        data = sample.path.read_bytes()
        opened = session.put_on_desk(read_paper(data, name=sample.path.name), data)
        autosave.save(session)  # restores earlier work on it
        autosave.add_gold(opened, sample)
        if not opened.hypothesis.strip():
            opened.ask(sample.hypotheses[0])
            session.search(opened, session.query(opened))
    except VouchError as error:
        session.problem = str(error)


# ---- first screen ----

_FORMATS = {".xml": "XML", ".pdf": "PDF", ".md": "Markdown", ".txt": "plain text", ".json": "BioC JSON"}


TITLE = "See what a paper says about your hypothesis"
LEAD = "Vouch finds the sentences that bear on it and highlights them where they stand, word for word."


def show_welcome(session: Session, *, title: str = TITLE, lead: str = LEAD) -> None:
    """Draw the screen for when no paper is open."""
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        st.title(title, anchor=False)
        st.markdown(f"{lead} Everything happens on this computer.")
        if upload_field("welcome-upload", label="Open a paper: PDF, JATS or TEI XML, BioC, Markdown or plain text"):
            st.rerun()
        _samples(session)


def _samples(session: Session) -> None:
    known = samples()
    if not known:
        return
    with st.container(key="samples", gap="small"):
        st.button(
            "Try a sample paper",
            key="try-sample",
            type="primary",
            help=plain(known[0].title),
            on_click=open_sample,
            args=(session, known[0]),
        )
        st.caption("Or pick another. They are short, invented by us, and come with gold to compare with.")
        for sample in known[1:]:
            _sample(session, sample)


def _sample(session: Session, sample: Sample) -> None:
    with st.container(border=True, gap="xxsmall"):
        st.button(
            f"**{plain(sample.title)}**",
            key=f"sample-{sample.id}",
            type="tertiary",
            icon=":material/description:",
            wrap=True,
            help="Open this sample",
            on_click=open_sample,
            args=(session, sample),
        )
        format = _FORMATS.get(sample.path.suffix, sample.path.suffix)
        st.caption(plain(f"{format} · {sample.hypotheses[0]}", limit=160))


# ---- text recognition of scans ----

WITHOUT_TEXT = "page-without-text"


def offer_ocr(session: Session) -> DeltaGenerator:
    """Draw a button to recognise a scan that could not be read. Returns the container for the progress."""
    slot = st.container(gap="small")  # always there, so that filling it does not rebuild what follows
    scan = session.scan
    if scan is not None and scan.paper is None:
        slot.button(
            "Recognise the text (OCR)",
            key="recognise",
            icon=":material/document_scanner:",
            type="primary",
            disabled=scan.asked,
            on_click=_ask,
            args=(session, scan),
            help=plain(f"Reads the pictures of “{scan.name}” on this computer; takes some seconds a page"),
        )
    return slot


def offer_ocr_of_pages(session: Session, opened: OpenPaper) -> None:
    """Draw a button to recognise the pages of a paper that are pictures, if there are any."""
    pages = sum(warning.kind == WITHOUT_TEXT for warning in opened.paper.warnings)
    if pages and opened.data is not None and ocr_is_available():
        st.button(
            f"Recognise the text of {counted(pages, 'page')} (OCR)",
            key="recognise-pages",
            icon=":material/document_scanner:",
            on_click=_ask,
            args=(session, Scan(opened.data, opened.paper.name, opened.paper.id)),
        )


def _ask(session: Session, scan: Scan) -> None:
    session.problem = None
    scan.asked = True
    session.scan = scan


def _stop() -> None:
    """Forget the scan. The click itself has stopped the work: Streamlit ends the run at its next report."""
    current_session().scan = None


def run_ocr(session: Session, slot: DeltaGenerator) -> None:
    """Recognise the text, if requested. Progress goes to `slot`; the rest of the page is already drawn."""
    scan = session.scan
    if scan is None or not scan.asked:
        return
    with slot.container(key="recognising", horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text="Starting")
        st.button("Cancel", key="stop-recognising", on_click=_stop)
    board = ProgressBar(bar)
    try:
        paper, data = read_scan(scan.data, name=scan.name, progress=board)
    except VouchError as error:
        session.problem = str(error)
    except Exception:
        session.scan = None  # a bug is raised once, and not again at every click
        raise
    else:
        opened = session.papers.get(scan.paper or "")
        if opened is not None:
            session.exchange(opened, paper, data)
        else:
            session.put_on_desk(paper, data)
    session.scan = None
    st.rerun()
