"""Of a run whose ephemeris would be too large payloads have one, or none; no run waits for its ephemeris."""

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from api.answers.basis import AnalysedRun
from flows.runs import ephemeris as run_ephemeris
from flows.runs.ephemeris import staged_ephemeris
from flows.settings import FlowSettings
from flows.sources.catalogues import read_file
from screening.orbits.timegrid import window
from screening.synthetic.catalogue import synthetic_catalogue
from storage.disk.checksums import opened_json
from storage.disk.current import read_current
from storage.disk.ephemeris import is_being_written
from storage.disk.ephemeris_bound import MB, Kept, kept_of
from storage.disk.ephemeris_states import Missing, NotKept, NotYet, ephemeris_bytes, read_ephemeris
from storage.in_memory.snapshot import Snapshot
from storage.reading.newest_run import status
from tests.runs import make_run

START = np.datetime64("2026-01-01T00:00:00", "us")
PAYLOAD = np.arange(200) % 4 == 0


def until_done(writing: run_ephemeris.Writing) -> Path:
    """Wait until an ephemeris is written; return its folder."""
    writing._staged.result()
    staged = writing.if_done()
    assert staged is not None
    return staged


@pytest.mark.parametrize(
    ("max_objects", "what", "objects"),
    [(200, "all", 200), (199, "payloads", 50), (50, "payloads", 50), (49, "none", 0)],
)
def test_what_fits_is_kept_and_the_rest_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, max_objects: int, what: str, objects: int
) -> None:
    elements = synthetic_catalogue(200, 1, START).elements
    max_mb = ephemeris_bytes(max_objects, 13.0) / MB
    settings = FlowSettings(store=tmp_path, ephemeris_max_mb=max_mb)
    with (
        caplog.at_level(logging.WARNING),
        staged_ephemeris(elements, window(START, 1.0), settings, PAYLOAD) as writing,
    ):
        staged = until_done(writing)
        assert staged.name.startswith(f".staged-{os.getpid()}-")
        whole_mb = ephemeris_bytes(200, 13.0) / MB
        kept = kept_of(opened_json((staged / "about.json").read_bytes()))
        assert kept == Kept(what, objects, 200, whole_mb, max_mb)
        assert sum(path.stat().st_size for path in staged.glob("*.npy")) <= max_mb * MB
        assert sorted(path.name for path in staged.glob("*.npy")) == (
            [] if what == "none" else ["objects.npy", "slack_km.npy", "states.npy"]
        )
    assert ("SKYSIEVE_EPHEMERIS_MAX_MB" in caplog.text) == (what != "all")
    assert list((tmp_path / "ephemeris").iterdir()) == []  # it was not published


class Held:
    """What writes the ephemeris of a run waits at each step until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def stage(self, *arguments: object) -> Path:
        *others, go_on = arguments

        def waiting() -> None:
            while not self.let_go.wait(0.01):
                go_on()  # type: ignore[operator]
            go_on()  # type: ignore[operator]

        return STAGE(*others, waiting)  # type: ignore[arg-type]


STAGE = run_ephemeris.stage_ephemeris


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Hold back the ephemeris of every run, but not a description alone."""
    found = Held()
    monkeypatch.setattr(
        run_ephemeris,
        "stage_ephemeris",
        lambda *given: found.stage(*given) if len(given) == 7 else STAGE(*given),
    )
    yield found
    found.let_go.set()


@pytest.mark.slow
def test_a_run_becomes_current_before_its_ephemeris_is_written(
    small_catalogue: Path, store: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The publication waited for it: on a slow disk for minutes."""
    monkeypatch.setattr(run_ephemeris, "LEAST_S", 600.0)  # on a busy machine
    store, analysed = store, AnalysedRun()
    seen: list[object] = []

    def while_it_is_written() -> None:
        pause = threading.Event()
        while (current := read_current(store)) is None:
            pause.wait(0.05)
        snapshot = Snapshot.load(store)
        assert snapshot is not None
        seen.extend([current.run_id, analysed.basis(snapshot).ephemeris, status(store)])
        held.let_go.set()

    beside = threading.Thread(target=while_it_is_written, daemon=True)
    beside.start()
    run_id = make_run(read_file(small_catalogue), store).run_id
    beside.join()
    published, quick, shown = seen
    assert published == run_id
    assert isinstance(quick, NotYet)
    assert "still being written" in str(quick)
    assert (shown.ephemeris, shown.ephemeris_being_written) == (None, True)  # type: ignore[attr-defined]
    # At the end of the command it is there, and the analyses that looked before find it.
    assert len(read_ephemeris(store, run_id).norad_ids) == 600
    assert not is_being_written(store)
    assert status(store).ephemeris is not None
    snapshot = Snapshot.load(store)
    assert snapshot is not None
    assert len(analysed.basis(snapshot).ephemeris.norad_ids) == 600  # type: ignore[union-attr]


@pytest.mark.slow
def test_an_ephemeris_that_takes_longer_than_its_run_is_given_up_and_the_store_says_why(
    small_catalogue: Path,
    store: Path,
    held: Held,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(run_ephemeris, "LEAST_S", 0.0)
    run_id = make_run(read_file(small_catalogue), store).run_id
    assert not held.let_go.is_set()
    kept = status(store).ephemeris
    assert kept is not None
    assert kept.what == "none"
    assert "it was given up after" in kept.reason
    assert kept.reason in caplog.text
    with pytest.raises(NotKept, match=r"it was given up after.*mode `full`"):
        read_ephemeris(store, run_id)
    assert [path.name for path in (store / "ephemeris").iterdir()] == [run_id]


@pytest.mark.slow
def test_one_that_cannot_be_written_is_told_and_the_run_is_published(
    small_catalogue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> Path:
        if len(given) == 7:
            raise OSError(5, "Input/output error", "/a/folder")
        return STAGE(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(run_ephemeris, "stage_ephemeris", refuse)
    run_id = make_run(read_file(small_catalogue), tmp_path).run_id
    kept = status(tmp_path).ephemeris
    assert kept is not None
    assert (status(tmp_path).run.run_id, kept.what) == (run_id, "none")
    assert kept.reason == "it could not be written (Input/output error)"


def test_a_run_that_fails_does_not_wait_for_its_ephemeris(tmp_path: Path, held: Held) -> None:
    elements = synthetic_catalogue(200, 1, START).elements

    def fail() -> None:
        with staged_ephemeris(elements, window(START, 1.0), FlowSettings(store=tmp_path), PAYLOAD):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not held.let_go.is_set()
    assert list((tmp_path / "ephemeris").iterdir()) == []
    assert not is_being_written(tmp_path)


def killed_while_it_is_written(catalogue: Path, store: Path) -> None:
    """Make a run, and die when it is current and its ephemeris is not written."""
    pause = threading.Event()

    def die() -> None:
        while read_current(store) is None:
            pause.wait(0.05)
        os.kill(os.getpid(), signal.SIGKILL)

    held = Held()
    run_ephemeris.LEAST_S = 600.0
    run_ephemeris.stage_ephemeris = held.stage  # type: ignore[assignment]
    threading.Thread(target=die, daemon=True).start()
    make_run(read_file(catalogue), store)


@pytest.mark.processes
def test_killed_while_it_is_written_leaves_a_run_without_it_until_the_next(
    small_catalogue: Path, store: Path
) -> None:
    doomed = multiprocessing.get_context("spawn").Process(
        target=killed_while_it_is_written, args=(small_catalogue, store)
    )
    doomed.start()
    doomed.join()
    assert doomed.exitcode == -signal.SIGKILL
    run_id = status(store).run.run_id
    assert not is_being_written(store)
    with pytest.raises(Missing, match=r"left no ephemeris.*the next run writes one") as told:
        read_ephemeris(store, run_id)
    assert not isinstance(told.value, NotYet)
    later = make_run(read_file(small_catalogue), store).run_id
    assert [path.name for path in (store / "ephemeris").iterdir()] == [later]


@pytest.mark.slow
def test_the_record_of_a_run_says_of_which_objects_it_leaves_one_and_why(
    small_catalogue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(read_file(small_catalogue), tmp_path)
    assert (status(tmp_path).run.ephemeris, status(tmp_path).run.ephemeris_reason) == ("all", "")
    monkeypatch.setenv("SKYSIEVE_EPHEMERIS_MAX_MB", "0.1")
    make_run(read_file(small_catalogue), tmp_path)
    run = status(tmp_path).run
    assert run.ephemeris == "none"
    assert "SKYSIEVE_EPHEMERIS_MAX_MB allows 0.1" in str(run.ephemeris_reason)
