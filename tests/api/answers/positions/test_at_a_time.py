"""Positions against python-sgp4 and skyfield, and what is said about each object."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from sgp4.api import Satrec
from skyfield.api import EarthSatellite, load, wgs84
from skyfield.framelib import itrs

from api.answers.positions import at_a_time
from api.answers.positions.at_a_time import (
    RISKS,
    TrackedObjects,
    WhereAt,
    answered_span,
    current_positions,
    tracked_objects,
)
from api.answers.positions.bodies import positions_json
from api.errors import ClientGone, NotFound
from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4 import deep_space
from screening.orbits.sgp4.lanes import out_of_blocks
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.sgp4.resonance import NO_RESONANCE
from screening.orbits.sgp4.resonance_integrator import STEP_MINUTES
from screening.orbits.timegrid import julian_date
from screening.risk.conjunctions import ENCOUNTERS, unrated
from screening.vocabulary import RISK_LEVELS
from storage.in_memory.snapshot import Snapshot
from storage.times import datetime64_us
from tests.api.real_objects import forty_objects, publish_objects

NOON = np.datetime64("2024-11-01T12:00:00", "us")
CRITICAL, HIGH, MEDIUM, LOW = range(len(RISK_LEVELS))

# Written to 1e-7 km and 1e-9 degrees; skyfield stops its iteration for the latitude at 2e-8 degrees.
ONE_METRE_KM = 1e-3
ONE_MILLIMETRE_KM = 1e-6
SAME_DEG = 1e-7
RAD_PER_ARCSEC = np.pi / 648_000


def event(primary: int, secondary: int, hour: float, risk: int, *, lasts_h: float = 0.0) -> np.void:
    """Return a conjunction `hour` hours into the window; one that lasts is slow."""
    record = unrated(1)
    tca = np.datetime64("2024-11-01", "us") + np.timedelta64(round(hour * 3.6e9), "us")
    record["primary_norad_id"], record["secondary_norad_id"] = primary, secondary
    record["tca"], record["risk_level"], record["risk_basis"] = tca, risk, 0
    record["encounter"] = ENCOUNTERS.index("slow" if lasts_h else "fast")
    if lasts_h:
        record["inside_from"], record["inside_to"] = tca, tca + np.timedelta64(round(lasts_h * 3.6e9), "us")
    for name in record.dtype.names or ():
        if record.dtype[name].kind == "f" and not name.startswith(("probability", "formula", "mc_", "hard")):
            record[name] = 1.0
    record["primary_epoch"] = record["secondary_epoch"] = tca
    one: np.void = record[0]
    return one


def tracked(store: Path, elements: ElementArray, events: Iterable[np.void] = ()) -> TrackedObjects:
    publish_objects(store, elements, events)
    snapshot = Snapshot.load(store)
    assert snapshot is not None
    return tracked_objects(snapshot)


@pytest.fixture(scope="module")
def elements(catalogue_lines: list[str]) -> ElementArray:
    return forty_objects(catalogue_lines)


@pytest.fixture(scope="module")
def objects(elements: ElementArray, tmp_path_factory: pytest.TempPathFactory) -> TrackedObjects:
    return tracked(tmp_path_factory.mktemp("positions") / "store", elements)


def served(
    objects: TrackedObjects, instant: np.datetime64 = NOON, limit: int | None = None, ids: Any = None
) -> Any:
    return orjson.loads(positions_json(objects, current_positions(objects, WhereAt(instant, limit, ids))))


def decaying(elements: ElementArray, norad_id: int) -> ElementArray:
    """Return one element set that SGP4 cannot propagate to noon: it has decayed by then."""
    broken = elements[:1].copy()
    broken["norad_id"], broken["eccentricity"] = norad_id, 1e-3
    broken["mean_motion_rev_day"], broken["bstar_per_earth_radius"] = 16.9, 1.0
    return broken


def test_every_object_is_where_skyfield_puts_it(elements: ElementArray, objects: TrackedObjects) -> None:
    jd, day_fraction = (float(x[0]) for x in julian_date(np.array([NOON])))
    orientation = earth_orientation(jd, day_fraction)
    timescale = load.timescale(delta_t=37.0 + 32.184 - float(orientation.ut1_minus_utc_s), builtin=True)
    pole = (float(p) / RAD_PER_ARCSEC for p in (orientation.pole_x_rad, orientation.pole_y_rad))
    timescale.polar_motion_table = (np.array([0.0, 1e7]), *(np.array([p, p]) for p in pole))
    time = timescale.utc(2024, 11, 1, 12)
    satellites = {found["norad_id"]: found for found in served(objects)["satellites"]}
    records: Iterable[Satrec] = satrecs(elements)
    assert len(satellites) == len(elements)
    for number, record in zip(elements["norad_id"].tolist(), records, strict=True):
        at = EarthSatellite.from_satrec(record, timescale).at(time)
        place, row = wgs84.geographic_position_of(at), satellites[number]
        np.testing.assert_allclose(
            [row["x"], row["y"], row["z"]], at.frame_xyz(itrs).km, rtol=0, atol=ONE_METRE_KM
        )
        assert row["lat"] == pytest.approx(place.latitude.degrees, abs=SAME_DEG)
        assert row["lon"] == pytest.approx(place.longitude.degrees, abs=SAME_DEG)
        assert row["alt"] == pytest.approx(place.elevation.km, abs=ONE_METRE_KM)


def test_the_geodetic_and_the_cartesian_position_are_the_same_place(objects: TrackedObjects) -> None:
    for row in served(objects)["satellites"]:
        place = wgs84.latlon(row["lat"], row["lon"], row["alt"] * 1e3)
        there = np.array([row["x"], row["y"], row["z"]])
        rounding = float(np.linalg.norm(there)) * 1e-9 * np.pi / 180 + ONE_MILLIMETRE_KM
        np.testing.assert_allclose(place.itrs_xyz.km, there, rtol=0, atol=rounding)


def test_what_is_said_of_an_object(elements: ElementArray, objects: TrackedObjects) -> None:
    answer = served(objects, limit=1)
    assert answer | {"satellites": []} == {
        "timestamp": "2024-11-01T12:00:00Z",
        "run_id": "20241101T000000Z",
        "historic": False,
        "synthetic": False,
        "earth_orientation_extrapolated": False,
        "omitted": 0,
        "satellites": [],
    }
    (row,) = answer["satellites"]
    assert list(row) == ["norad_id", "name", "x", "y", "z", "lat", "lon", "alt", "epoch", "risk"]
    assert row["norad_id"] == elements["norad_id"][0]
    assert row["name"] == elements["name"][0]
    assert datetime.fromisoformat(row["epoch"]).tzinfo is not None
    jd = datetime.fromisoformat(row["epoch"]).timestamp() / 86_400 + 2440587.5
    assert jd == pytest.approx(float(elements["epoch_jd"][0] + elements["epoch_day_fraction"][0]), abs=1e-9)


def test_an_instant_between_seconds_is_written_to_the_microsecond(objects: TrackedObjects) -> None:
    instant = np.datetime64("2024-11-01T12:00:00.250000", "us")
    assert served(objects, instant, limit=1)["timestamp"] == "2024-11-01T12:00:00.250000Z"


def test_objects_stand_in_the_order_of_their_numbers(objects: TrackedObjects) -> None:
    numbers = [row["norad_id"] for row in served(objects)["satellites"]]
    assert numbers == sorted(numbers)
    assert [row["norad_id"] for row in served(objects, limit=7)["satellites"]] == numbers[:7]
    assert served(objects, limit=1_000_000) == served(objects)


def test_asked_for_by_number(objects: TrackedObjects) -> None:
    numbers = objects.norad_ids.tolist()
    everything = {row["norad_id"]: row for row in served(objects)["satellites"]}
    found = served(objects, ids=[numbers[3], numbers[9]])["satellites"]
    assert found == [everything[numbers[3]], everything[numbers[9]]]
    assert [row["norad_id"] for row in served(objects, limit=1, ids=numbers[3:5])["satellites"]] == numbers[
        3:4
    ]


def test_an_unknown_number_is_named(objects: TrackedObjects) -> None:
    with pytest.raises(NotFound, match="999999999"):
        current_positions(objects, WhereAt(NOON, norad_ids=(int(objects.norad_ids[0]), 999_999_999)))


def test_what_cannot_be_propagated_is_left_out_and_counted(elements: ElementArray, store: Path) -> None:
    first, second = decaying(elements, 1), decaying(elements, 2)
    objects = tracked(store, np.concatenate([first, second, elements]))
    answer = served(objects)
    assert answer["omitted"] == 2
    assert len(answer["satellites"]) == len(elements)
    # A limit is a number of positions: the objects passed over do not use it up.
    limited = served(objects, limit=3)
    assert limited["omitted"] == 2
    assert limited["satellites"] == answer["satellites"][:3]
    alone = served(objects, ids=[2])
    assert (alone["omitted"], alone["satellites"]) == (1, [])


class Counted:
    """Stands in for a propagator, and notes how many states it was asked for at a time."""

    def __init__(self, objects: TrackedObjects) -> None:
        self._propagator = objects.propagator
        self.portions: list[int] = []

    def at(self, index: Any, times_s: Any) -> Any:
        self.portions.append(len(index))
        return self._propagator.at(index, times_s)


def many_decaying(elements: ElementArray, count: int) -> ElementArray:
    return np.concatenate([decaying(elements, number + 1) for number in range(count)])


def test_a_limit_propagates_no_more_than_it_needs(elements: ElementArray, store: Path) -> None:
    # Where one of the first failed, all objects were propagated: 13 CPU-s for three rows of the year 2100.
    objects = tracked(store, np.concatenate([decaying(elements, 1), elements]))
    counted = Counted(objects)
    assert len(served(objects._replace(propagator=counted), limit=3)["satellites"]) == 3
    assert counted.portions == [3, 6]


def test_portions_grow_where_many_fail(elements: ElementArray, store: Path) -> None:
    later = elements[elements["norad_id"] > 30]
    objects = tracked(store, np.concatenate([many_decaying(elements, 30), later]))
    counted = Counted(objects)
    answer = served(objects._replace(propagator=counted), limit=4)
    assert (answer["omitted"], len(answer["satellites"])) == (30, 4)
    assert counted.portions == [4, 8, 16, 32]
    # The last portion has only those that are left.
    counted.portions.clear()
    numbers = objects.norad_ids[:31].tolist()
    assert len(served(objects._replace(propagator=counted), limit=4, ids=numbers)["satellites"]) == 1
    assert counted.portions == [4, 8, 16, 3]


def test_between_portions_it_is_asked_whether_to_go_on(
    objects: TrackedObjects, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_a_time, "_PORTION", 10)
    counted = Counted(objects)

    def go_on() -> None:
        if len(counted.portions) == 2:
            raise ClientGone

    with pytest.raises(ClientGone):
        current_positions(objects._replace(propagator=counted), WhereAt(NOON), go_on)
    assert counted.portions == [10, 10]
    plain = current_positions(objects, WhereAt(NOON))
    assert len(plain.chosen) == 40
    np.testing.assert_array_equal(plain.chosen, np.arange(40))


def test_no_instant_is_far_from_an_integrator_however_old_the_epoch(
    elements: ElementArray, store: Path
) -> None:
    # Before the window every state of a set of 1970 was integrated from its epoch: 40,000 steps of 12 hours.
    old = elements.copy()
    old["epoch_jd"] -= 54 * 365.0
    objects = tracked(store, old)
    _, high = objects.propagator._groups
    constants = out_of_blocks(high.blocks, np.arange(len(high.objects)))
    reached_min, at_start_min = (constants[row] for row in (deep_space.ATIME, deep_space.MINUTES_AT_START))
    resonant = constants[deep_space.KIND] != NO_RESONANCE
    assert resonant.any()
    earliest, latest = (datetime64_us(moment) for moment in answered_span(objects.run))
    assert objects.answered_from == earliest
    span_min = (latest - earliest) / np.timedelta64(1, "m")
    assert span_min == 61 * 1440
    # From where it stands it goes forward alone, as far as the span is long.
    behind_min = (at_start_min - reached_min)[resonant]
    assert (behind_min >= 0).all()
    assert (behind_min < STEP_MINUTES).all()


def risks_at(objects: TrackedObjects, instant: str) -> list[str]:
    satellites = served(objects, np.datetime64(instant, "us"))["satellites"]
    return [row["risk"] for row in satellites[:4]]


@pytest.mark.slow
def test_the_risk_is_the_worst_of_what_is_still_to_come(elements: ElementArray, store: Path) -> None:
    a, b, c, _ = elements["norad_id"][:4].tolist()
    events = [event(a, b, 6, CRITICAL), event(a, c, 12, MEDIUM), event(a, b, 18, LOW), event(b, c, 20, HIGH)]
    objects = tracked(store, elements, events)
    assert risks_at(objects, "2024-11-01T00:00:00") == ["critical", "critical", "high", "none"]
    assert risks_at(objects, "2024-11-01T06:00:00") == ["critical", "critical", "high", "none"]
    assert risks_at(objects, "2024-11-01T06:00:01") == ["medium", "high", "high", "none"]
    assert risks_at(objects, "2024-11-01T19:00:00") == ["none", "high", "high", "none"]
    assert risks_at(objects, "2024-11-01T23:00:00") == ["none"] * 4


def test_a_slow_event_is_coming_until_it_is_over(elements: ElementArray, store: Path) -> None:
    a, b = elements["norad_id"][:2].tolist()
    objects = tracked(store, elements, [event(a, b, 6, HIGH, lasts_h=2.0)])
    assert risks_at(objects, "2024-11-01T07:59:00")[:2] == ["high", "high"]
    assert risks_at(objects, "2024-11-01T08:01:00")[:2] == ["none", "none"]


@pytest.mark.slow
def test_the_risk_outside_the_screened_window_is_unknown(elements: ElementArray, store: Path) -> None:
    a, b = elements["norad_id"][:2].tolist()
    objects = tracked(store, elements, [event(a, b, 6, HIGH)])
    assert risks_at(objects, "2024-11-01T23:59:59") == ["none"] * 4
    assert risks_at(objects, "2024-11-02T00:00:00") == ["unknown"] * 4
    assert risks_at(objects, "2024-10-31T23:59:59") == ["high", "high", "unknown", "unknown"]


def test_every_level_has_its_word() -> None:
    assert RISKS == ("critical", "high", "medium", "low", "none", "unknown")


@pytest.mark.parametrize(("instant", "flag"), [("2024-11-01", False), ("2099-01-01", True)])
def test_an_extrapolated_earth_says_so(objects: TrackedObjects, instant: str, flag: bool) -> None:
    assert served(objects, np.datetime64(instant, "us"))["earth_orientation_extrapolated"] is flag


@pytest.mark.slow
def test_the_version_changes_with_the_events_alone(elements: ElementArray, tmp_path: Path) -> None:
    a, b = elements["norad_id"][:2].tolist()
    without, again = tracked(tmp_path / "1", elements), tracked(tmp_path / "2", elements)
    with_event = tracked(tmp_path / "3", elements, [event(a, b, 6, HIGH)])
    assert without.version == again.version != with_event.version
