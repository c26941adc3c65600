"""Starlink's list of files and the files: asked for rarely, one at a time, and only those that are needed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from flows.settings import FlowSettings
from flows.sources.download import Limits, Web
from flows.sources.errors import SourceError, Stopped
from flows.sources.etiquette import etiquette_of
from flows.sources.names import STARLINK_URL
from flows.sources.trajectories.starlink import (
    Files,
    NotThere,
    fetch_manifest,
    listed_at,
    listed_file,
)
from storage.disk.downloads import read_history
from tests.flows.misbehaving_server import (
    DRIPPING_BODY,
    Answer,
    MisbehavingServer,
    by_path,
    of_length,
    silent,
    status,
    tagged,
    text,
)
from tests.flows.sources.trajectories.listed import file_name

NOW = datetime(2024, 11, 1, 6, tzinfo=UTC)
START = np.datetime64("2024-11-01T00:00:00", "us")
DAY, HOUR = np.timedelta64(1, "D"), timedelta(hours=1)
NAMES = [
    file_name(number, f"STARLINK-{number}", START + hours * np.timedelta64(1, "h"), START + 3 * DAY)
    for number in range(44000, 44020)
    for hours in (0, 8)
]
WEB = Web(lambda _seconds: None, limits=Limits(silence_s=0.3, total_s=0.6))
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    server.answer = by_path({"/e/MANIFEST.txt": tagged(manifest(NAMES), '"one"'), "/e/MEME": text(b"a file")})
    return FlowSettings(store=store)


def manifest(names: list[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()


def test_a_published_name_is_read() -> None:
    """The file itself says from 2023-01-29 11:24:42 to 2023-02-01 11:24:42."""
    found = listed_file("MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt")
    assert found is not None
    assert (found.norad_id, found.name) == (48430, "STARLINK-2729")
    assert found.begins == np.datetime64("2023-01-29T11:24:00")
    assert found.ends == np.datetime64("2023-02-01T11:24:42")


def test_the_start_may_lie_in_the_year_before() -> None:
    begins, ends = np.datetime64("2024-12-30T23:59:00", "us"), np.datetime64("2025-01-02T23:59:00", "us")
    found = listed_file(file_name(44000, "STARLINK-1", begins, ends))
    assert found is not None
    assert (found.begins, found.ends) == (begins, ends)


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt.gz",
        "MEME_48430_../../x_0291124_Operational_1359285900_UNCLASSIFIED.txt",
        "MEME_48430_STARLINK-2729_3671124_Operational_1359285900_UNCLASSIFIED.txt",
        "MEME_48430_STARLINK-2729_0292524_Operational_1359285900_UNCLASSIFIED.txt",
        "MEME_4843000000_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt",
    ],
)
def test_what_is_no_such_name_is_none(name: str) -> None:
    assert listed_file(name) is None


def test_the_list_is_asked_for_with_conditions_and_its_newest_file_is_chosen(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    first = fetch_manifest(settings, NOW, WEB)
    assert len(first.content) == 20
    chosen = listed_at(first.content, 44003, START + DAY)
    assert chosen is not None
    assert chosen.begins == START + np.timedelta64(8, "h")
    assert listed_at(first.content, 44003, START + 4 * DAY) is None
    assert listed_at(first.content, 44003, START - DAY) is None
    assert listed_at(first.content, 25544, START + DAY) is None
    again = fetch_manifest(settings, NOW + 2 * HOUR, WEB)
    assert (again.decision, again.content) == ("unchanged", first.content)
    assert [request.headers.get("if-none-match") for request in server.requests] == [None, '"one"']


def test_the_public_server_is_asked_once_an_hour_at_most(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    rules = etiquette_of("starlink", STARLINK_URL)
    assert (rules.interval, rules.public, rules.may_ask_within) == (HOUR, True, False)
    fetch_manifest(settings, NOW, WEB)
    server.answer = text(manifest(NAMES[:-1]))
    within = fetch_manifest(settings, NOW + 0.9 * HOUR, WEB)  # changed, and not taken yet
    assert (within.decision, len(within.content)) == ("too_soon", 20)
    after = fetch_manifest(settings, NOW + 1.1 * HOUR, WEB)
    assert after.decision == "downloaded"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (status("404 Not Found"), "404"),
        (status("503 Service Unavailable"), "503"),
        (text(b""), "lists no file"),
        (text(b"<html>"), "lists no file"),
        (text(manifest(NAMES[:10])), "more than 10 % fewer"),
        (text(manifest([*NAMES, *["garbage"] * 9])), "less than 90%"),
        (of_length(100_000, b"x" * 5_000), "was cut off"),
        (silent, "sent nothing for"),
        (DRIPPING_BODY, "did not answer within"),
    ],
)
def test_without_a_new_list_the_last_good_one_serves(
    server: MisbehavingServer, settings: FlowSettings, answer: Answer, told: str
) -> None:
    fetch_manifest(settings, NOW, WEB)
    server.answer = answer
    found = fetch_manifest(settings, NOW + 2 * HOUR, WEB)
    assert (found.decision, len(found.content)) == ("last_good", 20)
    assert told in found.reason


def test_a_file_is_fetched_by_its_name(server: MisbehavingServer, settings: FlowSettings) -> None:
    listed = listed_file(NAMES[0])
    assert listed is not None
    with Files(settings, NOW, WEB) as files:
        assert files.fetch(listed) == b"a file"
        assert files.fetch(listed) == b"a file"
    assert server.paths() == [f"/e/{NAMES[0]}"] * 2


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (status("404 Not Found"), NotThere),
        (status("403 Forbidden"), Stopped),
        (status("429 Too Many Requests"), Stopped),
        (of_length(100_000, b"x" * 5_000), SourceError),
        (of_length(40_000_000, b""), SourceError),
        (silent, SourceError),
        (DRIPPING_BODY, SourceError),
    ],
)
def test_a_file_that_does_not_come_is_an_error_and_a_refusal_is_remembered(
    server: MisbehavingServer, settings: FlowSettings, answer: Answer, error: type[SourceError]
) -> None:
    listed = listed_file(NAMES[0])
    assert listed is not None
    server.answer = answer
    with Files(settings, NOW, WEB) as files, pytest.raises(error):
        files.fetch(listed)
    known = read_history(settings.store, f"{server.url}/e/MANIFEST.txt")
    assert known.stopped_at == (NOW if error is Stopped else None)
