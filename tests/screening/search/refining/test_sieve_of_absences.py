"""A search for a few objects leaves out failures of others that are far from them, and misses nothing."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.search.few_objects.primary import screen_primaries
from screening.search.refining import seams
from screening.search.refining.seams import search_broken_intervals
from screening.search.results import Absence
from tests.screening.planting import circular_km_s, crossing, element_set

AT = np.datetime64("2024-11-01T12:00:00", "us")
SPAN = window(AT, 11.7)
THRESHOLD_KM = 10.0
PLANES = 36
BEFORE_S = (5.0, 45.0, 200.0, 500.0, 700.0)  # the failure; the knot before it is up to ten minutes earlier
MISS_KM = 2.0


@pytest.fixture(scope="module")
def falling() -> ElementArray:
    """Return objects at 180 km with the drag of a sheet of foil, in planes all around the Earth."""
    r = 6560.0 * np.array([0.6, 0.0, 0.8])
    one = element_set(AT, r, circular_km_s(6560.0) * np.array([0.0, 1.0, 0.0]), 500, bstar=0.02)
    made: ElementArray = np.repeat(one, PLANES)
    made["norad_id"] += np.arange(PLANES)
    made["raan_deg"] = (made["raan_deg"] + np.arange(PLANES) * 360.0 / PLANES) % 360.0
    return made


@pytest.fixture(scope="module")
def elements(falling: ElementArray) -> ElementArray:
    """Return them, and objects that pass above the first one at a right angle shortly before it fails."""
    paths = Propagator(falling[:1], SPAN)
    absence = Absence(0, *_bad_knots(paths), 6)
    fails_s = search_broken_intervals(paths, [absence], THRESHOLD_KM).failures[0].first_s
    partners = []
    for number, before_s in enumerate(BEFORE_S):
        at_s = fails_s - before_s
        error, r, _ = paths.at(np.zeros(2, np.int32), at_s + np.array([-0.02, 0.0]))
        assert not error.any()
        v = (r[1] - r[0]) / 0.02
        across = np.cross(r[1], v) / np.linalg.norm(np.cross(r[1], v))
        there_km = crossing(r[1], v, 9.5 * across, MISS_KM).r2_km
        instant = AT + np.timedelta64(round(at_s * 1e6), "us")
        partners.append(element_set(instant, there_km, 9.5 * across, 900 + number))
    return np.concatenate([falling, *partners])


def _bad_knots(paths: Propagator) -> tuple[float, float]:
    knots_s = np.arange(0.0, SPAN.seconds + 1200.0, 600.0)
    error, _, _ = paths.at(np.zeros(len(knots_s), np.int32), knots_s)
    bad_s = knots_s[error != 0]
    return float(bad_s[0]), float(bad_s[-1])


@pytest.mark.parametrize("place", range(len(BEFORE_S)))
def test_nothing_is_missed_and_less_is_searched(
    elements: ElementArray, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = np.array([PLANES + place], np.int32)
    paths = Propagator(elements, SPAN)
    searched: list[int] = []
    ends = seams._ends_of_states

    def counted(propagator, index, *others):  # type: ignore[no-untyped-def]
        searched.append(len(index))
        return ends(propagator, index, *others)

    monkeypatch.setattr(seams, "_ends_of_states", counted)
    sieved = screen_primaries(elements, paths, THRESHOLD_KM, asked).encounters
    monkeypatch.setattr(seams, "MOST_SIEVED", 0)
    whole = screen_primaries(elements, paths, THRESHOLD_KM, asked).encounters
    assert sieved.tobytes() == whole.tobytes()
    met = sieved[sieved["primary_index"] == 0]
    assert np.abs(met["miss_distance_km"] - MISS_KM).min() < 0.01
    with_sieve, without_sieve = searched
    assert with_sieve < 0.5 * without_sieve
