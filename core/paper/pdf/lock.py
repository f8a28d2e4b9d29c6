"""The one lock of this process around PDFium, which gives silently wrong text when two threads use it at once."""

from __future__ import annotations

import threading

PDFIUM = threading.RLock()
