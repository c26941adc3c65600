"""The audit log: who has changed what, when, from where, and what was refused.

Of each organisation the newest KEPT_ENTRIES stay, so that none can push out what another did. A row is sealed
as it is written, and the sum over the table moves by its checksum: no other row is read, and damage stays
visible.
"""

import getpass
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from storage.state.database import read_records, service_state
from storage.state.records import AUDIT, AuditEntry
from storage.times import time_text

KEPT_ENTRIES = 10_000  # of an organisation
LONGEST_VALUE = 200
COMMAND_LINE = "command line"


def record(
    store: Path,
    at: datetime,
    organisation_id: int,
    who: str,
    operation: str,
    result: str,
    *,
    credential_id: int | None = None,
    about: str = "",
    address: str = "",
) -> None:
    """Write that somebody has changed something, or was refused. See `AuditEntry`.

    Raises:
        ServiceStateError: the store's state cannot be written.
    """
    values = {
        "at": at,
        "organisation_id": organisation_id,
        "credential_id": credential_id,
        "who": who[:LONGEST_VALUE],
        "operation": operation[:LONGEST_VALUE],
        "object": about[:LONGEST_VALUE],
        "address": address,
        "result": result,
    }
    with service_state(store) as state:
        number = AUDIT.insert(state, values)
        state.execute(f"UPDATE audit SET crc32 = row_crc32({AUDIT.sealing}) WHERE id = ?", (number,))  # noqa: S608
        _counted(state, "+", "id = ?1", (number,))
        too_old = (
            "organisation_id = ?1 AND id <= (SELECT id FROM audit WHERE organisation_id = ?1 "
            "ORDER BY id DESC LIMIT 1 OFFSET ?2)"
        )
        _counted(state, "-", too_old, (organisation_id, KEPT_ENTRIES))
        state.execute(f"DELETE FROM audit WHERE {too_old}", (organisation_id, KEPT_ENTRIES))  # noqa: S608


def by_command_line() -> str:
    """Return who uses the command line: the user of the machine."""
    try:
        return f"{COMMAND_LINE}, {getpass.getuser()}"
    except (OSError, KeyError):  # a container's user may have no name
        return COMMAND_LINE


def entries(
    store: Path,
    *,
    since: datetime | None = None,
    organisation_id: int | None = None,
    limit: int = -1,
    offset: int = 0,
) -> list[AuditEntry]:
    """Return what was changed and refused, the newest first; with `organisation_id` in that one.

    Raises:
        ServiceStateError: a row is damaged, missing or added.
    """
    conditions: Sequence[object] = (
        None if since is None else time_text(since, AUDIT.timespec),
        organisation_id,
        limit,
        offset,
    )
    where = "WHERE at >= coalesce(?, '') AND organisation_id = coalesce(?, organisation_id)"
    return read_records(store, AUDIT, f"{where} ORDER BY id DESC LIMIT ? OFFSET ?", conditions)


def _counted(state: sqlite3.Connection, sign: str, where: str, values: Sequence[object]) -> None:
    """Add some rows to what `sealed_tables` has of the table, or take them away."""
    state.execute(
        f"UPDATE sealed_tables SET row_count = row_count {sign} (SELECT count(*) FROM audit WHERE {where}), "  # noqa: S608
        f"crc_sum = crc_sum {sign} (SELECT coalesce(sum(crc32), 0) FROM audit WHERE {where}) "
        "WHERE name = 'audit'",
        values,
    )
