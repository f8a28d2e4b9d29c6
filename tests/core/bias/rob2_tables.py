"""RoB 2's algorithms written down a second time, as tables, to hold the code against.

A row gives one cell for each question, in order, and the level. A cell is a letter, or several that come to the same:
y (Y or PY), n (N or PN), ? (NI), a (NA), - (the question does not apply); * is any letter. Exactly one row fits every
complete set of answers.
"""

_RANDOMISED = """
        * n *  high
        * ? y  high
        * ? n  some concerns
        * ? ?  some concerns
        n y *  some concerns
        y y y  some concerns
        ? y y  some concerns
        y y n  low
        y y ?  low
        ? y n  low
        ? y ?  low
        """

TABLES = {
    "D1": (("1.1", "1.2", "1.3"), _RANDOMISED),
    "D1 of clusters": (("1a.1", "1a.2", "1a.3"), _RANDOMISED),
    "D1b of clusters": (
        ("1b.1", "1b.2", "1b.3"),
        """
        y  - *   low
        n? y *   high
        n? n y   some concerns
        n? n n?  low
        n? ? y   high
        n? ? n?  some concerns
        """,
    ),
    "DS": (
        ("S.1", "S.2", "S.3"),
        """
        y  -  y   low
        y  -  ?   some concerns
        y  -  n   high
        n? y  y   low
        n? y  ?   some concerns
        n? y  n   high
        n? n? y   some concerns
        n? n? n?  high
        """,
    ),
    "D2 part 1": (
        ("2.1", "2.2", "2.3", "2.4", "2.5"),
        """
        n n - - -  low
        y * n - -  low
        ? * n - -  low
        n y n - -  low
        n ? n - -  low
        y * ? - -  some concerns
        ? * ? - -  some concerns
        n y ? - -  some concerns
        n ? ? - -  some concerns
        y * y n -  some concerns
        ? * y n -  some concerns
        n y y n -  some concerns
        n ? y n -  some concerns
        y * y y y  some concerns
        ? * y y y  some concerns
        n y y y y  some concerns
        n ? y y y  some concerns
        y * y ? y  some concerns
        ? * y ? y  some concerns
        n y y ? y  some concerns
        n ? y ? y  some concerns
        y * y y n  high
        ? * y y n  high
        n y y y n  high
        n ? y y n  high
        y * y ? n  high
        ? * y ? n  high
        n y y ? n  high
        n ? y ? n  high
        y * y y ?  high
        ? * y y ?  high
        n y y y ?  high
        n ? y y ?  high
        y * y ? ?  high
        ? * y ? ?  high
        n y y ? ?  high
        n ? y ? ?  high
        """,
    ),
    "D2 part 2": (
        ("2.6", "2.7"),
        """
        y -  low
        n n  some concerns
        ? n  some concerns
        n y  high
        n ?  high
        ? y  high
        ? ?  high
        """,
    ),
    "D3": (
        ("3.1", "3.2", "3.3", "3.4"),
        """
        y - - -  low
        n y - -  low
        ? y - -  low
        n n n -  low
        ? n n -  low
        n n y n  some concerns
        n n ? n  some concerns
        ? n y n  some concerns
        ? n ? n  some concerns
        n n y y  high
        n n y ?  high
        n n ? y  high
        n n ? ?  high
        ? n y y  high
        ? n y ?  high
        ? n ? y  high
        ? n ? ?  high
        """,
    ),
    "D4": (
        ("4.1", "4.2", "4.3", "4.4", "4.5"),
        """
        y * - - -  high
        n y - - -  high
        ? y - - -  high
        n n n - -  low
        ? n n - -  low
        n ? n - -  some concerns
        ? ? n - -  some concerns
        n n y n -  low
        n n ? n -  low
        ? n y n -  low
        ? n ? n -  low
        n ? y n -  some concerns
        n ? ? n -  some concerns
        ? ? y n -  some concerns
        ? ? ? n -  some concerns
        n * y y n  some concerns
        n * y ? n  some concerns
        n * ? y n  some concerns
        n * ? ? n  some concerns
        ? * y y n  some concerns
        ? * y ? n  some concerns
        ? * ? y n  some concerns
        ? * ? ? n  some concerns
        n * y y y  high
        n * y ? y  high
        n * ? y y  high
        n * ? ? y  high
        ? * y y y  high
        ? * y ? y  high
        ? * ? y y  high
        ? * ? ? y  high
        n * y y ?  high
        n * y ? ?  high
        n * ? y ?  high
        n * ? ? ?  high
        ? * y y ?  high
        ? * y ? ?  high
        ? * ? y ?  high
        ? * ? ? ?  high
        """,
    ),
    "D5": (
        ("5.1", "5.2", "5.3"),
        """
        * y *  high
        * n y  high
        * ? y  high
        * ? n  some concerns
        * ? ?  some concerns
        * n ?  some concerns
        y n n  low
        n n n  some concerns
        ? n n  some concerns
        """,
    ),
    "D2 of clusters, part 1": (
        ("2.1a", "2.1b", "2.2", "2.3", "2.4", "2.5"),
        """
        n  -  n  - -  -   low
        y? n  n  - -  -   low
        n  -  y? n -  -   low
        n  -  y? ? -  -   some concerns
        n  -  y? y n  -   some concerns
        n  -  y? y y? y   some concerns
        n  -  y? y y? n?  high
        y? n  y? n -  -   low
        y? n  y? ? -  -   some concerns
        y? n  y? y n  -   some concerns
        y? n  y? y y? y   some concerns
        y? n  y? y y? n?  high
        y? y? *  n -  -   low
        y? y? *  ? -  -   some concerns
        y? y? *  y n  -   some concerns
        y? y? *  y y? y   some concerns
        y? y? *  y y? n?  high
        """,
    ),
    "D2 adhering": (
        ("2.1", "2.2", "2.3", "2.4", "2.5", "2.6"),
        """
        n  n  -  na na -   low
        n  n  -  na y? y   some concerns
        n  n  -  na y? n?  high
        n  n  -  y? *  y   some concerns
        n  n  -  y? *  n?  high
        n  y? ya na na -   low
        n  y? ya na y? y   some concerns
        n  y? ya na y? n?  high
        n  y? ya y? *  y   some concerns
        n  y? ya y? *  n?  high
        n  y? n? *  *  y   some concerns
        n  y? n? *  *  n?  high
        y? *  ya na na -   low
        y? *  ya na y? y   some concerns
        y? *  ya na y? n?  high
        y? *  ya y? *  y   some concerns
        y? *  ya y? *  n?  high
        y? *  n? *  *  y   some concerns
        y? *  n? *  *  n?  high
        """,
    ),
    "D3 of clusters": (
        ("3.1a", "3.1b", "3.2", "3.3", "3.4"),
        """
        y  y  - -  -   low
        n? *  y -  -   low
        n? *  n n  -   low
        n? *  n y? n   some concerns
        n? *  n y? y?  high
        y  n? y -  -   low
        y  n? n n  -   low
        y  n? n y? n   some concerns
        y  n? n y? y?  high
        """,
    ),
    "D4 of clusters": (
        ("4.1", "4.2", "4.3a", "4.3b", "4.4", "4.5"),
        """
        y  *  -  -  -  -   high
        n? y  -  -  -  -   high
        n? n  n  -  -  -   low
        n? ?  n  -  -  -   some concerns
        n? n  y? n  -  -   low
        n? ?  y? n  -  -   some concerns
        n? n  y? y? n  -   low
        n? ?  y? y? n  -   some concerns
        n? n? y? y? y? n   some concerns
        n? n? y? y? y? y?  high
        """,
    ),
    "D5 crossover": (
        ("5.1", "5.2", "5.3", "5.4"),
        """
        *  y  *  *   high
        *  n? y  *   high
        *  n? n? y   high
        *  ?  n? n?  some concerns
        *  n  ?  n?  some concerns
        *  n  n  ?   some concerns
        y  n  n  n   low
        n? n  n  n   some concerns
        """,
    ),
}

# The tables of each tool's domains, in order; of two tables, the worse level counts.
_ASSIGNMENT = ("D2 part 1", "D2 part 2")
TABLES_OF = {
    "rob2": (("D1",), _ASSIGNMENT, ("D3",), ("D4",), ("D5",)),
    "rob2-adhering": (("D1",), ("D2 adhering",), ("D3",), ("D4",), ("D5",)),
    "rob2-cluster": (
        ("D1 of clusters",),
        ("D1b of clusters",),
        ("D2 of clusters, part 1", "D2 part 2"),
        ("D3 of clusters",),
        ("D4 of clusters",),
        ("D5",),
    ),
    "rob2-cluster-adhering": (
        ("D1 of clusters",),
        ("D1b of clusters",),
        ("D2 adhering",),
        ("D3 of clusters",),
        ("D4 of clusters",),
        ("D5",),
    ),
    "rob2-crossover": (("D1",), ("DS",), _ASSIGNMENT, ("D3",), ("D4",), ("D5 crossover",)),
    "rob2-crossover-adhering": (("D1",), ("DS",), ("D2 adhering",), ("D3",), ("D4",), ("D5 crossover",)),
}


def lookup(table: tuple[tuple[str, ...], str], letters: dict[str, str]) -> str:
    """The level of the one row that fits; `letters` by question, `-` for one that does not apply."""
    questions, rows = table
    found = set()
    for row in filter(None, map(str.strip, rows.splitlines())):
        *cells, level = row.split(maxsplit=len(questions))
        if all(_fits(cell, letters[question]) for question, cell in zip(questions, cells, strict=True)):
            found.add(level)
    assert len(found) == 1, (questions, letters, found)
    return found.pop()


def _fits(cell: str, letter: str) -> bool:
    return letter in cell or (cell == "*" and letter != "-")
