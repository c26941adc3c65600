"""An object that SGP4 gives up and takes back is out while it has no state, and searched again after."""

from itertools import pairwise

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import NO_ORBIT, Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import assemble, screen_catalogue
from screening.search.all_pairs.plan import cut, task_members
from screening.search.all_pairs.screen import screen_window
from screening.search.few_objects.primary import screen_by_fine_stage, screen_primaries
from screening.search.results import Screening
from tests.screening.agreement import DEFECT_OF_DECAYING_KM_S, assert_the_same_fast_ones
from tests.screening.oracle import STEP_S, closest, minima, path, prepared
from tests.screening.planting import MU_KM3_S2, circular_km_s, crossing, element_set

AT = np.datetime64("2024-11-01T12:00:00", "us")
SPAN = window(AT, 11.7)  # ends on no grid of the search
THRESHOLD_KM = 10.0
EARTH_RADIUS_KM = 6378.135  # WGS-72; below it SGP4 reports a decay

NO_PARTNER_BELOW_KM = 6390.0

ONE_MILLIMETRE_KM = 1e-6
# SGP4's velocity, along which the last step of up to 1 ms goes, is a few m/s off for a deep dive.
ONE_CENTIMETRE_KM = 1e-5
TCA_S = 2e-3
# A velocity that is up to 3 km/s off the path, of 10: by 0.1 s for a miss of 3 km, and by 100 m at 10 km.
DISSOLVING_TCA_S, DISSOLVING_MISS_KM = 0.3, 0.1
TWO_MICROSECONDS_S = 2e-6
STATES_END_S = 1e-3  # as the search states it
FULL_TCA_S, FULL_MISS_KM = 0.01, 1e-3  # what full analyses promise


def _orbit(perigee_km: float, apogee_km: float, norad_id: int = 500, bstar: float = 0.0) -> ElementArray:
    """Return an object that is at its apogee at `AT`; below ground nothing iterates to a given state."""
    elements = element_set(AT, 7000.0 * np.array([0.6, 0.0, 0.8]), np.array([0.0, 7.5, 0.0]), norad_id, bstar)
    a_km = 0.5 * (perigee_km + apogee_km)
    elements["mean_motion_rev_day"] = np.sqrt(MU_KM3_S2 / a_km**3) * 86400.0 / (2.0 * np.pi)
    elements["eccentricity"] = 1.0 - perigee_km / a_km
    elements["mean_anomaly_deg"] = 180.0
    return elements


@pytest.fixture(scope="module")
def diving() -> ElementArray:
    """Return an object whose perigee is 378 km under ground: a quarter of an hour in every two."""
    return _orbit(6000.0, 10_000.0)


@pytest.fixture(scope="module")
def ends_s(diving: ElementArray) -> list[tuple[float, float]]:
    """Return from when to when the object is without a state, to 0.1 ms."""
    return _absences_s(diving, SPAN)


def _absences_s(elements: ElementArray, span: TimeWindow) -> list[tuple[float, float]]:
    record = prepared(elements)[0]
    times_s = np.arange(0.0, span.seconds, 1.0)
    bad = np.isnan(path(record, span, times_s)[:, 0])
    assert not bad[0]
    borders = []
    for k in np.flatnonzero(bad[1:] != bad[:-1]).tolist():
        fine_s = np.arange(times_s[k], times_s[k + 1], 1e-4)
        here = np.isnan(path(record, span, fine_s)[:, 0])
        borders.append(float(fine_s[(here != here[0]).argmax()]))
    if bad[-1]:
        borders.append(span.seconds)
    return list(zip(borders[::2], borders[1::2], strict=True))


def _instant(at_s: float) -> np.datetime64:
    return AT + np.timedelta64(round(at_s * 1e6), "us")


def _partner(
    elements: ElementArray, at_s: float, norad_id: int, miss_km: float = 3.0, span: TimeWindow = SPAN
) -> ElementArray:
    """Return an object at its perigee that passes above another one at a right angle."""
    record = prepared(elements)[0]
    r, later = path(record, span, at_s + np.array([0.0, 0.02]))
    v = (later - r) / 0.02
    across = np.cross(r, v) / np.linalg.norm(np.cross(r, v)) * 1.2 * circular_km_s(float(np.linalg.norm(r)))
    at = span.start + np.timedelta64(round(at_s * 1e6), "us")
    return element_set(at, crossing(r, v, across, miss_km).r2_km, across, norad_id)


def _in_pieces(
    elements: ElementArray, span: TimeWindow, threshold_km: float, windows: int, blocks: int
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


def _assert_same(found: Screening, expected: Screening) -> None:
    rows, expected_rows = found.encounters, expected.encounters
    for field in ("primary_index", "secondary_index", "slow"):
        assert np.array_equal(rows[field], expected_rows[field])
    assert rows["tca_s"] == pytest.approx(expected_rows["tca_s"], abs=TWO_MICROSECONDS_S)
    assert rows["miss_distance_km"] == pytest.approx(expected_rows["miss_distance_km"], abs=ONE_MILLIMETRE_KM)
    assert found.failures.keys() == expected.failures.keys()
    for i, failure in found.failures.items():
        assert failure == pytest.approx(expected.failures[i], nan_ok=True, abs=STATES_END_S)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("after_s", [0.05, 1.0, 4.0, 12.0, 100.0, 333.0, 550.0, 700.0, 1300.0])
@pytest.mark.parametrize("first", [True, False], ids=["as primary", "as secondary"])
def test_an_approach_just_after_it_comes_up(
    diving: ElementArray, ends_s: list[tuple[float, float]], after_s: float, *, first: bool
) -> None:
    for _, back_s in (ends_s[0], ends_s[3]):
        partner = _partner(diving, back_s + after_s, 600 if first else 400)
        elements = np.concatenate([diving, partner] if first else [partner, diving])
        true = closest(elements, SPAN, back_s + after_s, min(5.0, 0.9 * after_s))
        rows = screen_catalogue(elements, SPAN, THRESHOLD_KM).encounters
        here = rows[np.abs(rows["tca_s"] - true.tca_s) < TCA_S]
        assert len(here) == 1
        assert here["miss_distance_km"][0] == pytest.approx(true.miss_km, abs=ONE_CENTIMETRE_KM)


def test_it_is_out_while_it_is_under_ground(diving: ElementArray, ends_s: list[tuple[float, float]]) -> None:
    """Beside others that go down and come up a little later, closer than they ever were above ground."""
    assert len(ends_s) >= 4
    others = [_orbit(6010.0 + 30.0 * k, 9990.0 - 30.0 * k, 600 + k) for k in range(5)]
    elements = np.concatenate(
        [diving, *others, *(_partner(diving, to_s + 50.0, 700) for _, to_s in ends_s[:1])]
    )
    found = screen_catalogue(elements, SPAN, 100.0)
    rows = found.encounters[found.encounters["primary_index"] == 0]
    assert len(rows) > 0
    for from_s, to_s in ends_s:
        assert not ((rows["tca_s"] > from_s) & (rows["tca_s"] < to_s)).any()
    assert (np.linalg.norm(rows["primary_r_teme_km"], axis=1) >= EARTH_RADIUS_KM).all()


def test_failures_tell_when_an_object_first_fails_and_whether_it_comes_back(
    diving: ElementArray, ends_s: list[tuple[float, float]]
) -> None:
    partner = element_set(AT, 7500.0 * np.array([1.0, 0.0, 0.0]), circular_km_s(7500.0) * np.eye(3)[1], 600)
    elements = np.concatenate([diving, partner])
    from_s, to_s = ends_s[1]
    for end_s, lost_s in (
        (SPAN.seconds, np.nan),
        (to_s + 1.0, np.nan),
        (to_s - 1.0, from_s),
        (from_s + 1.0, from_s),
        (from_s - 1.0, np.nan),
    ):
        found = screen_catalogue(elements, SPAN._replace(seconds=end_s), THRESHOLD_KM)
        assert list(found.failures) == [0]
        failure = found.failures[0]
        assert failure.code == 6
        assert failure.first_s == pytest.approx(ends_s[0][0], abs=STATES_END_S)
        assert failure.lost_s == pytest.approx(lost_s, abs=STATES_END_S, nan_ok=True)
    assert not screen_catalogue(elements, SPAN._replace(seconds=ends_s[0][0] - 1.0), THRESHOLD_KM).failures
    under_ground = window(_instant(sum(ends_s[0]) / 2.0), 1.0)
    failure = screen_catalogue(elements, under_ground, THRESHOLD_KM).failures[0]
    assert failure.first_s == 0.0
    assert np.isnan(failure.lost_s)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("windows", "blocks"), [(4, 2), (5, 1), (1, 3), (71, 1)])
def test_whatever_the_cut(
    diving: ElementArray, ends_s: list[tuple[float, float]], windows: int, blocks: int
) -> None:
    afters_s = (0.5, 30.0, 299.0, 640.0, 3000.0)
    partners = [
        _partner(diving, back_s + after_s, 600 + 10 * n + k, 2.0 + k)
        for n, (_, back_s) in enumerate(ends_s)
        for k, after_s in enumerate(afters_s)
        if back_s + after_s < SPAN.seconds
    ]
    elements = np.concatenate([diving, *partners])
    whole = screen_catalogue(elements, SPAN, THRESHOLD_KM)
    assert set(range(1, len(elements))) <= set(whole.encounters["secondary_index"].tolist())
    _assert_same(_in_pieces(elements, SPAN, THRESHOLD_KM, windows, blocks), whole)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("windows", [1, 2, 5, 12, 71])
def test_an_orbit_that_dissolves_in_mid_window_is_out_from_the_same_time_on(windows: int) -> None:
    """SGP4 reports no error for it: with a drag that lifts it, its velocity parts from its path.

    It was left out of all the 4 h of a chunk in which that happens, and chunks are cut differently.
    """
    lifted = element_set(AT, 6560.0 * np.eye(3)[0], circular_km_s(6560.0) * np.eye(3)[1], 500, bstar=-0.5)
    propagator = Propagator(lifted, SPAN)
    times_s = np.arange(0.0, SPAN.seconds, 600.0)
    error, r, v = propagator.on_grid(times_s)
    lost_s = float(times_s[error[:, 0].argmax()])
    assert 1.5 * 3600.0 < lost_s < 3.9 * 3600.0
    assert set(error[times_s >= lost_s, 0].tolist()) == {NO_ORBIT}
    before = np.arange(2, int(lost_s / 600.0) - 1, 3)
    partners = []
    for k in before.tolist():
        across = circular_km_s(float(np.linalg.norm(r[k, :, 0]))) * np.eye(3)[2]
        states = crossing(r[k, :, 0], v[k, :, 0], across, 3.0)
        partners.append(element_set(_instant(times_s[k]), states.r2_km, states.v2_km_s, 600 + k))
    elements = np.concatenate([lifted, *partners])
    found, matched = _in_pieces(elements, SPAN, THRESHOLD_KM, windows, 1), 0
    assert found.failures[0].code == NO_ORBIT
    assert found.failures[0].first_s == pytest.approx(lost_s, abs=600.0)
    for m in minima(elements, SPAN._replace(seconds=lost_s - 600.0), THRESHOLD_KM - DISSOLVING_MISS_KM):
        rows = found.encounters[(found.encounters["secondary_index"] == m.j) & (m.i == 0)]
        here = rows[np.abs(rows["tca_s"] - m.tca_s) < DISSOLVING_TCA_S]
        assert len(here) == (m.i == 0)
        assert here["miss_distance_km"] == pytest.approx(m.miss_km, abs=DISSOLVING_MISS_KM)
        matched += m.i == 0
    assert matched >= len(before)


# Real objects, and hours after 2024-11-01 at which SGP4 first gives them up: once a revolution at their
# perigees under ground, for up to three days.
RETURNING = [
    (24163, 188.0),
    (36119, 210.67),
    (61573, 242.83),
    (51017, 270.5),
    (45868, 517.0),
    (61620, 629.67),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("number", "fails_h"), RETURNING)
def test_real_objects_that_come_back(real_elements: ElementArray, number: int, fails_h: float) -> None:
    """Met all along their last orbits: every approach that dense sampling of SGP4 sees, and no other."""
    start = np.datetime64("2024-11-01", "us") + np.timedelta64(round((fails_h - 0.7) * 3.6e9), "us")
    span = window(start, 9.0)
    falling = real_elements[real_elements["norad_id"] == number]
    absences_s = _absences_s(falling, span)
    assert len(absences_s) >= 3
    partners = []
    for back_s in [0.0, *(to_s for _, to_s in absences_s)]:
        for after_s in (45.0, 200.0, 470.0, 900.0, 1700.0):
            at_s = back_s + after_s
            r = path(prepared(falling)[0], span, np.array([at_s, at_s + 45.0]))
            if at_s < span.seconds - 60.0 and (np.linalg.norm(r, axis=1) > NO_PARTNER_BELOW_KM).all():
                partners.append(_partner(falling, at_s, 400_000 + len(partners), 2.0, span))
    elements = np.concatenate([falling, *partners])
    naive = [m for m in minima(elements, span, 50.0) if m.i == 0]
    assert sum(m.tca_s > absences_s[0][1] for m in naive) >= 6
    found = screen_catalogue(elements, span, 50.0)
    rows = found.encounters[found.encounters["primary_index"] == 0]
    three_samples = np.ones(len(rows), bool)  # of the naive search fit in between the ends of the states
    for from_s, to_s in absences_s:
        assert not ((rows["tca_s"] > from_s) & (rows["tca_s"] < to_s)).any()
        three_samples &= (rows["tca_s"] < from_s - 2 * STEP_S) | (rows["tca_s"] > to_s + 2 * STEP_S)
    naive_s = np.array([m.tca_s for m in naive])
    seen = np.abs(rows["tca_s"][:, None] - naive_s).min(axis=1) < 1.0
    rows = rows[three_samples | seen]
    assert assert_the_same_fast_ones(rows, naive, 50.0, span, DEFECT_OF_DECAYING_KM_S) >= len(partners)
    at_knots_s = [from_s for from_s, to_s in absences_s if from_s // 600.0 != to_s // 600.0]
    assert found.failures[0].first_s == pytest.approx(at_knots_s[0], abs=STATES_END_S)


def test_primaries_and_full_analyses_find_the_same(real_elements: ElementArray) -> None:
    """Objects that fall and return, an eccentric one that dives, and who meets them."""
    span = window(np.datetime64("2024-11-22T11:00:00", "us"), 6.0)
    low = np.flatnonzero(real_elements["mean_motion_rev_day"] > 15.4)
    chosen = np.isin(real_elements["norad_id"], [36119, 51017, 45868, 40904])
    chosen[low[::9]] = True
    dive = _orbit(6000.0, 10_000.0, 1)
    dive["epoch_jd"], dive["epoch_day_fraction"] = span.start_jd, span.start_day_fraction
    meetings_s = (900.0, 3000.0, 4101.0, 4150.0, 4400.0, 8000.0, 10_100.0, 11_222.0, 11_500.0)
    partners = [_partner(dive, at_s, 2 + k, 3.0, span) for k, at_s in enumerate(meetings_s)]
    elements = np.concatenate([dive, *partners, real_elements[chosen]])
    whole = screen_catalogue(elements, span, 100.0)
    failing = [i for i, failure in whole.failures.items() if np.isnan(failure.lost_s) or failure.first_s > 0]
    assert failing[0] == 0
    assert len(failing) > 2
    propagator = Propagator(elements, span)
    rows = 0
    for place in failing[:6]:
        alone = np.array([place], np.int32)
        expected = whole.encounters
        expected = expected[(expected["primary_index"] == place) | (expected["secondary_index"] == place)]
        for search, tca_s, miss_km in (
            (screen_primaries, TWO_MICROSECONDS_S, ONE_MILLIMETRE_KM),
            (screen_by_fine_stage, FULL_TCA_S, FULL_MISS_KM),
        ):
            found = search(elements, propagator, 100.0, alone)
            assert found.failures[place] == pytest.approx(whole.failures[place], nan_ok=True)
            order = ["primary_index", "secondary_index", "tca_s"]
            here, there = np.sort(found.encounters, order=order), np.sort(expected, order=order)
            assert np.array_equal(here["primary_index"], there["primary_index"])
            assert np.array_equal(here["secondary_index"], there["secondary_index"])
            assert here["tca_s"] == pytest.approx(there["tca_s"], abs=tca_s)
            assert here["miss_distance_km"] == pytest.approx(there["miss_distance_km"], abs=miss_km)
        rows += len(expected)
    assert rows >= len(meetings_s)


def test_a_pair_that_dives_together_stays_a_proximity(diving: ElementArray) -> None:
    """Under ground nothing is known of it; it is together whenever it is seen."""
    beside = diving.copy()
    beside["norad_id"] = 501
    beside["mean_anomaly_deg"] += 0.02
    found = screen_catalogue(np.concatenate([diving, beside]), SPAN, THRESHOLD_KM)
    assert len(found.proximities) == 1
    assert np.isnan(found.proximities["leaves_at_s"][0])
    assert len(found.encounters) == 0


def test_a_pair_that_comes_up_apart_is_none(diving: ElementArray, ends_s: list[tuple[float, float]]) -> None:
    """Within 10 km until both are under ground, and 15 to 60 km apart when they come up: they have met."""
    beside = diving.copy()
    beside["norad_id"] = 501
    beside["mean_motion_rev_day"] *= 1.0015
    elements = np.concatenate([diving, beside])
    times_s = np.arange(0.0, SPAN.seconds, 10.0)
    r = [path(record, SPAN, times_s) for record in prepared(elements)]
    distance_km = np.linalg.norm(r[1] - r[0], axis=1)
    from_s, to_s = ends_s[0]
    assert np.nanmin(distance_km[times_s > to_s]) > 10.0
    found = screen_catalogue(elements, SPAN, THRESHOLD_KM)
    assert len(found.proximities) == 0
    assert found.encounters["slow"].sum() <= 1
    assert (found.encounters["tca_s"] < from_s).all()


def test_absences_do_not_overlap(ends_s: list[tuple[float, float]]) -> None:
    """What the tests above take for the truth."""
    assert all(one[1] < other[0] for one, other in pairwise(ends_s))
    assert all(600.0 < to_s - from_s < 1200.0 for from_s, to_s in ends_s)
