"""Geometry at TCA: the RTN frame against hand-made states, and the row against its own states."""

import numpy as np

from screening.encounters import ENCOUNTER_DTYPE
from screening.orbits.elements import ELEMENT_DTYPE
from screening.orbits.timegrid import window
from screening.risk.score import rtn_axes, score

SPAN = window(np.datetime64("2026-11-21T06:00:00", "us"), 24.0)
rounding_m = 1e-6  # of float64 positions of 7,000 km


def test_rtn_of_an_equatorial_orbit() -> None:
    axes = rtn_axes(np.array([[7000.0, 0.0, 0.0]]), np.array([[0.5, 7.5, 0.0]]))[0]
    np.testing.assert_allclose(axes, np.eye(3), atol=1e-15)


def test_rtn_of_a_polar_orbit_at_the_pole() -> None:
    axes = rtn_axes(np.array([[0.0, 0.0, 7000.0]]), np.array([[-7.5, 0.0, 0.0]]))[0]
    np.testing.assert_allclose(axes, [[0, 0, 1], [-1, 0, 0], [0, -1, 0]], atol=1e-15)


def test_rtn_is_a_right_handed_frame_for_any_state() -> None:
    rng = np.random.default_rng(3)
    r, v = rng.normal(size=(2, 200, 3)) * [[[7000.0]], [[7.0]]]
    axes = rtn_axes(r, v)
    np.testing.assert_allclose(
        axes @ axes.transpose(0, 2, 1), np.broadcast_to(np.eye(3), axes.shape), atol=1e-12
    )
    np.testing.assert_allclose(np.linalg.det(axes), 1.0, atol=1e-12)
    assert (np.einsum("nj,nj->n", axes[:, 1], v) > 0).all(), "in-track points along the motion"


def _encounter() -> tuple[np.ndarray, np.ndarray]:
    elements = np.zeros(2, ELEMENT_DTYPE)
    elements["norad_id"] = 25544, 123456789
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
    row = score(*_encounter(), SPAN)[0]
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
    row = score(*_encounter(), SPAN)[0]
    miss_km = [row[f"secondary_{axis}_km"] - row[f"primary_{axis}_km"] for axis in "xyz"]
    rtn_m = [row[f"miss_{axis}_m"] for axis in ("radial", "in_track", "cross_track")]
    np.testing.assert_allclose(np.linalg.norm(miss_km) * 1e3, row["miss_distance_m"], atol=rounding_m)
    np.testing.assert_allclose(np.linalg.norm(rtn_m), row["miss_distance_m"], atol=rounding_m)
