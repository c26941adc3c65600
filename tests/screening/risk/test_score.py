"""Geometry at TCA: the row against its own states."""

import numpy as np
import pytest

from screening.encounters import ENCOUNTER_DTYPE
from screening.orbits.elements import ELEMENT_DTYPE
from screening.orbits.timegrid import window
from screening.risk.conjunctions import COVARIANCE_SOURCES, HARD_BODY_SOURCES, NO_CODE, PROBABILITY_FLAGS
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.error_law import LAWS
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.score import at_radius, by_distance, score

SOURCES = np.array([HARD_BODY_SOURCES.index(word) for word in ("table", "type")], np.int8)
SPAN = window(np.datetime64("2026-11-21T06:00:00", "us"), 24.0)
rounding_m = 1e-6  # of float64 positions of 7,000 km


def _known(factor: float = np.nan, error_class: str = "ballistic") -> ObjectKnowledge:
    bodies = HardBodies(np.array([5.0, 1.5]), SOURCES, np.array([560.0, 900.0]))
    classes = np.full(2, ERROR_CLASSES.index(error_class), np.int8)
    return ObjectKnowledge(bodies, classes, np.full((2, 3), factor), np.array([-1, 25544]))


def _encounter() -> tuple[np.ndarray, np.ndarray]:
    elements = np.zeros(2, ELEMENT_DTYPE)
    elements["norad_id"] = 25544, 123456789
    elements["mean_motion_rev_day"] = 15.0
    elements["epoch_jd"], elements["epoch_day_fraction"] = 2461364.5, (0.25, 0.5)
    encounter = np.zeros(1, ENCOUNTER_DTYPE)
    encounter["secondary_index"] = 1
    encounter["tca_s"] = 60.000001
    encounter["primary_r_teme_km"] = 7000.0, 0.0, 0.0
    encounter["primary_v_teme_km_s"] = 0.0, 7.5, 0.0
    encounter["secondary_r_teme_km"] = 7000.3, 0.0, -0.4
    encounter["secondary_v_teme_km_s"] = 0.0, 0.0, 7.5
    encounter["miss_distance_km"], encounter["relative_speed_km_s"] = 0.5, 7.5 * np.sqrt(2)
    encounter["inside_from_s"] = encounter["inside_to_s"] = np.nan
    return encounter, elements


def test_the_row_of_an_encounter() -> None:
    row = score(*_encounter(), SPAN, _known())[0]
    assert row["primary_norad_id"] == 25544
    assert row["secondary_norad_id"] == 123456789
    assert row["tca"] == np.datetime64("2026-11-21T06:01:00.000001")
    assert row["primary_epoch"] == np.datetime64("2026-11-20T06:00:00")
    assert np.isnat(row["inside_from"])
    np.testing.assert_allclose(
        [row["miss_radial_m"], row["miss_in_track_m"], row["miss_cross_track_m"]],
        [300, 0, -400],
        atol=rounding_m,
    )
    assert row["miss_distance_m"] == 500.0


def test_the_miss_can_be_recomputed_from_the_states_in_the_row() -> None:
    row = score(*_encounter(), SPAN, _known())[0]
    miss_km = [row[f"secondary_{axis}_km"] - row[f"primary_{axis}_km"] for axis in "xyz"]
    rtn_m = [row[f"miss_{axis}_m"] for axis in ("radial", "in_track", "cross_track")]
    np.testing.assert_allclose(np.linalg.norm(miss_km) * 1e3, row["miss_distance_m"], atol=rounding_m)
    np.testing.assert_allclose(np.linalg.norm(rtn_m), row["miss_distance_m"], atol=rounding_m)


def test_the_probabilities_of_the_row_follow_from_its_own_columns() -> None:
    row = score(*_encounter(), SPAN, _known())[0]
    assert row["hard_body_radius_m"] == 6.5
    assert (row["primary_radius_m"], row["secondary_radius_m"]) == (5.0, 1.5)
    assert row["catastrophic"] == 1
    assert row["fragments_10cm"] == pytest.approx(1211, rel=0.01)  # 1,460 kg
    assert HARD_BODY_SOURCES[row["hard_body_source"]] == "type"  # the less certain of table and type
    at_epoch, growth = LAWS["leo"][:2]
    sigma_n_m = np.hypot(at_epoch[2], growth[2] * 1.000694)
    np.testing.assert_allclose(row["primary_sigma_n_m"], sigma_n_m, rtol=1e-4)
    assert row["probability_flag"] == 0
    expected = np.exp(-0.5 * row["formula_h"] ** 2) * -np.expm1(-0.5 * row["formula_r"] ** 2)
    np.testing.assert_allclose(row["probability"], expected, rtol=1e-12)
    small_radius = (6.5 / 122.0) ** 2 * 10.0  # how far formula and integral may differ, h < 10
    np.testing.assert_allclose(row["probability"], row["probability_2d"], rtol=small_radius)
    assert row["probability_2d"] <= row["probability_max"] < 1.0


def test_an_alarming_number_carries_its_validation() -> None:
    encounter, elements = _encounter()
    encounter["secondary_r_teme_km"] = 7000.03, 0.0, -0.04
    encounter["miss_distance_km"] = 0.05
    row = score(encounter, elements, SPAN, _known())[0]
    assert row["mc_samples"] > 0
    half_width = row["probability_mc_high"] - row["probability_mc_low"]
    assert abs(row["probability_mc"] - row["probability_2d"]) < 2.0 * half_width
    assert half_width < 0.01 * row["probability_mc"]


def test_a_factor_on_the_covariance_is_used_and_named() -> None:
    default, doubled, at_the_floor = (
        score(*_encounter(), SPAN, _known(factor))[0] for factor in (np.nan, 2.0, 1.0)
    )
    sources = [COVARIANCE_SOURCES[row["primary_covariance_source"]] for row in (default, doubled)]
    assert sources == ["default", "own"]
    assert doubled["secondary_sigma_t_m"] == 2.0 * default["secondary_sigma_t_m"]
    assert doubled["formula_h"] < default["formula_h"]
    assert at_the_floor.tobytes() == default.tobytes(), "a factor of 1 is the default law and says so"


def test_each_objects_errors_lie_along_its_own_axes() -> None:
    """Of the pair above the sum is the same if each has the errors of the other: their planes are upright."""
    encounter, elements = _encounter()
    encounter["secondary_v_teme_km_s"] = 0.0, -3.0, 6.9
    known = _known()._replace(factors_rtn=np.array([[1.0, 1.0, 1.0], [2.0, 30.0, 5.0]]))
    row = score(encounter, elements, SPAN, known)[0]
    combined = np.zeros((3, 3))
    for who in ("primary", "secondary"):
        r, v = (encounter[f"{who}_{what}"][0] for what in ("r_teme_km", "v_teme_km_s"))
        radial = r / np.linalg.norm(r)
        in_track = v - (v @ radial) * radial
        in_track /= np.linalg.norm(in_track)
        axes = np.array([radial, in_track, np.cross(radial, in_track)])
        combined += axes.T @ np.diag([row[f"{who}_sigma_{axis}_m"] ** 2 for axis in "rtn"]) @ axes
    along = encounter["secondary_v_teme_km_s"][0] - encounter["primary_v_teme_km_s"][0]
    in_plane = np.linalg.svd(along[None])[2][1:]
    miss_m = in_plane @ (encounter["secondary_r_teme_km"][0] - encounter["primary_r_teme_km"][0]) * 1e3
    sigmas = np.sqrt(miss_m @ np.linalg.solve(in_plane @ combined @ in_plane.T, miss_m))
    assert row["formula_h"] == pytest.approx(sigmas, rel=1e-9)


def test_what_thrusts_is_marked_and_less_well_known() -> None:
    ballistic, thrusting = (
        score(*_encounter(), SPAN, _known(error_class=name))[0] for name in ("ballistic", "constellation")
    )
    assert (ballistic["primary_manoeuvring"], thrusting["primary_manoeuvring"]) == (0, 1)
    assert thrusting["secondary_manoeuvring"] == 1
    assert thrusting["primary_sigma_t_m"] > 10.0 * ballistic["primary_sigma_t_m"]
    assert thrusting["primary_covariance_source"] == 0


def test_ages_count_from_the_epoch_to_the_encounter() -> None:
    row = score(*_encounter(), SPAN, _known())[0]
    for who in ("primary", "secondary"):
        days = (row["tca"] - row[f"{who}_epoch"]) / np.timedelta64(1, "D")
        # TCA is rounded to the microsecond.
        assert row[f"{who}_age_days"] == pytest.approx(days, abs=1e-10)
    unrated = by_distance(*_encounter(), SPAN, None)[0]
    assert unrated["primary_age_days"] == row["primary_age_days"]
    assert unrated["primary_manoeuvring"] == NO_CODE


def test_a_slow_encounter_has_no_two_dimensional_probability() -> None:
    encounter, elements = _encounter()
    encounter["slow"] = True
    row = score(encounter, elements, SPAN, _known())[0]
    assert row["probability_flag"] & 1 << PROBABILITY_FLAGS.index("slow")
    for name in ("probability", "probability_2d", "probability_max", "formula_h"):
        assert np.isnan(row[name]), name
    assert row["risk_basis"] == 0, "distance decides"


def _many(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return encounters at 30 m/s to 10 km/s, some for three dimensions, and every tenth a visit."""
    rng = np.random.default_rng(7)
    encounter, elements = _encounter()
    many = np.repeat(encounter, count)
    miss_km = rng.normal(0.0, 0.3, (count, 3))
    heading = rng.normal(size=(count, 3))
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    many["secondary_r_teme_km"] = many["primary_r_teme_km"] + miss_km
    speed_km_s = 10.0 ** rng.uniform(-1.5, 1.0, (count, 1))
    many["secondary_v_teme_km_s"] = many["primary_v_teme_km_s"] + speed_km_s * heading
    many["miss_distance_km"], many["relative_speed_km_s"] = np.linalg.norm(miss_km, axis=1), speed_km_s[:, 0]
    many["slow"][::10] = True
    return many, elements


def test_at_another_radius_a_row_is_what_the_encounter_with_it_is_scored() -> None:
    many, elements = _many(100)
    known = _known()
    wings = known._replace(bodies=known.bodies._replace(radius_m=np.array([17.5, 1.5])))
    expected = score(many, elements, SPAN, wings)
    rows = score(many, elements, SPAN, known)
    before = rows.copy()
    found = at_radius(rows, np.full(len(rows), 19.0))
    assert rows.tobytes() == before.tobytes()
    methods = ("probability_method", "risk_level", "risk_basis", "probability_level", "probability_flag")
    for name in (*methods, "near_level"):
        np.testing.assert_array_equal(found[name], expected[name], name)
    assert set(found["probability_method"].tolist()) >= {-1, 0, 1}, "visits, in the plane, and beyond it"
    assert (found["probability_level"] != before["probability_level"]).any()
    for name in ("hard_body_radius_m", "probability", "probability_2d", "probability_3d", "probability_best"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-6, err_msg=name)
    back = at_radius(found, before["hard_body_radius_m"])
    np.testing.assert_allclose(back["probability_best"], before["probability_best"], rtol=1e-6)


def test_the_result_does_not_depend_on_what_is_scored_beside() -> None:
    encounter, elements = _encounter()
    many = np.repeat(encounter, 5)
    many["tca_s"] += np.arange(5)
    together = score(many, elements, SPAN, _known())
    alone = np.concatenate([score(many[k : k + 1], elements, SPAN, _known()) for k in range(5)])
    assert together.tobytes() == alone.tobytes()
