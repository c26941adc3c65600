"""What holds for every pair and every threshold, on drawn examples."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import window
from screening.search.all_pairs.assemble import screen_catalogue
from tests.screening.oracle import FloatArray, closest
from tests.screening.planting import Crossing, NoElementSetError, crossing, two_objects, velocity_km_s

AT = np.datetime64("2024-11-01T12:00:00", "us")
WINDOW_HOURS = 1.5
LOWEST_PERIGEE_KM = 6378.135 + 160.0

ONE_MILLIMETRE_KM = 1e-6
# Above 3 km/s the time is that of SGP4's own velocity, which in deep space at e > 0.9 is off by up to 40 m/s.
TCA_S = 0.1
# As the miss distance is smallest there, it suffers less.
MISS_KM = 1e-3

FEW = settings(max_examples=60, derandomize=True)
MANY = settings(FEW, max_examples=3000)


class Drawn(NamedTuple):
    states: Crossing
    before_s: float  # from the window's start to the approach
    threshold_km: float


@st.composite
def _orbit(draw: st.DrawFn, radius_km: float) -> tuple[float, float]:
    """Radial and transverse velocity at a radius, of any orbit that passes there and clears the Earth."""
    perigee_km = draw(st.floats(LOWEST_PERIGEE_KM, radius_km))
    apogee_km = radius_km * draw(st.floats(1.0, 8.0))
    return velocity_km_s(radius_km, perigee_km, apogee_km, outward=draw(st.booleans()))


def _direction(turn: float, height: float) -> FloatArray:
    across = np.sqrt(1.0 - height**2)
    return np.array([height, across * np.cos(turn), across * np.sin(turn)])


@st.composite
def _approaches(draw: st.DrawFn) -> Drawn:
    radius_km = float(np.exp(draw(st.floats(np.log(6560.0), np.log(60_000.0)))))
    up = _direction(draw(st.floats(0.0, 2 * np.pi)), draw(st.floats(-1.0, 1.0)))
    along = np.cross(up, [0.36, 0.48, 0.8])
    assume(np.linalg.norm(along) > 0.05)
    along /= np.linalg.norm(along)
    across = np.cross(up, along)
    (radial1, transverse1), (radial2, transverse2) = draw(_orbit(radius_km)), draw(_orbit(radius_km))
    turn = draw(st.floats(0.0, np.pi))
    v1 = radial1 * up + transverse1 * along
    v2 = radial2 * up + transverse2 * (np.cos(turn) * along + np.sin(turn) * across)
    assume(np.linalg.norm(v2 - v1) > 0.3)
    threshold_km = draw(st.sampled_from([0.1, 1.0, 10.0, 100.0]))
    miss_km = threshold_km * draw(st.sampled_from([0.02, 0.5, 0.999]))
    assume(radius_km - miss_km > LOWEST_PERIGEE_KM)
    states = crossing(radius_km * up, v1, v2, miss_km, draw(st.floats(0.0, np.pi)))
    return Drawn(states, draw(st.floats(5.0, WINDOW_HOURS * 3600.0 - 5.0)), threshold_km)


def _elements(drawn: Drawn) -> ElementArray:
    try:
        return two_objects(AT, drawn.states)
    except NoElementSetError:
        reject()


def _assert_found(drawn: Drawn) -> None:
    elements = _elements(drawn)
    span = window(AT - np.timedelta64(round(drawn.before_s * 1e6), "us"), WINDOW_HOURS)
    true = closest(elements, span, drawn.before_s, 5.0)
    assume(true.miss_km < drawn.threshold_km - ONE_MILLIMETRE_KM)
    assume(0.5 < true.tca_s < span.seconds - 0.5)
    rows = screen_catalogue(elements, span, drawn.threshold_km).encounters
    here = rows[np.abs(rows["tca_s"] - true.tca_s) < TCA_S]
    assert len(here) == 1
    assert here["miss_distance_km"][0] == pytest.approx(true.miss_km, abs=MISS_KM)


@FEW
@given(_approaches())
def test_a_planted_approach_is_found(drawn: Drawn) -> None:
    _assert_found(drawn)


@pytest.mark.slow
@MANY
@given(_approaches())
def test_thousands_of_planted_approaches_are_found(drawn: Drawn) -> None:
    _assert_found(drawn)


@pytest.mark.slow
@FEW
@given(_approaches())
def test_who_comes_first_does_not_matter(drawn: Drawn) -> None:
    elements = _elements(drawn)
    swapped = elements[::-1].copy()
    swapped["norad_id"] = elements["norad_id"]
    span = window(AT - np.timedelta64(round(drawn.before_s * 1e6), "us"), WINDOW_HOURS)
    one = screen_catalogue(elements, span, drawn.threshold_km).encounters
    other = screen_catalogue(swapped, span, drawn.threshold_km).encounters
    assert len(one) == len(other)
    assert one["tca_s"] == pytest.approx(other["tca_s"], abs=2e-6)
    assert one["primary_r_teme_km"] == pytest.approx(other["secondary_r_teme_km"], abs=1e-4)
    assert one["miss_distance_km"] == pytest.approx(other["miss_distance_km"], abs=ONE_MILLIMETRE_KM)


@pytest.fixture(scope="module")
def crowd(real_elements: ElementArray) -> ElementArray:
    some: ElementArray = real_elements[::8]
    return some


@pytest.mark.slow
@settings(
    max_examples=8,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(threshold_km=st.floats(0.1, 30.0))
def test_a_smaller_threshold_finds_what_a_larger_one_finds_below_it(
    crowd: ElementArray, threshold_km: float
) -> None:
    span = window(np.datetime64("2024-11-01T00:00:00", "us"), 4.0)
    wide = screen_catalogue(crowd, span, 30.0).encounters
    wide = wide[~wide["slow"] & (wide["miss_distance_km"] < threshold_km)]
    narrow = screen_catalogue(crowd, span, threshold_km).encounters
    narrow = narrow[~narrow["slow"]]
    assert len(narrow) == len(wide)
    assert narrow["tca_s"] == pytest.approx(wide["tca_s"], abs=1e-3)
    assert narrow["miss_distance_km"] == pytest.approx(wide["miss_distance_km"], abs=ONE_MILLIMETRE_KM)
