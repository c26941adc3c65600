"""Threads and processes that screen at the same time, alone and into one store."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pytest

import skysieve

START = "2024-11-01"
OWN = ["event_id", "run_id", "computed_at"]


def screened(path: Path, store: Path | None = None) -> skysieve.Run:
    return skysieve.screen(skysieve.read_catalogue(path), start=START, hours=1.0, workers=1, store=store)


def assert_same(one: skysieve.Run, other: skysieve.Run) -> None:
    pd.testing.assert_frame_equal(one.conjunctions.drop(columns=OWN), other.conjunctions.drop(columns=OWN))


@pytest.mark.slow
def test_threads_do_not_disturb_each_other(small_catalogue: Path, tmp_path: Path) -> None:
    alone = screened(small_catalogue)
    stores = [None, None, tmp_path / "s", tmp_path / "s"]
    with ThreadPoolExecutor(len(stores)) as threads:
        runs = list(threads.map(lambda store: screened(small_catalogue, store), stores))
    for run in runs:
        assert_same(run, alone)
    published = skysieve.open_store(tmp_path / "s").runs()["run_id"]
    assert sorted(published) == sorted(run.run_id for run in runs if run.store)
    # Who came second knew the events of the first.
    first, second = (set(run.conjunctions["event_id"]) for run in runs if run.store)
    assert first == second


@pytest.mark.slow
def test_processes_do_not_disturb_each_other(small_catalogue: Path, tmp_path: Path) -> None:
    alone = screened(small_catalogue)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        tasks = [
            processes.submit(screened, small_catalogue, store)
            for store in (None, tmp_path / "s", tmp_path / "s")
        ]
        runs = [task.result() for task in tasks]
    for run in runs:
        assert_same(run, alone)
    assert len(skysieve.open_store(tmp_path / "s").runs()) == 2
