"""Suggestions keep how a model named its sentences, and what it named that is not in the paper. Bodies need no change."""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Keep an older Vouch, which would lose the new fields, from opening the database."""
