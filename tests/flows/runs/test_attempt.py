"""What becomes of a run when its source answers, stays the same, breaks, or cannot be reached."""

import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.runs.attempt import Attempt, remembered
from flows.runs.run import Stages
from flows.settings import FlowSettings
from flows.sources.catalogues import SYNTHETIC_OBJECTS, fetch_catalogue, read_file
from flows.sources.errors import SourceError, Unreachable
from screening.errors import InputError
from screening.synthetic.marks import is_synthetic
from storage.state.database import SERVICE_STATE, newest_attempts
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import MisbehavingServer, status, tagged
from tests.runs import SILENT, make_run

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
SIX_HOURS = timedelta(hours=6)


@pytest.fixture
def offline(store: Path) -> Iterator[FlowSettings]:
    with MisbehavingServer(listening=False) as nobody:
        yield FlowSettings(store=store, celestrak_url=nobody.url)


def test_fetched_then_unchanged_then_the_last_good_one(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = tagged(catalogue_csv(200), '"one"')
    taken = [fetch_catalogue("celestrak", settings, NOW)]
    taken.append(fetch_catalogue("celestrak", settings, NOW + timedelta(minutes=1)))
    server.answer = status("500 Internal Server Error")
    taken.append(fetch_catalogue("celestrak", settings, NOW + SIX_HOURS))
    assert [one.decision for one in taken] == ["downloaded", "unchanged", "last_good"]
    assert "500" in taken[2].reason
    assert len({one.sha256 for one in taken}) == 1
    assert len(taken[2].content.elements) == 200


@pytest.mark.slow
def test_without_a_network_an_empty_store_may_get_a_synthetic_catalogue(offline: FlowSettings) -> None:
    taken = fetch_catalogue("celestrak", offline, NOW, or_synthetic=True)
    assert taken.decision == "generated"
    assert "cannot be reached" in taken.reason
    assert taken.name == "synthetic"
    assert len(taken.content.elements) == SYNTHETIC_OBJECTS
    assert is_synthetic(taken.content.elements)


@pytest.mark.slow
def test_a_scheduled_refresh_never_falls_back_to_a_synthetic_catalogue(offline: FlowSettings) -> None:
    with pytest.raises(Unreachable):
        fetch_catalogue("celestrak", offline, NOW)


def test_a_synthetic_catalogue_never_stands_in_for_a_broken_source(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = status("503 Service Unavailable")
    with pytest.raises(SourceError, match="503"):
        fetch_catalogue("celestrak", settings, NOW, or_synthetic=True)


@pytest.mark.slow
def test_a_store_with_a_real_run_gets_no_synthetic_catalogue(
    offline: FlowSettings, small_catalogue: Path
) -> None:
    make_run(read_file(small_catalogue), offline.store)
    with pytest.raises(Unreachable):
        fetch_catalogue("celestrak", offline, NOW, or_synthetic=True)


def test_an_attempt_is_remembered_with_what_was_decided(tmp_path: Path) -> None:
    stages = Stages(SILENT.stage)
    attempt = Attempt("celestrak", stages)
    with remembered(tmp_path, attempt):
        attempt.decision, attempt.reason, attempt.run_id = "last_good", "because", "20261121T060000Z"
        with stages("publish"):
            pass
    (found,) = newest_attempts(tmp_path, 5)
    assert (found.outcome, found.stage, found.decision, found.reason, found.run_id) == (
        "published",
        "publish",
        "last_good",
        "because",
        "20261121T060000Z",
    )


@pytest.mark.parametrize(
    ("error", "told"), [(InputError("no sets"), "no sets"), (KeyError("x"), "KeyError: 'x'")]
)
def test_a_failed_attempt_is_remembered_with_its_reason(tmp_path: Path, error: Exception, told: str) -> None:
    stages = Stages(SILENT.stage)
    with pytest.raises(type(error)), remembered(tmp_path, Attempt("celestrak", stages)), stages("screen"):
        raise error
    (found,) = newest_attempts(tmp_path, 5)
    assert (found.outcome, found.stage, found.reason) == ("failed", "screen", told)


def test_a_state_that_cannot_be_written_never_stops_a_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / SERVICE_STATE).write_bytes(b"this is no database" * 100)
    done: list[Callable[[], None] | str] = []
    with caplog.at_level(logging.WARNING), remembered(tmp_path, Attempt("x", Stages(SILENT.stage))):
        done.append("the run")
    assert done == ["the run"]
    assert "not recorded" in caplog.text
