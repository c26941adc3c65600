"""Which objects fly by a trajectory since the newest run, which may be why an encounter is gone."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from storage.in_memory.snapshot import Snapshot
from storage.times import datetime64_us
from storage.trajectories.kept import trajectories
from storage.trajectories.trajectory_file import Facts

NewPaths = Mapping[int, Sequence[Facts]]


def new_paths(snapshot: Snapshot, before: str) -> NewPaths:
    """Return the trajectories that the newest run flew by and the run `before` did not, by catalogue number.

    What was added last comes first; those that the store no longer has are left out.
    """
    rows = snapshot.rows("SELECT trajectories FROM windows WHERE run_id = ?", [before])
    earlier = {one for (ids,) in rows for one in str(ids or "").split()}
    fresh = set((snapshot.run.trajectories or "").split()) - earlier
    found: dict[int, list[Facts]] = {}
    for one in trajectories(snapshot.store) if fresh else ():
        if one.id in fresh:
            found.setdefault(one.norad_id, []).append(one)
    return {number: sorted(those, key=_added, reverse=True) for number, those in found.items()}


def path_over(paths: NewPaths, norad_ids: Sequence[int], at: datetime) -> Facts | None:
    """Return the trajectory by which one of the objects flies at an instant; None: on none."""
    instant = datetime64_us(at)
    over = (
        one
        for number in norad_ids
        for one in paths.get(number, ())
        if one.usable_from <= instant <= one.usable_to
    )
    return next(over, None)


def _added(one: Facts) -> tuple[datetime, str]:
    return one.about.added, one.id
