"""The tables of `service.sqlite`, release by release."""

import sqlite3
from pathlib import Path

from screening.errors import StoreError

# One entry a schema version, the statements that lead to it from the one before. Entries are never changed.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE attempts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            started TEXT NOT NULL,
            finished TEXT,
            source TEXT NOT NULL,
            stage TEXT NOT NULL,
            outcome TEXT CHECK (outcome IN ('published', 'skipped', 'failed')),
            decision TEXT,
            reason TEXT,
            run_id TEXT
        )""",
        "CREATE TABLE requests (service TEXT NOT NULL, at TEXT NOT NULL)",
    ),
    (
        """CREATE TABLE fact_imports (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            source TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            at TEXT NOT NULL
        )""",
        """CREATE TABLE satcat (
            norad_id INTEGER PRIMARY KEY,
            object_type TEXT,
            status TEXT,
            import_id INTEGER NOT NULL
        )""",
        """CREATE TABLE hard_body_radii (
            norad_id INTEGER PRIMARY KEY,
            radius_m REAL NOT NULL,
            estimate TEXT NOT NULL,
            import_id INTEGER NOT NULL
        )""",
        """CREATE TABLE hard_body_overrides (
            norad_id INTEGER PRIMARY KEY,
            radius_m REAL NOT NULL,
            at TEXT NOT NULL
        )""",
    ),
    (
        """CREATE TABLE credentials (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL CHECK (kind IN ('bearer', 'api-key')),
            name TEXT NOT NULL,
            created TEXT NOT NULL,
            expires TEXT,
            revoked TEXT,
            last_used TEXT,
            per_minute INTEGER,
            secret_sha256 BLOB NOT NULL
        )""",
    ),
    (
        # The requests that were allowed within the last minute or so, numbered within their key.
        """CREATE TABLE recent_requests (
            key TEXT NOT NULL,
            number INTEGER NOT NULL,
            at_us INTEGER NOT NULL,
            PRIMARY KEY (key, number)
        ) WITHOUT ROWID""",
    ),
    (
        """CREATE TABLE sessions (
            secret_sha256 BLOB PRIMARY KEY,
            credential_id INTEGER NOT NULL,
            expires TEXT NOT NULL
        )""",
    ),
)


class ServiceStateError(StoreError):
    """`service.sqlite` cannot be used; the runs of the store do not depend on it."""


def is_present(version: int) -> bool:
    """Tell whether a database with this version has the present schema."""
    return version == len(MIGRATIONS)


def upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a database to the present schema; an empty one too.

    Raises:
        ServiceStateError: a newer release has written it; the text names its `path`.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise ServiceStateError(
            f"{path} has schema version {version}, written by a newer release; this release reads up to "
            f"{len(MIGRATIONS)}. Update skysieve."
        )
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            connection.execute(statement)
    if version < len(MIGRATIONS):
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
