"""Events of the real catalogue's day against whole orbits that are counted one by one."""

from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.risk import score as scoring
from screening.risk.conjunctions import ENCOUNTERS, PROBABILITY_FLAGS, ConjunctionArray
from screening.risk.geometry.joint_root import joint_root
from screening.risk.geometry.two_body import orbital_period_s
from screening.risk.objects.state_errors import with_velocities
from screening.search.results import Screening
from screening.vocabulary import PROBABILITY_METHODS
from tests.screening.risk.neighbours import neighbours, root_of
from tests.screening.risk.probability.curvilinear_oracle import count_hits
from tests.screening.risk.probability.rare_oracle import Weighted, rare_hits
from tests.screening.risk.real_run import known

within, three_sigmas = 0.10, 3.0
LARGER = 10.0
LEAST = 1e-6  # with true radii 1e-8: below it runs leave `curved` ones in the plane
CURVED, LONG, UNFLAGGED = 25, 15, 20
CASES = CURVED + LONG + UNFLAGGED


@pytest.mark.slow
@pytest.mark.parametrize("radius_m", [30.0, 8.0])
def test_rare_hits_are_counted_as_plain_sampling_counts_them(radius_m: float) -> None:
    states = neighbours((60.0, 200.0, -20.0), (20.0, -900.0, 4000.0))
    root = root_of((40.0, 4000.0, 40.0), states)
    plain = count_hits(states, root, radius_m, 3_000_000, 1, enough_hits=4000)
    rare = rare_hits(states, root, radius_m, 100_000, 2)
    assert plain.hits > 100
    assert rare.noise < 0.02
    noise = np.hypot(plain.noise, rare.noise)
    assert abs(rare.probability / plain.probability - 1.0) < three_sigmas * noise


@pytest.fixture(scope="module")
def rated(
    real_screening: Screening, real_elements: ElementArray, real_day: TimeWindow, shared_data: Path
) -> ConjunctionArray:
    """Rate the day, and leave out what is too improbable.

    Quiet errors alone (the others: probability/test_mixture.py), with radii ten times as large: the orbits
    that meet within metres are no Gaussian where errors reach over a thousand kilometres, and could not be
    sampled.
    """
    facts = known(real_elements, shared_data)
    larger = facts.bodies._replace(radius_m=LARGER * facts.bodies.radius_m)
    facts = facts._replace(bodies=larger)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "weighted_sum", lambda quiet, *_: quiet)
        rated = scoring.score(real_screening.encounters, real_elements, real_day, facts)
    fast = rated["encounter"] == ENCOUNTERS.index("fast")
    return rated[fast & (rated["probability_best"] > LEAST)]


@pytest.fixture(scope="module")
def chosen(rated: ConjunctionArray) -> ConjunctionArray:
    """Take events evenly by probability: `curved`, `long` alone, and without a flag."""
    curved, long = (1 << PROBABILITY_FLAGS.index(word) for word in ("curved", "long"))
    flags = rated["probability_flag"]
    kinds = ((flags & curved != 0, CURVED), (flags == long, LONG), (flags == 0, UNFLAGGED))
    return np.concatenate([_evenly(rated[which], count) for which, count in kinds])


def _evenly(rows: ConjunctionArray, count: int) -> ConjunctionArray:
    order = np.argsort(rows["probability_best"], kind="stable")
    return rows[order[np.linspace(0, len(rows) - 1, count).astype(int)]]


@pytest.mark.parametrize("case", range(CASES))
@pytest.mark.sampled(13)
def test_whole_orbits_collide_as_often(case: int, chosen: ConjunctionArray) -> None:
    event = chosen[case]
    states, root = _errors(event)
    counted = _counted(states, root, float(event["hard_body_radius_m"]), case)
    # Where the errors reach over 1,000 km the orbits that hit are a bent sheet, which no Gaussian fits well.
    longest_m = max(event["primary_sigma_t_m"], event["secondary_sigma_t_m"])
    assert counted.noise < (0.04 if longest_m < 1e6 else 0.3)
    method = PROBABILITY_METHODS[event["probability_method"]]
    # Of `long` ones the slowest alone are computed in three dimensions.
    assert method in (("3d",) if case < CURVED else ("2d", "3d") if case < CURVED + LONG else ("2d",))
    ratio = event["probability_best"] / counted.probability
    assert abs(ratio - 1.0) < max(within, three_sigmas * counted.noise)


def _counted(states: FloatArray, root: FloatArray, radius_m: float, seed: int) -> Weighted:
    """Count hits with ever more samples until the noise is small, at most 400,000."""
    for samples in (100_000, 400_000):
        counted = rare_hits(states, root, radius_m, samples, seed)
        if counted.noise < 0.04:
            break
    return counted


@pytest.mark.slow
def test_neighbours_that_stay_together_collide_as_often(rated: ConjunctionArray) -> None:
    """Two satellites 9 km apart at 10 m/s, with errors as long: the plane has 0.4 of their probability."""
    sampled = rated[rated["probability_method"] == PROBABILITY_METHODS.index("trajectory_mc")]
    (event,) = sampled[sampled["probability_best"] > 1e-5]
    states, root = _errors(event)
    half_s = 0.5 * orbital_period_s(states[0])  # their orbits are farthest apart half a revolution away
    counted = count_hits(states, root, float(event["hard_body_radius_m"]), 2_000_000, 1, half_s, 400)
    assert abs(event["probability_best"] / counted.probability - 1.0) < three_sigmas * counted.noise


def _errors(event: np.void) -> tuple[FloatArray, FloatArray]:
    """Return states (2, 6) and errors (12, 12) as runs have them."""
    states = np.empty((2, 6))
    positions = np.zeros((2, 3, 3))
    for which, who in enumerate(("primary", "secondary")):
        columns = [f"{who}_{axis}_km" for axis in "xyz"] + [f"{who}_v{axis}_km_s" for axis in "xyz"]
        states[which] = [1e3 * event[column] for column in columns]
        positions[which] = np.diag([event[f"{who}_sigma_{axis}_m"] ** 2 for axis in "rtn"])
    primary, secondary = with_velocities(positions, states[:, :3], states[:, 3:])
    return states, joint_root(primary, secondary, None)
