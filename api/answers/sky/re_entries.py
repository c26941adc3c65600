"""Which objects decay, and how long those of a fleet stay."""

from collections.abc import Sequence
from pathlib import Path

from api.answers.rows import records
from api.models.sky.re_entries import Outlook, ReEntries, RemainingLife, RemainingLives
from screening.decay.forecast import HIGHEST_PERIGEE_KM
from storage.in_memory.snapshot import Snapshot
from storage.sky.lists import COLUMNS, Wanted, listed, within


def re_entries(
    store: Path, snapshot: Snapshot, days: float, norad_ids: Sequence[int] | None, limit: int, offset: int
) -> ReEntries:
    """Return the objects, or some of them, whose median is within days of the run's window."""
    run = snapshot.run
    rows, total = listed(store, run.run_id, within(run.window_start, days, norad_ids), limit, offset)
    return ReEntries(run.run_id, [_shown(row) for row in records(COLUMNS, rows)], total)


def remaining_lives(store: Path, snapshot: Snapshot, norad_ids: Sequence[int]) -> RemainingLives:
    """Return how long some objects of a run stay in orbit."""
    run_id = snapshot.run.run_id
    rows, _ = listed(store, run_id, Wanted(norad_ids=norad_ids))
    found = {row["norad_id"]: _shown(row) for row in records(COLUMNS, rows)}
    known = {row[0]: row for row in snapshot.objects(("norad_id", "name", "perigee_km"), list(norad_ids))}
    lives = []
    for number in [*found, *sorted(known.keys() - found.keys())]:
        _, name, perigee_km = known[number]
        re_entry = found.get(number)
        lives.append(RemainingLife(number, name, perigee_km, _outlook(perigee_km, re_entry), re_entry))
    return RemainingLives(run_id, lives, len(lives))


def _outlook(perigee_km: float | None, re_entry: object) -> Outlook:
    if re_entry is not None:
        return "decays"
    return "stays" if perigee_km is not None and perigee_km >= HIGHEST_PERIGEE_KM else "thrusts or unknown"


def _shown(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "run_id"}
