"""A queue in a process of its own, which a test kills while it fetches: `python fetch_to_kill.py PROJECT`."""

import sys

from core.review.queue import run_queue, start_queue
from core.settings import load_settings
from core.store import open_store

if __name__ == "__main__":
    store = open_store(load_settings())
    start_queue(store, sys.argv[1], "Ann")
    run_queue(store, sys.argv[1], look_s=0.2)
