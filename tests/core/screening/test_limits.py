"""Numbers that criteria set limits to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.paper import Paper, read_paper
from core.screening.model import Fit
from core.screening.offline.limits import limits_asked
from core.screening.offline.reading import read

PAPER = replace(
    read_paper(
        b"# Tea\n\n## Methods\n\nA total of 48 patients were randomised. Of these, 24 patients were assigned to tea for "
        b"12 weeks. All were followed up at 6 months, and they were between 30 and 60 years old.\n",
        name="tea.md",
    ),
    year=2011,
)


def fit(criterion: str, paper: Paper = PAPER) -> Fit:
    (asked,), rest = limits_asked(criterion)
    assert not rest.strip(" .,")
    return asked.judge(read(paper, None)).fit


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("n >= 40", Fit.MET),
        ("at least 48 participants", Fit.MET),
        ("sample size over 50", Fit.NOT_MET),
        ("published after 2010", Fit.MET),
        ("published after 2011", Fit.NOT_MET),
        ("published since 2011", Fit.MET),
        ("published before 2011", Fit.NOT_MET),
        ("published between 2000 and 2011", Fit.MET),
        ("follow-up of at least 12 weeks", Fit.MET),
        ("followed up for at least twelve weeks", Fit.MET),
        ("at least twenty-four months of follow-up", Fit.UNCLEAR),
        ("at least 6 months of follow-up", Fit.MET),
        ("follow-up of at least 2 years", Fit.UNCLEAR),  # never against: another report may go on
    ],
)
def test_limits(criterion: str, expected: Fit) -> None:
    assert fit(criterion) is expected


def test_what_the_paper_does_not_state_is_unclear() -> None:
    silent = read_paper(b"# Tea\n\n## Methods\n\nPatients drank tea. Half of them drank water.\n", name="tea.md")
    for criterion in ("n >= 40", "published after 2010", "follow-up of at least 12 weeks"):
        assert fit(criterion, silent) is Fit.UNCLEAR


def test_a_group_s_number_speaks_against_nothing() -> None:
    groups = read_paper(b"# Tea\n\n## Methods\n\n24 patients were assigned to tea, and 24 to water.\n", name="tea.md")
    assert fit("at least 40 participants", groups) is Fit.UNCLEAR
