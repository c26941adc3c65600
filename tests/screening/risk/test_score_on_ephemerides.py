"""Events of an object on its operator's ephemeris are rated with the operator's covariance."""

import numpy as np
import pytest

from screening.encounters import ENCOUNTER_DTYPE, EncounterArray
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.ephemerides import NEVER, Ephemeris, Segment
from screening.orbits.timegrid import window
from screening.risk.conjunctions import COVARIANCE_SOURCES, HARD_BODY_SOURCES, NO_CODE
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.objects.known_paths import known_of_ephemerides
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.score import at_radius, score

SOURCES = np.array([HARD_BODY_SOURCES.index(word) for word in ("table", "type")], np.int8)
SPAN = window(np.datetime64("2026-11-21T06:00:00", "us"), 24.0)
HOURS = np.arange(14.0)  # of the states: the ephemeris ends at 19:00
RADIUS_M = 6.5
GIVEN_M = (20.0, 300.0, 10.0)
CORRELATION = 0.4  # radial with in-track


def covariance_km2() -> np.ndarray:
    sigma_km = np.array(GIVEN_M) / 1000.0
    found = np.zeros((6, 6))
    found[:3, :3] = np.diag(sigma_km**2)
    found[0, 1] = found[1, 0] = CORRELATION * sigma_km[0] * sigma_km[1]
    return found


def known(*, covariance: bool, departs_at: np.datetime64 = NEVER) -> ObjectKnowledge:
    epochs = SPAN.start + (HOURS * 3.6e9).astype("m8[us]")
    those = epochs if covariance else epochs[:0]
    given = np.broadcast_to(covariance_km2(), (len(those), 6, 6))
    segment = Segment(epochs, np.zeros((len(epochs), 3)), epochs[0], epochs[-1], those, given)
    elements = np.zeros(2, ELEMENT_DTYPE)
    given = {0: [Ephemeris(25544, "ISS", "1998-067A", (segment,), departs_at)]}
    classes = np.full(2, ERROR_CLASSES.index("constellation"), np.int8)
    return ObjectKnowledge(
        HardBodies(np.array([5.0, 1.5]), SOURCES, np.array([560.0, 900.0])),
        classes,
        np.full((2, 3), np.nan),
        np.full(2, -1),
        on_ephemerides=known_of_ephemerides(elements, given, SPAN),
    )


def encounter(tca_s: float) -> tuple[EncounterArray, ElementArray]:
    """Return a meeting at a right angle: the primary goes along y, so its RTN is x, y, z."""
    elements = np.zeros(2, ELEMENT_DTYPE)
    elements["norad_id"] = 25544, 123456789
    elements["mean_motion_rev_day"] = 15.0
    elements["epoch_jd"], elements["epoch_day_fraction"] = 2461364.5, 0.25
    met = np.zeros(1, ENCOUNTER_DTYPE)
    met["secondary_index"], met["tca_s"] = 1, tca_s
    met["primary_r_teme_km"], met["primary_v_teme_km_s"] = (7000.0, 0.0, 0.0), (0.0, 7.5, 0.0)
    met["secondary_r_teme_km"], met["secondary_v_teme_km_s"] = (7000.3, 0.0, 0.0), (0.0, 0.0, 7.5)
    met["miss_distance_km"], met["relative_speed_km_s"] = 0.3, 7.5 * np.sqrt(2.0)
    met["inside_from_s"] = met["inside_to_s"] = np.nan
    return met, elements


def rated(tca_s: float, *, covariance: bool = True) -> np.void:
    return score(*encounter(tca_s), SPAN, known(covariance=covariance))[0]


def test_the_covariance_is_the_operators_and_not_that_of_the_class() -> None:
    row = rated(3600.0)
    assert row["primary_covariance_source"] == COVARIANCE_SOURCES.index("trajectory")
    assert row["secondary_covariance_source"] == COVARIANCE_SOURCES.index("default")
    assert [row[f"{who}_trajectory"] for who in ("primary", "secondary")] == [2, 0]
    assert (row["primary_manoeuvring"], row["secondary_manoeuvring"]) == (0, 1)
    np.testing.assert_allclose([row[f"primary_sigma_{axis}_m"] for axis in "rtn"], GIVEN_M)
    correlations = [row[f"primary_correlation_{axes}"] for axes in ("rt", "rn", "tn")]
    np.testing.assert_allclose(correlations, [CORRELATION, 0.0, 0.0], atol=1e-12)
    assert np.isnan(row["secondary_correlation_rt"])
    assert row["primary_epoch"] == SPAN.start
    assert row["primary_age_days"] == pytest.approx(1.0 / 24.0)


def test_an_event_says_since_when_its_object_flies_another_path() -> None:
    """Not before: until then it is that of the element set."""
    departs_at = SPAN.start + np.timedelta64(2, "h")
    elsewhere = known(covariance=True, departs_at=departs_at)
    for hour, expected in ((1.0, NEVER), (2.0, departs_at), (5.0, departs_at)):
        row = score(*encounter(hour * 3600.0), SPAN, elsewhere)[0]
        np.testing.assert_equal(row["primary_departs_at"], expected)
        assert np.isnat(row["secondary_departs_at"])
    assert np.isnat(rated(3600.0)["primary_departs_at"])
    assert np.isnat(
        score(*encounter(15.0 * 3600.0), SPAN, elsewhere)[0]["primary_departs_at"]
    )  # it has ended


def test_the_probability_is_that_of_both_covariances() -> None:
    """The correlation counts, which standard deviations alone do not tell."""
    row = rated(3600.0)
    theirs = [row[f"secondary_sigma_{axis}_m"] for axis in "rtn"]
    # The plane normal to (0, -1, 1): x, and the middle of y and z. The secondary's T is z, its N is -y.
    across = np.array([[1.0, 0.0, 0.0], [0.0, np.sqrt(0.5), np.sqrt(0.5)]])
    other = np.diag([theirs[0] ** 2, theirs[2] ** 2, theirs[1] ** 2])
    combined = across @ (covariance_km2()[:3, :3] * 1e6 + other) @ across.T
    squares, axes = np.linalg.eigh(combined)
    miss = axes.T @ np.array([300.0, 0.0])
    expected, _ = exact_2d(abs(miss[1]), abs(miss[0]), np.sqrt(squares[1]), np.sqrt(squares[0]), RADIUS_M)
    assert combined[0, 1] != 0.0
    assert row["probability_2d"] == pytest.approx(expected[0], rel=1e-9)


@pytest.mark.parametrize("covariance", [True, False])
def test_at_another_radius_the_operators_covariance_counts(covariance: bool) -> None:
    facts = known(covariance=covariance)
    wings = facts._replace(bodies=facts.bodies._replace(radius_m=np.array([20.0, 1.5])))
    expected = score(*encounter(3600.0), SPAN, wings)
    found = at_radius(score(*encounter(3600.0), SPAN, facts), np.array([21.5]))
    assert np.isfinite(found["probability_best"][0]) == covariance
    for name in ("probability_2d", "probability_3d", "probability_best"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-9, err_msg=name)
    assert found["probability_level"] == expected["probability_level"]


def test_an_ephemeris_without_covariance_leaves_no_probability() -> None:
    row = rated(3600.0, covariance=False)
    assert row["primary_covariance_source"] == NO_CODE
    assert row["probability_flag"] == 0
    assert np.isnan([row["probability"], row["probability_2d"], row["primary_sigma_t_m"]]).all()
    assert row["risk_basis"] == 0  # by distance
    assert row["hard_body_radius_m"] == RADIUS_M


def test_behind_its_end_the_object_has_the_errors_of_its_element_set() -> None:
    row = rated(13.5 * 3600.0)
    assert row["primary_covariance_source"] == COVARIANCE_SOURCES.index("default")
    assert row["primary_manoeuvring"] == 1
    assert row["primary_age_days"] == pytest.approx(1.0 + 13.5 / 24.0)


def test_some_objects_know_of_their_own_ephemerides() -> None:
    some = known(covariance=True).of(np.array([1, 0]))
    assert some.on_ephemerides is not None
    segments = some.on_ephemerides.segments_at(np.array([0, 1, 1]), np.array([0.0, 0.0, 14.0 * 3600.0]))
    assert segments.tolist() == [-1, 0, -1]
