"""Manoeuvres found in element sets: published ones, and planted ones of known time and size."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from screening.histories.burns import FEWEST_SETS, ManoeuvreArray, manoeuvres
from screening.orbits.elements import ELEMENT_DTYPE
from screening.orbits.timegrid import SECONDS_PER_DAY, instants, julian_date
from tests.screening.histories.made_up import BURN_DAY, PLANTED_M_S, START, history
from tests.validation.orbits.burns_detected import (
    DATED_LATE,
    FILES,
    GEOSTATIONARY,
    LOW_SATELLITES,
    alone,
    found,
    matches,
    read_case,
)

SharedFile = Callable[[str], Path]

PLANTED_AT = START + np.timedelta64(round(BURN_DAY * SECONDS_PER_DAY), "s")


@cache
def detected(data: Path, name: str) -> ManoeuvreArray:
    """Detect a real satellite's manoeuvres."""
    return manoeuvres(read_case(data, name).sets)


def test_a_planted_burn_has_its_time_and_its_size() -> None:
    (burn,) = manoeuvres(history())
    two_hours = np.timedelta64(2, "h")
    assert abs(burn["at"] - PLANTED_AT) < two_hours
    assert burn["from"] <= PLANTED_AT <= burn["to"]
    tenth_of_it_m_s = 0.002
    assert burn["dv_t_m_s"] == pytest.approx(PLANTED_M_S, abs=tenth_of_it_m_s)
    assert burn["norad_id"] == 7


def test_a_burn_across_the_motion_turns_the_plane() -> None:
    """At the node a burn of dv across a motion of v turns the plane by dv / v."""
    sets, across_m_s, speed_m_s = history(), 1.5, 7504.0
    after = instants(sets["epoch_jd"], sets["epoch_day_fraction"]) > START + np.timedelta64(610, "h")
    sets["inclination_deg"][after] += np.degrees(across_m_s / speed_m_s)
    (burn,) = manoeuvres(sets)
    one_percent = 0.01
    assert burn["dv_n_m_s"] == pytest.approx(across_m_s, rel=one_percent)
    assert burn["dv_m_s"] == pytest.approx(np.hypot(across_m_s, PLANTED_M_S), rel=one_percent)
    assert np.isnan(manoeuvres(history())["dv_n_m_s"]).all()


def test_a_burn_against_the_motion_is_negative() -> None:
    (burn,) = manoeuvres(history(dv_m_s=-PLANTED_M_S))
    assert burn["dv_t_m_s"] < 0.0 < burn["dv_m_s"]


@pytest.mark.slow
def test_of_detections_with_some_confidence_so_many_are_published(shared_file: SharedFile) -> None:
    data = shared_file("manoeuvres/CryoSat-2.yaml").parents[1]
    cases = [read_case(data, name) for name in LOW_SATELLITES]
    burns = [detected(data, name) for name in LOW_SATELLITES]
    hits = [matches(case.published, own["at"], 24) for case, own in zip(cases, burns, strict=True)]
    confidence, hit = np.concatenate([own["confidence"] for own in burns]), np.concatenate(hits)
    tenth = 0.1
    for value in np.unique(confidence):
        assert hit[confidence == value].mean() == pytest.approx(value, abs=tenth)


def test_a_step_of_the_newest_set_waits_for_the_next() -> None:
    sets = history()
    after = int(np.argmax(instants(sets["epoch_jd"], sets["epoch_day_fraction"]) > PLANTED_AT))
    assert len(manoeuvres(sets[: after + 1])) == 0
    (burn,) = manoeuvres(sets[: after + 2])
    assert burn["from"] <= PLANTED_AT <= burn["to"]


@pytest.mark.parametrize("seed", range(1, 6))
def test_no_burn_is_none(seed: int) -> None:
    assert len(manoeuvres(history(seed, dv_m_s=0.0))) == 0


def test_a_bad_set_is_none() -> None:
    sets = history(dv_m_s=0.0)
    sets["mean_motion_rev_day"][30] += 1e-4
    assert len(manoeuvres(sets)) == 0


def test_a_leap_second_is_none() -> None:
    """At the end of 2016 UTC had one: an object at 7.5 km/s is not 7.5 km off its path."""
    assert len(manoeuvres(history(dv_m_s=0.0, start=np.datetime64("2016-12-02T03:00:00", "us")))) == 0


def test_order_repeated_sets_and_other_objects_change_nothing() -> None:
    sets, other = history(), history(2, dv_m_s=-0.05, number=8)
    both = np.concatenate([other, sets, sets[:5]])
    shuffled = both[np.random.default_rng(0).permutation(len(both))]
    expected = np.concatenate([manoeuvres(sets), manoeuvres(other)])
    got = manoeuvres(shuffled)
    microseconds = np.timedelta64(10, "us")  # days are counted from another first set
    assert got["norad_id"].tolist() == [7, 8]
    assert (abs(got["at"] - expected["at"]) < microseconds).all()
    np.testing.assert_allclose(got["dv_t_m_s"], expected["dv_t_m_s"], rtol=1e-6)


def test_a_short_history_says_nothing() -> None:
    assert len(manoeuvres(history()[: FEWEST_SETS - 1])) == 0
    assert len(manoeuvres(np.zeros(0, ELEMENT_DTYPE))) == 0


def test_sets_meet_a_day_before_the_times_in_the_file(shared_file: SharedFile) -> None:
    """The file adds the day of the year to 1 January: as it is, sets would know of burns a day ahead."""
    shared_file("manoeuvres/CryoSat-2.tle.gz")
    data = shared_file("manoeuvres/CryoSat-2.yaml").parents[1]
    case, at = read_case(data, "CryoSat-2"), detected(data, "CryoSat-2")["at"]
    fitted_to_an_orbit = case.published > np.datetime64("2013-06-01")
    published = case.published[alone(case.published) & fitted_to_an_orbit]
    nearest = at[np.abs(at[:, None] - published[None, :]).argmin(axis=0)]
    early_h = (published + DATED_LATE - nearest) / np.timedelta64(1, "h")
    one_hour = 1.0
    assert len(published) > 80
    assert np.median(early_h) == pytest.approx(24.0, abs=one_hour)
    assert np.mean(np.abs(early_h - 24.0) < 3.0) > 0.65


def test_published_manoeuvres_are_found(shared_file: SharedFile) -> None:
    (data, *_) = [shared_file(name).parents[1] for name in FILES]
    cases = [read_case(data, name) for name in LOW_SATELLITES]
    published = [case.published for case in cases]
    at = [detected(data, name)["at"] for name in LOW_SATELLITES]
    half_a_day, day = (found(at, published, hours) for hours in (12, 24))
    assert half_a_day.precision > 0.79
    assert day.precision > 0.87
    assert half_a_day.recall > 0.62
    assert day.recall > 0.68


def test_a_geostationary_satellite_which_no_constant_was_chosen_on(shared_file: SharedFile) -> None:
    case = read_case(shared_file(f"manoeuvres/{GEOSTATIONARY}.yaml").parents[1], GEOSTATIONARY)
    at = manoeuvres(case.sets)["at"]
    counts = found([at], [case.published], 24)
    assert counts.recall > 0.85
    assert counts.precision > 0.75


def test_a_published_manoeuvre_is_matched_once() -> None:
    published = START + np.array([0, 48], "m8[h]")
    detected = START + np.array([-1, 1, 47], "m8[h]")
    assert found([detected], [published], 12)[:3] == (2, 3, 2)
    assert found([detected[:1]], [START + np.array([0, 3], "m8[h]")], 12).matched == 1
    epoch = instants(*julian_date(published))
    assert (epoch == published).all()
