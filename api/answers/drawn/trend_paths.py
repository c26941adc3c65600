"""By which path each object of an event flew in each run, and where that changed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from api.answers.stored_events import StoredEvent, StoredSide
from api.models.trend import TrendPath
from storage.in_memory.new_paths import path_over
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.numbers import minute
from storage.trajectories.kept import trajectories
from storage.trajectories.trajectory_file import Facts

Seen = tuple[datetime, StoredEvent]  # when a run said so, and the event as it found it


def trend_paths(snapshot: Snapshot, seen: Sequence[Seen]) -> list[TrendPath]:
    """Return where the path of an object changed from one run to the next, the oldest first.

    Raises StoreError if the store's trajectories cannot be read.
    """
    if not any(side.on_ephemeris for _, event in seen for side in event.sides):
        return []
    rows = snapshot.rows("SELECT run_id, trajectories FROM windows WHERE trajectories <> ''", [])
    of_runs = {str(run_id): frozenset(str(ids).split()) for run_id, ids in rows}
    return list(changed_paths(seen, of_runs, trajectories(snapshot.store)))


def changed_paths(
    seen: Sequence[Seen], of_runs: Mapping[str, frozenset[str]], stored: Sequence[Facts]
) -> Iterator[TrendPath]:
    """Yield the changes; `of_runs`: ids of the trajectories of each run, `stored`: those that are left."""
    in_order = sorted(stored, key=lambda one: (one.about.added, one.id), reverse=True)
    before: dict[int, tuple[bool, str | None]] = {}
    for made, event in seen:
        ids = of_runs.get(event.run_id, frozenset())
        for side in event.sides:
            found = _flown(side, event.tca, [one for one in in_order if one.id in ids])
            path = side.on_ephemeris, found and found.id
            if side.norad_id in before and before[side.norad_id] != path:
                words = _words(side, made, found)
                yield TrendPath(side.norad_id, made, path[1], (found and found.about.added_by) or None, words)
            before[side.norad_id] = path


def _flown(side: StoredSide, tca: datetime, of_run: Sequence[Facts]) -> Facts | None:
    its = {side.norad_id: [one for one in of_run if one.norad_id == side.norad_id]}
    return path_over(its, [side.norad_id], tca) if side.on_ephemeris else None


def _words(side: StoredSide, made: datetime, found: Facts | None) -> str:
    since = f"Since {minute(made)} UTC {side.name.strip() or side.norad_id} flies by"
    if not side.on_ephemeris:
        return f"{since} its element set again."
    if found is None:
        return f"{since} an operator's ephemeris that the store no longer has."
    by = f" by {found.about.added_by}" if found.about.added_by else ""
    return f"{since} the ephemeris {found.id[:8]}, added {minute(found.about.added)} UTC{by}."
