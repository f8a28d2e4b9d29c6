"""Suggestions keep how a model cited its sentences, and citations that are not in the paper. Bodies do not change."""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Keep an older Vouch, which would lose the new fields, from opening the database."""
