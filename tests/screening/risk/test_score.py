"""Geometry at TCA: the row against its own states."""

import numpy as np

from screening.encounters import ENCOUNTER_DTYPE
from screening.orbits.elements import ELEMENT_DTYPE
from screening.orbits.timegrid import window
from screening.risk.score import score

SPAN = window(np.datetime64("2026-11-21T06:00:00", "us"), 24.0)
rounding_m = 1e-6  # of float64 positions of 7,000 km


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
