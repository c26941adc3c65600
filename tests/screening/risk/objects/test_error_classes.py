import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import instants
from screening.risk.objects.error_classes import (
    ERROR_CLASSES,
    LARGEST_FACTOR,
    OLD_FACTOR,
    KnownOf,
    age_factors,
    aged,
    error_classes,
    manoeuvring,
)
from screening.vocabulary import OBJECT_TYPES
from storage.writing.objects_table import objects_of

LEO, MEO, GEO = (15.2, 0.001, 53.0), (2.0056, 0.01, 55.0), (1.00272, 0.0002, 0.05)
EPOCH_JD = 2460615.5  # 2024-11-01
DAY = np.timedelta64(1, "D")


def element_set(name: str, orbit: tuple[float, float, float], norad_id: int = 1) -> ElementArray:
    elements = np.zeros(1, ELEMENT_DTYPE)
    elements["norad_id"], elements["name"], elements["epoch_jd"] = norad_id, name, EPOCH_JD
    for field, value in zip(("mean_motion_rev_day", "eccentricity", "inclination_deg"), orbit, strict=True):
        elements[field] = value
    return elements


def found(
    elements: ElementArray,
    *,
    object_type: str = "payload",
    status: str = "unknown",
    days_ago: int | None = None,
    factor: float = np.nan,
) -> str:
    last = np.full(1, np.datetime64("NaT", "us"))
    if days_ago is not None:
        last[0] = instants(elements["epoch_jd"], elements["epoch_day_fraction"])[0] - days_ago * DAY
    known = KnownOf(
        np.array([OBJECT_TYPES.index(object_type)], np.int8),
        np.array([status]),
        last,
        np.array([[1.0, factor, 1.0]]),
        np.full(1, np.nan),
        np.full(1, np.nan),
    )
    return ERROR_CLASSES[error_classes(elements, known)[0]]


@pytest.mark.parametrize(
    ("name", "orbit", "norad_id", "expected"),
    [
        ("STARLINK-1008", LEO, 44714, "starlink"),
        ("STARLINK-1008 DEB", LEO, 1, "ballistic"),
        ("ONEWEB-0012", LEO, 44057, "oneweb"),
        ("KUIPER-P2", LEO, 58096, "constellation"),
        ("QIANFAN-1", LEO, 60379, "constellation"),
        ("HULIANWANG DIGUI-01", LEO, 1, "constellation"),
        ("SWARM B", LEO, 39451, "ballistic"),
        ("STARLETTE", LEO, 7646, "ballistic"),
        ("ISS (ZARYA)", LEO, 25544, "ballistic"),
        ("NAVSTAR 43 (USA 132)", MEO, 24876, "ballistic"),
        ("LAGEOS 1", (6.3866, 0.0044, 109.9), 8820, "geodetic"),
        ("COSMOS 1989 (ETALON 1)", (2.1316, 0.0024, 64.6), 19751, "geodetic"),
    ],
)
def test_well_known_objects_have_their_class(
    name: str, orbit: tuple[float, float, float], norad_id: int, expected: str
) -> None:
    assert found(element_set(name, orbit, norad_id)) == expected


def test_a_dead_satellite_of_a_constellation_does_not_thrust() -> None:
    elements = element_set("STARLINK-1008", LEO)
    assert found(elements, status="inactive") == "ballistic"
    assert found(elements, status="active") == "starlink"


def test_high_debris_is_light() -> None:
    high, low = (element_set("FENGYUN 1C DEB", (motion, 0.01, 99.0)) for motion in (13.0, 14.5))
    assert found(high, object_type="debris") == "fragment"
    assert found(low, object_type="debris") == found(high, object_type="rocket_body") == "ballistic"


def test_old_sets_are_those_six_days_behind_the_newest() -> None:
    days = np.concatenate([np.full(95, 0), [1, 5, 7, 40, -300]])
    elements = np.repeat(element_set("ANY", LEO), len(days))
    elements["epoch_jd"] -= days
    factors = age_factors(elements)
    assert (factors[[0, 95, 96, 99]] == 1.0).all()
    assert factors[[97, 98]].tolist() == [OLD_FACTOR, OLD_FACTOR]
    own = np.array([[np.nan, np.nan, np.nan], [2.0, 0.5, 1.0]])
    np.testing.assert_array_equal(aged(own, np.full(2, np.nan)), own)
    assert aged(own, np.full(2, 2.5)).tolist() == [[2.5, 2.5, 2.5], [5.0, 1.25, 2.5]]


@pytest.mark.parametrize(
    ("orbit", "object_type", "status", "expected"),
    [
        (GEO, "payload", "active", "geostationary"),
        (GEO, "payload", "unknown", "geostationary"),  # hardly drifts, hardly inclined
        (GEO, "payload", "inactive", "ballistic"),
        (GEO, "rocket_body", "inactive", "ballistic"),
        (GEO, "debris", "inactive", "ballistic"),
        ((1.00272, 0.0002, 7.0), "payload", "unknown", "ballistic"),  # nobody holds its inclination
        ((1.00272, 0.0002, 7.0), "payload", "active", "geostationary"),
        ((0.9925, 0.001, 1.0), "payload", "unknown", "ballistic"),  # a graveyard
        (LEO, "payload", "active", "ballistic"),
    ],
)
def test_active_geostationary_payloads_are_kept_by_thrust(
    orbit: tuple[float, float, float], object_type: str, status: str, expected: str
) -> None:
    assert found(element_set("ANY", orbit), object_type=object_type, status=status) == expected


@pytest.mark.parametrize(
    ("orbit", "days_ago", "expected"),
    [
        (LEO, 0, "manoeuvred"),
        (LEO, 30, "manoeuvred"),
        (LEO, 31, "ballistic"),
        (MEO, 3, "manoeuvred"),
        (GEO, 3, "geostationary"),
    ],
)
def test_a_manoeuvre_of_the_last_thirty_days_counts(
    orbit: tuple[float, float, float], days_ago: int, expected: str
) -> None:
    elements = element_set("ANY", orbit)
    assert found(elements, status="inactive", days_ago=days_ago) == expected


def test_a_history_that_contradicts_itself_is_no_default() -> None:
    elements = element_set("ANY", LEO)
    assert found(elements, factor=LARGEST_FACTOR) == "ballistic"
    assert found(elements, factor=1.01 * LARGEST_FACTOR) == "contradictory"
    assert found(elements, factor=np.inf) == "contradictory"
    # Of the two the larger law.
    assert found(elements, factor=2.0 * LARGEST_FACTOR, days_ago=3) == "contradictory"


def test_which_classes_thrust() -> None:
    every = np.arange(len(ERROR_CLASSES), dtype=np.int8)
    thrusting = {ERROR_CLASSES[code] for code in every[manoeuvring(every)]}
    assert thrusting == {
        "starlink",
        "oneweb",
        "constellation",
        "geostationary",
        "manoeuvred",
        "contradictory",
    }


def test_the_real_catalogue_has_the_shares_that_are_known(real_elements: ElementArray) -> None:
    counts = np.bincount(objects_of(real_elements)["error_class"], minlength=len(ERROR_CLASSES))
    by_class = dict(zip(ERROR_CLASSES, counts.tolist(), strict=True))
    assert (by_class["starlink"], by_class["oneweb"]) == (6_492, 654)
    assert by_class["constellation"] == 24  # 18 Qianfan, 5 Hulianwang, 1 Kuiper
    assert by_class["geodetic"] == 5
    # Some 550 active satellites were in geostationary orbit, a fifth of them with inclinations let go.
    assert 380 < by_class["geostationary"] < 480
    assert by_class["manoeuvred"] == by_class["contradictory"] == 0  # without a history
