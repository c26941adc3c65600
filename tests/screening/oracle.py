"""Close approaches found naively: python-sgp4, fine steps, every pair; nothing of the search is used."""

from collections.abc import Sequence
from math import pi
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sgp4.api import WGS72, Satrec

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

STEP_S = 20.0
# A pair moves on a nearly straight relative path between three samples: a relative acceleration of 2 mu/r^3
# times 400 km bends it by 0.25 km. What stays farther than this off the threshold is not refined.
BEND_KM = 5.0
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
_HALVINGS = 40  # of 40 s, by the golden ratio: 2e-7 s


class Minimum(NamedTuple):
    """A local minimum of the distance between SGP4's positions."""

    i: int
    j: int
    tca_s: float
    miss_km: float
    speed_km_s: float


def prepared(elements: ElementArray) -> list[Satrec]:
    """Return python-sgp4's records, made field by field."""
    records = []
    for row in elements:
        record = Satrec()
        record.sgp4init(
            WGS72,
            "i",
            0,
            float(row["epoch_jd"] - 2433281.5 + row["epoch_day_fraction"]),
            float(row["bstar_per_earth_radius"]),
            float(row["mean_motion_dot_rev_day2"]) * 2 * pi / 1440.0**2,
            float(row["mean_motion_ddot_rev_day3"]) * 2 * pi / 1440.0**3,
            float(row["eccentricity"]),
            np.radians(float(row["argument_of_perigee_deg"])),
            np.radians(float(row["inclination_deg"])),
            np.radians(float(row["mean_anomaly_deg"])),
            float(row["mean_motion_rev_day"]) * 2 * pi / 1440.0,
            np.radians(float(row["raan_deg"])),
        )
        records.append(record)
    return records


def path(record: Satrec, span: TimeWindow, times_s: FloatArray) -> FloatArray:
    """Return positions (m, 3) in km at times (m,) from the start of the window, NaN where SGP4 fails."""
    fraction = span.start_day_fraction + times_s / 86400.0
    error, r, _ = record.sgp4_array(np.full(len(times_s), span.start_jd), fraction)
    r[error != 0] = np.nan
    return np.asarray(r)


def distances_km(
    records: Sequence[Satrec], span: TimeWindow, pairs: IntArray, times_s: FloatArray
) -> FloatArray:
    """Return the distance of each pair (2, k) at its own time (k,)."""
    r = np.empty((2, len(times_s), 3))
    for side in (0, 1):
        order = np.argsort(pairs[side], kind="stable")
        members, first = np.unique(pairs[side][order], return_index=True)
        for member, here in zip(members, np.split(order, first[1:]), strict=True):
            r[side, here] = path(records[member], span, times_s[here])
    distance: FloatArray = np.linalg.norm(r[1] - r[0], axis=1)
    return distance


def refined(
    records: Sequence[Satrec], span: TimeWindow, pairs: IntArray, low_s: FloatArray, high_s: FloatArray
) -> list[Minimum]:
    """Return the minimum of each pair (2, k) in its bracket, by golden section on the distances alone."""
    low, high = low_s.astype(float), high_s.astype(float)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    d_left, d_right = (distances_km(records, span, pairs, at) for at in (left, right))
    for _ in range(_HALVINGS):
        lower = d_left < d_right
        high, low = np.where(lower, right, high), np.where(lower, low, left)
        probe = np.where(lower, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        d_probe = distances_km(records, span, pairs, probe)
        left, right = np.where(lower, probe, right), np.where(lower, left, probe)
        d_left, d_right = np.where(lower, d_probe, d_right), np.where(lower, d_left, d_probe)
    tca = 0.5 * (low + high)
    miss, speed = distances_km(records, span, pairs, tca), speeds_km_s(records, span, pairs, tca)
    columns = (pairs[0].tolist(), pairs[1].tolist(), tca.tolist(), miss.tolist(), speed.tolist())
    return [Minimum(*row) for row in zip(*columns, strict=True)]


def minima(elements: ElementArray, span: TimeWindow, within_km: float) -> list[Minimum]:
    """Return every minimum of distance below `within_km` in the window, all objects against all."""
    records = prepared(elements)
    times_s = np.arange(-STEP_S, span.seconds + 2 * STEP_S, STEP_S)
    r = np.stack([path(record, span, times_s) for record in records])
    pairs, brackets = [], []
    for i in range(len(records) - 1):
        relative = r[i + 1 :] - r[i]
        squared = np.einsum("jmc,jmc->jm", relative, relative)
        dip = (squared[:, 1:-1] <= squared[:, :-2]) & (squared[:, 1:-1] < squared[:, 2:])
        j, m = np.nonzero(dip)
        near = _distance_to_line_km(relative[j, m], relative[j, m + 2]) < within_km + BEND_KM
        pairs.append(np.stack([np.full(near.sum(), i), i + 1 + j[near]]))
        brackets.append(times_s[m[near]])
    low_s = np.concatenate(brackets)
    found = refined(records, span, np.concatenate(pairs, axis=1), low_s, low_s + 2 * STEP_S)
    return [m for m in found if 0.0 <= m.tca_s < span.seconds and m.miss_km < within_km]


def closest(elements: ElementArray, span: TimeWindow, around_s: float, reach_s: float = STEP_S) -> Minimum:
    """Return the minimum of two objects' distance near a time."""
    low = np.array([around_s - reach_s])
    return refined(prepared(elements), span, np.array([[0], [1]]), low, low + 2 * reach_s)[0]


def _distance_to_line_km(a: FloatArray, b: FloatArray) -> FloatArray:
    along = b - a
    length = np.linalg.norm(along, axis=1)
    across = np.linalg.norm(np.cross(a, along), axis=1)
    ends = np.minimum(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))
    # A pair that hardly moves is as far off as its ends.
    moved: FloatArray = np.where(length > 1e-3, np.minimum(across / np.maximum(length, 1e-3), ends), ends)
    return moved


def speeds_km_s(
    records: Sequence[Satrec], span: TimeWindow, pairs: IntArray, times_s: FloatArray
) -> FloatArray:
    fraction = span.start_day_fraction + times_s / 86400.0
    speeds = np.empty(len(times_s))
    for k in range(len(times_s)):
        v = [records[pairs[side, k]].sgp4(span.start_jd, fraction[k])[2] for side in (0, 1)]
        speeds[k] = np.linalg.norm(np.subtract(*v))
    return speeds
