"""Interpolated states against ephemerides' own at times that were left out, and against SGP4."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Segment
from screening.orbits.interpolated import NOT_THERE, POINTS, Interpolated, tracks_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from tests.screening.paths_as_ephemerides import segment_of
from tests.validation.messages.beside_ephemeris import left_out_km
from tests.validation.messages.plain_ephemerides import STARLINK, STATION, space_station, starlink

ONE_METRE_KM = 1e-3
ONE_CENTIMETRE_KM = 1e-5
SPAN = window(np.datetime64("2024-11-01T00:00:00", "us"), 6.0)


def interpolated(*segments: Segment, span: TimeWindow = SPAN) -> Interpolated:
    return Interpolated(tracks_of(segments, span), span, np.arange(len(segments)))


def test_states_left_out_of_a_published_ephemeris_are_found_within_a_metre(
    shared_file: Callable[[str], Path],
) -> None:
    states = starlink(shared_file(STARLINK).parents[1])
    rows = np.arange(POINTS, len(states[0]) - POINTS, 3)
    off_km = left_out_km(states, rows)
    assert off_km.max() < ONE_METRE_KM  # 3 cm
    assert np.median(off_km) < ONE_CENTIMETRE_KM


def test_states_240_s_apart_are_found_within_metres_where_nothing_thrusts(
    shared_file: Callable[[str], Path],
) -> None:
    """Without one of them the gap is 480 s: eight times as many metres as between states."""
    states = space_station(shared_file(STATION).parents[2])
    days = (states[0] - states[0][0]) / np.timedelta64(1, "D")
    rows = np.flatnonzero((days > 0.5) & (days < 11.0))
    off_km = left_out_km(states, rows[::5])
    assert np.median(off_km) < ONE_METRE_KM
    assert off_km.max() < 4.0 * ONE_METRE_KM


def test_positions_and_their_derivative_are_those_of_sgp4(real_elements: ElementArray) -> None:
    some = real_elements[::100]
    propagator = Propagator(some, SPAN)
    times_s = np.arange(-1200.0, SPAN.seconds + 1260.0, 60.0)
    error, r, _ = propagator.on_grid(times_s)
    good = np.flatnonzero(~error.any(axis=0))
    paths = interpolated(*(segment_of(SPAN, times_s, r[:, :, i]) for i in good))
    asked_s = np.linspace(0.0, SPAN.seconds, 487)
    code, r_found, v_found = paths.on_grid(asked_s)
    truth = propagator.subset(good)
    _, r_true, _ = truth.on_grid(asked_s)
    assert not code.any()
    assert np.linalg.norm(r_found - r_true, axis=1).max() < ONE_CENTIMETRE_KM
    (_, before, _), (_, after, _) = (truth.on_grid(asked_s + side) for side in (-0.5, 0.5))
    # A difference over 1 s lacks 1/24 of the third derivative, 1e-5 km/s at most.
    assert np.linalg.norm(v_found - (after - before), axis=1).max() < 2e-5


def test_nothing_is_given_outside_the_usable_span_and_for_too_few_states(real_elements: ElementArray) -> None:
    times_s = np.arange(0.0, 60.0 * 40, 60.0)
    _, r, _ = Propagator(real_elements[:1], SPAN).on_grid(times_s)
    whole = segment_of(SPAN, times_s, r[:, :, 0])
    usable = whole._replace(usable_from=whole.epochs[3], usable_to=whole.epochs[-4])
    few = segment_of(SPAN, times_s[: POINTS - 1], r[: POINTS - 1, :, 0])
    paths = interpolated(usable, few)
    first_s, last_s = times_s[3], times_s[-4]
    asked_s = np.array([first_s - 1e-6, first_s, 700.0, last_s, last_s + 1e-6])
    error, r_km, v_km_s = paths.on_grid(asked_s)
    np.testing.assert_array_equal(error[:, 0], [NOT_THERE, 0, 0, 0, NOT_THERE])
    assert (error[:, 1] == NOT_THERE).all()
    for states in (r_km, v_km_s):
        np.testing.assert_array_equal(np.isnan(states).any(axis=1), error != 0)


@pytest.mark.parametrize("index", [[1, 0], [1], []])
def test_a_subset_has_the_states_of_its_objects(real_elements: ElementArray, index: list[int]) -> None:
    times_s = np.arange(0.0, 60.0 * 40, 60.0)
    _, r, _ = Propagator(real_elements[:2], SPAN).on_grid(times_s)
    paths = interpolated(*(segment_of(SPAN, times_s, r[:, :, i]) for i in (0, 1)))
    some = np.array(index, np.int64)
    asked_s = np.array([100.0, 1234.5])
    for ours, theirs in zip(paths.subset(some).on_grid(asked_s), paths.on_grid(asked_s), strict=True):
        np.testing.assert_array_equal(ours, theirs[..., some])
