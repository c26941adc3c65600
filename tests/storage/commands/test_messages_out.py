"""The command `cdm`, as users and scripts call it."""

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from screening.errors import InputError, UsageError
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from storage.commands.messages_out import app
from storage.disk import zipped
from storage.reading.newest_run import connect, events
from tests.made_up_run import make_run, possible, publish

Command = Callable[..., Result]


@pytest.fixture
def published(store: Path) -> Path:
    """Give a store that holds one run."""
    publish(store, possible(make_run()))
    return store


@pytest.fixture
def cdm(published: Path) -> Command:
    def run(*words: object) -> Result:
        return CliRunner().invoke(app, [*map(str, words), "--store", str(published)])

    return run


def most_dangerous(store: Path, limit: int = 100, **conditions: object) -> list[int]:
    found = events(store, limit=limit, **conditions)
    place = found.columns.index("event_id")
    return [int(str(row[place])) for row in found.rows]


def message_in(text: str) -> ConjunctionMessage:
    (message,) = each_message(text)
    assert isinstance(message, ConjunctionMessage), message
    return message


@pytest.mark.slow
@pytest.mark.parametrize(("form", "begin"), [("kvn", "CCSDS_CDM_VERS"), ("xml", "<?xml"), ("json", "{")])
def test_one_event_is_printed_or_written_to_a_file(
    cdm: Command, published: Path, tmp_path: Path, form: str, begin: str
) -> None:
    (event_id,) = most_dangerous(published, 1)
    printed = cdm(event_id, "--format", form)
    assert printed.exit_code == 0, printed.exception
    assert printed.output.startswith(begin)
    target = tmp_path / "a.message"
    target.write_text("an older one")
    assert cdm(event_id, "--format", form, "--output", target).output == ""
    assert target.read_text() == printed.output
    assert message_in(printed.output).message_id.startswith(f"{event_id}_")


def test_the_frame_is_as_asked(cdm: Command, published: Path) -> None:
    (event_id,) = most_dangerous(published, 1)
    assert message_in(cdm(event_id).output).primary.frame == "EME2000"
    assert message_in(cdm(event_id, "--frame", "ITRF").output).secondary.frame == "ITRF"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("form", ["kvn", "xml", "json"])
@pytest.mark.parametrize("name", ["all.zip", "folder"])
def test_many_make_a_folder_or_a_zip_file(
    cdm: Command, published: Path, tmp_path: Path, name: str, form: str
) -> None:
    target = tmp_path / name
    done = cdm("--all", "--format", form, "--output", target)
    assert done.exit_code == 0, done.exception
    assert "(60 messages)" in done.output
    texts = texts_in(target)
    ending = {"kvn": "cdm"}.get(form, form)
    assert sorted(texts) == sorted(f"{number}.{ending}" for number in most_dangerous(published))
    ids = {message_in(text).message_id for text in texts.values()}
    assert len(ids) == 60
    assert [path.name for path in tmp_path.iterdir()] == [name]


def texts_in(target: Path) -> dict[str, str]:
    if target.is_dir():
        return {path.name: path.read_text() for path in target.iterdir()}
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.slow
def test_those_of_a_level_or_of_objects_and_a_limit(cdm: Command, published: Path, tmp_path: Path) -> None:
    with connect(published) as connection:
        (number,) = connection.execute("SELECT primary_norad_id FROM events LIMIT 1").fetchall()[0]
    for target, words, conditions in (
        ("a.zip", ["--risk", "high", "--risk", "low"], {"risk_levels": ["high", "low"]}),
        ("b.zip", ["--norad-id", number], {"norad_ids": [number]}),
        ("c.zip", ["--all", "--limit", 7], {"limit": 7}),
    ):
        done = cdm(*words, "--output", tmp_path / target)
        assert done.exit_code == 0, done.exception
        names = [Path(name).stem for name in texts_in(tmp_path / target)]
        assert list(map(int, names)) == most_dangerous(published, **conditions)


def test_the_same_events_make_the_same_bytes(cdm: Command, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        assert cdm("--all", "--output", tmp_path / name).exit_code == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_failure_leaves_nothing_and_the_old_file(
    cdm: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old.zip"
    old.write_bytes(b"old")

    def full(*_: object, **_more: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(zipped.zipfile.ZipFile, "writestr", full)
    monkeypatch.setattr(Path, "write_text", full)
    for target in (old, tmp_path / "folder"):
        failed = cdm("--all", "--output", target)
        assert isinstance(failed.exception, InputError)
        assert "No space left on device" in str(failed.exception)
    assert old.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["old.zip"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "Expected either an EVENT_ID, or --level"),
        (["1", "--all", "--output", "x.zip"], "Expected either an EVENT_ID, or --level"),
        (["--all"], "Expected --output"),
        (["1", "--limit", "3"], "--limit applies only to several events"),
        (["--all", "--output", "no/such/x.zip"], "does not exist"),
        (["--all", "--output", "."], "exists already: name a new folder"),
    ],
)
def test_wrong_usage(cdm: Command, words: list[str], why: str) -> None:
    wrong = cdm(*words)
    assert isinstance(wrong.exception, UsageError)
    assert why in str(wrong.exception)


@pytest.mark.parametrize("number", [0, 1, 2**53, 10**30])
def test_an_event_that_there_is_not(cdm: Command, number: int) -> None:
    wrong = cdm(number)
    assert isinstance(wrong.exception, InputError)
    assert f"There is no event {number}" in str(wrong.exception)


@pytest.mark.slow
def test_an_event_that_the_newest_run_lost_is_written_as_last_found(published: Path, cdm: Command) -> None:
    (event_id,) = most_dangerous(published, 1)
    before = cdm(event_id).output
    later = make_run(hours_later=6)
    publish(published, later._replace(conjunctions=later.conjunctions[:0]))
    assert event_id not in most_dangerous(published)
    after = cdm(event_id)
    assert after.exit_code == 0, after.exception
    assert message_in(after.output).message_id == message_in(before).message_id


def test_an_event_without_covariances_says_so(published: Path, cdm: Command) -> None:
    with connect(published) as connection:
        ((event_id,),) = connection.execute(
            "SELECT event_id FROM events WHERE primary_sigma_r_m IS NULL LIMIT 1"
        ).fetchall()
    text = cdm(event_id).output
    assert "COMMENT COVARIANCE = not known" in text
    assert message_in(text).primary.covariance_rtn is None
    assert json.loads(cdm(event_id, "--format", "json").output)["OBJECT1"]["CR_R"] == 6378137.0**2
