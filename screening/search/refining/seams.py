"""Search where SGP4 gives up paths, or the pieces of paths."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, swap_sides
from screening.orbits.pieces import ObjectPaths
from screening.orbits.trajectories import Trajectories
from screening.search.refining.broken_intervals import BrokenIntervals, search_broken_intervals
from screening.search.refining.piece_ends import in_their_time
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
    found = search_broken_intervals(paths.piece_paths, absences, threshold_km, asked_pieces)
    minima = _between_objects(paths, in_their_time(paths.piece_paths, found.minima))
    return BrokenIntervals(_of_objects(paths, found.failures), minima, found.candidates)


def _between_objects(paths: ObjectPaths, minima: EncounterArray) -> EncounterArray:
    """Return minima of pieces as those of two objects, the smaller index first."""
    for who in ("primary_index", "secondary_index"):
        minima[who] = paths.objects[minima[who]]
    swap_sides(minima, minima["primary_index"] > minima["secondary_index"])
    kept: EncounterArray = minima[minima["primary_index"] != minima["secondary_index"]]
    return kept


def _of_objects(paths: ObjectPaths, failures: dict[int, Failure]) -> dict[int, Failure]:
    """Return the failures of pieces, if they are in use then, as those of objects."""
    found: dict[int, Failure] = {}
    from_s, to_s = paths.pieces.from_s, paths.pieces.to_s
    for one in sorted(failures.values(), key=lambda one: one.first_s):
        i = int(paths.objects[one.object_index])
        if one.first_s > to_s[one.object_index]:
            continue
        first_s = max(one.first_s, float(from_s[one.object_index]))
        known = found.get(i, Failure(i, one.code, first_s, np.nan))
        found[i] = known if np.isnan(one.lost_s) else known._replace(lost_s=one.lost_s)
    lost = np.array([i for i, one in found.items() if not np.isnan(one.lost_s)], np.int32)
    codes, _, _ = paths.at(lost, np.full(len(lost), paths.span.seconds))
    for i in lost[codes == 0].tolist():
        found[i] = found[i]._replace(lost_s=np.nan)
    return found
