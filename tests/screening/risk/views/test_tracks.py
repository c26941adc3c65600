"""Paths of an event's objects: SGP4's, sampled as an ephemeris, is SGP4's again, and gaps stay gaps."""

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.risk.views.event_geometry import Event, EventGeometry, event_geometry
from screening.risk.views.tracks import Side, Track, track

TCA = np.datetime64("2026-11-21T12:00:00", "us")
AT_TCA = window(TCA, 0.0)
NO_SETS = np.empty(0, ELEMENT_DTYPE)
# Between states 60 s apart the polynomial leaves hundredths of a millimetre.
SAME_M = 1e-3
# The osculating axis of a low orbit oscillates by this much around the mean one (J2: 3/2 J2 R^2/a sin^2 i).
OSCILLATION_KM = 12.0


def elements(inclination_deg: float = 53.0) -> ElementArray:
    found = np.zeros(1, ELEMENT_DTYPE)
    found["norad_id"], found["epoch_jd"] = 44713, 2461365.5
    found["mean_motion_rev_day"], found["inclination_deg"] = 15.06, inclination_deg
    found["eccentricity"], found["raan_deg"] = 0.002, 40.0
    return found


def ephemeris(
    sets: ElementArray, hours: tuple[float, float] = (-6.0, 6.0), gap_s: tuple[float, float] | None = None
) -> Ephemeris:
    """Return SGP4's path around TCA each 60 s; a gap cuts it into two segments."""
    seconds = np.arange(hours[0] * 3600.0, hours[1] * 3600.0 + 1.0, 60.0)
    _, r_km, _ = Propagator(sets, AT_TCA).on_grid(seconds)
    parts = [seconds] if gap_s is None else [seconds[seconds <= gap_s[0]], seconds[seconds >= gap_s[1]]]
    segments = []
    for part in parts:
        epochs = TCA + (part * 1e6).astype("m8[us]")
        states = r_km[np.isin(seconds, part), :, 0]
        segments.append(Segment(epochs, states, epochs[0], epochs[-1], epochs[:0], np.empty((0, 6, 6))))
    return Ephemeris(44713, "STARLINK-1007", "2019-074A", tuple(segments))


def side(sets: ElementArray, **changed: object) -> Side:
    _, r_km, v_km_s = Propagator(elements(), AT_TCA).on_grid(np.zeros(1))
    return Side("44713 STARLINK-1007", r_km[0, :, 0], v_km_s[0, :, 0], None, np.zeros(3), sets)._replace(
        **changed
    )


def on(*ephemerides: Ephemeris, sets: ElementArray = NO_SETS, epoch: np.datetime64 | None = None) -> Side:
    begun = ephemerides[0].segments[0].epochs[0] if epoch is None else epoch
    return side(sets, on_ephemeris=True, ephemerides=ephemerides, epoch=begun)


def tracked(one: Side) -> Track:
    missing: dict[str, str] = {}
    found = track(one, AT_TCA, "primary", missing)
    assert found is not None
    assert missing == {}
    return found


def test_an_ephemeris_leads_where_its_states_are_from() -> None:
    expected, found = tracked(side(elements())), tracked(on(ephemeris(elements())))
    assert (expected.ephemeris, found.ephemeris) == (None, 0)
    assert found.offset_m < SAME_M
    seconds = np.linspace(-600.0, 600.0, 101)
    first = np.zeros(101, np.int32)
    (_, r_km, v_km_s), (_, other_km, other_km_s) = (t.paths.at(first, seconds) for t in (expected, found))
    np.testing.assert_allclose(other_km, r_km, atol=SAME_M / 1e3)
    np.testing.assert_allclose(other_km_s, v_km_s, atol=5e-5)  # SGP4's is not quite its derivative
    assert found.inclination_deg == pytest.approx(expected.inclination_deg, abs=0.05)
    assert found.period_s == pytest.approx(expected.period_s, rel=3 * OSCILLATION_KM / 2 / 6900.0)
    assert found.apsides_km == pytest.approx(expected.apsides_km, abs=2 * OSCILLATION_KM)
    assert np.isfinite(found.orbit.r_teme_km).all()


def test_of_several_ephemerides_it_is_the_one_that_began_then() -> None:
    own, other = ephemeris(elements()), ephemeris(elements(53.001), hours=(-5.0, 6.0))
    assert tracked(on(own, other)).ephemeris == 0
    found = tracked(on(other, own))
    assert found.ephemeris == 0
    assert found.offset_m > 10.0, "said, though it is another than the event's"
    # The same path, published again from a later state on.
    again = ephemeris(elements(), hours=(-5.0, 6.0))
    assert tracked(on(other, again, epoch=own.segments[0].epochs[0])).ephemeris == 1


def test_an_ephemeris_that_is_gone_is_said_and_the_element_set_stands_in() -> None:
    missing: dict[str, str] = {}
    other = ephemeris(elements(53.001), hours=(-5.0, 6.0))
    gone = on(other, sets=elements(53.01), epoch=TCA)
    found = track(gone, AT_TCA, "secondary", missing)
    assert found is not None
    assert found.ephemeris is None
    assert found.offset_m > 100.0
    assert set(missing) == {"objects.secondary.trajectory_id"}
    assert "44713 STARLINK-1007" in missing["objects.secondary.trajectory_id"]
    assert "element set instead" in missing["objects.secondary.trajectory_id"]


def test_without_either_there_is_no_track() -> None:
    missing: dict[str, str] = {}
    assert track(on(epoch=TCA), AT_TCA, "primary", missing) is None
    assert set(missing) == {"objects.primary.trajectory_id", "orbits.primary"}


def test_nothing_is_drawn_across_a_gap_or_beyond_the_end() -> None:
    found = tracked(on(ephemeris(elements(), hours=(-6.0, 1.0), gap_s=(-1800.0, -900.0))))
    seconds = np.array([-1860.0, -1700.0, -950.0, -800.0, 0.0, 3500.0, 3700.0])
    _, r_km, _ = found.paths.at(np.zeros(7, np.int32), seconds)
    assert np.isfinite(r_km[:, 0]).tolist() == [True, False, False, True, True, True, False]
    known = np.isfinite(found.orbit.r_teme_km[:, 0])
    assert known.any()
    assert not known.all()


def geometry(primary: Side, **changed: object) -> EventGeometry:
    secondary = side(elements())
    apart = secondary.r_teme_km + np.array([0.0, 0.1, 0.0])
    turned = secondary._replace(r_teme_km=apart, v_teme_km_s=-secondary.v_teme_km_s)
    event = Event(TCA, primary, turned, 100.0, 15_000.0, 5.0, False, (), True, None)._replace(**changed)
    return event_geometry(event)


def test_a_correlation_turns_the_ellipse() -> None:
    given = {"sigma_rtn_m": np.array([20.0, 300.0, 10.0])}
    other = side(elements(), sigma_rtn_m=np.array([30.0, 40.0, 50.0]), v_teme_km_s=-side(NO_SETS).v_teme_km_s)
    # The secondary flies against the primary: across the relative velocity lie the primary's R and N, but for
    # the radial part of its velocity, 0.0002 of it.
    almost = 1e-3
    correlations = np.array([0.0, 0.6, 0.0])
    found = geometry(side(elements(), **given, correlations=correlations), secondary=other)
    plane = found.plane
    assert plane is not None
    assert plane.primary is not None
    assert plane.primary.yy_m2 == pytest.approx(20.0**2, rel=almost)
    assert plane.primary.xx_m2 == pytest.approx(10.0**2, rel=almost)
    assert abs(plane.primary.xy_m2) == pytest.approx(0.6 * 20.0 * 10.0, rel=almost)
    uncorrelated = geometry(side(elements(), **given), secondary=other).plane
    assert uncorrelated is not None
    assert uncorrelated.primary is not None
    assert uncorrelated.primary.xy_m2 == pytest.approx(0.0, abs=almost)


def test_an_ephemeris_without_covariance_is_named_as_the_reason() -> None:
    missing = geometry(on(ephemeris(elements())), secondary=side(elements(), sigma_rtn_m=np.ones(3))).missing
    for part in ("encounter_plane.covariance", "probability_against_scale", "probability_against_radius"):
        if part in missing:
            assert missing[part] == "The ephemeris of 44713 STARLINK-1007 comes without a covariance."
    assert "probability_against_scale" in missing
    unrated = geometry(on(ephemeris(elements())), hard_body_radius_m=None).missing
    assert "not been rated" in unrated["probability_against_scale"]
