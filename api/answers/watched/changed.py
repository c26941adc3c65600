"""What changed for a fleet since the run before, as JSON."""

from pathlib import Path
from typing import Any

from storage.fleets import changes
from storage.fleets.encounters import Row
from storage.fleets.events import sides
from storage.rows.danger import level_of, levels_for_a_reader


def fleet_changes(store: Path, fleet_id: int) -> dict[str, Any]:
    """Return the newest run that looked at a fleet against the one before. Raises StoreError."""
    found = changes.fleet_changes(store, fleet_id)
    return {
        "run_id": found.run_id or None,
        "before_run_id": found.before_run_id or None,
        **{name: [row["event_id"] for row in getattr(found, name)] for name in ("new", "first_looked_for")},
        **{
            name: [{"id": row["event_id"], "before": level_of(was)} for row, was in getattr(found, name)]
            for name in ("raised", "eased")
        },
        **{name: [_before(row) for row in getattr(found, name)] for name in ("gone", "not_looked_for")},
    }


def _before(row: Row) -> dict[str, Any]:
    own, other = sides(row)
    level, near = levels_for_a_reader(row)
    return {
        "id": row["event_id"],
        "norad_id": row["norad_id"],
        "name": row[f"{own}_name"],
        "other_norad_id": row[f"{other}_norad_id"],
        "other_name": row[f"{other}_name"],
        "tca": row["tca"],
        "risk_level": row["risk_level"],
        "probability_level": level,
        "near_level": near or None,
    }
