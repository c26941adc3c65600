"""The tables of `service.sqlite` about operators: forms of `MIGRATIONS`, which never change."""

from storage.state.sealed_rows import resealed

_FLEET = "id, name, created, made_by, credential_id, contact, volume, hours, name_pattern, radius"

OPERATORS = (
    """CREATE TABLE directory (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        operator TEXT NOT NULL,
        owners TEXT NOT NULL,
        norad_ids TEXT NOT NULL,
        name_pattern TEXT NOT NULL,
        email TEXT NOT NULL,
        telephone TEXT NOT NULL,
        hours TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        note TEXT NOT NULL,
        at TEXT NOT NULL,
        made_by TEXT NOT NULL,
        credential_id INTEGER,
        organisation_id INTEGER NOT NULL,
        crc32 INTEGER
    )""",
    """CREATE TABLE intents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        event_id INTEGER NOT NULL,
        norad_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        intent TEXT NOT NULL CHECK (intent IN ('will_move', 'will_not_move', 'waiting')),
        move_at TEXT,
        note TEXT NOT NULL,
        at TEXT NOT NULL,
        made_by TEXT NOT NULL,
        credential_id INTEGER,
        organisation_id INTEGER NOT NULL,
        crc32 INTEGER
    )""",
    "CREATE INDEX intents_of_an_event ON intents (event_id)",
    """CREATE TABLE links (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        event_id INTEGER NOT NULL,
        created TEXT NOT NULL,
        expires TEXT NOT NULL,
        revoked TEXT,
        made_by TEXT NOT NULL,
        credential_id INTEGER,
        organisation_id INTEGER NOT NULL,
        secret_sha256 BLOB NOT NULL,
        crc32 INTEGER
    )""",
    "CREATE INDEX links_of_an_event ON links (event_id)",
    "INSERT INTO sealed_tables VALUES ('directory', 0, 0), ('intents', 0, 0), ('links', 0, 0)",
)

OF_FLEETS = (
    "ALTER TABLE fleets ADD COLUMN manoeuvre_class TEXT NOT NULL DEFAULT 'unknown'",
    *resealed("fleets", f"{_FLEET}, organisation_id", f"{_FLEET}, organisation_id, manoeuvre_class"),
)
