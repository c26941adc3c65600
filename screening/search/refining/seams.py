"""Search where paths break: where SGP4 gives up, and where an object passes from one piece to the next.

A piece that ends has failed, as far as the search between knots is concerned, and the search of broken
intervals finds what it meets up to its end. What counts as a failure of an object is another matter.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, swap_sides
from screening.orbits.interpolated import NOT_THERE
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.pieces import ObjectPaths
from screening.orbits.trajectories import Trajectories
from screening.search.refining.broken_intervals import (
    BrokenIntervals,
    minima_during,
    search_broken_intervals,
)
from screening.search.results import Absence, Failure


def search_broken_paths(
    paths: Trajectories,
    absences: Sequence[Absence],
    threshold_km: float,
    asked: npt.NDArray[np.bool_] | None = None,
) -> BrokenIntervals:
    """Find when objects fail, and what they meet between knots with and without a state.

    The absences are those of objects, or of their pieces if they have any. `asked` (n,), if given, marks the
    objects of which one must be in each pair.
    """
    if not isinstance(paths, ObjectPaths):
        return search_broken_intervals(paths, absences, threshold_km, asked)
    asked_pieces = None if asked is None else asked[paths.objects]
    found = search_broken_intervals(paths.pieces, absences, threshold_km, asked_pieces)
    short = [
        minima_during(paths.pieces, i, from_s, to_s, threshold_km, asked_pieces)
        for i, from_s, to_s in _without_knots(paths)
    ]
    minima = _between_objects(paths, np.concatenate([found.minima, *short]))
    return BrokenIntervals(_of_objects(paths, found.failures), minima, found.candidates)


def _without_knots(paths: ObjectPaths) -> list[tuple[int, float, float]]:
    """Return the pieces that lie between two knots, in the window, and their times."""
    from_s, to_s = (
        np.clip(ends, 0.0, paths.span.seconds)
        for ends in (paths.pieces.pieces.from_s, paths.pieces.pieces.to_s)
    )
    between = (np.ceil(from_s / KNOT_STEP_S) > np.floor(to_s / KNOT_STEP_S)) & (from_s < to_s)
    here = np.flatnonzero(between)
    return list(zip(here.tolist(), from_s[here].tolist(), to_s[here].tolist(), strict=True))


def _between_objects(paths: ObjectPaths, minima: EncounterArray) -> EncounterArray:
    """Return minima of pieces as those of the objects, the smaller index first."""
    for who in ("primary_index", "secondary_index"):
        minima[who] = paths.objects[minima[who]]
    swap_sides(minima, minima["primary_index"] > minima["secondary_index"])
    return minima


def _of_objects(paths: ObjectPaths, failures: dict[int, Failure]) -> dict[int, Failure]:
    """Return the failures of pieces as those of objects; a piece whose time is over has not failed."""
    found: dict[int, Failure] = {}
    for one in sorted(failures.values(), key=lambda one: one.first_s):
        i = int(paths.objects[one.object_index])
        if one.code == NOT_THERE:
            continue
        known = found.get(i, Failure(i, one.code, one.first_s, np.nan))
        found[i] = known if np.isnan(one.lost_s) else known._replace(lost_s=one.lost_s)
    lost = np.array([i for i, one in found.items() if not np.isnan(one.lost_s)], np.int32)
    codes, _, _ = paths.at(lost, np.full(len(lost), paths.span.seconds))
    for i in lost[codes == 0].tolist():
        found[i] = found[i]._replace(lost_s=np.nan)
    return found
