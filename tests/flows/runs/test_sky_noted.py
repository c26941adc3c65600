"""A run notes how its catalogue differs from the one before; a fault there does not fail it."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from screening.errors import StoreError
from storage.disk.layout import catalogue_change_file
from storage.in_memory.changes import changes
from storage.in_memory.snapshot import newest_snapshot
from storage.shell.service_view import view_service
from storage.sky.catalogue import catalogue_changes
from tests.runs import START, make_run, source_of

pytestmark = pytest.mark.slow
NOW = datetime(2024, 11, 1, tzinfo=UTC)


def test_what_changed_is_noted_and_nothing_is_gone_with_half_a_catalogue(
    shared_file: Callable[[str], Path],
    tmp_path: Path,
    store: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    whole = source_of([lines[0], *lines[1:801]], tmp_path)
    first = make_run(whole, store).run_id
    found = catalogue_changes(store)
    assert (found.run_id, found.base_run_id, found.objects) == (first, None, 800)
    half = source_of([lines[0], *lines[1:801:2]], tmp_path)
    second = make_run(half, store, START).run_id
    found = catalogue_changes(store)
    assert (found.run_id, found.base_run_id, found.suspect) == (second, first, True)
    compared = changes(newest_snapshot(store))
    assert compared is not None
    assert len(compared.gone.worst) == len(compared.new.worst) == 0
    assert (
        view_service(store, None, NOW)
        .catalogue_words[0]
        .startswith("400 of 800 objects: the source was cut?")
    )

    def fail(*_values: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr("flows.runs.run.note_changes", fail)
    third = make_run(whole, store, START).run_id
    assert third > second
    assert "changes of the catalogue: the disk is full" in caplog.text
    assert not catalogue_change_file(store, third).exists()
    assert view_service(store, None, NOW).catalogue_words == (
        "The newest run has not compared its catalogue with an earlier one.",
    )
