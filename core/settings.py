"""Settings from the environment, read once and passed on as a frozen value."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path

from core.errors import QueryError


@dataclass(frozen=True, slots=True)
class Settings:
    """Where Vouch keeps its own files (`home`) and finds real data for measurements (`data`).

    `sources_url` is the address of a stand-in for the literature services, on this computer; None means the real ones.
    `mail` is the mail address that a person gives these services; `source_keys` holds their keys, by service.
    `library_url` says where libraries are: a folder or an object storage; None means the folder `library`.
    `ranker` says on which data the models of the engine `offline` were trained: `all`, or `trials` for those that are
    also free for commercial use (docs/ranker.md). `database_url` names the database of projects; None means the file
    `database`.
    """

    home: Path
    data: Path | None
    ranker: str = "all"
    database_url: str | None = field(default=None, repr=False)  # may hold a password
    library_url: str | None = field(default=None, repr=False)
    sources_url: str | None = None
    mail: str | None = None
    source_keys: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)

    @property
    def embeddings(self) -> Path:
        """The cached vectors of papers. The folder can be deleted at any time; the vectors are computed again."""
        return self.home / "cache" / "embeddings"

    @property
    def replies(self) -> Path:
        """The cached answers of language models. The folder can be deleted at any time; questions then cost again."""
        return self.home / "cache" / "replies"

    @property
    def speeds(self) -> Path:
        """The measured speeds of models on the user's own servers. The folder can be deleted at any time."""
        return self.home / "cache" / "speeds"

    @property
    def source_replies(self) -> Path:
        """The cached answers of literature services. The file can be deleted at any time; they are asked again."""
        return self.home / "cache" / "sources.sqlite"

    @property
    def database(self) -> Path:
        """The database file of someone who works alone on this machine."""
        return self.home / "vouch.sqlite"

    @property
    def library(self) -> str:
        """Where the indexes of libraries are. They can be deleted at any time; papers are indexed again."""
        return self.library_url or str(self.home / "library")


_MAIL_FILE = "mail"
_MAIL = re.compile(r"[^@\s\x00-\x1f]{1,64}@[\w.-]{1,200}\.\w{2,}")
_SOURCE_KEYS = {
    "pubmed": "NCBI_API_KEY",
    "openalex": "OPENALEX_API_KEY",
    "semanticscholar": "SEMANTIC_SCHOLAR_API_KEY",
}  # environment variables by service, as its own documentation or clients name them


def keep_mail(settings: Settings, mail: str) -> None:
    """Save the mail address that a person gives literature services, on this computer only.

    Raises `QueryError` if it is none, or if the home cannot be written. An empty one is forgotten.
    """
    bare = mail.strip()
    if bare and not _MAIL.fullmatch(bare):
        raise QueryError(f"“{bare[:60]}” is no mail address. Write it as name@example.org.")
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        (settings.home / _MAIL_FILE).write_text(bare, encoding="utf-8")
    except OSError as error:
        raise QueryError(f"“{settings.home}” cannot be written ({error.strerror}). Check the folder.") from error


def _kept_mail(home: Path) -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        bare = (home / _MAIL_FILE).read_text(encoding="utf-8").strip()
        return bare if _MAIL.fullmatch(bare) else None
    return None


def load_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from environment variables.

    They are `VOUCH_HOME`, `VOUCH_DATA`, `VOUCH_RANKER`, `VOUCH_DATABASE_URL`, `VOUCH_LIBRARY_URL`, `VOUCH_SOURCES_URL`,
    `VOUCH_MAIL` and the keys of literature services. The home defaults to the user's data folder, the mail address to
    the one that `keep_mail` saved.
    """
    home = environment.get("VOUCH_HOME")
    data = environment.get("VOUCH_DATA")
    folder = Path(home).expanduser() if home else user_data_path("vouch", appauthor=False)
    return Settings(
        home=folder,
        data=Path(data).expanduser() if data else None,
        ranker=environment.get("VOUCH_RANKER") or "all",
        database_url=environment.get("VOUCH_DATABASE_URL") or None,
        library_url=environment.get("VOUCH_LIBRARY_URL") or None,
        sources_url=environment.get("VOUCH_SOURCES_URL") or None,
        mail=environment.get("VOUCH_MAIL") or _kept_mail(folder),
        source_keys={service: key for service, name in _SOURCE_KEYS.items() if (key := environment.get(name))},
    )
