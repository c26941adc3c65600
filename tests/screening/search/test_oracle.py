"""The search against a naive one: every pair of some hundred real objects of all regimes, fine steps."""

import numpy as np
import numpy.typing as npt
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.results import Screening
from tests.screening.oracle import STEP_S, IntArray, Minimum, distances_km, minima, prepared, speeds_km_s
from tests.screening.visits_oracle import visits

# A window that starts and ends off every grid of the search.
SPAN = window(np.datetime64("2024-11-01T03:07:11", "us"), 5.9)
SLOW_KM_S = 0.01

# Within this of the threshold, rounding decides whether an approach is below it.
ONE_MILLIMETRE_KM = 1e-6
# Both find the minimum of the same function; python-sgp4 rounds epochs to 0.2 us, in which 1.5 mm are flown.
TWO_MILLIMETRES_KM = 2e-6
# Golden section knows distances to 1e-10 km, and so the time of a minimum of 100 km to 0.15 ms km/s over the
# speed. Above 3 km/s the search takes SGP4's own velocity, whose defect moves high eccentric ones by 1 ms.
FAST_TCA_S = 2e-3
SLOW_TCA_S_KM_S = 5e-4
# A slow pair changes its distance by a metre in minutes: the deepest point is what must agree.
ONE_METRE_KM = 1e-3
# A border is found to 1 ms; states agree to a millimetre, which a slow pair crosses in this time.
BORDER_S = 0.1

FORMATIONS = (
    25544,
    49044,
    31698,
    36605,
    56154,
    56156,
    60566,
    60568,
    26824,
    44625,
    40482,
    40483,
    40484,
    40485,
)


@pytest.fixture(scope="module")
def regimes(real_elements: ElementArray) -> ElementArray:
    """Return about 450 objects: a dense shell, sun-synchronous, GEO, eccentric, MEO, decaying, formations."""
    n, e = real_elements["mean_motion_rev_day"], real_elements["eccentricity"]
    inclination = real_elements["inclination_deg"]
    a_km = (398600.8 / (n * 2.0 * np.pi / 86400.0) ** 2) ** (1.0 / 3.0)
    perigee_km, apogee_km = a_km * (1.0 - e) - 6378.135, a_km * (1.0 + e) - 6378.135
    wanted = [
        (160, (perigee_km > 535) & (apogee_km < 565) & (np.abs(inclination - 53) < 1)),
        (100, (perigee_km > 700) & (apogee_km < 900) & (np.abs(inclination - 98.5) < 1.5)),
        (60, (np.abs(n - 1.0027) < 0.01) & (e < 0.002) & (inclination < 0.2)),
        (50, e > 0.6),
        (30, (n > 1.8) & (n < 4.0) & (e < 0.1)),
        (40, perigee_km < 250),
    ]
    rng = np.random.default_rng(20241101)
    members = [rng.choice(np.flatnonzero(mask), count, replace=False) for count, mask in wanted]
    members.append(np.flatnonzero(np.isin(real_elements["norad_id"], FORMATIONS)))
    chosen: ElementArray = real_elements[np.unique(np.concatenate(members))]
    return chosen


@pytest.fixture(
    scope="module", params=[10.0, pytest.param(100.0, marks=pytest.mark.slow)], ids=["10 km", "100 km"]
)
def both(regimes: ElementArray, request: pytest.FixtureRequest) -> tuple[float, list[Minimum], Screening]:
    """Return a threshold, what the naive search finds below it, and what the search finds."""
    threshold_km: float = request.param
    naive = minima(regimes, SPAN, threshold_km + ONE_MILLIMETRE_KM)
    return threshold_km, naive, screen_catalogue(regimes, SPAN, threshold_km)


def _proximities(elements: ElementArray, span: TimeWindow) -> set[tuple[int, int]]:
    """Return the pairs within 10 km at the start and at every minute of the 24 hours that follow."""
    records = prepared(elements)
    pairs = np.stack(np.triu_indices(len(elements), 1))
    pairs = pairs[:, distances_km(records, span, pairs, np.zeros(pairs.shape[1])) <= 10.0]
    minutes_s = np.arange(0.0, 86401.0, 60.0)
    stay = [
        (distances_km(records, span, np.repeat(pair[:, None], len(minutes_s), 1), minutes_s) <= 10.0).all()
        for pair in pairs.T
    ]
    return {(int(i), int(j)) for i, j in pairs[:, np.array(stay, bool)].T}


def _of_pairs(encounters: npt.NDArray[np.void]) -> dict[tuple[int, int], npt.NDArray[np.void]]:
    keys = list(
        zip(encounters["primary_index"].tolist(), encounters["secondary_index"].tolist(), strict=True)
    )
    return {key: encounters[[other == key for other in keys]] for key in set(keys)}


@pytest.mark.slow
def test_the_same_fast_approaches(both: tuple[float, list[Minimum], Screening]) -> None:
    threshold_km, naive, screening = both
    together = {(int(p["primary_index"]), int(p["secondary_index"])) for p in screening.proximities}
    expected = [m for m in naive if m.speed_km_s > SLOW_KM_S and (m.i, m.j) not in together]
    fast = _of_pairs(screening.encounters[~screening.encounters["slow"]])
    assert len(expected) > 30
    matched = 0
    for minimum in expected:
        rows = fast.get((minimum.i, minimum.j), screening.encounters[:0])
        tolerance_s = FAST_TCA_S + SLOW_TCA_S_KM_S / minimum.speed_km_s
        same = rows[np.abs(rows["tca_s"] - minimum.tca_s) < tolerance_s]
        if len(same) == 0 and abs(minimum.miss_km - threshold_km) < ONE_MILLIMETRE_KM:
            continue
        assert len(same) == 1, minimum
        assert same["miss_distance_km"][0] == pytest.approx(minimum.miss_km, abs=TWO_MILLIMETRES_KM), minimum
        matched += 1
    assert matched == sum(len(rows) for rows in fast.values())


@pytest.mark.slow
def test_the_same_visits_of_slow_pairs(
    regimes: ElementArray, both: tuple[float, list[Minimum], Screening]
) -> None:
    threshold_km, naive, screening = both
    together = _proximities(regimes, SPAN)
    slow = [m for m in [*naive, *_at_the_edges(regimes, threshold_km)] if m.speed_km_s < SLOW_KM_S]
    pairs = sorted({(m.i, m.j) for m in slow} - together)
    expected = visits(regimes, SPAN, threshold_km, np.array(pairs).T, STEP_S)
    assert {(visit.i, visit.j) for visit in expected} == set(pairs)
    rows = screening.encounters[screening.encounters["slow"]]
    rows = np.sort(rows, order=["primary_index", "secondary_index", "inside_from_s"])
    assert len(rows) == len(expected)
    for row, visit in zip(rows, expected, strict=True):
        names = regimes["norad_id"][[visit.i, visit.j]]
        assert (row["primary_index"], row["secondary_index"]) == (visit.i, visit.j)
        assert row["miss_distance_km"] == pytest.approx(min(visit.depths_km), abs=ONE_METRE_KM), names
        assert row["inside_from_s"] == pytest.approx(visit.from_s, abs=BORDER_S), names
        assert row["inside_to_s"] == pytest.approx(visit.to_s, abs=BORDER_S), names


def test_the_same_proximities(regimes: ElementArray, both: tuple[float, list[Minimum], Screening]) -> None:
    _, _, screening = both
    found = {(int(p["primary_index"]), int(p["secondary_index"])) for p in screening.proximities}
    assert found == _proximities(regimes, SPAN)
    assert len(found) >= 3


def _at_the_edges(elements: ElementArray, threshold_km: float) -> list[Minimum]:
    records = prepared(elements)
    pairs: IntArray = np.stack(np.triu_indices(len(elements), 1))
    points = []
    for edge_s in (0.0, SPAN.seconds):
        times_s = np.full(pairs.shape[1], edge_s)
        distance = distances_km(records, SPAN, pairs, times_s)
        inside = np.flatnonzero(distance < threshold_km)
        speed = speeds_km_s(records, SPAN, pairs[:, inside], times_s[inside])
        points += [
            Minimum(int(pairs[0, k]), int(pairs[1, k]), edge_s, float(distance[k]), float(v))
            for k, v in zip(inside, speed, strict=True)
        ]
    return points
