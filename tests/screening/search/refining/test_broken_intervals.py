"""An object that SGP4 gives up in mid-window is searched up to the failure itself."""

import numpy as np
import pytest
from sgp4.api import Satrec

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import assemble
from screening.search.all_pairs.plan import cut, task_members
from screening.search.all_pairs.screen import screen_window
from screening.search.results import Screening
from tests.screening.oracle import FloatArray, closest, minima, path, prepared
from tests.screening.planting import circular_km_s, crossing, element_set

AT = np.datetime64("2024-11-01T12:00:00", "us")
SPAN = window(AT, 11.7)  # ends on no grid of the search
THRESHOLD_KM = 10.0

ONE_MILLIMETRE_KM = 1e-6
# The last step of up to 1 ms goes along SGP4's velocity, which is 6 m/s off for an object about to fall.
ONE_CENTIMETRE_KM = 1e-5
TWO_MILLIMETRES_KM = 2e-6  # python-sgp4 rounds epochs to 0.2 us
TCA_S = 2e-3  # the defect of SGP4's velocity near the Earth, for pairs above 3 km/s
SLOW_KM_S = 0.01
FAILURE_S = 1e-3  # as the search states it


@pytest.fixture(scope="module")
def falling() -> ElementArray:
    """Return an object on a circular orbit at 180 km whose drag is that of a sheet of foil."""
    r = 6560.0 * np.array([0.6, 0.0, 0.8])
    return element_set(AT, r, circular_km_s(6560.0) * np.array([0.0, 1.0, 0.0]), 500, bstar=0.02)


@pytest.fixture(scope="module")
def fails_s(falling: ElementArray) -> float:
    return _first_failure_s(prepared(falling)[0], SPAN)


def _first_failure_s(record: Satrec, span: TimeWindow, until_s: float | None = None) -> float:
    """Return from when on SGP4 gives no state, to 0.1 ms: seconds, then tenths of milliseconds."""
    begin_s, end_s, step_s = 0.0, until_s or span.seconds, 1.0
    for _ in range(2):
        times_s = np.arange(begin_s, end_s + step_s, step_s)
        first = int(np.isnan(path(record, span, times_s)[:, 0]).argmax())
        assert first > 0
        begin_s, end_s, step_s = times_s[first - 1], times_s[first], 1e-4
    return float(times_s[first])


def _partner(falling: ElementArray, at_s: float, norad_id: int, miss_km: float) -> ElementArray:
    """Return an object at its perigee, at 9.5 km/s, that passes above the falling one at a right angle.

    SGP4 gives up an object that is below ground: in the last minutes nothing in a circular orbit is near.
    """
    r, v = _state(falling, at_s)
    across = np.cross(r, v) / np.linalg.norm(np.cross(r, v))
    return element_set(_instant(at_s), crossing(r, v, 9.5 * across, miss_km).r2_km, 9.5 * across, norad_id)


def _state(falling: ElementArray, at_s: float) -> tuple[FloatArray, FloatArray]:
    """Return position, km, and velocity, km/s, from positions up to the time."""
    before, r = path(prepared(falling)[0], SPAN, at_s + np.array([-0.02, 0.0]))
    return r, (r - before) / 0.02


def _instant(at_s: float) -> np.datetime64:
    return AT + np.timedelta64(round(at_s * 1e6), "us")


def _screened(
    elements: ElementArray,
    span: TimeWindow,
    windows: int = 1,
    blocks: int = 1,
    threshold_km: float = THRESHOLD_KM,
) -> Screening:
    made = cut(span.seconds, blocks, windows)
    parts = []
    for task in made.tasks:
        members, sides = task_members(len(elements), made, task)
        parts.append(
            screen_window(
                elements[members], span, task.begin_s, task.end_s, threshold_km, sides, numbers=members
            )
        )
    return assemble(elements, span, threshold_km, parts)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("before_s", [0.05, 1.0, 4.0, 12.0, 100.0, 333.0, 550.0, 700.0, 1300.0])
@pytest.mark.parametrize("first", [True, False], ids=["as primary", "as secondary"])
def test_an_approach_just_before_the_failure(
    falling: ElementArray, fails_s: float, before_s: float, *, first: bool
) -> None:
    partner = _partner(falling, fails_s - before_s, 600 if first else 400, 3.0)
    elements = np.concatenate([falling, partner] if first else [partner, falling])
    true = closest(elements, SPAN, fails_s - before_s, min(5.0, 0.9 * before_s))
    screening = _screened(elements, SPAN)
    rows = screening.encounters
    here = rows[np.abs(rows["tca_s"] - true.tca_s) < TCA_S]
    assert len(here) == 1
    assert here["miss_distance_km"][0] == pytest.approx(true.miss_km, abs=ONE_CENTIMETRE_KM)
    assert (here["primary_index"][0], here["secondary_index"][0]) == (0, 1)
    assert screening.failures[0 if first else 1].first_s == pytest.approx(fails_s, abs=FAILURE_S)


def test_an_overtaking_around_the_last_good_knot(falling: ElementArray, fails_s: float) -> None:
    """At 600 m/s the approach of the curve may lie on the other side of the knot than that of SGP4."""
    knot_s = 600.0 * np.floor(fails_s / 600.0)
    for at_s in (knot_s - 1.0, knot_s - 0.01, knot_s, knot_s + 0.01, knot_s + 1.0, fails_s - 10.0):
        r, v = _state(falling, at_s)
        faster = v * (1.0 + 0.6 / np.linalg.norm(v))
        partner = element_set(_instant(at_s), crossing(r, v, faster, 3.0).r2_km, faster, 600)
        elements = np.concatenate([falling, partner])
        true = closest(elements, SPAN, at_s, 5.0)
        assert true.speed_km_s < 0.8
        rows = _screened(elements, SPAN).encounters
        here = rows[np.abs(rows["tca_s"] - true.tca_s) < 0.5]
        assert len(here) == 1, at_s
        assert here["miss_distance_km"][0] == pytest.approx(true.miss_km, abs=ONE_CENTIMETRE_KM)


def test_nothing_is_found_after_the_failure(falling: ElementArray, fails_s: float) -> None:
    """An object ahead on a course that would cross a second after the failure: no approach any more."""
    r, v = _state(falling, fails_s - 0.1)
    ahead = r + 1.1 * v
    across = np.cross(ahead, v) / np.linalg.norm(np.cross(ahead, v))
    up = ahead / np.linalg.norm(ahead)
    partner = element_set(_instant(fails_s + 1.0), ahead + 3.0 * up, 9.5 * across, 600)
    elements = np.concatenate([falling, partner])
    before_s = fails_s - np.array([2.0, 1.0, 0.1])
    distance = np.linalg.norm(
        path(prepared(partner)[0], SPAN, before_s) - path(prepared(falling)[0], SPAN, before_s), axis=1
    )
    assert (np.diff(distance) < 0.0).all()
    assert distance[-1] < 20.0
    screening = _screened(elements, SPAN, threshold_km=50.0)
    assert (np.abs(screening.encounters["tca_s"] - fails_s) > 60.0).all()
    assert screening.failures[0].first_s == pytest.approx(fails_s, abs=FAILURE_S)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("windows", "blocks"), [(1, 1), (5, 1), (1, 3), (4, 2), (71, 1)])
def test_whatever_the_cut(falling: ElementArray, fails_s: float, windows: int, blocks: int) -> None:
    befores_s = (0.5, 30.0, 299.0, 640.0, 3000.0)
    partners = [_partner(falling, fails_s - b, 600 + k, 2.0 + k) for k, b in enumerate(befores_s)]
    elements = np.concatenate([falling, *partners])
    whole = _screened(elements, SPAN).encounters
    with_falling = whole[whole["primary_index"] == 0]
    assert {1, 2, 3, 4, 5} <= set(with_falling["secondary_index"].tolist())
    screening = _screened(elements, SPAN, windows, blocks)
    rows = screening.encounters
    assert np.array_equal(rows["primary_index"], whole["primary_index"])
    assert np.array_equal(rows["secondary_index"], whole["secondary_index"])
    assert rows["tca_s"] == pytest.approx(whole["tca_s"], abs=2e-6)
    assert rows["miss_distance_km"] == pytest.approx(whole["miss_distance_km"], abs=ONE_MILLIMETRE_KM)
    assert screening.failures.keys() == {0}
    assert screening.failures[0].first_s == pytest.approx(fails_s, abs=FAILURE_S)


def test_a_window_that_ends_before_the_failure(falling: ElementArray, fails_s: float) -> None:
    """Between the last good knot and the failure: the object is whole as far as the window goes."""
    knot_s = 600.0 * np.floor(fails_s / 600.0)
    end_s = 0.5 * (knot_s + fails_s)
    partner = _partner(falling, end_s - 5.0, 600, 3.0)
    elements = np.concatenate([falling, partner])
    screening = _screened(elements, SPAN._replace(seconds=end_s))
    assert np.abs(screening.encounters["tca_s"] - (end_s - 5.0)).min() < 0.1
    assert screening.failures == {}


def test_two_that_fail_in_the_same_interval(falling: ElementArray, fails_s: float) -> None:
    """Either is searched up to its own failure, and their approach is found once."""
    other = falling.copy()
    other["norad_id"] = 700
    other["raan_deg"] += 180.0
    other["inclination_deg"] = 180.0 - other["inclination_deg"]
    other["mean_anomaly_deg"] += 3.0
    elements = np.concatenate([falling, other])
    fails_too_s = _first_failure_s(prepared(other)[0], SPAN)
    last_s = min(fails_s, fails_too_s)
    expected = minima(elements, SPAN._replace(seconds=last_s), 200.0)
    screening = _screened(elements, SPAN, threshold_km=100.0)
    expected = [m for m in expected if m.miss_km < 100.0]
    assert len(screening.failures) == 2
    assert screening.encounters["tca_s"].tolist() == pytest.approx([m.tca_s for m in expected], abs=TCA_S)
    assert (screening.encounters["tca_s"] < last_s).all()


# Hours after 2024-11-01 at which SGP4 gives up real objects: 47955, 60455, 55876, 40672, 43443.
@pytest.mark.sampled(3)
@pytest.mark.parametrize("fails_h", [48.67, 50.67, 53.67, 61.33, 96.0])
def test_real_objects_in_their_last_hour(real_elements: ElementArray, fails_h: float) -> None:
    """All approaches below 100 km of all pairs of 200 low objects, by dense sampling of SGP4."""
    span = window(
        np.datetime64("2024-11-01", "us") + np.timedelta64(round((fails_h - 1.2) * 3.6e9), "us"), 1.5
    )
    doomed = np.isin(real_elements["norad_id"], (47955, 60455, 55876, 40672, 43443))
    low = np.flatnonzero(~doomed & (real_elements["mean_motion_rev_day"] > 15.6))
    chosen = np.sort(np.concatenate([low[:: len(low) // 200], np.flatnonzero(doomed)]))
    elements = real_elements[chosen]
    alive = ~np.isnan([path(record, span, np.zeros(1))[0, 0] for record in prepared(elements)])
    elements = elements[alive]
    screening = _screened(elements, span, threshold_km=100.0)
    assert len(screening.failures) >= 1
    fast = (m for m in minima(elements, span, 100.0) if m.speed_km_s > SLOW_KM_S)
    expected = sorted((m.i, m.j, m.tca_s, m.miss_km) for m in fast)
    rows = np.sort(screening.encounters, order=["primary_index", "secondary_index", "tca_s"])
    rows = rows[~rows["slow"]]
    assert len(rows) > 20
    assert list(zip(rows["primary_index"].tolist(), rows["secondary_index"].tolist(), strict=True)) == [
        m[:2] for m in expected
    ]
    assert rows["tca_s"] == pytest.approx(_column(expected, 2), abs=TCA_S)
    assert rows["miss_distance_km"] == pytest.approx(_column(expected, 3), abs=TWO_MILLIMETRES_KM)
    for i, failure in screening.failures.items():
        true_s = _first_failure_s(prepared(elements[i : i + 1])[0], span)
        assert failure.first_s == pytest.approx(true_s, abs=FAILURE_S)


def _column(rows: list[tuple[int, int, float, float]], column: int) -> FloatArray:
    return np.array([row[column] for row in rows])
