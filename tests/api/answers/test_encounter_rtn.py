"""An event's encounter in the primary's RTN at TCA, against its row, python-sgp4 and the definition."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from tests.api.answers.published_orbits import PublishedOrbits
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.geometry_client import Record, get

# Our SGP4 kernel is held to 1 mm of python-sgp4 a component, and the path is sent to 1 mm.
TWO_SGP4_M = 5e-3
# TCA is stored to the microsecond, in which two objects at 15 km/s come 15 mm nearer.
TCA_ROUNDING_M = 0.02
ROUNDING = 1e-9
MATRICES = tuple(f"covariance_{who}_m2" for who in ("primary", "secondary", "combined"))


@pytest.fixture(scope="module")
def dangerous(dangerous_store: Path) -> Iterator[Client]:
    with serving(dangerous_store) as client:
        yield client


@pytest.fixture(scope="module")
def pairs(dangerous: Client) -> list[tuple[Record, Record]]:
    """Return each event with its geometry."""
    events = dangerous.get("/conjunctions").json()["conjunctions"]
    return [(event, get(dangerous, event["id"])) for event in events]


def state(event: Record, who: str) -> tuple[np.ndarray, np.ndarray]:
    r_km = np.array([event[f"{who}_{axis}_km"] for axis in "xyz"])
    return r_km, np.array([event[f"{who}_v{axis}_km_s"] for axis in "xyz"])


def basis(event: Record, who: str) -> np.ndarray:
    """Return R, T, N as rows: T is what is left of the velocity without its radial part (Gram-Schmidt)."""
    r_km, v_km_s = state(event, who)
    radial = r_km / np.sqrt(r_km @ r_km)
    rest = v_km_s - (v_km_s @ radial) * radial
    in_track = rest / np.sqrt(rest @ rest)
    return np.array([radial, in_track, np.cross(radial, in_track)])


def test_place_and_speed_are_those_of_the_row(pairs: list[tuple[Record, Record]]) -> None:
    assert len(pairs) > 10
    for event, found in pairs:
        rtn = found["encounter_rtn"]
        stored = [event[f"miss_{axis}_m"] for axis in ("radial", "in_track", "cross_track")]
        np.testing.assert_allclose(rtn["secondary_m"], stored, rtol=0, atol=1e-4)
        assert np.linalg.norm(rtn["relative_velocity_m_s"]) == pytest.approx(event["relative_speed_m_s"])
        velocities = state(event, "primary")[1], state(event, "secondary")[1]
        expected = basis(event, "primary") @ (velocities[1] - velocities[0]) * 1e3
        np.testing.assert_allclose(rtn["relative_velocity_m_s"], expected, atol=1e-7)
        own = basis(event, "primary") @ velocities[0] * 1e3
        np.testing.assert_allclose(rtn["primary_velocity_m_s"], own, atol=1e-7)


def test_the_axes_are_those_of_the_plane(pairs: list[tuple[Record, Record]]) -> None:
    for event, found in pairs:
        rtn, plane = found["encounter_rtn"], found["encounter_plane"]
        axes = np.array([rtn[f"{name}_axis"] for name in "xyz"])
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=ROUNDING)
        assert np.linalg.det(axes) == pytest.approx(1.0)
        in_plane = [plane[f"miss_{name}_m"] for name in ("x", "y", "along")]
        np.testing.assert_allclose(axes @ rtn["secondary_m"], in_plane, rtol=ROUNDING, atol=1e-6)
        in_teme = np.array([plane[f"{name}_teme"] for name in "xyz"])
        np.testing.assert_allclose(axes @ basis(event, "primary"), in_teme, atol=ROUNDING)


def test_covariances_are_those_of_the_row_seen_from_the_primary(pairs: list[tuple[Record, Record]]) -> None:
    turned = 0
    for event, found in pairs:
        primary, secondary, combined = (np.array(found["encounter_rtn"][name]) for name in MATRICES)
        own = [
            np.array([event[f"{who}_sigma_{axis}_m"] for axis in "rtn"]) for who in ("primary", "secondary")
        ]
        np.testing.assert_allclose(
            primary, np.diag(own[0] ** 2), rtol=ROUNDING, atol=1e-9 * own[0].max() ** 2
        )
        # Each axis of the secondary's error as an arrow, seen along the axes of the primary.
        arrows = basis(event, "primary") @ (basis(event, "secondary").T * own[1])
        expected = sum(np.outer(arrow, arrow) for arrow in arrows.T)
        np.testing.assert_allclose(secondary, expected, atol=1e-9 * own[1].max() ** 2)
        np.testing.assert_allclose(combined, primary + secondary, rtol=1e-12)
        turned += bool(np.abs(secondary - np.diag(own[1] ** 2)).max() > 0.01 * own[1].max() ** 2)
        seen = found["encounter_plane"]["combined"]
        x, y = (np.array(found["encounter_rtn"][f"{name}_axis"]) for name in "xy")
        projected = [x @ combined @ x, x @ combined @ y, y @ combined @ y]
        in_plane = [seen["xx_m2"], seen["xy_m2"], seen["yy_m2"]]
        np.testing.assert_allclose(projected, in_plane, rtol=1e-9, atol=1e-9 * max(in_plane))
    assert turned > 5


def test_the_path_is_that_of_python_sgp4_along_axes_that_stand_still(
    pairs: list[tuple[Record, Record]], shared_file: Callable[[str], Path]
) -> None:
    positions_km = PublishedOrbits(shared_file("gp_onorbit_20241101.csv")).positions_km
    for event, found in pairs:
        path = found["encounter_rtn"]["path"]
        seconds = np.array(path["seconds_from_tca"])
        np.testing.assert_allclose(seconds, np.linspace(-5.0, 5.0, 201), atol=1e-12)
        tca = datetime.fromisoformat(event["tca"])
        both = [positions_km(event[f"{who}_norad_id"], tca, seconds) for who in ("primary", "secondary")]
        expected_m = (both[1] - both[0]) * 1e3 @ basis(event, "primary").T
        sent_m = np.transpose([path[f"{axis}_m"] for axis in ("radial", "in_track", "cross_track")])
        np.testing.assert_allclose(sent_m, expected_m, rtol=0, atol=TWO_SGP4_M)
        assert seconds[100] == 0.0
        np.testing.assert_allclose(sent_m[100], found["encounter_rtn"]["secondary_m"], atol=TCA_ROUNDING_M)
