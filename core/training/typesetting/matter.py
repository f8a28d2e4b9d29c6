"""What journals print around a paper's text. All of it is invented."""

from __future__ import annotations

JOURNAL = "Annals of Invented Trials"
RUNNING_TITLE = "Alder et al. A trial set in type"
SITE = "www.annals-of-invented-trials.example"
KIND = "Original research"
AUTHORS = ("Maria Alder", "Jonas T Birch", "Wei Cedar", "Amina Elm-Hazel", "Piotr Larch")
AFFILIATIONS = (
    "Department of Typography, University of Leading, Leading, Ruritania",
    "Institute for Columns and Gutters, School of Public Printing, Kerning, Ruritania",
)
CORRESPONDENCE = "Correspondence to: Maria Alder, 12 Galley Row, Leading LD1 2ER, Ruritania; m.alder@leading.example"
DATES = "Received 3 March 2014; revised 12 May 2014; accepted 19 June 2014; published 1 August 2014"
LICENCE = (
    "© The authors 2014. This is an open access article distributed under the terms of a licence that permits use and "
    "distribution in any medium, provided that the original work is properly cited."
)
CITE_AS = f"Citation: Alder M, Birch JT, Cedar W, et al. {JOURNAL} 2014;12:345-356."
EDITOR = "Academic editor: Ottoline Proof, University of Kerning"
KEYWORDS = "Keywords: randomised trial; printing; columns; measurement"
MARGIN_NOTE = f"Downloaded from {SITE} by guest on 4 August 2014"
BOX = (
    (
        "What is already known on this topic",
        (
            "Earlier work on the question was small and came from a single centre.",
            "Nobody had yet asked whether the effect would outlast the treatment.",
        ),
    ),
    (
        "What this study adds",
        (
            "The answer holds in a larger group of people who were followed for longer.",
            "Those who plan services can now weigh the benefit against what it costs.",
        ),
    ),
)
STATEMENTS = (
    ("Acknowledgements", "We thank the printers of Leading for their patience and for the loan of a composing stick."),
    ("Funding", "The work was paid for by the Ruritanian Council for Printing (grant RCP-1440)."),
    ("Competing interests", "The authors declare that they own more books than they have read."),
    ("Author contributions", "MA and JTB set the type. WC, AE-H and PL read the proofs and approved them."),
)
