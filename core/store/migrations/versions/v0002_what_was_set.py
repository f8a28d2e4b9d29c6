"""Judgements keep the level set by hand and the decisions on sentences; papers a short name. Bodies do not change."""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Keep an older Vouch, which would lose the new fields, from opening the database."""
