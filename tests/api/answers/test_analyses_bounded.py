"""Analyses where the ephemeris has payloads only or nobody, or is still being written: they say so."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from skysieve.command_line import app
from storage.disk.current import read_current
from storage.disk.ephemeris import (
    ephemeris_folder,
    place_ephemeris,
    remove_ephemeris,
    shown_as_being_written,
)
from storage.disk.ephemeris_bound import Kept
from storage.disk.ephemeris_states import stage_ephemeris
from storage.in_memory.arrays import element_sets
from storage.in_memory.snapshot import newest_snapshot
from tests.api.answers.asking import EPHEMERIS_HOURS, FULL, QUICK, ask
from tests.api.conftest import serving


@pytest.fixture
def store(store_with_run: Path, tmp_path: Path) -> Path:
    """Give a copy of a store with one run of the small catalogue over two hours."""
    return Path(shutil.copytree(store_with_run, tmp_path / "store"))


@pytest.fixture
def store_of_payloads(store_with_run: Path, tmp_path: Path, busiest: int) -> tuple[Path, int, list[int]]:
    """Give the store with an ephemeris of half the objects, one that has none, and those that have one."""
    store = tmp_path / "bounded"
    shutil.copytree(store_with_run, store)
    run_id = read_current(store).run_id
    elements = element_sets(newest_snapshot(store))
    numbers = elements["norad_id"]
    has = (np.arange(len(elements)) % 2 == 0) | (numbers == busiest)
    start = np.datetime64(newest_snapshot(store).run.window_start.replace(tzinfo=None), "us")
    remove_ephemeris(store, run_id)
    kept = Kept("payloads", int(has.sum()), len(elements), 3.0, 2.0)
    place_ephemeris(store, stage_ephemeris(store, elements[has], start, EPHEMERIS_HOURS, kept), run_id)
    return store, int(numbers[~has][0]), numbers[has].tolist()


def test_an_ephemeris_of_payloads_finds_the_same_among_them_and_says_so(
    store: Path, store_of_payloads: tuple[Path, int, list[int]], busiest: int
) -> None:
    bounded_store, _, payloads = store_of_payloads
    asked = {"look_ahead_hours": EPHEMERIS_HOURS, "threshold_km": 60.0}
    with serving(store) as client:
        among_all = ask(client, QUICK, busiest, **asked)
    assert among_all["searched"] == "all"
    with serving(bounded_store) as bounded:
        answer = ask(bounded, QUICK, busiest, **asked)
    assert answer["searched"] == "payloads"
    found, expected = (
        [(event["secondary_norad_id"], event["tca"], event["miss_distance_m"]) for event in one["events"]]
        for one in (answer, among_all)
    )
    assert found == [event for event in expected if event[0] in payloads]
    assert 0 < len(found) < len(expected)
    command = ["analyze", str(busiest), "--store", str(bounded_store), "--mode", "quick"]
    assert "searched among payloads only" in CliRunner().invoke(app, command).stderr


@pytest.mark.slow
def test_an_object_without_ephemeris_is_told_so(store_of_payloads: tuple[Path, int, list[int]]) -> None:
    store, without, payloads = store_of_payloads
    with serving(store) as client:
        answer = client.request("POST", QUICK, json={"primary_norad_id": without})
        assert answer.status_code == 503
        assert f"{len(payloads):,} payloads only" in answer.json()["detail"]
        assert f"{without} has none. Use mode `full`" in answer.json()["detail"]
        assert ask(client, FULL, without)["searched"] == "all"


@pytest.mark.slow
def test_a_run_whose_ephemeris_is_too_large_for_any_says_so(store: Path, busiest: int) -> None:
    run_id = read_current(store).run_id
    elements = element_sets(newest_snapshot(store))
    remove_ephemeris(store, run_id)
    none = Kept("none", 0, len(elements), 3.0, 0.5)
    place_ephemeris(store, stage_ephemeris(store, elements, np.datetime64("now"), 1.0, none), run_id)
    with serving(store) as client:
        answer = client.request("POST", QUICK, json={"primary_norad_id": busiest})
        assert answer.status_code == 503
        assert "SKYSIEVE_EPHEMERIS_MAX_MB" in answer.json()["detail"]
        assert ask(client, FULL, busiest)["events"]
    shown = CliRunner().invoke(app, ["status", "--store", str(store)]).stdout
    assert "Ephemeris     none; that of all 600 objects would take 3.0 MB" in shown


@pytest.mark.slow
def test_one_that_is_still_being_written_is_said_to_be_and_used_once_it_has_come(
    store_of_payloads: tuple[Path, int, list[int]], busiest: int
) -> None:
    store, _, _ = store_of_payloads
    place = ephemeris_folder(store, read_current(store).run_id)
    place.rename(store / "later")
    with serving(store) as client:
        with shown_as_being_written(store):
            answer = client.request("POST", QUICK, json={"primary_norad_id": busiest})
            assert answer.status_code == 503
            assert "is not in place, and one is still being written" in answer.json()["detail"]
            shown = CliRunner().invoke(app, ["status", "--store", str(store)]).stdout
            assert "Ephemeris     still being written" in shown
        answer = client.request("POST", QUICK, json={"primary_norad_id": busiest})
        assert "has no usable ephemeris" in answer.json()["detail"]
        (store / "later").rename(place)
        assert ask(client, QUICK, busiest)["searched"] == "payloads"
    assert "still being written" not in CliRunner().invoke(app, ["status", "--store", str(store)]).stdout
