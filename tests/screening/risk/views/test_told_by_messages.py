"""The geometry of an event that only a message tells: from its states, or none, and why."""

import numpy as np
import pytest

from screening.orbits.sgp4.propagate import Propagator
from screening.risk.views.event_geometry import Event, EventGeometry, event_geometry
from screening.risk.views.tracks import Side
from tests.screening.risk.views.test_tracks import AT_TCA, NO_SETS, TCA, elements

# Neglected over a minute: of the flattening 1e-5 km/s2, half of it times 60 s squared.
FLATTENING_M = 25.0
NOT_KNOWN = np.full(3, np.nan)


def told_side(inclination_deg: float, sigma_rtn_m: np.ndarray | None = None) -> Side:
    """Return a side with SGP4's state at TCA, as a message would bring it: there is no element set."""
    _, r_km, v_km_s = Propagator(elements(inclination_deg), AT_TCA).on_grid(np.zeros(1))
    return Side("1 A", r_km[0, :, 0], v_km_s[0, :, 0], sigma_rtn_m, np.zeros(3), NO_SETS, told=True)


def geometry_of(primary: Side, secondary: Side) -> EventGeometry:
    states = [np.concatenate([side.r_teme_km, side.v_teme_km_s]) * 1e3 for side in (primary, secondary)]
    relative = states[1] - states[0]
    speed = float(np.linalg.norm(relative[3:]))
    miss = float(np.linalg.norm(relative[:3]))
    return event_geometry(
        Event(TCA, primary, secondary, miss, None if np.isnan(speed) else speed, 5.0, False, (), True, None)
    )


def test_distances_follow_the_states_as_sgp4_would_for_a_minute() -> None:
    both = told_side(53.0), told_side(97.0)
    found = geometry_of(*both)
    assert found.near is not None
    assert found.wide is not None
    minute = np.abs(found.wide.seconds_from_tca) <= 60.0
    seconds = found.wide.seconds_from_tca[minute]
    assert len(seconds) > 20
    paths = [Propagator(elements(degrees), AT_TCA).on_grid(seconds)[1][:, :, 0] for degrees in (53.0, 97.0)]
    expected_m = np.linalg.norm(paths[1] - paths[0], axis=1) * 1e3
    np.testing.assert_allclose(found.wide.range_m[minute], expected_m, atol=2 * FLATTENING_M)
    assert found.primary is not None
    assert np.isfinite(found.primary.orbit.r_teme_km).all()
    for who in ("primary", "secondary"):
        assert "two-body" in found.missing[f"objects.{who}.epoch"]


def test_a_message_without_covariance_has_a_plane_and_says_what_it_lacks() -> None:
    found = geometry_of(told_side(53.0), told_side(97.0))
    assert found.plane is not None
    assert found.rtn is not None
    assert found.rtn.path is not None
    assert found.rtn.covariance_combined_m2 is None
    assert found.dilution is None
    assert "message" in found.missing["probability_against_scale"]
    assert "quick" not in found.missing["encounter_plane.covariance"]
    rated = geometry_of(*(told_side(degrees, np.full(3, 100.0)) for degrees in (53.0, 97.0)))
    assert rated.dilution is not None
    assert rated.radius is not None


@pytest.mark.parametrize("lacking", [("primary",), ("secondary",), ("primary", "secondary")])
def test_without_states_there_is_nothing_to_draw(lacking: tuple[str, ...]) -> None:
    sides = {"primary": told_side(53.0), "secondary": told_side(97.0)}
    for who in lacking:
        sides[who] = sides[who]._replace(r_teme_km=NOT_KNOWN, v_teme_km_s=NOT_KNOWN)
    found = geometry_of(sides["primary"], sides["secondary"])
    drawn = (found.plane, found.rtn, found.dilution, found.radius, found.near, found.wide)
    assert drawn == (None,) * 6
    assert (found.approach_angle_deg, found.place) == (None, None)
    parts = {"encounter_plane", "encounter_rtn", "range", "approach_angle_deg", "place"}
    assert parts <= found.missing.keys()
    assert {f"orbits.{who}" for who in lacking} <= found.missing.keys()


def test_an_object_that_leaves_the_earth_has_no_orbit() -> None:
    leaving = told_side(53.0)
    found = geometry_of(leaving._replace(v_teme_km_s=2.0 * leaving.v_teme_km_s), told_side(97.0))
    assert found.primary is None
    assert "no closed orbit" in found.missing["orbits.primary"]
    assert found.plane is not None


def test_at_tca_it_is_where_the_message_says() -> None:
    found = geometry_of(told_side(53.0), told_side(97.0))
    assert found.primary is not None
    _, r_km, _ = found.primary.paths.at(np.zeros(1, np.int32), np.zeros(1))
    np.testing.assert_allclose(r_km[0], told_side(53.0).r_teme_km, atol=1e-9)
