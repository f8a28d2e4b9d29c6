"""How PDFs are read, on papers of known text in the layouts of many publishers: `python -m core.training.typesetting`.

Papers of Evidence Inference (JATS) are set in each layout by a real browser, read back and compared. `--keep FOLDER`
writes the PDFs, and beside each one the sentences that were lost or added.
"""

from __future__ import annotations

import argparse
import os
import shutil
from dataclasses import fields
from pathlib import Path

from core.paper import read_paper
from core.training.evidence_data import data_folder
from core.training.typesetting.article import Article, references_of
from core.training.typesetting.measure import Reading, Share, compare, missing
from core.training.typesetting.printing import layout_names, open_browser, print_pdf

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--papers", type=int, default=8, help="how many, evenly spread over the data set")
    arguments.add_argument("--layout", action="append", choices=layout_names(), help="only this one; may be repeated")
    arguments.add_argument("--keep", type=Path, metavar="FOLDER", help="where to write the PDFs and what went wrong")
    options = arguments.parse_args()
    articles = _articles(options.papers)
    print(f"{len(articles)} papers, per cent\n")
    names = [field.name for field in fields(Reading)]
    print("| layout | " + " | ".join(name.replace("_", " ") for name in names) + " |")
    print("|---|" + "--:|" * len(names))
    totals = []
    with open_browser(_browser()) as browser:
        for layout in options.layout or layout_names():
            readings = []
            for article in articles:
                data = print_pdf(browser, article, layout)
                read = read_paper(data, name=f"{layout}.pdf")
                readings.append(compare(article, read))
                if options.keep:
                    file = options.keep / layout / f"{Path(article.paper.name).stem}.pdf"
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(data)
                    file.with_suffix(".txt").write_text("\n".join(missing(article, read)), encoding="utf-8")
            totals.append(_total(readings))
            print(_row(layout.replace("_", " "), totals[-1]), flush=True)
    if len(totals) > 1:
        print(_row("all", _total(totals)))


def _articles(count: int) -> list[Article]:
    files = sorted((data_folder() / "evidence_inference" / "xml").glob("*.nxml"))
    articles = []
    for file in files[:: max(len(files) // count, 1)][:count]:
        data = file.read_bytes()
        articles.append(Article(read_paper(data, name=file.name), references_of(data, name=file.name)))
    return articles


def _browser() -> str | None:
    """The browser that VOUCH_BROWSER names, or one on the path; None for Playwright's own."""
    return os.environ.get("VOUCH_BROWSER") or next(filter(None, map(shutil.which, _BROWSERS)), None)


def _total(readings: list[Reading]) -> Reading:
    total = readings[0]
    for reading in readings[1:]:
        total += reading
    return total


def _row(name: str, reading: Reading) -> str:
    shares: list[Share] = [getattr(reading, field.name) for field in fields(reading)]
    cells = (f"{100 * share.right / share.of:.1f}" if share.of else "" for share in shares)
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
