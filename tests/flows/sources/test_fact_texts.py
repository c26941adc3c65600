"""SATCAT and CARA's radii: once a week, and whatever a server does, the last good text is there."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.settings import FlowSettings
from flows.sources.download import Limits, Web
from flows.sources.errors import SourceError
from flows.sources.fact_texts import fetch_facts
from flows.sources.newest_text import Fetched
from screening.errors import StoreError
from storage.disk.downloads import CATALOGUES, history_path
from tests.flows.made_up_catalogue import catalogue_csv, listing_json, radii_csv, satcat_csv
from tests.flows.misbehaving_server import (
    DRIPPING_BODY,
    Answer,
    MisbehavingServer,
    by_path,
    chunks_cut,
    compressed,
    of_length,
    silent,
    status,
    tagged,
    text,
    zeros_compressed,
)

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
OCTOBER, NOVEMBER = (f"HBR_Mass_Estimates_2026{month}01_ForDistribution.csv" for month in (10, 11))
NO_WAIT = Web(lambda _seconds: None)
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def server(server: MisbehavingServer) -> MisbehavingServer:
    server.answer = published()
    return server


def published(**others: Answer) -> Answer:
    """Answer with a SATCAT and CARA's tables, each as if it never changed, but for `others`."""
    answers = {
        "/pub/satcat.csv": others.get("satcat", tagged(satcat_csv(1000), '"one"')),
        "/listing": others.get("listing", tagged(listing_json(NOVEMBER, "README.txt", OCTOBER), '"two"')),
        f"/files/{NOVEMBER}": others.get("radii", tagged(radii_csv(500), '"three"')),
    }
    return by_path(answers)


def fetch(
    settings: FlowSettings, kind: str = "radii", now: datetime = NOW, web: Web = NO_WAIT
) -> Fetched[bytes]:
    return fetch_facts(kind, settings, now, web)


def test_each_is_asked_for_once_a_week(server: MisbehavingServer, settings: FlowSettings) -> None:
    texts = {"satcat": satcat_csv(1000), "radii": radii_csv(500)}
    for days in (0, 1, 3, 6.9):
        for kind, expected in texts.items():
            assert fetch(settings, kind, NOW + days * DAY).content == expected
    assert server.paths() == ["/pub/satcat.csv", "/listing", f"/files/{NOVEMBER}"]
    for kind, expected in texts.items():
        found = fetch(settings, kind, NOW + WEEK)
        assert (found.content, found.decision) == (expected, "unchanged")  # 304
        assert fetch(settings, kind, NOW + WEEK + 6 * DAY).content == expected
    assert len(server.requests) == 6
    assert [request.headers.get("if-none-match") for request in server.requests[3:]] == [
        '"one"',
        '"two"',
        '"three"',
    ]
    assert all(request.headers["user-agent"].startswith("skysieve/") for request in server.requests)


def test_the_newest_table_of_the_listing_is_taken(server: MisbehavingServer, settings: FlowSettings) -> None:
    odd = ("HBR_Mass_Estimates_20991301_Draft.csv", "../HBR_Mass_Estimates_20270101_ForDistribution.csv")
    server.answer = published(listing=text(listing_json(OCTOBER, NOVEMBER, *odd)))
    assert fetch(settings).name == NOVEMBER
    server.answer = by_path(
        {
            "/listing": text(listing_json(NOVEMBER, "HBR_Mass_Estimates_20261201_ForDistribution.csv")),
            "/files/HBR_Mass_Estimates_20261201": text(radii_csv(510)),
        }
    )
    found = fetch(settings, now=NOW + WEEK)
    assert (found.name[19:27], found.content) == ("20261201", radii_csv(510))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", ["satcat", "radii"])
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (status("403 Forbidden"), "403"),
        (status("404 Not Found"), "404"),
        (status("429 Too Many Requests"), "429"),
        (text(b"<html>"), "is not a file of object facts"),
        (text(catalogue_csv(1000)), "is not a file of object facts"),
        (text(satcat_csv(0)), "has no usable record"),
        (text(b"\xff\xfe\x00"), "is not a file of object facts"),
        (of_length(100_000, b"x" * 50_000), "was cut off"),
        (chunks_cut(b"x" * 50_000), "was cut off"),
        (compressed(zeros_compressed(3_000_000)), "bytes are allowed"),
        (silent, "sent nothing for"),
        (DRIPPING_BODY, "did not answer within"),
    ],
)
def test_a_failure_leaves_the_last_one(
    server: MisbehavingServer, settings: FlowSettings, kind: str, answer: Answer, told: str
) -> None:
    good = fetch(settings, kind).content
    server.answer = published(**{kind: answer})
    hasty = NO_WAIT._replace(limits=Limits(silence_s=0.3, total_s=0.6, max_bytes=1_000_000))
    found = fetch(settings, kind, NOW + WEEK, hasty)
    assert (found.content, found.decision) == (good, "last_good")
    assert told in found.reason


@pytest.mark.parametrize("kind", ["satcat", "radii"])
def test_half_a_table_is_refused(server: MisbehavingServer, settings: FlowSettings, kind: str) -> None:
    whole = {"satcat": satcat_csv(1000), "radii": radii_csv(500)}[kind]
    assert fetch(settings, kind).content == whole
    server.answer = published(**{kind: text(whole[: len(whole) // 2])})
    found = fetch(settings, kind, NOW + WEEK)
    assert (found.content, found.decision) == (whole, "last_good")
    assert "more than 10 % fewer" in found.reason


def test_half_a_table_of_a_new_month_is_refused(server: MisbehavingServer, settings: FlowSettings) -> None:
    fetch(settings)
    december = "HBR_Mass_Estimates_20261201_ForDistribution.csv"
    half = radii_csv(500)[:5000]
    server.answer = by_path({"/listing": text(listing_json(december)), f"/files/{december}": text(half)})
    found = fetch(settings, now=NOW + WEEK)
    assert (found.content, found.decision) == (radii_csv(500), "last_good")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"radii": text(satcat_csv(1000))}, "1000 satcat facts"),
        ({"satcat": text(radii_csv(500))}, "500 radii facts"),
        ({"radii": text(b"ObjectID,HBR,HBRSource\n5,,DISCOS DB\n6,1.1,Default\n")}, "0 radii facts"),
        ({"radii": text(b"ObjectID,HBR,HBRSource\n5,0,x\n6,500,x\n7,nan,x\n")}, "HBR 0 m must be from"),
        ({"radii": text(radii_csv(10) + b"11,500,0,x,,0,x\n" * 9)}, "can be used, less than 90%"),
        ({"listing": text(b"[]")}, "lists no file HBR_Mass_Estimates"),
        ({"listing": text(b'{"message": "API rate limit exceeded"}')}, "lists no file"),
        ({"listing": text(b"[" * 200_000)}, "is not JSON"),
        ({"listing": text(b"\xff")}, "is not JSON"),
        ({"listing": text(b" " * 1_000_001)}, "1,000,000 are allowed"),
        ({"listing": text(b'[{"name": 5}, 7, {}]')}, "lists no file"),
        ({"listing": status("403 Forbidden")}, "403"),
    ],
)
def test_what_is_wrong_is_said(
    server: MisbehavingServer, settings: FlowSettings, wrong: dict[str, Answer], told: str
) -> None:
    server.answer = published(**wrong)
    with pytest.raises(SourceError, match=told):
        fetch(settings, "satcat" if "satcat" in wrong else "radii")


def test_without_a_listing_the_stored_table_stays(server: MisbehavingServer, settings: FlowSettings) -> None:
    fetch(settings)
    server.answer = published(listing=status("500 Internal Server Error"))
    found = fetch(settings, now=NOW + WEEK)
    assert (found.content, found.decision) == (radii_csv(500), "last_good")
    assert server.paths()[2:] == ["/listing"]  # the table itself is not asked for
    server.answer = published()
    assert (
        fetch(settings, now=NOW + WEEK + DAY).decision == "unchanged"
    )  # a week after the failure is not waited for


def test_without_a_network_there_is_none(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.close()
    for kind in ("satcat", "radii"):
        with pytest.raises(SourceError, match="cannot be reached"):
            fetch(settings, kind)


@pytest.mark.parametrize("damage", ["history", "folder"])
def test_a_damaged_store_is_a_clear_error(
    server: MisbehavingServer, settings: FlowSettings, damage: str
) -> None:
    fetch(settings, "satcat")
    break_it: dict[str, Callable[[Path], object]] = {
        "history": lambda store: history_path(store, f"{server.url}/pub/satcat.csv").write_bytes(b"{"),
        "folder": lambda store: (
            (store / CATALOGUES).rename(store / "away"),
            (store / CATALOGUES).write_text("in the way"),
        ),
    }
    break_it[damage](settings.store)
    with pytest.raises(StoreError, match=str(settings.store)):
        fetch(settings, "satcat", NOW + WEEK)
