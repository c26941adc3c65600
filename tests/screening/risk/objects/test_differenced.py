from collections.abc import Callable

import numpy as np
import pytest

from screening.errors import InputError
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import FloatArray, instants
from screening.risk.objects import differenced
from screening.risk.objects.differenced import SMALLEST_FACTOR, differenced_factors, own_differences
from screening.risk.objects.error_classes import LARGEST_FACTOR
from screening.risk.objects.error_law import LAWS
from screening.risk.objects.knowledge import FACTOR_DTYPE
from tests.screening.risk.histories import EPOCH_JD, Law, noisy_history

OBJECTS = 50
SETS = 40
STEP_DAYS = 0.5
LEO_AT_EPOCH_M, LEO_GROWTH_M_DAY = LAWS["leo"][:2]
LEO_R_M, LEO_T_M, LEO_N_M = LEO_AT_EPOCH_M

# What 40 sets can tell: 780 pairs, but 40 independent errors an axis.
close_enough = 0.20
share_that_must_be_close = 0.90


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(20241101)


def low_orbits(random: np.random.Generator, count: int = OBJECTS) -> ElementArray:
    """Near-circular low orbits, without drag: refitted at another epoch, it would not be the same drag."""
    orbits = np.zeros(count, ELEMENT_DTYPE)
    orbits["norad_id"] = 1000 + np.arange(count)
    orbits["epoch_jd"] = EPOCH_JD + SETS * STEP_DAYS / 2
    orbits["mean_motion_rev_day"] = random.uniform(13.0, 15.0, count)
    orbits["eccentricity"] = random.uniform(1e-4, 0.01, count)
    orbits["inclination_deg"] = random.uniform(40.0, 110.0, count)
    for angle in ("raan_deg", "argument_of_perigee_deg", "mean_anomaly_deg"):
        orbits[angle] = random.uniform(0.0, 360.0, count)
    return orbits


def law(factor_r: FloatArray, factor_t: FloatArray, factor_n: FloatArray) -> Law:
    """The law of low orbits without drag, with factors of its own for each object."""
    return Law(factor_r * LEO_R_M, factor_t * LEO_T_M, factor_n * LEO_N_M, factor_t * LEO_GROWTH_M_DAY[1])


def drawn_law(
    random: np.random.Generator, low: float, high: float
) -> tuple[Law, FloatArray, FloatArray, FloatArray]:
    """A law with factors drawn between two limits, radial ones small enough beside the in-track ones."""
    factor_t, factor_n = (np.exp(random.uniform(np.log(low), np.log(high), OBJECTS)) for _ in "tn")
    factor_r = factor_t * random.uniform(0.8, 1.2, OBJECTS)
    return law(factor_r, factor_t, factor_n), factor_r, factor_t, factor_n


def share_close(found: FloatArray, expected: FloatArray) -> float:
    return float(np.mean(np.abs(found / expected - 1.0) < close_enough))


@pytest.mark.slow
def test_factors_of_a_known_law_are_found(random: np.random.Generator) -> None:
    known, factor_r, factor_t, factor_n = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random), known, SETS, STEP_DAYS, random)
    found = differenced_factors(history)
    assert found.dtype == FACTOR_DTYPE
    assert found["norad_id"].tolist() == sorted(set(history["norad_id"].tolist()))
    assert (found["element_sets"] >= SETS - 1).all()
    for axis, factor in (("r", factor_r), ("t", factor_t), ("n", factor_n)):
        expected = as_estimated(factor, axis)
        assert share_close(found[f"factor_{axis}"], expected) >= share_that_must_be_close, axis


def as_estimated(factors: FloatArray, axis: str) -> FloatArray:
    """What 40 sets of known factors lead to.

    The radial and cross-track errors of one orbit beside another swing and do not grow: against a law that
    grows the factor is the smaller, by the root of the mean over all ages up to three days. k^2 is shrunk to
    1 by 10 observations against 40.
    """
    place = "rtn".index(axis)
    at_epoch, growth = LEO_AT_EPOCH_M[place], LEO_GROWTH_M_DAY[place]
    age = np.linspace(0.0, 3.0, 1000)
    seen = np.sqrt(np.mean(2 * at_epoch**2 / (2 * at_epoch**2 + (growth * age) ** 2)))
    return np.maximum(np.sqrt((SETS * (seen * factors) ** 2 + 10) / (SETS + 10)), SMALLEST_FACTOR)


def test_few_sets_are_still_closer_than_the_default_law(random: np.random.Generator) -> None:
    known, _, factor_t, factor_n = drawn_law(random, 0.5, 3.0)
    found = differenced_factors(noisy_history(low_orbits(random), known, 8, STEP_DAYS, random))
    for name, factor in (("factor_t", factor_t), ("factor_n", factor_n)):
        estimated = np.abs(np.log(found[name] / factor)).mean()
        default = np.abs(np.log(factor)).mean()
        assert estimated < 0.9 * default, name


def manoeuvring_history(random: np.random.Generator) -> tuple[ElementArray, ElementArray]:
    """Histories whose in-track speed changes by some 25 cm/s half way, and the first sets after that.

    Just after the last set before it: where the next set comes at once, the paths have not parted yet.
    """
    before = low_orbits(random)
    before["epoch_jd"] -= STEP_DAYS
    before["epoch_day_fraction"] = STEP_DAYS / 2.0
    after = before.copy()
    after["mean_motion_rev_day"] *= 1.0 - 1e-4
    ones = np.ones(OBJECTS)
    history = noisy_history(before, law(ones, ones, ones), SETS, STEP_DAYS, random).reshape(OBJECTS, SETS)
    changed = noisy_history(after, law(ones, ones, ones), SETS, STEP_DAYS, random).reshape(OBJECTS, SETS)
    history[:, SETS // 2 :] = changed[:, SETS // 2 :]
    return history.reshape(-1), changed[:, SETS // 2]


@pytest.mark.slow
def test_a_manoeuvre_is_found_and_cut(random: np.random.Generator) -> None:
    history, first_after = manoeuvring_history(random)
    found = differenced_factors(history)
    when = instants(first_after["epoch_jd"], first_after["epoch_day_fraction"])
    assert np.mean(found["last_manoeuvre"] == when) >= 0.95
    assert np.median(found["factor_t"]) == pytest.approx(1.0, abs=0.1)


@pytest.mark.slow
def test_an_uncut_manoeuvre_hardly_moves_a_median(
    random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    history, _ = manoeuvring_history(random)
    monkeypatch.setattr(differenced, "MANOEUVRE_SIGMAS", np.inf)
    found = differenced_factors(history)
    assert np.isnat(found["last_manoeuvre"]).all()
    assert np.median(found["factor_t"]) == pytest.approx(1.0, abs=0.2)


@pytest.mark.slow
def test_quiet_objects_show_no_manoeuvre(random: np.random.Generator) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    found = differenced_factors(noisy_history(low_orbits(random), known, SETS, STEP_DAYS, random))
    # Normal noise passes six robust sigmas in 2 of 1000 such histories.
    assert np.count_nonzero(~np.isnat(found["last_manoeuvre"])) <= 1


def test_few_sets_show_no_manoeuvre(random: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of 14 sets one stands out by chance in about 2 of 100 histories, of 8 sets in 14 of 100.
    known, *_ = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random), known, 8, STEP_DAYS, random)
    assert np.isnat(differenced_factors(history)["last_manoeuvre"]).all()
    monkeypatch.setattr(differenced, "FEWEST_SETS_FOR_A_MANOEUVRE", 8)
    assert not np.isnat(differenced_factors(history)["last_manoeuvre"]).all()


def test_the_newest_40_sets_of_30_days_are_used(random: np.random.Generator) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random, 3), Law(*(each[:3] for each in known)), 50, 0.9, random)
    found = differenced_factors(history)
    newest = history.reshape(3, 50)[:, -40:]
    day = newest["epoch_jd"] + newest["epoch_day_fraction"]
    recent = np.concatenate([sets[d >= d[-1] - 30.0] for sets, d in zip(newest, day, strict=True)])
    assert len(recent) < newest.size
    alone = differenced_factors(recent)
    assert alone["element_sets"].tolist() == found["element_sets"].tolist()
    np.testing.assert_allclose(alone["factor_t"], found["factor_t"], rtol=1e-6)  # roundings of times
    often = noisy_history(low_orbits(random, 3), Law(*(each[:3] for each in known)), 70, 0.3, random)
    assert differenced_factors(often)["element_sets"].max() <= 40


def test_sets_of_two_objects_under_one_number_contradict_each_other(random: np.random.Generator) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    two = Law(*(each[:2] for each in known))
    history = noisy_history(low_orbits(random, 2), two, SETS, STEP_DAYS, random).reshape(2, SETS)
    mixed = np.where(np.arange(SETS) % 2 == 0, history[0], history[1])
    mixed["norad_id"] = 1000
    mixed.sort(order=("epoch_jd", "epoch_day_fraction"))
    found = differenced_factors(mixed)
    assert found["element_sets"][0] > 30
    assert min(found[f"factor_{axis}"][0] for axis in "rtn") > LARGEST_FACTOR
    assert np.isnat(found["last_manoeuvre"]).all()


def test_four_sets_are_too_few(random: np.random.Generator) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random), known, 5, STEP_DAYS, random).reshape(OBJECTS, 5)
    four = differenced_factors(np.ascontiguousarray(history[:, :4]).reshape(-1))
    assert (four["element_sets"] <= 4).all()
    assert np.isnan([four[f"factor_{axis}"] for axis in "rtn"]).all()
    five = differenced_factors(history.reshape(-1))
    # Five sets are four differences, and in one history of six their spread looks like a manoeuvre.
    assert np.mean(np.isfinite(five["factor_t"])) > 0.7


def test_sets_too_far_apart_say_nothing(random: np.random.Generator) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    found = differenced_factors(noisy_history(low_orbits(random), known, 6, 8.0, random))
    assert (found["element_sets"] == 0).all()
    assert np.isnan(found["factor_t"]).all()
    assert np.isnat(found["last_manoeuvre"]).all()


@pytest.mark.slow
def test_equal_sets_reach_the_floor_and_no_manoeuvre(random: np.random.Generator) -> None:
    # Their differences are roundings of which one always stands out.
    nothing = np.full(OBJECTS, 1e-6)
    found = differenced_factors(
        noisy_history(low_orbits(random), law(nothing, nothing, nothing), SETS, STEP_DAYS, random)
    )
    assert (found["factor_t"] == SMALLEST_FACTOR).all()
    assert np.isnat(found["last_manoeuvre"]).all()


def test_the_number_of_objects_at_once_changes_nothing(
    random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random), known, 8, STEP_DAYS, random)
    history = np.delete(history, [3, 4, 5, 6, 7, 100])  # objects of different length
    whole = differenced_factors(history)
    monkeypatch.setattr(differenced, "_SETS_AT_ONCE", 20)
    parts = differenced_factors(history)
    for name in ("norad_id", "element_sets", "last_manoeuvre"):
        np.testing.assert_array_equal(parts[name], whole[name])
    for name in ("factor_r", "factor_t", "factor_n"):
        # Times count from another start: a rounding of 1e-9 s, 1e-5 m.
        np.testing.assert_allclose(parts[name], whole[name], rtol=1e-6)


def test_sets_of_one_epoch_are_not_compared(random: np.random.Generator) -> None:
    orbit = np.repeat(low_orbits(random, 1), 6)
    orbit["mean_anomaly_deg"] += np.arange(6)
    found = differenced_factors(orbit)
    assert found["element_sets"].tolist() == [0]


@pytest.mark.slow
def test_sets_that_cannot_be_propagated_are_left_out(random: np.random.Generator) -> None:
    known, _, factor_t, _ = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random), known, SETS, STEP_DAYS, random)
    history["mean_motion_rev_day"][::10] = 17.9  # below the ground
    found = differenced_factors(history)
    assert (found["element_sets"] <= SETS - SETS // 10).all()
    assert np.isfinite(found["factor_t"]).all()
    assert share_close(found["factor_t"], as_estimated(factor_t, "t")) > 0.8


def test_objects_with_a_single_set_are_not_propagated_and_change_nothing_of_the_others(
    random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random), known, 8, STEP_DAYS, random).reshape(OBJECTS, 8)
    among_singles = differenced_factors(
        np.concatenate([row if i % 3 else row[-1:] for i, row in enumerate(history)])
    )
    single = np.arange(OBJECTS) % 3 == 0
    alone = differenced_factors(history[~single].reshape(-1))
    for name in FACTOR_DTYPE.names or ():
        np.testing.assert_array_equal(among_singles[name][~single], alone[name], name)
    assert (among_singles["element_sets"][single] == 0).all()
    assert np.isnan([among_singles[f"factor_{axis}"][single] for axis in "rtn"]).all()
    assert np.isnat(among_singles["last_manoeuvre"][single]).all()
    monkeypatch.setattr(differenced, "Propagator", None)
    assert len(differenced_factors(np.ascontiguousarray(history[:, -1]))) == OBJECTS


def test_no_history_gives_no_factors() -> None:
    assert differenced_factors(np.zeros(0, ELEMENT_DTYPE)).shape == (0,)


@pytest.mark.parametrize("order", [lambda h: h[::-1], lambda h: np.roll(h, 3)])
def test_an_unsorted_history_is_refused(
    random: np.random.Generator, order: Callable[[ElementArray], ElementArray]
) -> None:
    known, *_ = drawn_law(random, 0.7, 2.0)
    history = noisy_history(low_orbits(random), known, 5, STEP_DAYS, random)
    with pytest.raises(InputError, match="sorted by norad_id and epoch"):
        differenced_factors(order(history))


def test_differences_by_age_are_those_that_were_planted(random: np.random.Generator) -> None:
    one = np.ones(1)
    history = noisy_history(low_orbits(random, 1), law(one, one, one), SETS, STEP_DAYS, random)
    found = own_differences(history)
    none, few_days = found.sizes_m(0.0, 0.25), found.sizes_m(0.25, 3.0)
    assert none[0] == 0
    assert np.isnan(none[1]).all()
    assert sum(SETS - back for back in range(1, 6)) <= few_days[0] <= sum(SETS - back for back in range(1, 7))
    assert few_days[1][1] == pytest.approx(np.sqrt(2.0) * LEO_T_M, rel=0.5)
    assert (np.diff(found.age_days) >= 0.0).all()
    assert own_differences(history[:1]).sizes_m(0.0, 14.0)[0] == 0
