"""A sample of a catalogue's objects from which the work of a search and its events are expected.

How many pairs come close is a matter of geometry. Two orbits that precess have nodes in any direction to each
other, so what counts is how objects share distances from the Earth and latitudes. In a band of latitudes of
area A two objects at relative speed v whose distances from the Earth differ by dr < D pass within D of each
other at the rate 2 sqrt(D^2 - dr^2) v / A: their encounters cross a disk of radius D. Summed over the pairs
of the sample this holds for thin shells as for debris, where one density for all would not. Satellites of one
shell of a constellation are kept apart by their phases and do not count, unless they are too many: with them
there would be 1.4 times as many events as are found at 10 km, and 3 times as many at 1 km.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray
from screening.orbits.knots import KNOT_STEP_S
from screening.orbits.sgp4.propagate import IndexArray, Propagator
from screening.orbits.timegrid import FloatArray
from screening.search.all_pairs.layout import SAMPLE, Sample, sampled
from screening.search.one_step.pads import (
    ECCENTRICITY_CHECKED_ALWAYS,
    Knots,
    checked_groups,
    measured_pads_km,
)
from screening.search.radial_range import RadialRange, radial_range

LATITUDE_BANDS = 24  # of equal area
# Of one shell: the same orbit but for node and phase.
SAME_SHELL_REV_DAY = 0.003
SAME_SHELL_DEG = 0.3
# Objects of a shell: so many have room beside each other, so many meet as if they had no phases. From shells
# of 1,500 to 16,500 objects in synthetic catalogues, which repeat the patterns of today's constellations.
SHELL_IN_PHASE, SHELL_OUT_OF_PHASE = 6000.0, 15000.0
_PAIRS_AT_A_TIME = 2_000_000


class Population(NamedTuple):
    """Every so many-th of the objects, at the start of a window; k of them have a state."""

    objects: int  # in all
    curves: Sample  # of the first interval between knots
    mean_motion_rev_day: FloatArray  # (k,)
    inclination_deg: FloatArray  # (k,)
    deep_space: npt.NDArray[np.bool_]  # (k,)
    often_checked: npt.NDArray[np.bool_]  # (k,) whose curves are checked in each interval
    ranges: RadialRange  # (k,)
    r_teme_km: FloatArray  # (m, 3, k) at a few instants
    v_teme_km_s: FloatArray  # (m, 3, k)

    @property
    def weight(self) -> float:
        """Return for how many objects each one of the sample stands."""
        return self.objects / max(1, self.deep_space.size)


def sample_of(objects: int, most: int = SAMPLE) -> IndexArray:
    """Return which of the objects are in the sample, at most twice `most`."""
    return np.arange(0, objects, max(1, objects // most), dtype=np.int32)


def population(elements: ElementArray, propagator: Propagator, objects: int) -> Population:
    """Return the population of this many objects from a sample of them (n,) and its propagator."""
    times_s = np.arange(2, dtype=np.float64) * KNOT_STEP_S
    knots = Knots(times_s, *propagator.on_grid(times_s))
    pads_km = measured_pads_km(checked_groups(elements, propagator), knots)
    good = np.flatnonzero((knots.errors[0] == 0) & (knots.errors[1] == 0))
    ranges = radial_range(propagator)
    often = elements["eccentricity"] >= ECCENTRICITY_CHECKED_ALWAYS
    return Population(
        objects,
        sampled(knots, pads_km, most=max(1, len(elements)))._replace(objects=objects),
        elements["mean_motion_rev_day"][good],
        elements["inclination_deg"][good],
        propagator.is_deep_space[good],
        often[good],
        RadialRange(ranges.low_km[good], ranges.high_km[good]),
        knots.r_teme_km[:, :, good],
        knots.v_teme_km_s[:, :, good],
    )


class Meetings(NamedTuple):
    """Pairs of the sample that may meet, and how often that is."""

    first: IndexArray  # (p,)
    second: IndexArray  # (p,)
    per_s: FloatArray  # (p,) expected encounters of all pairs for which this one stands


def meetings(crowd: Population, threshold_km: float) -> Meetings:
    """Return the expected rate of encounters closer than a threshold, by pairs of the sample."""
    instants = len(crowd.r_teme_km)
    parts = [
        part
        for r_km, v_km_s in zip(crowd.r_teme_km, crowd.v_teme_km_s, strict=True)
        for part in _met(*_local(r_km, v_km_s), threshold_km)
    ]
    first, second, per_s = (np.concatenate(column) for column in zip(*parts, strict=True))
    same_shell = _near(crowd.mean_motion_rev_day, first, second, SAME_SHELL_REV_DAY)
    same_shell &= _near(crowd.inclination_deg, first, second, SAME_SHELL_DEG)
    per_s[same_shell] *= _too_many_for_phases(crowd)[first[same_shell]]
    return Meetings(first, second, per_s * crowd.weight**2 / instants)


def _too_many_for_phases(crowd: Population) -> FloatArray:
    """Return which part of the passes within an object's shell (k,) its phases do not prevent."""
    shell = np.stack(
        [
            np.rint(crowd.mean_motion_rev_day / (2.0 * SAME_SHELL_REV_DAY)),
            np.rint(crowd.inclination_deg / (2.0 * SAME_SHELL_DEG)),
        ]
    )
    _, number, sizes = np.unique(shell, axis=1, return_inverse=True, return_counts=True)
    size = crowd.weight * sizes[number.ravel()]
    return np.clip((size - SHELL_IN_PHASE) / (SHELL_OUT_OF_PHASE - SHELL_IN_PHASE), 0.0, 1.0)


def _near(of: FloatArray, first: IndexArray, second: IndexArray, within: float) -> npt.NDArray[np.bool_]:
    near: npt.NDArray[np.bool_] = np.abs(of[first] - of[second]) < within
    return near


def _local(r_km: FloatArray, v_km_s: FloatArray) -> tuple[FloatArray, npt.NDArray[np.intp], FloatArray]:
    """Return distances (k,), bands of latitude (k,) and velocities (3, k) upwards, eastwards, northwards."""
    radius_km = np.sqrt((r_km**2).sum(axis=0))
    up = r_km / radius_km
    across = np.maximum(np.hypot(up[0], up[1]), 1e-9)
    climb = (v_km_s * up).sum(axis=0)
    east = (v_km_s[1] * up[0] - v_km_s[0] * up[1]) / across
    north = (v_km_s[2] - climb * up[2]) / across
    band = np.clip((up[2] + 1.0) / 2.0 * LATITUDE_BANDS, 0, LATITUDE_BANDS - 1).astype(np.intp)
    return radius_km, band, np.stack([climb, east, north])


def _met(
    radius_km: FloatArray, band: npt.NDArray[np.intp], velocity: FloatArray, threshold_km: float
) -> "list[tuple[IndexArray, IndexArray, FloatArray]]":
    """Return (first, second, rate) of all pairs of a band whose distances differ by less than a threshold."""
    # One axis for all: bands lie one behind the other, farther apart than any threshold.
    apart_km = radius_km.max(initial=0.0) + 2.0 * threshold_km
    place = radius_km + band * apart_km
    order = np.argsort(place)
    place, radius_km, velocity = place[order], radius_km[order], velocity[:, order]
    many = np.searchsorted(place, place + threshold_km) - np.arange(len(place)) - 1
    parts = []
    for rows in np.array_split(np.arange(len(place)), 1 + int(many.sum()) // _PAIRS_AT_A_TIME):
        here = many[rows]
        first = np.repeat(rows, here)
        second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(here) - here, here)
        speed = np.sqrt(((velocity[:, first] - velocity[:, second]) ** 2).sum(axis=0))
        apart_km2 = (radius_km[second] - radius_km[first]) ** 2
        chord_km = 2.0 * np.sqrt(np.maximum(threshold_km**2 - apart_km2, 0.0))
        area_km2 = 4.0 * np.pi * radius_km[first] ** 2 / LATITUDE_BANDS
        pair = order[first].astype(np.int32), order[second].astype(np.int32)
        parts.append((*pair, chord_km * speed / area_km2))
    return parts
