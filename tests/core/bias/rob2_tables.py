"""RoB 2's algorithms written down a second time, as tables, to hold the code against.

A row gives one letter for each question, in order: y (Y or PY), n (N or PN), ? (NI), - (does not apply), * (any of y, n
and ?), and the level. Exactly one row fits every complete set of answers.
"""

TABLES = {
    "D1": (
        ("1.1", "1.2", "1.3"),
        """
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
}


def lookup(table: str, letters: dict[str, str]) -> str:
    """The level of the one row that fits; `letters` by question, `-` for one that does not apply."""
    questions, rows = TABLES[table]
    found = set()
    for row in filter(None, map(str.strip, rows.splitlines())):
        *pattern, level = row.split(maxsplit=len(questions))
        if all(want in {"*", letters[question]} for question, want in zip(questions, pattern, strict=True)):
            found.add(level.partition(",")[0])
    assert len(found) == 1, (table, letters, found)
    return found.pop()
