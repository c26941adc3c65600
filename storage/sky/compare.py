"""Compare two catalogues: what is new, gone, renumbered or doubled, and whether the newer one is complete."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.fragmentation.launches import NO_LAUNCH, launches_of
from screening.groups import groups
from screening.orbits.elements import ORBIT_FIELDS, ElementArray
from screening.orbits.timegrid import TimeWindow, instants
from storage.rows.row_hashes import row_hash

Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

MOST_LOST = 0.1  # of the objects: a day of decays and lost objects is a thousandth
LEAST_FAMILY, FAMILY_LOST = 20, 0.9
STALE_DAYS = 7.0
# The same orbit: two sets of an object a month apart differ by less, mostly; neighbours fly farther away.
_SAME_KM, _SAME_KM_S = 50.0, 0.05
_SAME_PLANE_DEG, _SAME_PERIOD = 0.05, 2e-3


class Lost(NamedTuple):
    """What is missing of a catalogue."""

    suspect: bool
    families: list[str]  # first words of names, of which nine in ten objects are missing


def lost(elements: ElementArray, before: int, gone_names: npt.NDArray[np.str_], gone: int) -> Lost:
    """Return what element sets (n,) lack of `before` objects, `gone` of them; names of those as far as known.

    Objects that only the newer catalogue has do not make up for others.
    """
    stems, counts = np.unique(_families(gone_names), return_counts=True)
    many = counts >= LEAST_FAMILY
    left = _families(elements["name"]) if many.any() else np.zeros(0, "U1")
    missing = [
        str(stem)
        for stem, count in zip(stems[many], counts[many], strict=True)
        if stem and count >= FAMILY_LOST * (count + np.count_nonzero(left == stem))
    ]
    return Lost(bool(missing) or gone >= MOST_LOST * before > 0, missing)


def _families(names: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Return the first words (n,) of names: STARLINK of STARLINK-1007, COSMOS of COSMOS 1408 DEB."""
    return np.array([name.replace("-", " ").partition(" ")[0] for name in names.tolist()], "U64")


def epoch_of(elements: ElementArray) -> np.datetime64:
    """Return the epoch that 99 % of element sets (n,) are older than, UTC: wrong epochs do not count."""
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"]).astype(np.int64)
    epoch: np.datetime64 = np.int64(np.percentile(epochs, 99.0)).astype("M8[us]")
    return epoch


def stale(elements: ElementArray, epoch: np.datetime64) -> int:
    """Return how many element sets (n,) are more than STALE_DAYS older than a time (UTC)."""
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    return int(np.count_nonzero(epoch - epochs > np.timedelta64(int(STALE_DAYS * 24), "h")))


def doubled(elements: ElementArray, is_new: Mask) -> Mask:
    """Return which new objects (n,) have the very element set of an object that is not new."""
    if not is_new.any():
        return is_new
    hashes = row_hash(elements[name] for name in ORBIT_FIELDS)
    twice: Mask = is_new & np.isin(hashes, hashes[~is_new])
    return twice


def renumbered(new: ElementArray, gone: ElementArray) -> list[tuple[int, int]]:
    """Return the former and the present number of objects that fly on under another.

    They have the designator of an object that is gone, or fly where that would be.
    """
    pairs: dict[int, int] = {}
    by_designator = {
        str(one["object_id"]): int(one["norad_id"])
        for one in gone[launches_of(gone["object_id"]) != NO_LAUNCH]
    }
    for one in new:
        former = by_designator.get(str(one["object_id"]))
        if former is not None:
            pairs.setdefault(former, int(one["norad_id"]))
    for former, present in _in_one_place(new, gone):
        if former not in pairs and present not in pairs.values():
            pairs[former] = present
    return sorted(pairs.items())


def _in_one_place(new: ElementArray, gone: ElementArray) -> list[tuple[int, int]]:
    """Return pairs of numbers of objects at one place, each new one with the nearest, the nearest first."""
    from screening.orbits.sgp4.propagate import Propagator  # numba, which an idle service does not need

    plane = np.abs(np.subtract.outer(new["inclination_deg"], gone["inclination_deg"])) < _SAME_PLANE_DEG
    ratio = np.divide.outer(new["mean_motion_rev_day"], gone["mean_motion_rev_day"])
    at_new, at_gone = np.nonzero(plane & (np.abs(ratio - 1.0) < _SAME_PERIOD))
    found = []
    for pair in groups(at_new.astype(np.int32)):
        one, others = at_new[pair.start], at_gone[pair]
        then = TimeWindow(float(new["epoch_jd"][one]), float(new["epoch_day_fraction"][one]), 1.0)
        _, r_km, v_km_s = Propagator(np.append(new[[one]], gone[others]), then).on_grid(np.zeros(1))
        apart_km = np.linalg.norm(r_km[0, :, 1:] - r_km[0, :, :1], axis=0)
        faster_km_s = np.linalg.norm(v_km_s[0, :, 1:] - v_km_s[0, :, :1], axis=0)
        apart_km = np.where((apart_km < _SAME_KM) & (faster_km_s < _SAME_KM_S), apart_km, np.inf)
        nearest = int(np.argmin(apart_km))
        if np.isfinite(apart_km[nearest]):
            numbers = int(gone["norad_id"][others[nearest]]), int(new["norad_id"][one])
            found.append((float(apart_km[nearest]), numbers))
    return [numbers for _, numbers in sorted(found)]
