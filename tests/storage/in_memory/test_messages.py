"""Events of a run as messages: valid, read by others, the same numbers in all forms, scored as stored."""

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree
from skyfield.api import load
from skyfield.framelib import ICRS_to_J2000, itrs
from skyfield.sgp4lib import TEME

from screening.errors import InputError
from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.timegrid import julian_date
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.score import score_message
from screening.risk.messages.written.event import NoMessage, Stated, event_message
from screening.risk.messages.written.one_object import AboutObject
from screening.risk.messages.written.text import kvn_text, message_text
from screening.vocabulary import SIZES_FROM, MessageForm, MessageFrame
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.messages import Wanted, message_on, messages_on
from storage.in_memory.snapshot import Snapshot, newest_snapshot
from storage.times import datetime64_us
from tests.screening.risk.messages.written.schema import (
    assert_valid,
    leaves,
    read_by_another,
    values_of_kvn,
)
from tests.storage import message_store

SharedFile = Callable[[str], Path]
Event = dict[str, Any]

PROBABILITY_WITHIN = 1e-6  # of itself
EARTH_RADIUS_M = 6.37e6
STEP_S = 0.1  # of differences: the motion of the axes beyond it, and rounding, are 1e-10 km/s
TEN_CENTIMETRES_KM, A_TENTH_OF_A_MM_S = 1e-4, 1e-7
_KEYS = ("X", "Y", "Z", "X_DOT", "Y_DOT", "Z_DOT")


@pytest.fixture(scope="module")
def snapshot(shared_file: SharedFile, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """Give a run with 1,100 events: fast, slow, curved, without probability."""
    store = tmp_path_factory.mktemp("messages") / "store"
    return newest_snapshot(message_store.made(shared_file, store, one_in=8, hours=13.0))


def events_of(snapshot: Snapshot) -> dict[int, Event]:
    rows = snapshot.events(EventQuery(limit=None)).rows
    return {row[0]: dict(zip(EVENT_COLUMNS, row, strict=True)) for row in rows}


def some_of_each(snapshot: Snapshot) -> list[int]:
    """Return events of every kind, ten of each."""
    kinds: dict[object, list[int]] = {}
    for number, event in events_of(snapshot).items():
        kinds.setdefault((event["encounter"], event["probability_flag"]), []).append(number)
    assert ("fast", "curved") in kinds
    assert ("fast", None) in kinds
    assert any(encounter == "slow" for encounter, _ in kinds)
    return [number for those in kinds.values() for number in those[:10]]


def largest_sigma_m(event: Event) -> float:
    return max(event[f"{who}_sigma_{axis}_m"] for who in ("primary", "secondary") for axis in "rtn")


def text_of(snapshot: Snapshot, event_id: int, *wanted: Any) -> str:
    made = message_on(snapshot, event_id, Wanted(*wanted))
    assert made is not None
    return made.text


def read(text: str) -> ConjunctionMessage:
    (message,) = each_message(text)
    assert isinstance(message, ConjunctionMessage), message
    return message


def assert_scored_as_stored(text: str, event: Event) -> None:
    message = read(text)
    assert message.hard_body_radius_m == pytest.approx(event["hard_body_radius_m"], rel=1e-14)
    score = score_message(message, message.hard_body_radius_m, samples=0, seed=1)
    stored = event["probability_2d"]
    if largest_sigma_m(event) >= EARTH_RADIUS_M:  # an old element set that drag has moved far
        assert score.missing_covariance
        assert "larger than the Earth" in text
        return
    assert score.missing_covariance == ""
    found = score.probability_2d
    if math.isnan(stored):
        assert math.isnan(found)
        return
    assert found == pytest.approx(stored, rel=PROBABILITY_WITHIN, abs=1e-300)
    assert message.probability == pytest.approx(event["probability_best"], rel=1e-14)
    # A message has the covariances of the quiet part; `bound` and sampled ones have no number of it alone.
    quiet = {"2d": "probability_2d", "3d": "probability_3d"}.get(event["probability_method"])
    if quiet:
        assert score.probability_method == event["probability_method"]
        assert score.probability_best == pytest.approx(event[quiet], rel=0.01, abs=1e-300)
    assert score.probability_flag == (event["probability_flag"] or "")


@pytest.mark.parametrize("form", ["kvn", "xml", "json"])
@pytest.mark.parametrize("frame", ["EME2000", "ITRF"])
def test_a_message_is_scored_as_its_event(snapshot: Snapshot, form: MessageForm, frame: MessageFrame) -> None:
    events = events_of(snapshot)
    for number in some_of_each(snapshot):
        assert_scored_as_stored(text_of(snapshot, number, form, frame), events[number])


@pytest.mark.slow
def test_a_message_says_what_a_collision_would_leave_and_where_the_sizes_are_from(snapshot: Snapshot) -> None:
    sources = {
        row[0]: row[1:] for row in snapshot.objects(["norad_id", "hard_body_radius_m", "hard_body_source"])
    }
    seen = set()
    for number in some_of_each(snapshot):
        event = events_of(snapshot)[number]
        text = text_of(snapshot, number)
        header, *sides = re.split(r"(?m)^OBJECT +=", text)
        known = event["catastrophic"] is not None
        assert (
            ("COMMENT CATASTROPHIC = " in header) == ("COMMENT PIECES OF 10 CM OR MORE = " in header) == known
        )
        if known:
            assert f"COMMENT CATASTROPHIC = {'YES' if event['catastrophic'] else 'NO'}\n" in header
            assert f"COMMENT PIECES OF 10 CM OR MORE = {event['fragments_10cm']:.4g}\n" in header
        both = []
        for who, side in zip(("primary", "secondary"), sides, strict=True):
            radius_m, source = sources[event[f"{who}_norad_id"]]
            assert radius_m == event[f"{who}_radius_m"]
            assert f"COMMENT RADIUS = {radius_m:.15g} [m], SOURCE = {source}\n" in side
            both.append(source)
        published = {"body", "stage"} & set(both)
        assert (f"COMMENT SIZES AND MASSES = {SIZES_FROM}\n" in header) == bool(published)
        seen |= {known, *both}
    assert {True, False, "body", "stage"} <= seen


def numbers_of_json(text: str) -> Iterator[tuple[str, object]]:
    content = json.loads(text)
    for part in (content, content.pop("OBJECT1"), content.pop("OBJECT2")):
        yield from (
            (key, value) for key, value in part.items() if key not in ("COMMENT", "OBJECT1", "OBJECT2")
        )


def assert_forms_agree(kvn: str, xml: str, in_json: str) -> None:
    of_kvn = values_of_kvn(kvn)
    root = etree.fromstring(xml.encode())
    of_xml = [one for one in leaves(root) if one[0] != "COMMENT"]
    # KVN has ASCII only.
    plain = [(key, re.sub(r"[^\x20-\x7e]", "?", text), unit) for key, text, unit in of_xml]
    assert [("CCSDS_CDM_VERS", str(root.get("version")), ""), *plain] == of_kvn
    told = {key: text for key, text, _ in of_xml[: len(of_xml) // 3]}
    for (key, value), (other, text, _) in zip(
        list(numbers_of_json(in_json))[1:], [one for one in of_xml if one[0] != "OBJECT"], strict=True
    ):
        assert key == other
        assert (value == float(text)) if isinstance(value, (int, float)) else (value == text)
    assert isinstance(json.loads(in_json)["MISS_DISTANCE"], (int, float)), told
    comments = [text for key, text, _ in leaves(root) if key == "COMMENT"]
    assert comments == [line[8:] for line in kvn.splitlines() if line.startswith("COMMENT ")]


def assert_read_by_another(text: str, event: Event) -> None:
    message = read_by_another(text)
    relative = message.body.relative_metadata_data
    assert relative.miss_distance == pytest.approx(event["miss_distance_m"], rel=1e-14)
    for segment, who in zip(message.body.segments, ("primary", "secondary"), strict=True):
        assert segment.metadata.object_designator == str(event[f"{who}_norad_id"])
        variance = event[f"{who}_sigma_t_m"] ** 2
        assert segment.data.covariance_matrix.ct_t == pytest.approx(variance, rel=1e-14)


@pytest.mark.slow
def test_a_thousand_events_are_valid_agree_in_all_forms_and_are_scored_as_stored(
    snapshot: Snapshot, shared_file: SharedFile
) -> None:
    events = events_of(snapshot)
    assert len(events) > 1000
    assert any(event["primary_norad_id"] > 900_000_000 for event in events.values())
    files = {
        form: messages_on(snapshot, EventQuery(limit=None), Wanted(form)) for form in ("kvn", "xml", "json")
    }
    assert {found.size for found in files.values()} == {len(events)}
    for kvn, xml, in_json in zip(*(found.files for found in files.values()), strict=True):
        event = events.pop(int(kvn.name.removesuffix(".cdm")))
        assert_valid(xml.text, shared_file)
        assert_forms_agree(kvn.text, xml.text, in_json.text)
        for text in (kvn.text, xml.text, in_json.text):
            assert_scored_as_stored(text, event)
        for text in (kvn.text, xml.text):
            assert_read_by_another(text, event)
    assert not events


@pytest.mark.slow
def test_some_of_each_are_valid_and_agree_in_all_forms(snapshot: Snapshot, shared_file: SharedFile) -> None:
    events = events_of(snapshot)
    for number in some_of_each(snapshot):
        kvn, xml, in_json = (text_of(snapshot, number, form) for form in ("kvn", "xml", "json"))
        assert_valid(xml, shared_file)
        assert_forms_agree(kvn, xml, in_json)
        for text in (kvn, xml):
            assert_read_by_another(text, events[number])
        assert max(map(len, kvn.splitlines())) <= 254


@pytest.mark.parametrize("name", message_store.NAMES)
def test_names_that_are_hard_to_write(snapshot: Snapshot, shared_file: SharedFile, name: str) -> None:
    event = next(one for one in events_of(snapshot).values() if one["primary_name"] == name)
    ascii_only = name.strip().encode("ascii", "replace").decode()
    texts = {form: text_of(snapshot, event["event_id"], form) for form in ("kvn", "xml", "json")}
    assert_valid(texts["xml"], shared_file)
    for form, text in texts.items():
        expected = ascii_only if form == "kvn" else name.strip()
        assert read(text).primary.name == expected
        if form != "json":
            assert read_by_another(text).body.segments[0].metadata.object_name == expected


def of_skyfield(event: Event, who: str, frame: MessageFrame) -> tuple[np.ndarray, np.ndarray]:
    """Turn the stored state with skyfield, with the UT1 and the pole of the IERS at that instant.

    Its velocities in ITRF leave out the motion of the pole, so they are differences of its positions.
    """
    jd, day_fraction = julian_date(np.array([datetime64_us(event["tca"])]))
    orientation = earth_orientation(jd, day_fraction)
    scale = load.timescale(delta_t=37.0 + 32.184 - float(orientation.ut1_minus_utc_s[0]), builtin=True)
    pole = (float(np.degrees(p[0]) * 3600.0) for p in (orientation.pole_x_rad, orientation.pole_y_rad))
    scale.polar_motion_table = (np.array([0.0, 1e7]), *(np.array([p, p]) for p in pole))
    r_km = np.array([event[f"{who}_{axis}_km"] for axis in "xyz"])
    v_km_s = np.array([event[f"{who}_v{axis}_km_s"] for axis in "xyz"])

    def turn(after_s: float) -> np.ndarray:
        tca = event["tca"]
        second = tca.second + tca.microsecond / 1e6 + after_s
        t = scale.utc(tca.year, tca.month, tca.day, tca.hour, tca.minute, second)
        return (ICRS_to_J2000 if frame == "EME2000" else itrs.rotation_at(t)) @ TEME.rotation_at(t).T

    later, before = (turn(s) @ (r_km + v_km_s * s) for s in (STEP_S, -STEP_S))
    return turn(0.0) @ r_km, (later - before) / (2.0 * STEP_S)


@pytest.mark.parametrize("frame", ["EME2000", "ITRF"])
def test_states_are_those_of_skyfield(snapshot: Snapshot, frame: MessageFrame) -> None:
    events = events_of(snapshot)
    for number in some_of_each(snapshot):
        values = [(key, value) for key, value, _ in values_of_kvn(text_of(snapshot, number, "kvn", frame))]
        for side, who in enumerate(("primary", "secondary")):
            own = dict(values[[i for i, one in enumerate(values) if one[0] == "OBJECT"][side] :][:20])
            state = np.array([float(own[key]) for key in _KEYS])
            r_km, v_km_s = of_skyfield(events[number], who, frame)
            assert np.linalg.norm(state[:3] - r_km) < TEN_CENTIMETRES_KM
            assert np.linalg.norm(state[3:] - v_km_s) < A_TENTH_OF_A_MM_S


def test_covariances_are_whole_and_definite_and_velocities_are_no_zeros(snapshot: Snapshot) -> None:
    events = events_of(snapshot)
    for number in some_of_each(snapshot):
        message = read(text_of(snapshot, number))
        if largest_sigma_m(events[number]) >= EARTH_RADIUS_M:
            continue
        for each in (message.primary, message.secondary):
            assert each.covariance_rtn is not None
            sigma = np.sqrt(np.diag(each.covariance_rtn))
            assert np.linalg.eigvalsh(each.covariance_rtn / np.outer(sigma, sigma))[0] > 1e-6
            assert sigma[3:].min() > 1e-4


def test_what_is_claimed_can_be_chosen(snapshot: Snapshot) -> None:
    events = events_of(snapshot)
    rated = next(one for one in events.values() if not math.isnan(one["probability_mc"]))
    unrated = next(one for one in events.values() if math.isnan(one["probability_2d"]))
    for method, column in (
        ("formula", "probability"),
        ("maximum", "probability_max"),
        ("monte_carlo", "probability_mc"),
    ):
        text = text_of(snapshot, rated["event_id"], "kvn", "EME2000", method)
        assert read(text).probability == pytest.approx(rated[column], rel=1e-14)
        assert read(text).message_id.endswith(f"_{method}")
        with pytest.raises(InputError, match=f"no probability of the method {method}; it has none"):
            message_on(snapshot, unrated["event_id"], Wanted("kvn", "EME2000", method))
    assert "MONTE CARLO 95 PERCENT INTERVAL" in text
    assert "COLLISION_PROBABILITY" not in text_of(snapshot, unrated["event_id"])


def test_ids_are_different_and_stable(snapshot: Snapshot) -> None:
    def ids() -> list[str]:
        return [
            read(one.text).message_id for one in messages_on(snapshot, EventQuery(limit=50), Wanted()).files
        ]

    assert len(set(ids())) == 50
    assert ids() == ids()


def test_correlations_of_an_operator_are_in_the_covariance(snapshot: Snapshot) -> None:
    event = next(iter(events_of(snapshot).values()))
    given = {
        "primary_trajectory": "ephemeris",
        "primary_covariance_source": "trajectory",
        **{f"primary_sigma_{axis}_m": sigma for axis, sigma in zip("rtn", (50.0, 700.0, 30.0), strict=True)},
        "primary_correlation_rt": 0.5,
        "primary_correlation_rn": -0.25,
        "primary_correlation_tn": None,
    }
    named = AboutObject(ephemeris="3f2a", restricted=True), AboutObject()
    text = kvn_text(event_message({**event, **given}, Stated(named, None, "EME2000", "foster")))
    values = values_of_kvn(text)
    assert [value for key, value, _ in values if key == "EPHEMERIS_NAME"] == ["3f2a", "NONE"]
    assert text.count("COMMENT TERMS: the source of its ephemeris does not allow sharing it") == 1
    covariance = read(text).primary.covariance_rtn
    assert covariance is not None
    expected = [[2500.0, 17500.0, -375.0], [17500.0, 490000.0, 0.0], [-375.0, 0.0, 900.0]]
    np.testing.assert_allclose(covariance[:3, :3], expected, rtol=1e-14)
    assert read(text).primary.covariance_method == "CALCULATED"


@pytest.mark.parametrize("contact", ["Example Space, flight@example.org, +49 30 123456", "運用室; 12345678"])
def test_the_contact_of_an_operator_stands_where_readers_expect_it(
    snapshot: Snapshot, contact: str, shared_file: SharedFile
) -> None:
    event = next(iter(events_of(snapshot).values()))
    stated = Stated((AboutObject(contact=contact), AboutObject()), None, "EME2000", "foster")
    kvn, xml, in_json = (message_text(event_message(event, stated), form) for form in ("kvn", "xml", "json"))
    assert_valid(xml, shared_file)
    assert_forms_agree(kvn, xml, in_json)
    organisation, *_, phone = re.split("[,;] ", contact)
    first, second = (segment.metadata for segment in read_by_another(xml).body.segments)
    assert (first.operator_organization, first.operator_phone) == (organisation, phone)
    assert first.operator_email == ("flight@example.org" if "@" in contact else None)
    assert (second.operator_organization, second.operator_phone, second.operator_email) == (None,) * 3
    assert read_by_another(kvn).body.segments[0].metadata.operator_phone == phone


def test_an_event_without_states_is_no_message(snapshot: Snapshot) -> None:
    event = next(iter(events_of(snapshot).values()))
    stated = Stated((AboutObject(), AboutObject()), None, "EME2000", "foster")
    assert event_message(event, stated).version == "1.0"
    for nothing in (None, math.nan):
        with pytest.raises(NoMessage, match="known only from a summary without states"):
            event_message({**event, "primary_x_km": nothing}, stated)


def test_an_event_that_there_is_not(snapshot: Snapshot) -> None:
    assert message_on(snapshot, 1, Wanted()) is None
