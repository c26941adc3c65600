"""Manoeuvres found in element sets: published ones, and planted ones of known time and size."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.histories.burns import FEWEST_SETS, manoeuvres
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.gravity import MU_KM3_S2
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.timegrid import SECONDS_PER_DAY, instants, julian_date
from tests.validation.orbits.burns_detected import (
    DATED_LATE,
    FILES,
    GEOSTATIONARY,
    LOW_SATELLITES,
    alone,
    found,
    read_case,
)

SharedFile = Callable[[str], Path]

START = np.datetime64("2024-03-01T03:00:00", "us")
BURN_DAY, SPACING_DAYS = 25.4, 0.9
REV_DAY = 14.5
PLANTED_M_S = 0.02
REV_PER_M_S = 3.0 * REV_DAY / (1e3 * (MU_KM3_S2 * REV_DAY * 2.0 * np.pi / SECONDS_PER_DAY) ** (1.0 / 3.0))


def history(seed: int = 1, *, dv_m_s: float = PLANTED_M_S, sets: int = 60, number: int = 7) -> ElementArray:
    """Sets of a satellite at 700 km with a burn along its motion, each with errors of its own.

    In circular orbit v is (mu n)^(1/3), and a burn of dv along it changes n by -3 n dv / v.
    """
    random = np.random.default_rng(seed)
    out = np.zeros(sets, ELEMENT_DTYPE)
    day = np.arange(sets) * SPACING_DAYS + random.uniform(0.0, 0.2, sets)
    out["epoch_jd"], out["epoch_day_fraction"] = julian_date(START + (day * 8.64e10).astype("m8[us]"))
    after = np.maximum(day - BURN_DAY, 0.0)
    change = -REV_PER_M_S * dv_m_s
    out["norad_id"] = number
    out["mean_motion_rev_day"] = REV_DAY + change * (after > 0.0) + random.normal(0.0, 2e-7, sets)
    out["eccentricity"], out["inclination_deg"] = 1e-4, 98.2
    # SGP4 turns node and perigee by itself; these are its own rates, so that the sets fly one orbit.
    out["raan_deg"], out["argument_of_perigee_deg"] = 100.0, 90.0
    turns = REV_DAY * day + change * after
    out["mean_anomaly_deg"] = (360.0 * turns + random.normal(0.0, 5e-4, sets)) % 360.0
    return _with_rates(out, day)


def _with_rates(out: ElementArray, day: np.ndarray) -> ElementArray:
    """Add to the angles what SGP4 itself adds between epochs, from one set propagated by python-sgp4."""
    record = satrecs(out[:1])[0]
    per_day = 1440.0 * 180.0 / np.pi
    out["raan_deg"] = (out["raan_deg"] + record.nodedot * per_day * day) % 360.0
    out["argument_of_perigee_deg"] = (out["argument_of_perigee_deg"] + record.argpdot * per_day * day) % 360.0
    out["mean_anomaly_deg"] = (
        out["mean_anomaly_deg"] + (record.mdot * per_day - 360.0 * out["mean_motion_rev_day"][0]) * day
    ) % 360.0
    return out


def test_a_planted_burn_has_its_time_and_its_size() -> None:
    (burn,) = manoeuvres(history())
    planted = START + np.timedelta64(round(BURN_DAY * SECONDS_PER_DAY), "s")
    two_hours = np.timedelta64(2, "h")
    assert abs(burn["at"] - planted) < two_hours
    assert burn["from"] <= planted <= burn["to"]
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


@pytest.mark.parametrize("seed", range(1, 6))
def test_no_burn_is_none(seed: int) -> None:
    assert len(manoeuvres(history(seed, dv_m_s=0.0))) == 0


def test_a_bad_set_is_none() -> None:
    sets = history(dv_m_s=0.0)
    sets["mean_motion_rev_day"][30] += 1e-4
    assert len(manoeuvres(sets)) == 0


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
    case = read_case(shared_file("manoeuvres/CryoSat-2.yaml").parents[1], "CryoSat-2")
    at = manoeuvres(case.sets)["at"]
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
    detected = [manoeuvres(case.sets)["at"] for case in cases]
    published = [case.published for case in cases]
    half_a_day, day = (found(detected, published, hours) for hours in (12, 24))
    assert half_a_day.precision > 0.85
    assert day.precision > 0.92
    assert half_a_day.recall > 0.53
    assert day.recall > 0.57


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
