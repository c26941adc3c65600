"""Thrusts are found in the states of ephemerides, and no interpolation crosses them."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.polynomial import legendre
from scipy.integrate import solve_ivp

from screening.orbits.burns import cut_at_burns
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Segment
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.timegrid import FloatArray, TimeWindow, UtcArray, utc, window
from tests.screening.oracle import path, prepared
from tests.screening.paths_as_ephemerides import segment_of
from tests.screening.planting import element_set
from tests.validation.messages.plain_ephemerides import STARLINK, STATION, space_station, starlink

START = np.datetime64("2024-11-01T00:00:00", "us")
SPAN = window(START, 8.0)
BURN_S = 4.0 * 3600.0
ONE_METRE_KM = 1e-3


def whole(span: TimeWindow, epochs: UtcArray, r_km: FloatArray) -> Segment:
    return segment_of(span, (epochs - span.start) / np.timedelta64(1, "us") / 1e6, r_km)


def test_the_reboost_in_a_published_ephemeris_is_found_to_the_state(
    shared_file: Callable[[str], Path],
) -> None:
    """Its comments list 2022-02-26 01:37:00, 0.5 m/s; the states in it are given, and used."""
    epochs, r_km = space_station(shared_file(STATION).parents[2])
    parts = cut_at_burns(whole(window(epochs[0], 24.0), epochs, r_km))
    expected = ["2022-02-14T12:00:00", "2022-02-26T01:37:00", "2022-02-26T01:42:04.540"]
    np.testing.assert_array_equal([part.epochs[0] for part in parts], np.array(expected, "M8[us]"))
    for part, following in pairwise(parts):
        assert part.usable_to == part.epochs[-1] == following.epochs[0] == following.usable_from


def test_a_published_ephemeris_that_thrusts_weakly_for_long_is_not_cut(
    shared_file: Callable[[str], Path],
) -> None:
    epochs, r_km = starlink(shared_file(STARLINK).parents[1])
    assert len(cut_at_burns(whole(window(epochs[0], 24.0), epochs, r_km))) == 1


@pytest.fixture(scope="module")
def burning() -> Callable[[FloatArray], FloatArray]:
    """Return the positions, at times from the start, of an object that gains 0.5 m/s at once."""
    r, v = 7000.0 * np.array([0.6, 0.0, 0.8]), np.array([0.0, 7.5, 0.0])
    along = v / np.linalg.norm(v)
    at = START + np.timedelta64(round(BURN_S * 1e6), "us")
    before, after = (prepared(element_set(at, r, v + gain * along, 500))[0] for gain in (0.0, 5e-4))

    def positions(times_s: FloatArray) -> FloatArray:
        late = times_s[:, None] >= BURN_S
        # Both pass the same point at the burn, to the rounding of SGP4's inverse.
        return np.where(late, path(after, SPAN, times_s), path(before, SPAN, times_s))

    return positions


@pytest.mark.parametrize("offset_s", [0.0, 20.0, 30.0, 59.0])
def test_a_planted_burn_is_cut_out_and_the_rest_is_exact(
    burning: Callable[[FloatArray], FloatArray], offset_s: float
) -> None:
    times_s = np.arange(-600.0, SPAN.seconds, 60.0) - offset_s
    parts = cut_at_burns(segment_of(SPAN, times_s, burning(times_s)))
    assert len(parts) == 2
    end, begin = parts[0].usable_to, parts[1].usable_from
    burn = utc(SPAN, np.array([BURN_S]))[0]
    # A burn a second from a state counts as one at that state: in a second it moves the object by 0.5 m.
    a_second = np.timedelta64(1, "s")
    assert end - a_second <= burn <= begin + a_second
    assert (begin - end) / np.timedelta64(1, "s") <= 60.0
    paths = Interpolated(tracks_of(parts, SPAN), SPAN, np.arange(2))
    asked_s = np.arange(0.0, SPAN.seconds - 120.0, 7.0)
    error, r, _ = paths.on_grid(asked_s)
    assert ((error == 0).sum(axis=1) == 1).mean() > 0.99
    truth = burning(asked_s)
    for one in range(2):
        known = error[:, one] == 0
        assert np.linalg.norm(r[known, :, one] - truth[known], axis=1).max() < ONE_METRE_KM


@pytest.mark.parametrize("step_s", [30.0, 60.0, 120.0])
def test_paths_of_sgp4_are_not_cut(real_elements: ElementArray, step_s: float) -> None:
    times_s = np.arange(0.0, 8.0 * 3600.0, step_s)
    for record in prepared(real_elements[::400]):
        r_km = path(record, SPAN, times_s)
        if np.isfinite(r_km).all():
            assert len(cut_at_burns(segment_of(SPAN, times_s, r_km))) == 1


# Of zonal harmonics, with the Earth's flattening (WGS-72).
ZONAL = {2: 1.082616e-3, 3: -2.53881e-6, 4: -1.65597e-6}


def potential_km2_s2(r_km: FloatArray) -> FloatArray:
    """Return the potential of the Earth's gravity at positions (..., 3)."""
    distance = np.linalg.norm(r_km, axis=-1)
    sine = r_km[..., 2] / distance
    terms = (
        j * (EARTH_RADIUS_KM / distance) ** n * legendre.legval(sine, np.eye(n + 1)[n])
        for n, j in ZONAL.items()
    )
    found: FloatArray = MU_KM3_S2 / distance * (1.0 - sum(terms))
    return found


def rate(_: float, state: FloatArray) -> FloatArray:
    """Return the derivative of a state (6,), the acceleration by central differences of the potential."""
    apart = 0.01 * np.eye(3)
    ahead, behind = (potential_km2_s2(state[:3] + side * apart) for side in (1.0, -1.0))
    return np.concatenate([state[3:], (ahead - behind) / 0.02])


@pytest.mark.slow
@pytest.mark.parametrize("step_s", [60.0, 240.0])
def test_a_long_orbit_that_gravity_alone_bends_is_not_cut_at_its_perigee(step_s: float) -> None:
    """e = 0.73. SGP4's own paths of such orbits are, each 240 s: its terms beside J2 are no forces."""
    start = np.array([6678.0, 0.0, 0.0, 0.0, 9.0, 4.6])
    times_s = np.arange(0.0, 80_000.0, step_s)
    flown = solve_ivp(rate, times_s[[0, -1]], start, "DOP853", times_s, rtol=1e-12, atol=1e-9)
    assert len(cut_at_burns(segment_of(SPAN, times_s, flown.y[:3].T))) == 1
