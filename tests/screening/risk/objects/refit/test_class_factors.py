"""Refitted laws: near what made-up histories err by, shrunk to the shipped law, and true of other objects."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.objects.error_classes import ERROR_CLASSES, KnownOf, error_classes
from screening.risk.objects.error_law import LAWS
from screening.risk.objects.refit.class_factors import (
    LARGEST_FACTOR,
    MOST_OBJECTS,
    PRIOR_OBJECTS,
    SMALLEST_FACTOR,
    chosen,
    half_width,
    refits,
)
from storage.writing.objects_table import types_from_names
from tests.screening.risk.histories import EPOCH_JD, Law, noisy_history
from tests.validation.risk.coverage import held, samples
from tests.validation.risk.real_differences import WEEK, RealDifferences, of_history

BALLISTIC = ERROR_CLASSES.index("ballistic")
SETS = 8


def low_orbits(count: int, random: np.random.Generator) -> ElementArray:
    """Return orbits at 1,100 km without drag."""
    elements = np.zeros(count, ELEMENT_DTYPE)
    elements["norad_id"] = 1000 + np.arange(count)
    elements["classification"] = "U"
    elements["epoch_jd"] = EPOCH_JD + SETS
    elements["mean_motion_rev_day"] = random.uniform(13.3, 13.5, count)
    elements["eccentricity"] = random.uniform(1e-4, 0.002, count)
    elements["inclination_deg"] = random.uniform(40.0, 110.0, count)
    for angle in ("raan_deg", "argument_of_perigee_deg", "mean_anomaly_deg"):
        elements[angle] = random.uniform(0.0, 360.0, count)
    return elements


def history(count: int, factor: float) -> ElementArray:
    """Return a history whose errors are the law of low orbits with its tail, times a factor."""
    random, law = np.random.default_rng(5), LAWS["leo"]
    tail = random.random(count) < law.tail_share
    r_m, t_m, n_m = (
        factor * at_epoch * np.where(tail, scale, 1.0)
        for at_epoch, scale in zip(law.at_epoch_m, law.tail_scale_rtn, strict=True)
    )
    return noisy_history(low_orbits(count, random), Law(r_m, t_m, n_m, np.zeros(count)), SETS, 1.0, random)


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "found"), [(3.0, 3.0), (20.0, LARGEST_FACTOR)])
def test_errors_three_times_the_law_make_it_three_times_as_wide(factor: float, found: float) -> None:
    sets, objects = history(500, factor), 500
    refit = refits(sets, np.full(len(sets), BALLISTIC, np.int8))
    assert list(refit) == ["leo"]
    assert refit["leo"].objects == objects
    expected = found ** (objects / (objects + PRIOR_OBJECTS))
    np.testing.assert_allclose(refit["leo"].factors_rtn, expected, rtol=0.15)
    assert (np.array(refit["leo"].factors_rtn) < LARGEST_FACTOR).all()


def test_five_objects_hardly_move_a_law() -> None:
    sets = history(5, 3.0)
    (refit,) = refits(sets, np.full(len(sets), BALLISTIC, np.int8)).values()
    assert refit.objects == 5
    np.testing.assert_allclose(refit.factors_rtn, 1.0, atol=0.2)


def test_errors_far_below_the_law_never_shrink_it_beyond_the_bound() -> None:
    sets = history(60, 0.01)
    (refit,) = refits(sets, np.full(len(sets), BALLISTIC, np.int8)).values()
    assert (np.array(refit.factors_rtn) >= SMALLEST_FACTOR).all()


def test_nothing_known_leaves_the_laws_as_shipped() -> None:
    sets = low_orbits(5, np.random.default_rng(1))  # one set each
    assert refits(sets, np.zeros(5, np.int8)) == {}
    assert refits(sets[:0], np.zeros(0, np.int8)) == {}


def test_few_objects_of_each_law_are_fitted_to() -> None:
    sets = low_orbits(3 * MOST_OBJECTS, np.random.default_rng(1))
    classes = np.full(len(sets), BALLISTIC, np.int8)
    classes[:100], classes[100:130] = ERROR_CLASSES.index("manoeuvred"), ERROR_CLASSES.index("oneweb")
    some = chosen(sets, classes)
    assert MOST_OBJECTS * 0.9 < (classes[some] == BALLISTIC).sum() <= MOST_OBJECTS
    assert (classes[some] == ERROR_CLASSES.index("oneweb")).sum() == 30
    assert some.min() == 100


def test_half_a_width_is_that_of_drawn_mixtures() -> None:
    random = np.random.default_rng(3)
    drawn = random.normal(size=400_000) * np.where(random.random(400_000) < 0.4, 14.0, 1.0)
    assert half_width(0.4, 14.0) == pytest.approx(np.median(np.abs(drawn)), rel=0.01)
    assert half_width(0.1, 1.0) == pytest.approx(0.6745, abs=1e-4)


@pytest.fixture(scope="module")
def week(shared_file: Callable[[str], Path]) -> RealDifferences:
    return of_history(shared_file(WEEK))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["starlink", "oneweb", "geostationary", "geo"])
def test_coverage_of_other_objects_is_not_worse(name: str, week: RealDifferences) -> None:
    types = types_from_names(week.sets["name"])
    classes = error_classes(week.sets, KnownOf.without_history(types, np.full(len(types), "unknown")))
    of_half = np.unique(week.sets["norad_id"])[::2]
    ours = np.isin(week.sets["norad_id"], of_half)
    factors = np.array(refits(week.sets[ours], classes[ours])[name].factors_rtn)
    every = samples([week])[name]
    other = every.of(~np.isin(every.norad_id, of_half) & (every.age_days > 0.8))
    law = LAWS[name]
    at_epoch_m = np.array(law.at_epoch_m)
    grown_m2 = other.law_m**2 - 2.0 * at_epoch_m**2
    refitted_m = np.sqrt(2.0 * (at_epoch_m * np.maximum(factors, 1.0)) ** 2 + grown_m2 * factors**2)

    def off(sigma_m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        ratio, regions = held(other.rtn_m, sigma_m, law.tail_share, np.array(law.tail_scale_rtn))
        return np.abs(np.log(ratio)), regions[0]

    shipped, refitted = off(other.law_m), off(refitted_m)
    assert (refitted[0] <= shipped[0] + 0.1).all()
    assert refitted[0].sum() <= shipped[0].sum() + 0.05
    # Where less than 95 % are inside, no less are; where more are, still about 95 %.
    assert (refitted[1] >= np.minimum(shipped[1], 0.95) - 0.02).all()
