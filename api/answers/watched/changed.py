"""What changed for a fleet since the run before, as JSON."""

from pathlib import Path
from typing import Any

from api.answers.watched.not_screened import not_screened
from storage.fleets.changes import changes_between
from storage.fleets.encounters import Row, looks_at
from storage.fleets.events import sides
from storage.rows.danger import levels_for_a_reader
from storage.rows.limits import EVERYTHING


def fleet_changes(store: Path, fleet_id: int) -> dict[str, Any]:
    """Return the newest run that looked at a fleet against the one before. Raises StoreError."""
    looks = looks_at(store, fleet_id, EVERYTHING)[-2:]
    found = changes_between(looks, not_screened(store, looks))
    return {
        "run_id": found.run_id or None,
        "before_run_id": found.before_run_id or None,
        "new": [row["event_id"] for row in found.new],
        "raised": [{"id": row["event_id"], "before": level} for row, level in found.raised],
        "gone": [_gone(row) for row in found.gone],
    }


def _gone(row: Row) -> dict[str, Any]:
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
