"""Stages by their names: how many of a real catalogue, and what others have measured and weighed."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.texts.catalogue import parse_catalogue
from screening.risk.objects.bodies.stages import STAGES, stage_bodies


def test_names_of_all_forms_are_understood() -> None:
    names = [
        *("SL-8 R/B", "IUS R/B(1)", "RUBIN-3 & SL-8 R/B", "ARIANE 44L+3 R/B", "BREEZE M R/B"),
        *(
            "OPTUS A1 R/B [PAM-D]",
            "INMARSAT 2-F2 R/B(PAM-D)",
            "SL-12 R/B(AUX MOTOR)",
            "DELTA 2 R/B(2) [PAM-D]",
        ),
        *("SL-12 R/B(2)", "DELTA 1 R/B(CEP 1)", "DELTA 4H R/B"),
    ]
    masses = [1434, 1164, 1434, 1820, 1600, 191, 191, 56, 191, 2440, 845, 3450]
    assert stage_bodies(np.array(names)).mass_kg.tolist() == masses


def test_pieces_payloads_and_unknown_stages_have_no_body() -> None:
    bodies = stage_bodies(np.array(["SL-8 R/B DEB", "SL-8", "COSMOS 1408", "NEW ROCKET R/B", ""]))
    for values in bodies:
        assert np.isnan(values).all()
    assert len(stage_bodies(np.array([], "U24")).mass_kg) == 0


def test_every_name_stands_once_and_has_an_object_like_it() -> None:
    names = [name for stage in STAGES for name in stage.names]
    assert len(names) == len(set(names)) >= 60
    assert all(stage.kind and stage.like > 0 and stage.dry_mass_kg > 0.0 for stage in STAGES)
    assert all(0.2 < stage.diameter_m < 6.0 and 0.3 < stage.length_m < 15.0 for stage in STAGES)


def test_the_sphere_around_a_stage_is_larger_than_its_mean_shadow() -> None:
    bodies = stage_bodies(np.array([f"{name} R/B" for stage in STAGES for name in stage.names]))
    assert (bodies.bounding_radius_m > bodies.radius_m).all()


def test_most_stages_of_a_real_catalogue_are_known(shared_file: Callable[[str], Path]) -> None:
    names = parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements["name"]
    whole = (np.char.find(names, " R/B") >= 0) & (np.char.find(names, " DEB") < 0)
    assert np.isfinite(stage_bodies(names[whole]).radius_m).mean() > 0.88


def test_radar_sees_a_stage_as_large_as_published() -> None:
    # NASA CARA's table of 2026-06 has 3.72 m for an SL-16 R/B, from radar cross-sections.
    assert stage_bodies(np.array(["SL-16 R/B"])).radius_m[0] == pytest.approx(3.72, rel=0.1)
