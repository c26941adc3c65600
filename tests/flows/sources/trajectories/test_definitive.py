"""Ephemerides of the ISS, of addresses and of folders: stored once, and nothing stops a run."""

import logging
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.settings import FlowSettings
from flows.sources.download import Limits, Web
from flows.sources.trajectories.definitive import Tried, take_trajectories
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import window
from storage.trajectories.flown import flown
from storage.trajectories.kept import definitive_trajectories, remove_trajectory, trajectories
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
from tests.made_up_run import make_elements
from tests.screening.orbits.texts.ephemerides.circling import START, oem

NOW = datetime(2024, 11, 1, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)
NO_WAIT = Web(lambda _seconds: None)
HASTY = NO_WAIT._replace(limits=Limits(silence_s=0.3, total_s=0.6))
ISS, CIRCLING = 25544, 54321
pytestmark = pytest.mark.timeout(300)  # kernels may have to be compiled


@pytest.fixture(scope="module")
def elements() -> ElementArray:
    made = make_elements(3)
    made["norad_id"][1], made["object_id"][1] = CIRCLING, "2024-001A"
    return made


@pytest.fixture
def settings(server: MisbehavingServer, store: Path, tmp_path: Path) -> FlowSettings:
    (tmp_path / "incoming").mkdir()
    return FlowSettings(store=store, trajectory_sources=str(tmp_path / "incoming"))


def take(
    settings: FlowSettings, elements: ElementArray, now: datetime = NOW, web: Web = NO_WAIT
) -> list[Tried]:
    return take_trajectories(settings, elements, now, web)


def stored(settings: FlowSettings) -> list[tuple[int, int]]:
    """Return whose trajectories are stored, and how many states each has."""
    return sorted((one.norad_id, one.states) for one in trajectories(settings.store))


def in_order(settings: FlowSettings, elements: ElementArray) -> list[int]:
    """Return the states of the trajectories that a run uses of one object, what counts first first."""
    found = flown(elements, definitive_trajectories(settings.store, window(START, 24.0)))
    (those,) = found.ephemerides.values()
    return [sum(len(segment.epochs) for segment in one.segments) for one in those]


def folder_of(settings: FlowSettings) -> Path:
    return Path(settings.trajectory_sources)


def test_a_folder_is_read_again_only_where_it_changed(settings: FlowSettings, elements: ElementArray) -> None:
    (folder_of(settings) / "one.oem").write_text(oem())
    (folder_of(settings) / ".hidden").write_text("not read")
    (folder_of(settings) / "below").mkdir()
    (told,) = take(settings, elements)
    assert not told.failed
    assert f"{CIRCLING} CIRCLING" in told.said  # by its designator, 2024-001A
    assert stored(settings) == [(CIRCLING, 20)]
    assert take(settings, elements, NOW + HOUR) == []
    (folder_of(settings) / "one.oem").write_text(oem(count=30))
    assert len(take(settings, elements, NOW + 2 * HOUR)) == 1
    assert stored(settings) == [(CIRCLING, 20), (CIRCLING, 30)]
    assert in_order(settings, elements) == [30, 20]


def test_what_somebody_removes_stays_away_until_there_is_a_newer_one(
    settings: FlowSettings, elements: ElementArray
) -> None:
    (folder_of(settings) / "one.oem").write_text(oem())
    take(settings, elements)
    (one,) = trajectories(settings.store)
    remove_trajectory(settings.store, one.id)
    assert take(settings, elements, NOW + HOUR) == []
    assert stored(settings) == []
    (folder_of(settings) / "one.oem").write_text(oem(count=30))
    take(settings, elements, NOW + HOUR)
    assert stored(settings) == [(CIRCLING, 30)]


def test_of_a_folder_the_file_that_changed_last_counts_first(
    settings: FlowSettings, elements: ElementArray
) -> None:
    for hours, name in ((2, "a.oem"), (1, "b.oem")):
        path = folder_of(settings) / name
        path.write_text(oem(count=20 + hours))
        os.utime(path, (hours * 3600, hours * 3600))
    take(settings, elements)
    assert in_order(settings, elements) == [22, 21]


def test_a_path_in_the_sub_folder_force_is_kept_though_it_jumps(
    settings: FlowSettings, elements: ElementArray
) -> None:
    """Of 1,476 published paths of satellites that thrust, 20 need it."""
    (head, first), rows = oem(count=40).split("META_STOP\n"), ""
    for number, row in enumerate(first.splitlines()):
        epoch, x, *others = row.split()
        rows += " ".join([epoch, f"{float(x) + 5.0 * (number >= 20):.9f}", *others]) + "\n"
    jumping = f"{head}META_STOP\n{rows}"
    (folder_of(settings) / "one.oem").write_text(jumping)
    (told,) = take(settings, elements)
    assert told.failed
    assert "jumps by 4.99 km" in told.said
    assert "sub-folder `force`" in told.said
    assert stored(settings) == []
    (folder_of(settings) / "force").mkdir()
    (folder_of(settings) / "one.oem").rename(folder_of(settings) / "force" / "one.oem")
    (told,) = take(settings, elements, NOW + HOUR)
    assert not told.failed
    (one,) = trajectories(settings.store)
    assert any("kept by force" in note for note in one.about.notes)
    assert take(settings, elements, NOW + 2 * HOUR) == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it is empty"),
        (b"<html>", "none of OEM or OCM"),
        (oem(metadata={"CENTER_NAME": "MARS"}).encode(), "MARS"),
        (oem(metadata={"OBJECT_ID": "1957-001B"}).encode(), "does not state the catalogue number"),
        (b"x" * (33 * 1024**2), "at most"),
    ],
)
def test_an_unreadable_file_is_named_with_the_reason_and_stops_nothing(
    settings: FlowSettings,
    elements: ElementArray,
    content: bytes,
    told: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (folder_of(settings) / "bad.oem").write_bytes(content)
    (folder_of(settings) / "good.oem").write_text(oem())
    bad, good = sorted(take(settings, elements), key=lambda one: one.source)
    assert (bad.failed, good.failed) == (True, False)
    assert told in bad.said
    assert "bad.oem" in bad.source
    assert [record.levelno for record in caplog.records if "bad.oem" in record.message] == [logging.WARNING]
    assert stored(settings) == [(CIRCLING, 20)]
    (again,) = take(settings, elements, NOW + HOUR)  # said in every run
    assert again == bad


def test_a_folder_that_is_gone_is_named(settings: FlowSettings, elements: ElementArray) -> None:
    folder_of(settings).rmdir()
    (told,) = take(settings, elements)
    assert told.failed
    assert "cannot be read" in told.said


@pytest.mark.slow
def test_the_iss_is_asked_for_and_stored_once(
    server: MisbehavingServer, settings: FlowSettings, elements: ElementArray
) -> None:
    settings = settings.model_copy(update={"trajectory_sources": "iss"})
    server.answer = tagged(oem(metadata={"OBJECT_NAME": "ISS", "OBJECT_ID": "1998-067-A"}).encode(), '"one"')
    (told,) = take(settings, elements)
    assert f"{ISS} ISS" in told.said
    for hours in (0.5, 2, 4):
        assert take(settings, elements, NOW + hours * HOUR) == []
    assert stored(settings) == [(ISS, 20)]
    assert [request.headers.get("if-none-match") for request in server.requests] == [None, *['"one"'] * 3]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (status("404 Not Found"), "404"),
        (text(b"<html>"), "unusable text"),
        (of_length(100_000, b"x" * 5_000), "was cut off"),
        (text(oem().encode()[:-40]), "unusable text"),
        (silent, "sent nothing for"),
        (DRIPPING_BODY, "did not answer within"),
    ],
)
def test_of_an_address_that_fails_the_last_good_one_stays(
    server: MisbehavingServer, settings: FlowSettings, elements: ElementArray, answer: Answer, told: str
) -> None:
    settings = settings.model_copy(update={"trajectory_sources": f"{server.url}/a.oem"})
    server.answer = text(oem().encode())
    take(settings, elements)
    server.answer = answer
    (problem,) = take(settings, elements, NOW + 3 * HOUR, HASTY)
    assert problem.failed
    assert told in problem.said
    assert stored(settings) == [(CIRCLING, 20)]


def test_an_address_gets_no_key_of_the_source_of_catalogues(
    server: MisbehavingServer, settings: FlowSettings, elements: ElementArray
) -> None:
    mine = settings.model_copy(update={"trajectory_sources": f"{server.url}/a.oem?token=abcdef"})
    keyed = FlowSettings(**(mine.model_dump() | {"source_login": "me:secret", "source_key": "X-Key: s3cret"}))
    server.answer = by_path({"/a.oem": text(oem().encode())})
    (told,) = take(keyed, elements)
    (request,) = server.requests
    assert request.path == "/a.oem?token=abcdef"
    assert "authorization" not in request.headers
    assert "x-key" not in request.headers
    assert "abcdef" not in told.source
    assert [one.about.source for one in trajectories(keyed.store)] == [f"{server.url}/a.oem?token=***"]


def test_a_full_disk_is_said_and_tried_again(
    settings: FlowSettings, elements: ElementArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder_of(settings) / "one.oem").write_text(oem())

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("storage.trajectories.kept.write_trajectory", full)
        (told,) = take(settings, elements)
    assert told.failed
    assert "No space left" in told.said
    (told,) = take(settings, elements, NOW + HOUR)
    assert not told.failed


def test_a_damaged_memory_of_what_was_taken_only_reads_all_again(
    settings: FlowSettings, elements: ElementArray
) -> None:
    (folder_of(settings) / "one.oem").write_text(oem())
    take(settings, elements)
    (settings.store / "trajectories" / "taken.json").write_text("{")
    assert len(take(settings, elements, NOW + HOUR)) == 1
    assert stored(settings) == [(CIRCLING, 20)]


@pytest.mark.parametrize("wrong", ["starlnk", "/nowhere/at/all", "ftp://host/a.oem"])
def test_a_source_that_is_none_is_refused_at_once(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a folder"):
        FlowSettings(trajectory_sources=f"iss,{wrong}")
