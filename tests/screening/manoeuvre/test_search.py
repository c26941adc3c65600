"""The search for a burn, on encounters that were planted: so what it must find is known."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from screening.manoeuvre.course import course_of, encounter_again
from screening.manoeuvre.displaced_path import states_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.manoeuvre.rescreen import (
    Catalogue,
    after_burns,
    catalogue_in,
    encounters_of,
    probabilities_of,
)
from screening.manoeuvre.search import Found, NothingToAvoid, Wanted, instant_before, search, verify
from screening.manoeuvre.trade_space import outcomes
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray, window
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.synthetic.catalogue import synthetic_catalogue
from screening.synthetic.inverse import elements_through, motion
from screening.vocabulary import PROBABILITY_METHODS

EPOCH = np.datetime64("2026-11-22T00:00:00", "us")
TCA_S = 30.0 * 3600.0
LATER_S = TCA_S + 20.0 * 3600.0  # of the second encounter
HOURS = 60.0
GOAL = 1e-6
THRESHOLD_KM = 5.0
EXACT = Execution()


class Planted(NamedTuple):
    """A catalogue in which an object collides, and a burn that avoids it would collide with another."""

    catalogue: Catalogue
    moved: int
    first: int  # the object that it collides with
    before: ConjunctionArray
    encounter: ConjunctionArray
    period_s: float


def through(
    element: ElementArray, at_s: float, r_km: np.ndarray, v_km_s: np.ndarray, away: FloatArray | None = None
) -> ElementArray:
    """An element set 20 m beside a state, or `away` (3,) km, 70 degrees across the velocity there."""
    up = r_km / np.linalg.norm(r_km)
    turn = np.radians(70.0)
    across = v_km_s * np.cos(turn) + np.cross(up, v_km_s) * np.sin(turn)
    beside = np.cross(v_km_s, up)
    miss_km = 0.02 * beside / np.linalg.norm(beside) if away is None else away
    made, met = elements_through(
        element[None].copy(), window(EPOCH, HOURS), np.array([at_s]), (r_km + miss_km)[None], across[None]
    )
    assert met.all()
    return made


def known(elements: ElementArray) -> ObjectKnowledge:
    count = len(elements)
    return ObjectKnowledge(
        HardBodies(np.full(count, 3.0), np.zeros(count, np.int8), np.full(count, np.nan)),
        np.zeros(count, np.int8),
        np.full((count, 3), np.nan),
        np.full(count, -1),
    )


def joined(elements: ElementArray, *more: ElementArray) -> ElementArray:
    made = np.concatenate([elements, *more])
    made["norad_id"][len(elements) :] = elements["norad_id"].max() + 1 + np.arange(len(more))
    return made


def planted_in(elements: ElementArray, moved: int) -> Planted:
    catalogue = catalogue_in(elements, known(elements), {}, window(EPOCH, HOURS))
    before = encounters_of(catalogue, moved, THRESHOLD_KM)
    first = int(np.flatnonzero(elements["norad_id"] == elements["norad_id"][moved])[0])
    others = before[
        np.abs(before["tca"] - (EPOCH + np.timedelta64(int(TCA_S), "s"))) < np.timedelta64(5, "s")
    ]
    assert len(others) == 1
    first = int(np.flatnonzero(elements["norad_id"] == others["secondary_norad_id"][0])[0])
    encounter = encounter_again(catalogue, moved, first, others["tca"][0])
    period_s = 86400.0 / float(elements["mean_motion_rev_day"][moved])
    return Planted(catalogue, moved, first, before, encounter, period_s)


def searched(one: Planted) -> Found:
    return search(
        one.catalogue,
        one.before,
        one.encounter,
        (one.moved, one.first),
        Wanted(GOAL, EXACT, THRESHOLD_KM, one.period_s),
    )


@pytest.fixture(scope="module")
def collision() -> Planted:
    """An object that collides with another after 30 hours."""
    elements = synthetic_catalogue(2000, 1, EPOCH).elements
    low = (elements["mean_motion_rev_day"] > 13.5) & (elements["eccentricity"] < 0.02)
    moved = int(np.flatnonzero(low & (elements["inclination_deg"] > 40.0))[7])
    r_km, v_km_s = motion(elements[[moved]], window(EPOCH, HOURS), np.array([TCA_S]))
    return planted_in(joined(elements, through(elements[moved], TCA_S, r_km[0], v_km_s[0])), moved)


@pytest.fixture(scope="module")
def found(collision: Planted) -> Found:
    return searched(collision)


@pytest.fixture(scope="module")
def trap(collision: Planted, found: Found) -> tuple[Planted, Impulse]:
    """The same, and an object in the way of the burn that is cheapest without it."""
    naive = found.candidates[0].burns[0]
    at = EPOCH + np.timedelta64(int(LATER_S), "s")
    states = states_after(
        collision.catalogue.paths.paths, collision.moved, [naive], np.array([at], "M8[us]"), EXACT
    )
    element = collision.catalogue.elements[collision.moved]
    in_the_way = through(element, LATER_S, states.r_teme_km[0], states.v_teme_km_s[0])
    return planted_in(joined(collision.catalogue.elements, in_the_way), collision.moved), naive


def test_the_planted_collision_is_avoided_by_the_cheapest_burn(collision: Planted, found: Found) -> None:
    assert probabilities_of(collision.encounter)[0] > GOAL
    best = found.best
    assert best is not None
    assert best.encounter is not None
    assert probabilities_of(best.encounter)[0] < GOAL
    assert best.burns[0].size_m_s < 0.2
    assert [one.burns[0].size_m_s for one in found.candidates] == sorted(
        one.burns[0].size_m_s for one in found.candidates
    )


def test_the_last_burn_in_time_and_the_smallest_are_screened_against_everything(
    collision: Planted, found: Found
) -> None:
    """They were offered without: what they lead into was not known, nor whether one is the cheapest."""
    tca = collision.encounter["tca"][0]
    in_time = [one for one in found.by_time if one.before_tca_s >= found.latest_s]
    screened = {one.burns[0].at: one for one in found.candidates}
    for wanted in (in_time[0], min(in_time, key=lambda one: one.size_m_s)):
        one = screened[instant_before(tca, wanted.before_tca_s)]
        assert one.avoids(GOAL)
        assert one.changes
    before_s = in_time[0].before_tca_s
    assert before_s == pytest.approx(found.latest_s, rel=1e-3)  # half a revolution, to act
    assert found.best is not None
    good = [one for one in found.candidates if one.avoids(GOAL) and not one.raised(collision.before, GOAL)]
    assert found.best.burns[0].size_m_s == min(one.burns[0].size_m_s for one in good)


def test_the_best_direction_is_better_than_others_of_the_same_size(collision: Planted, found: Found) -> None:
    best = found.steered
    assert best is not None
    course = course_of(collision.catalogue, collision.moved, collision.encounter)
    random = np.random.default_rng(3).normal(size=(1, 500, 3))
    random *= best.size_m_s / np.linalg.norm(random, axis=-1, keepdims=True)
    others = outcomes(course, np.array([best.before_tca_s]), random, EXACT)
    assert best.probability <= np.nanmin(others.probability) * 1.05
    assert best.probability <= found.candidates[0].encounter["probability_best"][0]  # type: ignore[index]


@pytest.mark.slow
def test_whole_paths_confirm_the_trade_space_within_two_per_cent(collision: Planted, found: Found) -> None:
    space, encounter = found.space, collision.encounter
    as_it_is = encounter["miss_distance_m"][0]
    assert space.miss_distance_m[0, 20] == pytest.approx(
        as_it_is, abs=0.05
    )  # SGP4's velocities are no slopes
    compared = 0
    for k, m in itertools.product(range(0, 60, 9), range(0, 41, 5)):
        before = np.timedelta64(round(space.before_tca_s[k] * 1e6), "us")
        burn = Impulse(encounter["tca"][0] - before, tuple(space.dv_rtn_m_s[k, m]))
        if m == 20 or not np.isfinite(space.miss_distance_m[k, m]):
            continue
        changed, _ = after_burns(collision.catalogue, collision.moved, [burn], EXACT)
        whole = encounter_again(changed, collision.moved, collision.first, encounter["tca"][0])
        assert whole["miss_distance_m"][0] == pytest.approx(space.miss_distance_m[k, m], rel=0.02, abs=1.0)
        if space.probability[k, m] > 1e-12 and np.isfinite(whole["probability_2d"][0]):
            assert whole["probability_best"][0] == pytest.approx(space.probability[k, m], rel=0.02)
            compared += 1
    assert compared > 20


@pytest.mark.slow
def test_a_burn_that_leads_into_another_collision_is_not_chosen(trap: tuple[Planted, Impulse]) -> None:
    planted, naive = trap
    into = verify(
        planted.catalogue, planted.before, planted.encounter,
        (planted.moved, planted.first), [naive], EXACT, THRESHOLD_KM,
    )  # fmt: skip
    (raised,) = into.raised(planted.before, GOAL)
    without = planted.before[raised.before] if raised.before >= 0 else None
    assert without is None or without["miss_distance_m"] > 1000.0, "without the burn they pass each other"
    at = EPOCH + np.timedelta64(int(LATER_S), "s")
    assert abs(into.others["tca"][raised.after] - at) < np.timedelta64(5, "s")
    assert into.others["miss_distance_m"][raised.after] < 100.0
    best = searched(planted).best
    assert best is not None
    assert best.burns != into.burns
    assert not best.raised(planted.before, GOAL)
    assert best.burns[0].size_m_s >= naive.size_m_s * (1.0 - 1e-3)


def test_no_burn_is_searched_where_none_is_needed(collision: Planted) -> None:
    far = encounter_again(
        collision.catalogue, collision.moved, collision.first, collision.encounter["tca"][0]
    )
    far["probability_best"] = 1e-9
    with pytest.raises(NothingToAvoid, match="under the goal"):
        searched(collision._replace(encounter=far))


def test_a_burn_of_zero_changes_nothing_to_the_bit(collision: Planted) -> None:
    nothing = verify(
        collision.catalogue, collision.before, collision.encounter,
        (collision.moved, collision.first), [Impulse(EPOCH, (0.0, 0.0, 0.0))], EXACT, THRESHOLD_KM,
    )  # fmt: skip
    assert nothing.others.tobytes() == collision.before.tobytes()
    assert nothing.encounter is not None
    assert nothing.encounter.tobytes() == collision.encounter.tobytes()


def test_the_trade_space_goes_by_the_probability_that_counts() -> None:
    """Without a burn it is that of the encounter as a run rates it, also where the plane does not hold."""
    elements = synthetic_catalogue(300, 1, EPOCH).elements
    low = (elements["mean_motion_rev_day"] > 13.5) & (elements["eccentricity"] < 0.02)
    moved = int(np.flatnonzero(low)[3])
    r_km, v_km_s = motion(elements[[moved]], window(EPOCH, HOURS), np.array([TCA_S]))
    up, ahead = r_km[0] / np.linalg.norm(r_km), v_km_s[0] / np.linalg.norm(v_km_s)
    turn = np.radians(35.0)
    bisector = ahead * np.cos(turn) + np.cross(up, ahead) * np.sin(turn)
    away = -0.1 * up + 40.0 * bisector  # normal to the relative velocity
    both = joined(elements, through(elements[moved], TCA_S, r_km[0], v_km_s[0], away))
    factors_rtn = np.full((len(both), 3), 0.2)
    factors_rtn[moved, 1] = 100.0  # so that it is this one, ahead or behind, that is hit
    catalogue = catalogue_in(both, known(both)._replace(factors_rtn=factors_rtn), {}, window(EPOCH, HOURS))
    at = EPOCH + np.timedelta64(int(TCA_S), "s")
    encounter = encounter_again(catalogue, moved, len(both) - 1, at)
    assert encounter["probability_method"][0] == PROBABILITY_METHODS.index("3d")
    assert abs(encounter["probability_best"][0] / encounter["probability_2d"][0] - 1.0) > 5e-4
    course = course_of(catalogue, moved, encounter)
    none = outcomes(course, np.array([6.0 * 3600.0]), np.zeros((1, 1, 3)), EXACT)
    assert none.probability[0, 0] == pytest.approx(encounter["probability_best"][0], rel=1e-6)
