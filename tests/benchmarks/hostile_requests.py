"""The dearest request known of every route, for bench_hostile.py."""

import json
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

LARGEST_BYTES = 32 * 1024**2  # of an upload
OBJECTS_OF_A_FLEET = 1000
NOBODY = 99_999  # an object that no catalogue has
NONE_THERE = 999_999  # of fleets and alerts
_PATH_FORMS = ("oem-kvn", "oem-xml", "csv")


class Dear(NamedTuple):
    """A request that costs as much as its route allows."""

    route: str  # method and path, as the OpenAPI document has them
    what: str
    path: str
    headers: Mapping[str, str] = {}
    json: Mapping[str, object] | None = None
    content: Callable[[], bytes] | None = None  # makes a body that is no JSON


class World(NamedTuple):
    """What requests are made of."""

    bearer: dict[str, str]
    api_key: dict[str, str]
    event: int  # the most dangerous
    objects: list[int]  # some
    crowded: int  # the object with the most events
    latest: str  # the latest instant at which positions are told
    fleet: int  # of OBJECTS_OF_A_FLEET
    feed: str  # key of its feed


def dear_requests(world: World) -> list[Dear]:
    """Return the dearest request known of every route, some with more than one."""
    return [*_of_lists(world), *_of_events(world), *_uploads(), *_of_fleets(world), *_of_alerts()]


def many_names(length: int) -> str:
    """Return a query of about `length` bytes in which every name is another one."""
    return "&".join(f"a{number:x}" for number in range(length))[:length]


def largest_analysis(norad_id: int) -> dict[str, object]:
    """Return the body of the largest analysis of an object."""
    return {"primary_norad_id": norad_id, "look_ahead_hours": 168, "threshold_km": 100}


def largest_oem(*, xml: bool = False, covariances: bool = False) -> bytes:
    """Return an OEM of LARGEST_BYTES: an object on a circle, a state each 10 s."""
    metadata = {
        "OBJECT_NAME": "CIRCLING",
        "OBJECT_ID": "2024-001A",
        "CENTER_NAME": "EARTH",
        "REF_FRAME": "TEME",
        "TIME_SYSTEM": "UTC",
        "START_TIME": "2024-11-01T00:00:00",
        "STOP_TIME": "2025-11-01T00:00:00",
    }
    if xml:
        values = "".join(f"<{key}>{value}</{key}>" for key, value in metadata.items())
        head = (
            '<oem id="CCSDS_OEM_VERS" version="2.0"><header>'
            "<CREATION_DATE>2024-11-01T00:00:00</CREATION_DATE>"
            f"<ORIGINATOR>BENCH</ORIGINATOR></header><body><segment><metadata>{values}</metadata><data>\n"
        )
        return _filled(head, _xml_state, "", "</data></segment></body></oem>\n")
    values = "".join(f"{key} = {value}\n" for key, value in metadata.items())
    head = "CCSDS_OEM_VERS = 2.0\nCREATION_DATE = 2024-11-01T00:00:00\nORIGINATOR = BENCH\n"
    head += f"META_START\n{values}META_STOP\n"
    if not covariances:
        return _filled(head, " ".join, "", "")
    return _filled(head, " ".join, _COVARIANCE, "COVARIANCE_STOP\n")


_COVARIANCE = "EPOCH = {}\nCOV_REF_FRAME = RTN\n" + "".join("0 " * k + "1e-6\n" for k in range(6))
_ELEMENTS = ("EPOCH", "X", "Y", "Z", "X_DOT", "Y_DOT", "Z_DOT")


def _xml_state(words: list[str]) -> str:
    inside = "".join(f"<{one}>{word}</{one}>" for one, word in zip(_ELEMENTS, words, strict=True))
    return f"<stateVector>{inside}</stateVector>"


def _filled(head: str, state: Callable[[list[str]], str], covariance: str, end: str) -> bytes:
    """Return a text with as many states, and covariances behind them, as there is room for."""
    one = len(state(["2024-11-01T00:00:00.000", *["-1234.567890"] * 6])) + 1 + len(covariance) + 24
    count = (LARGEST_BYTES - 10_000) // one
    times = np.datetime_as_string(
        np.datetime64("2024-11-01", "ms") + np.arange(count) * np.timedelta64(10_000, "ms")
    )
    angle, speed_km_s = np.arange(count) * 10.0 * 7.546 / 7000.0, 7.546
    x, y = 7000.0 * np.cos(angle), 7000.0 * np.sin(angle)
    numbers = np.stack([x, 0.6 * y, 0.8 * y, -speed_km_s * y / 7e3, 0.6 * speed_km_s * x / 7e3], 1)
    numbers = np.column_stack([numbers, 0.8 * speed_km_s * x / 7e3])
    lines = [
        state([time, *(f"{value:.6f}" for value in row)])
        for time, row in zip(times.tolist(), numbers, strict=True)
    ]
    text = head + "\n".join(lines) + "\n"
    if covariance:
        text += "COVARIANCE_START\n" + "".join(map(covariance.format, times.tolist()))
    return (text + end).encode()


def largest_message() -> bytes:
    """Return a message in JSON with as many keys as there is room for."""
    return json.dumps([{f"K{number}": "1" for number in range(LARGEST_BYTES // 18)}]).encode()


def many_messages() -> bytes:
    """Return 30,000 messages in JSON without what is needed to score them."""
    one = {"CDM_ID": "1", "CREATED": "2024-11-01T00:00:00", "TCA": "2024-11-02T00:00:00", "MIN_RNG": "10"}
    one |= {"SAT_1_ID": "5", "SAT_2_ID": "11", "SAT_1_NAME": "A", "SAT_2_NAME": "B"}
    return json.dumps([one | {"CDM_ID": str(number)} for number in range(30_000)]).encode()


def _of_lists(world: World) -> list[Dear]:
    some = ",".join(map(str, world.objects))
    rows = "/conjunctions?limit=10000"
    csv, binary = {"Accept": "text/csv"}, {"Accept": "application/octet-stream"}
    return [
        Dear("GET /conjunctions", "16 kB of distinct names", "/conjunctions?" + many_names(16_000)),
        Dear("GET /conjunctions", "64 kB of distinct names", "/conjunctions?" + many_names(63_000)),
        Dear("GET /conjunctions", "10,000 rows", rows),
        Dear("GET /conjunctions", "10,000 rows behind 100,000", f"{rows}&offset=100000&order=probability"),
        Dear("GET /conjunctions", "10,000 rows of many objects", f"{rows}&norad_id={some}"),
        Dear("GET /conjunctions", "all as CSV", "/conjunctions", csv),
        Dear("GET /conjunctions/cdm", "all", "/conjunctions/cdm"),
        Dear("GET /proximities", "all", "/proximities"),
        Dear("GET /runs/current", "", "/runs/current"),
        Dear("GET /runs/current/overview", "", "/runs/current/overview"),
        Dear("GET /runs/current/rejections", "all", "/runs/current/rejections"),
        Dear("GET /objects", "all", "/objects"),
        Dear("GET /positions", "all, 30 days off", f"/positions?at={world.latest}", world.api_key),
        Dear("GET /positions", "all, gzip", "/positions", {**world.api_key, "Accept-Encoding": "gzip"}),
        Dear("GET /positions", "all, as arrays", "/positions", {**world.api_key, **binary}),
        Dear("GET /positions", "3, 30 days off", f"/positions?at={world.latest}&limit=3", world.api_key),
        Dear("GET /positions", "3, in 2100", "/positions?at=2100-01-01T00:00:00Z&limit=3", world.api_key),
        Dear("GET /session", "", "/session"),
        Dear("POST /session", "", "/session"),
        Dear("DELETE /session", "", "/session", {"X-Requested-With": "benchmark"}),
        Dear("GET /health", "", "/health"),
        Dear("GET /ready", "", "/ready"),
        Dear("GET /metrics", "", "/metrics"),
    ]


def _of_events(world: World) -> list[Dear]:
    event, analyze = f"/conjunctions/{world.event}", "/conjunctions/analyze"
    crowd = largest_analysis(world.crowded)
    path = f"/objects/{world.crowded}/ephemeris?hours=333&format="
    return [
        Dear("GET /conjunctions/{id}", "with its history", event),
        *(Dear(f"GET /conjunctions/{{id}}/{what}", "", f"{event}/{what}") for what in _OF_AN_EVENT),
        Dear("POST /conjunctions/{id}/manoeuvres", "search", f"{event}/manoeuvres", json={"search": True}),
        Dear("POST /conjunctions/analyze", "168 h, 100 km", analyze, json=crowd),
        Dear("POST /conjunctions/analyze/full", "168 h, 100 km", f"{analyze}/full", json=crowd),
        Dear("GET /objects/{id}/orbit", "", f"/objects/{world.crowded}/orbit"),
        *(Dear("GET /objects/{id}/ephemeris", f"333 h, {form}", path + form) for form in _PATH_FORMS),
    ]


_OF_AN_EVENT = ("geometry", "trend", "report", "cdm", "calendar.ics")


def _uploads() -> list[Dear]:
    kinds = ("text/plain", "application/xml", "application/json")
    text, xml, js = ({"Content-Type": kind} for kind in kinds)
    path, missing = f"/trajectories?kind=hypothetical&norad_id={NOBODY}", "0" * 16
    added, large = "POST /trajectories", "32 MB"
    return [
        Dear(added, f"{large}, OEM", path, text, content=largest_oem),
        Dear(added, f"{large}, covariances", path, text, content=lambda: largest_oem(covariances=True)),
        Dear(added, f"{large}, XML", path, xml, content=lambda: largest_oem(xml=True)),
        Dear("GET /trajectories", "all", "/trajectories"),
        Dear("GET /trajectories/{id}", "of none", f"/trajectories/{missing}"),
        Dear("DELETE /trajectories/{id}", "of none", f"/trajectories/{missing}"),
        Dear("POST /messages", f"{large} of keys", "/messages", js, content=largest_message),
        Dear("POST /messages", "30,000", "/messages", js, content=many_messages),
        Dear("GET /messages", "all", "/messages"),
        Dear("GET /messages/{id}", "of none", f"/messages/{missing}"),
    ]


def _of_fleets(world: World) -> list[Dear]:
    body: dict[str, object] = {
        "name": f"another {time.time_ns()}",
        "norad_ids": world.objects[:OBJECTS_OF_A_FLEET],
    }
    one, large = f"/fleets/{world.fleet}", f"{OBJECTS_OF_A_FLEET:,} objects"
    return [
        Dear("POST /fleets", large, "/fleets", json=body),
        Dear("GET /fleets", "all", "/fleets"),
        Dear("GET /fleets/{id}", large, one),
        Dear("PATCH /fleets/{id}", large, one, json={"norad_ids": world.objects[:OBJECTS_OF_A_FLEET]}),
        *(Dear(f"GET /fleets/{{id}}/{what}", large, f"{one}/{what}") for what in _OF_A_FLEET),
        *(
            Dear(f"GET /fleets/{{id}}/{what}", large, f"{one}/{what}?key={world.feed}")
            for what in ("calendar.ics", "feed.atom")
        ),
        Dear("POST /fleets/{id}/feeds", "", f"{one}/feeds"),
        Dear("DELETE /fleets/{id}/feeds/{feed_id}", "of none", f"{one}/feeds/{NONE_THERE}"),
        Dear("DELETE /fleets/{id}", "of none", f"/fleets/{NONE_THERE}"),
        Dear("GET /fleet-standings", "all", "/fleet-standings"),
    ]


_OF_A_FLEET = ("members", "conjunctions", "outside", "satellites", "report", "feeds", "changes")


def _of_alerts() -> list[Dear]:
    one, none = f"/alerts/{NONE_THERE}", "of none"
    body: dict[str, object] = {"fleet_id": NONE_THERE, "address": "https://example.org/"}
    return [
        Dear("GET /alerts", "all", "/alerts"),
        Dear("POST /alerts", "of no fleet", "/alerts", json=body),
        Dear("GET /alerts/{id}", none, one),
        Dear("PATCH /alerts/{id}", none, one, json={}),
        Dear("DELETE /alerts/{id}", none, one),
        Dear("POST /alerts/{id}/secret", none, f"{one}/secret"),
        Dear("GET /alerts/{id}/deliveries", none, f"{one}/deliveries"),
        Dear("POST /alerts/{id}/test", none, f"{one}/test"),
        Dear("POST /deliveries/{id}/retry", none, f"/deliveries/{'0' * 32}/retry"),
    ]
