"""What the answers of ROBINS-I and QUADAS-2 come to, written down a second time (see `rob2_tables`).

Of ROBINS-I, from the criteria of its guidance. “open” is where the answers decide no level.
"""

_QUADAS_OF_THREE = """
    y y y  low
    y y ?  unclear
    y ? y  unclear
    y ? ?  unclear
    ? y y  unclear
    ? y ?  unclear
    ? ? y  unclear
    ? ? ?  unclear
    n * *  open
    y? n * open
    y? y? n open
    """
_QUADAS_OF_FOUR = """
    y  y  y  y   low
    ?  y? y? y?  unclear
    y  ?  y? y?  unclear
    y  y  ?  y?  unclear
    y  y  y  ?   unclear
    n  *  *  *   open
    y? n  *  *   open
    y? y? n  *   open
    y? y? y? n   open
    """

_ROBINS = {
    "confounding": (
        ("1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8"),
        """
        n -  -  -  -  -  -  -   low
        y n? -  y  y  n  -  -   moderate
        y n? -  y  y  y? -  -   open
        y n? -  y  n  *  -  -   serious
        y n? -  y  ?  *  -  -   open
        y n? -  n  -  *  -  -   serious
        y n? -  ?  -  *  -  -   open
        y y  n? y  y  n  -  -   moderate
        y y  n? y  y  y? -  -   open
        y y  n? y  n  *  -  -   serious
        y y  n? y  ?  *  -  -   open
        y y  n? n  -  *  -  -   serious
        y y  n? ?  -  *  -  -   open
        y y  y  -  -  -  y  y   moderate
        y y  y  -  -  -  y  n   serious
        y y  y  -  -  -  y  ?   open
        y y  y  -  -  -  n  -   serious
        y y  y  -  -  -  ?  -   open
        """,
    ),
    "participants": (
        ("2.1", "2.2", "2.3", "2.4", "2.5"),
        """
        n  -  -  y  -  low
        n  -  -  ?  -  open
        n  -  -  n  y  moderate
        n  -  -  n  n? open
        ?  -  -  ?  -  no information
        ?  -  -  y  -  open
        ?  -  -  n  y  moderate
        ?  -  -  n  n? open
        y  n? -  y? -  open
        y  n? -  n  y  moderate
        y  n? -  n  n? open
        y  y  n? y? -  open
        y  y  n? n  y  moderate
        y  y  n? n  n? open
        y  y  y  *  y  moderate
        y  y  y  *  n  serious
        y  y  y  *  ?  open
        """,
    ),
    "classification": (
        ("3.1", "3.2", "3.3"),
        """
        n  *  *  serious
        y? *  y  serious
        ?  *  n? no information
        y  ?  n? no information
        y  y  n  low
        y  n  n  moderate
        y  yn ?  open
        """,
    ),
    "missing": (
        ("5.1", "5.2", "5.3", "5.4", "5.5"),
        """
        y  n  n  -  -  low
        y  n  ?  -  -  open
        y  ?  n? -  -  open
        ?  ?  ?  -  -  no information
        ?  ?  n  -  -  open
        ?  n  n? -  -  open
        n  *  *  y  *  low
        n  *  *  n? y  low
        n  *  *  n? n? open
        y? y  *  y  *  low
        y? y  *  n? y  low
        y? y  *  n? n? open
        y? n? y  y  *  low
        y? n? y  n? y  low
        y? n? y  n? n? open
        """,
    ),
    "outcomes": (
        ("6.1", "6.2", "6.3", "6.4"),
        """
        *  *  n  *   serious
        *  *  y? y   serious
        y  y  y? n?  serious
        n  *  y  n   low
        y? n  y  n   low
        y  ?  y  n   open
        ?  y? y  n   open
        n  *  y  ?   open
        y? n  y  ?   open
        y  ?  y  ?   open
        ?  y? y  ?   open
        n  *  ?  n?  open
        y? n  ?  n?  open
        y  ?  ?  n?  open
        ?  y  ?  n?  open
        ?  ?  ?  n   open
        ?  ?  ?  ?   no information
        """,
    ),
    "result": (
        ("7.1", "7.2", "7.3"),
        """
        y  *  *   serious
        n? y  *   serious
        n? n? y   serious
        ?  ?  ?   no information
        n  n? n?  open
        ?  n  n?  open
        ?  ?  n   open
        """,
    ),
}
_ASSIGNED = (
    ("4.1", "4.2"),
    """
    n -   low
    ? -   no information
    y y   serious
    y n?  open
    """,
)
_ADHERED = (
    ("4.3", "4.4", "4.5", "4.6"),
    """
    y  y  y  -  low
    n  *  *  y  moderate
    n  *  *  n  serious
    n  *  *  ?  open
    y? n  *  y  moderate
    y? n  *  n  serious
    y? n  *  ?  open
    y? y? n  y  moderate
    y? y? n  n  serious
    y? y? n  ?  open
    ?  ?  ?  -  no information
    ?  ?  y  -  open
    ?  y  y? -  open
    y  ?  y? -  open
    y  y  ?  -  open
    """,
)

TABLES = {
    "robins-i": _ROBINS | {"deviations": _ASSIGNED},
    "robins-i-adhering": _ROBINS | {"deviations": _ADHERED},
    "quadas-2": {
        "patients": (("1.1", "1.2", "1.3"), _QUADAS_OF_THREE),
        "index": (
            ("2.1", "2.2"),
            """
            y  ya  low
            y  ?   unclear
            ?  y?a unclear
            n  *   open
            y? n   open
            """,
        ),
        "reference": (
            ("3.1", "3.2"),
            """
            y  y   low
            y  ?   unclear
            ?  y?  unclear
            n  *   open
            y? n   open
            """,
        ),
        "flow": (("4.1", "4.2", "4.3", "4.4"), _QUADAS_OF_FOUR),
    },
}
