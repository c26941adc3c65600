"""How much each credential has uploaded on a day (UTC), in `service.sqlite`: a restart forgets nothing."""

from datetime import date
from pathlib import Path

from storage.state.database import query_state, service_state


def uploaded_bytes(store: Path, credential_id: int, day: date) -> int:
    """Return the bytes that a credential has uploaded on a day."""
    sql = "SELECT bytes FROM uploaded WHERE credential_id = ? AND day = ?"
    found = query_state(store, sql, (credential_id, day.isoformat()), tables=[])
    return int(found[0][0]) if found else 0


def record_upload(store: Path, credential_id: int, day: date, size: int) -> None:
    """Count the bytes of an upload, and forget other days."""
    with service_state(store) as state:
        state.execute("DELETE FROM uploaded WHERE day < ?", (day.isoformat(),))
        state.execute(
            "INSERT INTO uploaded VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes",
            (credential_id, day.isoformat(), size),
        )
