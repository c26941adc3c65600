"""What changed for a fleet since the run before, as the service sends it."""

from pathlib import Path

from api.models.watched.feeds import ChangesOfFleet, GoneEvent, RaisedEvent
from storage.fleets import changes
from storage.fleets.encounters import Row
from storage.fleets.events import sides
from storage.rows.danger import level_of, near_level_of


def fleet_changes(store: Path, fleet_id: int) -> ChangesOfFleet:
    """Return the newest run that looked at a fleet against the one before. Raises StoreError."""
    found = changes.fleet_changes(store, fleet_id)
    return ChangesOfFleet(
        run_id=found.run_id or None,
        before_run_id=found.before_run_id or None,
        new=[row["event_id"] for row in found.new],
        first_looked_for=[row["event_id"] for row in found.first_looked_for],
        raised=[RaisedEvent(row["event_id"], level_of(was)) for row, was in found.raised],
        eased=[RaisedEvent(row["event_id"], level_of(was)) for row, was in found.eased],
        gone=[_before(row) for row in found.gone],
        not_looked_for=[_before(row) for row in found.not_looked_for],
    )


def _before(row: Row) -> GoneEvent:
    own, other = sides(row)
    return GoneEvent(
        id=row["event_id"],
        norad_id=row["norad_id"],
        name=row[f"{own}_name"],
        other_norad_id=row[f"{other}_norad_id"],
        other_name=row[f"{other}_name"],
        tca=row["tca"],
        risk_level=row["risk_level"],
        probability_level=level_of(row),
        near_level=near_level_of(row),
    )
