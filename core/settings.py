"""Settings from the environment, read once and passed on as a frozen value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path


@dataclass(frozen=True, slots=True)
class Settings:
    """Where Vouch keeps its own files (`home`) and finds real data for measurements (`data`).

    `library_url` says where libraries are, a folder or an object storage, None the folder `library`.
    `ranker` says on what the models of the engine `offline` were trained: `all`, or `trials` for those that are free
    for commercial use too (docs/ranker.md). `database_url` names the database of projects, None the file `database`.
    """

    home: Path
    data: Path | None
    ranker: str = "all"
    database_url: str | None = field(default=None, repr=False)  # may hold a password
    library_url: str | None = field(default=None, repr=False)

    @property
    def embeddings(self) -> Path:
        """The vectors of papers read before. The folder can be deleted at any time; they are computed again."""
        return self.home / "cache" / "embeddings"

    @property
    def replies(self) -> Path:
        """What language models answered before. The folder can be deleted at any time; the same questions cost again."""
        return self.home / "cache" / "replies"

    @property
    def database(self) -> Path:
        """The projects of someone who works on this machine alone."""
        return self.home / "vouch.sqlite"

    @property
    def library(self) -> str:
        """Where the indexes of libraries are. They can be deleted at any time; papers are indexed again."""
        return self.library_url or str(self.home / "library")


def load_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read `VOUCH_HOME`, `VOUCH_DATA`, `VOUCH_RANKER`, `VOUCH_DATABASE_URL` and `VOUCH_LIBRARY_URL`; the home defaults to the user's data folder."""
    home = environment.get("VOUCH_HOME")
    data = environment.get("VOUCH_DATA")
    return Settings(
        home=Path(home).expanduser() if home else user_data_path("vouch", appauthor=False),
        data=Path(data).expanduser() if data else None,
        ranker=environment.get("VOUCH_RANKER") or "all",
        database_url=environment.get("VOUCH_DATABASE_URL") or None,
        library_url=environment.get("VOUCH_LIBRARY_URL") or None,
    )
