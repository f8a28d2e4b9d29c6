"""From an uploaded file or a sample to a paper on the desk."""

from __future__ import annotations

import streamlit as st

from core.benchmarks.evidencebench import is_evidencebench, read_evidencebench
from core.benchmarks.gold import Instance
from core.benchmarks.samples import Sample
from core.errors import DatasetError, NoTextLayer, VouchError
from core.paper import read_paper
from core.paper.pdf.ocr import ocr_is_available
from pages._ui import keeping
from pages._ui.open_paper import OpenPaper, one_line
from pages._ui.state import Collection, Scan, Session, session
from pages._ui.uploads import LARGEST_MB


def upload_field(key: str, *, label: str) -> bool:
    """A field that opens whatever file is dropped on it. True: a file was read, and the page is to be drawn again."""
    now = session()
    # No `type=`: an unknown or misnamed file is recognised by its content.
    file = st.file_uploader(label, key=f"{key}-{now.uploads}", max_upload_size=LARGEST_MB)
    if file is None:
        return False
    now.uploads += 1  # with a new key the field is empty again
    with st.spinner(f"Reading the file ({len(file.getvalue()) / 1e6:.1f} MB)"):
        open_file(now, file.getvalue(), name=file.name)
    return True


def open_file(now: Session, data: bytes, *, name: str) -> None:
    """Open a paper, or a benchmark file with its first paper. A mistake is remembered as the session's problem."""
    now.scan = None
    try:
        if is_evidencebench(data):
            _open_collection(now, data, name=name)
        else:
            now.put_on_desk(read_paper(data, name=name), data)
            keeping.save(now)  # what was done on it before is on the desk too
    except NoTextLayer as error:
        now.problem = str(error)
        now.scan = Scan(data, name) if ocr_is_available() else None
    except VouchError as error:
        now.problem = str(error)


def _open_collection(now: Session, data: bytes, *, name: str) -> None:
    file = read_evidencebench(data, name=name)
    if not file.instances:
        raise DatasetError(f"No record can be used. {file.broken[0]}")
    now.collection = Collection(name, file.instances, len(file.broken))
    open_record(now, 0)


def open_record(now: Session, record: int) -> None:
    """Open the paper of one record of the session's collection."""
    if now.collection is not None:
        open_instance(now, now.collection.instances[record]).record = record


def open_instance(now: Session, instance: Instance) -> OpenPaper:
    """Open a paper whose gold is known, with its hypothesis filled in."""
    opened = now.put_on_desk(instance.paper)
    opened.golds[one_line(instance.hypothesis)] = instance.gold
    if opened.question != one_line(instance.hypothesis):
        opened.evidence = None
    opened.ask(instance.hypothesis)
    return opened


def open_sample(now: Session, sample: Sample) -> None:
    """Open a sample paper and search it for its first hypothesis, unless work on it has begun."""
    try:
        data = sample.path.read_bytes()
        opened = now.put_on_desk(read_paper(data, name=sample.path.name), data)
        keeping.save(now)  # what was done on it before is on the desk too
        keeping.add_gold(opened, sample)
        if not opened.hypothesis.strip():
            opened.ask(sample.hypotheses[0])
            now.search(opened, now.query(opened))
    except VouchError as error:
        now.problem = str(error)
