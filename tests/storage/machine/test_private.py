"""What holds credentials is readable for its owner alone."""

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.machine.private import keep_private
from storage.state.database import SERVICE_STATE, begin_attempt, newest_attempts
from storage.state.rate_counters import RateCounters
from tests.storage.state.test_database import NOW


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    former = os.umask(0o022)
    yield
    os.umask(former)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_state_and_its_journals_are_made_private(store: Path) -> None:
    begin_attempt(store, NOW, "celestrak", "fetch")
    counters = RateCounters.of_store(store)
    with closing(counters):
        counters.take("key", 5, lambda: NOW)  # keeps the file open, and with it the journals
        found = {path.name: rights(path) for path in store.glob(f"{SERVICE_STATE}*")}
    assert found == {f"{SERVICE_STATE}{ending}": 0o600 for ending in ("", "-wal", "-shm")}


def test_a_state_of_an_earlier_release_is_made_private(store: Path) -> None:
    begin_attempt(store, NOW, "celestrak", "fetch")
    (store / SERVICE_STATE).chmod(0o644)
    begin_attempt(store, NOW, "celestrak", "fetch")
    assert rights(store / SERVICE_STATE) == 0o600


def test_a_folder_is_made_private_without_listing_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listing 10,000 messages and as many trajectories took each change of a store 0.2 CPU-s more."""
    home = tmp_path / "prefect"
    home.mkdir(mode=0o755)
    listed: list[Path] = []
    monkeypatch.setattr(Path, "iterdir", lambda path: iter(listed.append(path) or ()))  # type: ignore[func-returns-value]
    keep_private(home)
    assert (rights(home), listed) == (0o700, [])


def test_what_cannot_be_made_private_is_said(
    store: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin_attempt(store, NOW, "celestrak", "fetch")
    (store / SERVICE_STATE).chmod(0o644)

    def refuse(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with caplog.at_level(logging.WARNING, "skysieve"):
        begin_attempt(store, NOW, "celestrak", "fetch")
    assert f"{store / SERVICE_STATE} can be read by others" in caplog.text
    assert "Operation not permitted" in caplog.text


def test_attempts_of_an_earlier_release_are_shown_without_secrets(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("storage.state.database.without_secrets", lambda text: text)
        begin_attempt(store, NOW, "https://alice:s3cret@host/gp.csv?apikey=s3cret", "fetch")
    (attempt,) = newest_attempts(store, 1)
    assert attempt.source == "https://host/gp.csv?apikey=***"
