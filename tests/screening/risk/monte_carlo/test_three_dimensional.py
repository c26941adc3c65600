"""Whole trajectories: published Monte Carlo values, plain counting, windows, and what has no answer."""

import csv
import re

import numpy as np
import pytest

from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.joint_root import joint_root, square_root
from screening.risk.geometry.two_body import orbital_period_s
from screening.risk.monte_carlo import three_dimensional as sampling
from screening.risk.monte_carlo.three_dimensional import SAMPLES, TrajectoryEstimate, monte_carlo_3d
from screening.risk.probability.exact_2d import exact_2d
from tests.screening.risk.neighbours import GEOSTATIONARY_M, SEMI_MAJOR_M, neighbours, root_of, speed_m_s
from tests.screening.risk.probability.curvilinear_oracle import Counted, count_hits
from tests.screening.risk.published import Message, SharedFile, message_of, plane_of, read_message, truth_rows

within_published = 0.05  # of Alfano's Monte Carlo with 1e8 samples; ours: +- 0.01 to 0.025
three_sigmas = 3.0


def _estimate(
    message: Message, radius_m: float, samples: int = SAMPLES, window_s: tuple[float, float] | None = None
) -> TrajectoryEstimate:
    root = joint_root(*message.covariances_rtn, None)
    return monte_carlo_3d(message.states, root, radius_m, 1, samples, window_s)


def _agrees(found: TrajectoryEstimate, counted: Counted) -> bool:
    """Tell whether both agree within three standard deviations of their difference."""
    noise = np.hypot(counted.noise, (found.high - found.low) / 3.92 / found.probability)
    return bool(abs(found.probability / counted.probability - 1.0) < three_sigmas * noise)


@pytest.mark.parametrize(
    ("case", "radius_m", "published", "half_window_s"),
    [
        (1, 15.0, 0.21746714, 20_945),
        (2, 4.0, 0.01573662, 20_945),
        (3, 15.0, 0.10084642, 41_890),
        (4, 15.0, 0.07308953, 12_610),
        (5, 10.0, 0.044498913, 6),
        (6, 10.0, 0.0043005, 799),
        (7, 10.0, 0.000161462, 1419),
        (8, 4.0, 0.03525608, 10_135),
        (9, 6.0, 0.36511606, 10_765),
        (10, 6.0, 0.36295247, 10_765),
        (11, 4.0, 0.00332853, 703),
    ],
)
def test_alfano_2009(
    case: int, radius_m: float, published: float, half_window_s: float, shared_file: SharedFile
) -> None:
    found = _estimate(read_message(shared_file(f"cdm/AlfanoTestCase{case:02}.cdm")), radius_m)
    assert abs(found.probability / published - 1) < within_published
    assert found.high - found.low < 1.2 * within_published * published
    assert found.window_s == pytest.approx((-half_window_s, half_window_s), abs=1.0)


@pytest.mark.slow
def test_the_messages_of_cara(shared_file: SharedFile) -> None:
    """It is not for neighbours alone: also fast ones with errors of hundreds of kilometres."""
    ratios, widths = [], []
    for row in truth_rows(shared_file):
        published = re.search(r"SDMC (\S+) \[(\S+),(\S+)\]", row["note"])
        message = message_of(row, shared_file) if published else None
        if message is None or published is None:
            continue
        true, low, high = (float(value) for value in published.groups())
        found = _estimate(message, float(row["hbr_m"]))
        ratios.append(found.probability / true)
        widths.append(np.hypot(found.high - found.low, high - low) / 3.92 / true)
    assert len(ratios) == 25
    assert np.abs((np.array(ratios) - 1.0) / widths).max() < 3.5
    np.testing.assert_allclose(ratios, 1.0, atol=0.1)


NEIGHBOURS = "000035946_conj_000030648_20221210_140311_20221206_003234"
BENT = "000032060_conj_000050346_20220311_070404_20220305_230151"  # 370 km along the orbit


def test_errors_of_hundreds_of_kilometres_follow_the_orbit(shared_file: SharedFile) -> None:
    """Straight sampling has 0 here: the orbit falls 10 km over 370."""
    with shared_file("pc/cara_3d.csv").open() as lines:
        (published,) = (row for row in csv.DictReader(lines) if row["message"] == BENT)
    found = _estimate(read_message(shared_file(f"cdm/{BENT}.cdm")), float(published["hard_body_radius_m"]))
    assert abs(found.probability / float(published["sdmc"]) - 1.0) < 0.06  # three sigmas of both


# Relative velocity, miss and position errors in RTN; the radius; of few, most of the samples hit.
FORMATIONS = [
    ((0.0, 0.0, 9.0), (40.0, 300.0, 0.0), (20.0, 100.0, 20.0), 20.0),
    ((11.0, 0.0, 3.0), (-9.0, 500.0, 30.0), (15.0, 400.0, 20.0), 20.0),
    ((-4.2, 2.5, 3.0), (50.0, 100.0, -10.0), (30.0, 900.0, 50.0), 50.0),
    ((5.2, -0.8, 1.3), (-167.0, -1150.0, -5.0), (25.0, 1700.0, 60.0), 50.0),
    ((-20.0, 5.0, 40.0), (60.0, 400.0, -20.0), (40.0, 3000.0, 30.0), 100.0),
    ((-5.0, -1.0, 5.0), (50.0, 2000.0, 450.0), (80.0, 8000.0, 40.0), 200.0),
    ((30.0, -15.0, 50.0), (20.0, 3000.0, 930.0), (150.0, 20_000.0, 40.0), 500.0),
]


@pytest.mark.parametrize(("velocity_rtn_m_s", "miss_rtn_m", "sigma_rtn_m", "radius_m"), FORMATIONS)
@pytest.mark.slow
def test_formations_against_counting(
    velocity_rtn_m_s: tuple[float, float, float],
    miss_rtn_m: tuple[float, float, float],
    sigma_rtn_m: tuple[float, float, float],
    radius_m: float,
) -> None:
    states = neighbours(miss_rtn_m, velocity_rtn_m_s)
    root, quarter_s = root_of(sigma_rtn_m, states), orbital_period_s(states[0]) / 4.0
    found = monte_carlo_3d(states, root, radius_m, 1, window_s=(-quarter_s, quarter_s))
    counted = count_hits(states, root, radius_m, 300_000, 5, quarter_s, enough_hits=2000)
    assert counted.hits > 100
    assert _agrees(found, counted)
    whole = monte_carlo_3d(states, root, radius_m, 2)
    assert abs(whole.probability / found.probability - 1.0) < 0.1  # the encounter is over after a quarter


@pytest.mark.slow
def test_neighbours_in_the_geostationary_belt() -> None:
    states = neighbours((300.0, 1000.0, -50.0), (0.3, 0.0, 1.8), 0.001, GEOSTATIONARY_M)
    root, half_s = root_of((200.0, 2000.0, 100.0), states), 20_000.0
    found = monte_carlo_3d(states, root, 50.0, 1, window_s=(-half_s, half_s))
    counted = count_hits(states, root, 50.0, 300_000, 6, half_s, enough_hits=2000)
    assert counted.hits > 100
    assert _agrees(found, counted)


@pytest.mark.slow
def test_several_passes_count_once() -> None:
    """Two orbits that cross in two nodes, on which objects that are in step meet at both."""
    states = neighbours((0.0, 0.0, 0.0), (0.0, 0.0, 5.0))
    root, half_s = root_of((3.0, 60.0, 20.0), states), 0.6 * orbital_period_s(states[0])
    found = monte_carlo_3d(states, root, 40.0, 1, window_s=(-half_s, half_s))
    counted = count_hits(states, root, 40.0, 100_000, 6, half_s, enough_hits=10_000)
    assert counted.meetings > 1.5 * counted.hits
    assert _agrees(found, counted)


@pytest.mark.slow
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_errors_that_both_objects_share(sign: float) -> None:
    states = neighbours((20.0, 80.0, 20.0), (-4.0, 1.0, 9.0))
    shared = np.zeros((12, 1))
    shared[[1, 3], 0] = 400.0, -400.0 * speed_m_s() / SEMI_MAJOR_M  # ahead along the orbit, by air density
    shared[[7, 9], 0] = sign * shared[[1, 3], 0]
    root = np.concatenate([root_of((20.0, 100.0, 20.0), states), shared], axis=1)
    quarter_s = orbital_period_s(states[0]) / 4.0
    found = monte_carlo_3d(states, root, 20.0, 1, window_s=(-quarter_s, quarter_s))
    counted = count_hits(states, root, 20.0, 300_000, 8, quarter_s, enough_hits=2000)
    assert _agrees(found, counted)


@pytest.mark.slow
def test_the_interval_holds_the_value_as_often_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    states = neighbours((50.0, 100.0, -10.0), (-4.2, 2.5, 3.0))
    root, window_s = root_of((30.0, 900.0, 50.0), states), (-300.0, 300.0)
    runs = [monte_carlo_3d(states, root, 20.0, seed, 4000, window_s) for seed in range(1, 101)]
    monkeypatch.setattr(sampling, "NARROW", 0.0)
    exact = monte_carlo_3d(states, root, 20.0, 0, 200_000, window_s).probability
    inside = np.mean([one.low <= exact <= one.high for one in runs])
    assert 0.88 <= inside <= 0.99


def test_rare_collisions_cost_as_few_samples_as_frequent_ones() -> None:
    costs = []
    for away_m in (20.0, 180.0):
        states = neighbours((away_m, 100.0, 20.0), (0.0, 2.5, 9.0))
        found = monte_carlo_3d(states, root_of((20.0, 500.0, 30.0), states), 5.0, 1)
        assert found.high - found.low < 0.05 * found.probability
        assert found.samples < 1000
        costs.append((found.probability, found.samples))
    assert costs[1][0] < 1e-6 * costs[0][0]
    assert costs[1][1] < 2 * costs[0][1]


def test_neighbours_cost_a_few_hundred_samples(shared_file: SharedFile) -> None:
    """A real pair at 54 m/s, and formations: once 60,000 samples and 0.7 s each."""
    message = read_message(shared_file(f"cdm/{NEIGHBOURS}.cdm"))
    found = _estimate(message, 10.0)
    assert found.samples < 1000
    assert found.high - found.low < 0.05 * found.probability
    for velocity, miss, sigma, radius_m in FORMATIONS[:5]:
        states = neighbours(miss, velocity)
        assert monte_carlo_3d(states, root_of(sigma, states), radius_m, 1).samples < 1000


def test_errors_that_are_small_against_the_bodies() -> None:
    """The miss is the radius, and the errors are centimetres: about one half."""
    states = neighbours((50.0, 0.0, 0.0), (0.0, 0.0, 9.0))
    root = root_of((0.02, 0.2, 0.05), states)
    found = monte_carlo_3d(states, root, 50.0, 1, window_s=(-100.0, 100.0))
    assert _agrees(found, count_hits(states, root, 50.0, 50_000, 6, 100.0))
    assert 0.4 < found.probability < 0.6


def test_a_fast_encounter_gives_the_plane_integral(shared_file: SharedFile) -> None:
    message = read_message(shared_file("cdm/OmitronTestCase_Test01_HighPc.cdm"))
    plane = plane_of(message)
    exact, _ = exact_2d(
        plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, 20.0
    )
    found = _estimate(message, 20.0)
    assert abs(found.probability - exact[0]) < 1.5 * (found.high - found.low)
    assert found.high - found.low < 0.1 * exact[0]


def test_a_shorter_window_holds_less(shared_file: SharedFile) -> None:
    message = read_message(shared_file("cdm/AlfanoTestCase02.cdm"))
    whole = _estimate(message, 4.0, samples=4000)
    part = _estimate(message, 4.0, samples=4000, window_s=(-3000.0, 3000.0))
    assert part.window_s == (-3000.0, 3000.0)
    assert 0 < part.high < whole.low


def test_the_same_seed_gives_the_same_number(shared_file: SharedFile) -> None:
    message = read_message(shared_file("cdm/AlfanoTestCase04.cdm"))
    assert _estimate(message, 15.0, samples=700) == _estimate(message, 15.0, samples=700)


def test_an_odd_number_of_samples_is_made_even() -> None:
    assert monte_carlo_3d(NEAR, ERRORS, 10.0, 1, samples=7).samples == 8


def test_negative_eigenvalues_of_a_message_count_as_zero(shared_file: SharedFile) -> None:
    message = read_message(shared_file("cdm/AlfanoTestCase06.cdm"))
    c = message.covariances_rtn[0]
    sigma = np.sqrt(np.diag(c))
    correlation = c / np.outer(sigma, sigma)
    smallest = np.linalg.eigvalsh(correlation)[0]
    assert smallest < -1e-5
    root = square_root(c) / sigma[:, np.newaxis]
    np.testing.assert_allclose(root @ root.T, correlation, atol=2 * abs(smallest))


def _changed(first: FloatArray, value: float) -> FloatArray:
    changed = first.copy()
    changed[3:] *= value
    return changed


NEAR = neighbours((40.0, 300.0, 0.0), (0.0, 0.0, 9.0))
ERRORS = root_of((20.0, 100.0, 20.0), NEAR)


@pytest.mark.parametrize(
    ("states", "root", "radius_m", "said"),
    [
        (NEAR, ERRORS, 0.0, "hard-body radius must be above 0 m"),
        (NEAR, ERRORS, np.nan, "not nan m"),
        (
            np.stack([NEAR[0], _changed(NEAR[1], 3.0)]),
            ERRORS,
            10.0,
            "an orbit within the errors is not an ellipse about the Earth",
        ),
        (NEAR * np.nan, ERRORS, 10.0, "a state or an error is not a number"),
        (NEAR, ERRORS * np.nan, 10.0, "a state or an error is not a number"),
        (NEAR, ERRORS * 0.0, 10.0, "do not spread the miss in all directions"),
        (NEAR, ERRORS[:, :2], 10.0, "do not spread the miss in all directions"),
        (NEAR, ERRORS * 1e6, 10.0, "the errors are as large as the orbits"),
    ],
)
def test_what_has_no_answer_is_refused(
    states: FloatArray, root: FloatArray, radius_m: float, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        monte_carlo_3d(states, root, radius_m, 1)


def test_what_is_farther_away_than_forty_sigmas_never_happens() -> None:
    found = monte_carlo_3d(NEAR, ERRORS * 1e-3, 10.0, 1)
    assert found[:5] == (0.0, 0.0, 0.0, 0, 0)
