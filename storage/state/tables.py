"""The tables of `service.sqlite`, release by release."""

import sqlite3
from pathlib import Path

from screening.errors import StoreError
from storage.state.operator_tables import OF_FLEETS, OPERATORS
from storage.state.sealed_rows import add_row_crc32, resealed


def _sealing(table: str, columns: str) -> tuple[str, ...]:
    return (
        f"ALTER TABLE {table} ADD COLUMN crc32 INTEGER",
        f"UPDATE {table} SET crc32 = row_crc32({columns})",  # noqa: S608
        f"INSERT INTO sealed_tables SELECT '{table}', count(*), coalesce(sum(crc32), 0) FROM {table}",  # noqa: S608
    )


_SATCAT_BEFORE = "norad_id, object_type, status, import_id"
_SATCAT = "norad_id, object_type, status, rcs_m2, docked_to, import_id"
_IMPORT = "id, kind, source, sha256, at"
_ALERT_OF_ANY = (
    "min_probability, digest_hours, daily, created, made_by, credential_id, secrets, off_since, off_reason"
)
_ALERT_BEFORE = f"id, fleet_id, channel, address, level, {_ALERT_OF_ANY}"
_ALERT = f"id, fleet_id, channel, address, level, near_m, {_ALERT_OF_ANY}"
_FLEET_BEFORE = "id, name, created, made_by, credential_id, contact, volume, hours, name_pattern"
_CREDENTIAL = "id, kind, name, created, expires, revoked, per_minute, secret_sha256"
_PLAN = (
    "id, event_id, norad_id, name, other_norad_id, other_name, burns, goal, days, threshold_km, size_error, "
    "direction_error_deg, run_id, tca, miss_distance_m, probability, miss_after_m, probability_after, at, "
    "made_by, credential_id"
)
_ACKNOWLEDGEMENT = "id, event_id, at, withdrawn, name, note, level, made_by, credential_id"
_IS_DEFAULT = "estimate = 'Default'"

# One entry per schema version, with the statements that lead to it from the one before. Entries never change.
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
    (
        # The number of rows of a table, and the sum of their checksums; row_crc32 is in sealed_rows.
        """CREATE TABLE sealed_tables (
            name TEXT PRIMARY KEY,
            row_count INTEGER NOT NULL,
            crc_sum INTEGER NOT NULL
        )""",
        *_sealing("credentials", _CREDENTIAL),
        *_sealing("fact_imports", "id, kind, source, sha256, at"),
        *_sealing("satcat", _SATCAT_BEFORE),
        *_sealing("hard_body_radii", "norad_id, radius_m, estimate, import_id"),
        *_sealing("hard_body_overrides", "norad_id, radius_m, at"),
        *_sealing("sessions", "secret_sha256, credential_id, expires"),
    ),
    (
        "ALTER TABLE satcat ADD COLUMN rcs_m2 REAL",
        "ALTER TABLE satcat ADD COLUMN docked_to INTEGER",
        # Damage stays visible: a damaged row keeps its checksum, and the sum moves by what the others moved.
        f"""UPDATE sealed_tables SET crc_sum = crc_sum + (
            SELECT coalesce(sum(row_crc32({_SATCAT}) - crc32), 0)
            FROM satcat WHERE crc32 IS row_crc32({_SATCAT_BEFORE})
        ) WHERE name = 'satcat'""",  # noqa: S608
        f"UPDATE satcat SET crc32 = row_crc32({_SATCAT}) WHERE crc32 IS row_crc32({_SATCAT_BEFORE})",  # noqa: S608
        # The same text then counts as new, and brings the new columns.
        f"""UPDATE sealed_tables SET crc_sum = crc_sum + (
            SELECT coalesce(sum(row_crc32(id, kind, source, '', at) - crc32), 0)
            FROM fact_imports WHERE kind = 'satcat' AND crc32 IS row_crc32({_IMPORT})
        ) WHERE name = 'fact_imports'""",  # noqa: S608
        f"""UPDATE fact_imports SET sha256 = '', crc32 = row_crc32(id, kind, source, '', at)
        WHERE kind = 'satcat' AND crc32 IS row_crc32({_IMPORT})""",  # noqa: S608
        # CARA's defaults are no knowledge of an object; earlier releases imported them.
        f"""UPDATE sealed_tables SET
            row_count = row_count - (SELECT count(*) FROM hard_body_radii WHERE {_IS_DEFAULT}),
            crc_sum = crc_sum - (SELECT coalesce(sum(crc32), 0) FROM hard_body_radii WHERE {_IS_DEFAULT})
        WHERE name = 'hard_body_radii'""",  # noqa: S608
        f"DELETE FROM hard_body_radii WHERE {_IS_DEFAULT}",  # noqa: S608
    ),
    (
        # Fleets: named sets of objects, and who is told of what happens to them.
        """CREATE TABLE fleets (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            created TEXT NOT NULL,
            made_by TEXT NOT NULL,
            credential_id INTEGER,
            contact TEXT NOT NULL,
            volume TEXT NOT NULL,
            hours REAL,
            name_pattern TEXT NOT NULL,
            crc32 INTEGER
        )""",
        """CREATE TABLE fleet_objects (
            fleet_id INTEGER NOT NULL,
            norad_id INTEGER NOT NULL,
            volume TEXT,
            hours REAL,
            crc32 INTEGER,
            PRIMARY KEY (fleet_id, norad_id)
        )""",
        """CREATE TABLE feeds (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            fleet_id INTEGER NOT NULL,
            created TEXT NOT NULL,
            made_by TEXT NOT NULL,
            credential_id INTEGER,
            revoked TEXT,
            secret_sha256 BLOB NOT NULL,
            crc32 INTEGER
        )""",
        """CREATE TABLE alerts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            fleet_id INTEGER NOT NULL,
            channel TEXT NOT NULL CHECK (channel IN ('webhook', 'slack', 'email')),
            address TEXT NOT NULL,
            risk TEXT NOT NULL,
            min_probability REAL,
            digest_hours REAL,
            daily INTEGER NOT NULL,
            created TEXT NOT NULL,
            made_by TEXT NOT NULL,
            credential_id INTEGER,
            secrets TEXT NOT NULL,
            off_since TEXT,
            off_reason TEXT NOT NULL,
            crc32 INTEGER
        )""",
        # What each alert has told of an encounter, and what it has last seen of it.
        """CREATE TABLE alert_encounters (
            alert_id INTEGER NOT NULL,
            event_id INTEGER NOT NULL,
            norad_id INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('open', 'resolved', 'closed')),
            tca TEXT NOT NULL,
            told_level TEXT NOT NULL,
            told_probability REAL,
            absent_runs INTEGER NOT NULL,
            last_run_id TEXT NOT NULL,
            entry TEXT NOT NULL,
            PRIMARY KEY (alert_id, event_id)
        ) WITHOUT ROWID""",
        "CREATE INDEX open_encounters ON alert_encounters (tca, alert_id) WHERE state = 'open'",
        # How far each alert has come: the newest run it knows, its last daily answer, and so on.
        """CREATE TABLE alert_progress (
            alert_id INTEGER NOT NULL,
            what TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (alert_id, what)
        ) WITHOUT ROWID""",
        """CREATE TABLE outbox (
            id TEXT PRIMARY KEY,
            number INTEGER NOT NULL UNIQUE,
            alert_id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            created TEXT NOT NULL,
            due TEXT NOT NULL,
            body TEXT NOT NULL,
            state TEXT NOT NULL
                CHECK (state IN ('waiting', 'delivered', 'failed', 'superseded', 'cancelled')),
            attempts INTEGER NOT NULL,
            finished TEXT,
            superseded_by TEXT,
            sending_until TEXT
        )""",
        "CREATE INDEX outbox_waiting ON outbox (state, due)",
        """CREATE TABLE delivery_attempts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            message_id TEXT NOT NULL,
            at TEXT NOT NULL,
            status INTEGER,
            error TEXT NOT NULL,
            seconds REAL NOT NULL
        )""",
        "CREATE INDEX attempts_of_a_message ON delivery_attempts (message_id)",
        """INSERT INTO sealed_tables
            VALUES ('fleets', 0, 0), ('fleet_objects', 0, 0), ('feeds', 0, 0), ('alerts', 0, 0)""",
    ),
    (
        # Alerts go by the level of the probability, or by a distance: each gets both of its risk level.
        "ALTER TABLE alerts RENAME COLUMN risk TO level",
        "ALTER TABLE alerts ADD COLUMN near_m REAL",
        """UPDATE alerts SET near_m =
            CASE level WHEN 'critical' THEN 100.0 WHEN 'high' THEN 500.0 WHEN 'medium' THEN 1000.0 END""",
        f"""UPDATE sealed_tables SET crc_sum = crc_sum + (
            SELECT coalesce(sum(row_crc32({_ALERT}) - crc32), 0)
            FROM alerts WHERE crc32 IS row_crc32({_ALERT_BEFORE})
        ) WHERE name = 'alerts'""",  # noqa: S608
        f"UPDATE alerts SET crc32 = row_crc32({_ALERT}) WHERE crc32 IS row_crc32({_ALERT_BEFORE})",  # noqa: S608
        # The most dangerous level told was that of the largest probability told, or of a distance.
        """UPDATE alert_encounters SET told_level = CASE
            WHEN told_probability IS NULL THEN 'unknown'
            WHEN told_probability > 1e-4 THEN 'critical'
            WHEN told_probability > 1e-5 THEN 'high'
            WHEN told_probability > 1e-6 THEN 'medium'
            ELSE 'low' END""",
        """UPDATE alert_encounters SET entry = json_set(
            json_remove(entry, '$.told.before.risk_level'), '$.told.before.level', CASE
                WHEN json_extract(entry, '$.told.before.probability') IS NULL THEN 'unknown'
                WHEN json_extract(entry, '$.told.before.probability') > 1e-4 THEN 'critical'
                WHEN json_extract(entry, '$.told.before.probability') > 1e-5 THEN 'high'
                WHEN json_extract(entry, '$.told.before.probability') > 1e-6 THEN 'medium'
                ELSE 'low' END)
        WHERE json_extract(entry, '$.told.before.risk_level') IS NOT NULL""",
    ),
    (
        "ALTER TABLE credentials ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0",
        f"""UPDATE sealed_tables SET crc_sum = crc_sum + (
            SELECT coalesce(sum(row_crc32({_CREDENTIAL}, read_only) - crc32), 0)
            FROM credentials WHERE crc32 IS row_crc32({_CREDENTIAL})
        ) WHERE name = 'credentials'""",  # noqa: S608
        f"""UPDATE credentials SET crc32 = row_crc32({_CREDENTIAL}, read_only)
        WHERE crc32 IS row_crc32({_CREDENTIAL})""",  # noqa: S608
    ),
    (
        """CREATE TABLE uploaded (
            credential_id INTEGER NOT NULL,
            day TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (credential_id, day)
        ) WITHOUT ROWID""",
    ),
    (
        """CREATE TABLE bodies (
            norad_id INTEGER PRIMARY KEY,
            radius_m REAL NOT NULL,
            bounding_radius_m REAL NOT NULL,
            mass_kg REAL,
            name TEXT NOT NULL,
            owner TEXT NOT NULL,
            state TEXT NOT NULL,
            body_source TEXT NOT NULL,
            sure INTEGER NOT NULL,
            import_id INTEGER NOT NULL,
            crc32 INTEGER
        )""",
        "INSERT INTO sealed_tables VALUES ('bodies', 0, 0)",
    ),
    (
        "ALTER TABLE fleets ADD COLUMN radius TEXT NOT NULL DEFAULT 'shadow'",
        f"""UPDATE sealed_tables SET crc_sum = crc_sum + (
            SELECT coalesce(sum(row_crc32({_FLEET_BEFORE}, radius) - crc32), 0)
            FROM fleets WHERE crc32 IS row_crc32({_FLEET_BEFORE})
        ) WHERE name = 'fleets'""",  # noqa: S608
        f"""UPDATE fleets SET crc32 = row_crc32({_FLEET_BEFORE}, radius)
        WHERE crc32 IS row_crc32({_FLEET_BEFORE})""",  # noqa: S608
    ),
    (
        # Changes wait with their encounter until a receiver has them; a message that waits keeps its text.
        "ALTER TABLE alert_encounters ADD COLUMN changes TEXT NOT NULL DEFAULT '[]'",
        """UPDATE alert_encounters SET changes = json_array(json_object(
            'kind', json_extract(entry, '$.told.change'),
            'run_id', last_run_id,
            'at', (SELECT created FROM outbox WHERE id = json_extract(entry, '$.told.message_id')),
            'before', json(CASE
                WHEN json_extract(entry, '$.told.change') = 'new' AND NOT json_extract(entry, '$.told.again')
                THEN 'null'
                ELSE coalesce(json_extract(entry, '$.told.before'),
                    json_object('level', told_level, 'probability', told_probability)) END),
            'again', json(CASE WHEN json_extract(entry, '$.told.again') THEN 'true' ELSE 'false' END),
            'reason', '',
            'tried_in', json_extract(entry, '$.told.message_id')))
        WHERE json_extract(entry, '$.told.message_id') IN (SELECT id FROM outbox WHERE kind = 'conjunctions'
            AND superseded_by IS NULL AND state IN ('waiting', 'failed'))""",
        "UPDATE alert_encounters SET entry = json_remove(entry, '$.told')",
        "DELETE FROM alert_progress WHERE what IN ('next_digest', 'told_at')",
    ),
    (
        "ALTER TABLE alerts ADD COLUMN manoeuvres INTEGER NOT NULL DEFAULT 0",
        f"""UPDATE sealed_tables SET crc_sum = crc_sum + (
            SELECT coalesce(sum(row_crc32({_ALERT}, manoeuvres) - crc32), 0)
            FROM alerts WHERE crc32 IS row_crc32({_ALERT})
        ) WHERE name = 'alerts'""",  # noqa: S608
        f"""UPDATE alerts SET crc32 = row_crc32({_ALERT}, manoeuvres)
        WHERE crc32 IS row_crc32({_ALERT})""",  # noqa: S608
    ),
    (
        """CREATE TABLE acknowledgements (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            event_id INTEGER NOT NULL,
            at TEXT NOT NULL,
            withdrawn INTEGER NOT NULL,
            name TEXT NOT NULL,
            note TEXT NOT NULL,
            level TEXT NOT NULL,
            made_by TEXT NOT NULL,
            credential_id INTEGER,
            crc32 INTEGER
        )""",
        "CREATE INDEX acknowledgements_of_an_event ON acknowledgements (event_id)",
        "INSERT INTO sealed_tables VALUES ('acknowledgements', 0, 0)",
        "ALTER TABLE alerts ADD COLUMN acknowledgements INTEGER NOT NULL DEFAULT 0",
        f"""UPDATE sealed_tables SET crc_sum = crc_sum + (
            SELECT coalesce(sum(row_crc32({_ALERT}, manoeuvres, acknowledgements) - crc32), 0)
            FROM alerts WHERE crc32 IS row_crc32({_ALERT}, manoeuvres)
        ) WHERE name = 'alerts'""",  # noqa: S608
        f"""UPDATE alerts SET crc32 = row_crc32({_ALERT}, manoeuvres, acknowledgements)
        WHERE crc32 IS row_crc32({_ALERT}, manoeuvres)""",  # noqa: S608
    ),
    (
        # Burns that were chosen for an event, to be followed over later runs.
        """CREATE TABLE plans (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            event_id INTEGER NOT NULL,
            norad_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            other_norad_id INTEGER NOT NULL,
            other_name TEXT NOT NULL,
            burns TEXT NOT NULL,
            goal REAL NOT NULL,
            days REAL NOT NULL,
            threshold_km REAL NOT NULL,
            size_error REAL NOT NULL,
            direction_error_deg REAL NOT NULL,
            run_id TEXT NOT NULL,
            tca TEXT NOT NULL,
            miss_distance_m REAL NOT NULL,
            probability REAL,
            miss_after_m REAL,
            probability_after REAL,
            at TEXT NOT NULL,
            made_by TEXT NOT NULL,
            credential_id INTEGER,
            crc32 INTEGER
        )""",
        "CREATE INDEX plans_of_an_event ON plans (event_id)",
        "INSERT INTO sealed_tables VALUES ('plans', 0, 0)",
    ),
    (
        # What there was before belongs to the first organisation; who could change things administers it.
        """CREATE TABLE organisations (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            crc32 INTEGER
        )""",
        "INSERT INTO organisations VALUES (1, 'default', row_crc32(1, 'default'))",
        "INSERT INTO sealed_tables VALUES ('organisations', 1, row_crc32(1, 'default'))",
        "ALTER TABLE credentials ADD COLUMN organisation_id INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE credentials ADD COLUMN role TEXT NOT NULL DEFAULT 'admin'",
        "ALTER TABLE credentials ADD COLUMN objects TEXT NOT NULL DEFAULT 'all'",
        "UPDATE credentials SET role = 'viewer', objects = '' WHERE read_only OR kind = 'api-key'",
        *resealed(
            "credentials", f"{_CREDENTIAL}, read_only", f"{_CREDENTIAL}, organisation_id, role, objects"
        ),
        "ALTER TABLE credentials DROP COLUMN read_only",
        # Two organisations may have fleets of one name.
        """CREATE TABLE fleets_of_all (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            created TEXT NOT NULL,
            made_by TEXT NOT NULL,
            credential_id INTEGER,
            contact TEXT NOT NULL,
            volume TEXT NOT NULL,
            hours REAL,
            name_pattern TEXT NOT NULL,
            crc32 INTEGER,
            radius TEXT NOT NULL DEFAULT 'shadow',
            organisation_id INTEGER NOT NULL DEFAULT 1,
            UNIQUE (organisation_id, name)
        )""",
        f"""INSERT INTO fleets_of_all ({_FLEET_BEFORE}, radius, crc32)
            SELECT {_FLEET_BEFORE}, radius, crc32 FROM fleets""",  # noqa: S608
        "DELETE FROM sqlite_sequence WHERE name = 'fleets_of_all'",
        "INSERT INTO sqlite_sequence SELECT 'fleets_of_all', seq FROM sqlite_sequence WHERE name = 'fleets'",
        "DROP TABLE fleets",
        "ALTER TABLE fleets_of_all RENAME TO fleets",
        *resealed("fleets", f"{_FLEET_BEFORE}, radius", f"{_FLEET_BEFORE}, radius, organisation_id"),
        "ALTER TABLE acknowledgements ADD COLUMN organisation_id INTEGER NOT NULL DEFAULT 1",
        *resealed("acknowledgements", _ACKNOWLEDGEMENT, f"{_ACKNOWLEDGEMENT}, organisation_id"),
        "ALTER TABLE plans ADD COLUMN organisation_id INTEGER NOT NULL DEFAULT 1",
        *resealed("plans", _PLAN, f"{_PLAN}, organisation_id"),
        """CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            organisation_id INTEGER NOT NULL,
            credential_id INTEGER,
            who TEXT NOT NULL,
            operation TEXT NOT NULL,
            object TEXT NOT NULL,
            address TEXT NOT NULL,
            result TEXT NOT NULL,
            crc32 INTEGER
        )""",
        # Runs that were asked for, and when a schedule has begun them.
        """CREATE TABLE asked_runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            begun TEXT
        )""",
        "CREATE INDEX audit_of_an_organisation ON audit (organisation_id, id)",
        "INSERT INTO sealed_tables VALUES ('audit', 0, 0)",
    ),
    OPERATORS,
    OF_FLEETS,
)


class ServiceStateError(StoreError):
    """`service.sqlite` cannot be used; the runs of the store do not depend on it."""


def is_present(version: int) -> bool:
    """Return whether a database with this version has the present schema."""
    return version == len(MIGRATIONS)


def upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a database, or an empty one, to the present schema.

    Raises:
        ServiceStateError: it was written by a newer release; the message names its `path`.
    """
    add_row_crc32(connection)
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
