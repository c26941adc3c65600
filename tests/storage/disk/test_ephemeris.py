"""The ephemeris of a run: what was propagated is what is read, and it comes and goes with its run."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.search.few_objects.curves import Curves
from screening.search.few_objects.from_ephemeris import places_in
from storage.disk.ephemeris import (
    KEPT,
    ephemeris_folder,
    place_ephemeris,
    remove_old_ephemerides,
)
from storage.disk.ephemeris_states import read_ephemeris, stage_ephemeris
from tests.made_up_run import make_run

START = np.datetime64("2024-11-01T00:00:00", "us")
HOURS = 5.0
RUN_ID = "20241101T000000Z"
# float32 resolves 4 m up to 65,000 km, and 0.5 mm/s up to 8 km/s.
ROUNDING_KM, ROUNDING_KM_S = 4e-3, 1e-6


@pytest.fixture(scope="module")
def elements(real_elements: ElementArray) -> ElementArray:
    some: ElementArray = real_elements[::60]
    return some


@pytest.fixture(scope="module")
def real_elements(shared_file) -> ElementArray:
    from screening.orbits.texts.catalogue import parse_catalogue

    return parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements


@pytest.fixture(scope="module")
def kept_store(elements: ElementArray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("store")
    place_ephemeris(store, stage_ephemeris(store, elements, START, HOURS), RUN_ID)
    return store


def test_states_at_the_knots_are_those_of_sgp4(kept_store: Path, elements: ElementArray) -> None:
    ephemeris = read_ephemeris(kept_store, RUN_ID)
    assert ephemeris.start < START
    assert ephemeris.end > START + np.timedelta64(5, "h")
    knots = np.arange(len(ephemeris.states))
    _, r, v = Propagator(elements, window(ephemeris.start, HOURS)).on_grid(knots * 600.0)
    places = places_in(ephemeris, elements)
    assert sorted(places.tolist()) == list(range(len(elements)))
    stored = ephemeris.states[:, :, places]
    good = np.isfinite(r[:, 0])
    assert good.sum() > 0.99 * good.size
    assert np.abs(stored[:, :3] - r).transpose(0, 2, 1)[good].max() < ROUNDING_KM
    assert np.abs(stored[:, 3:] - v).transpose(0, 2, 1)[good].max() < ROUNDING_KM_S


def test_objects_without_a_state_fail(kept_store: Path, elements: ElementArray) -> None:
    ephemeris = read_ephemeris(kept_store, RUN_ID)
    with_another = np.concatenate([elements[:3], elements[:1]])
    with_another["norad_id"][3] = 999_999_999
    curves = Curves(ephemeris, window(START, HOURS), places_in(ephemeris, with_another))
    times_s = np.array([-4000.0, 100.0, HOURS * 3600.0 + 4000.0])
    error, r, _ = curves.on_grid(times_s)
    assert error[:, 3].all()
    assert error[0].all()
    assert error[2].all()
    assert np.isnan(r[error.astype(bool).nonzero()[0][0], :, 3]).all()
    assert not error[1, :3].any()


def test_curves_are_within_their_slack_of_sgp4(kept_store: Path, elements: ElementArray) -> None:
    ephemeris = read_ephemeris(kept_store, RUN_ID)
    span = window(START + np.timedelta64(1234, "s"), 3.0)  # begins on no knot
    places = places_in(ephemeris, elements)
    times_s = np.arange(0.0, span.seconds, 137.0)
    error, r, _ = Curves(ephemeris, span, places).on_grid(times_s)
    error_sgp4, true, _ = Propagator(elements, span).on_grid(times_s)
    both = ((error == 0) & (error_sgp4 == 0)).all(axis=0)
    assert both.sum() > 0.99 * len(elements)
    off_km = np.linalg.norm(r - true, axis=1).max(axis=0)
    assert (off_km < ephemeris.slack_km[:, places].max(axis=0))[both].all()


def test_the_newest_are_kept_and_what_killed_runs_left_goes(tmp_path: Path, elements: ElementArray) -> None:
    some = elements[:40]
    for day in range(1, KEPT + 3):
        place_ephemeris(tmp_path, stage_ephemeris(tmp_path, some, START, 1.0), f"2024110{day}T000000Z")
    dead = tmp_path / "ephemeris" / f".staged-{2**22 + 1}-1"  # no process has such a number
    shutil.copytree(ephemeris_folder(tmp_path, "20241101T000000Z"), dead)
    # Two runs of one process may be under way.
    mine = [stage_ephemeris(tmp_path, some, START, 1.0) for _ in range(2)]
    remove_old_ephemerides(tmp_path)
    left = sorted(path.name for path in (tmp_path / "ephemeris").iterdir())
    assert left == sorted([*(one.name for one in mine), "20241103T000000Z", "20241104T000000Z"])
    assert all(one.name.startswith(f".staged-{os.getpid()}-") for one in mine)


def test_a_run_that_left_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"left no ephemeris.*full"):
        read_ephemeris(tmp_path, RUN_ID)


def _cut(folder: Path) -> None:
    states = folder / "states.npy"
    states.write_bytes(states.read_bytes()[:-100])


def _other_version(folder: Path) -> None:
    about = json.loads((folder / "about.json").read_text())
    (folder / "about.json").write_text(json.dumps(about | {"layout_version": 99}))


def _no_json(folder: Path) -> None:
    (folder / "about.json").write_text("{")


def _fewer_chunks(folder: Path) -> None:
    np.save(folder / "slack_km.npy", np.zeros((1, 3), np.float32))


@pytest.mark.parametrize("damage", [_cut, _other_version, _no_json, _fewer_chunks])
def test_a_damaged_one_is_told(kept_store: Path, tmp_path: Path, damage) -> None:
    shutil.copytree(kept_store / "ephemeris", tmp_path / "ephemeris")
    damage(ephemeris_folder(tmp_path, RUN_ID))
    with pytest.raises(StoreError, match=r"is damaged.*Remove it"):
        read_ephemeris(tmp_path, RUN_ID)


class Interrupted(Exception):
    pass


@pytest.mark.slow
def test_it_comes_with_its_run_or_not_at_all(make, store: Path, elements: ElementArray) -> None:
    make.publish(store, make_run())

    def stop(step: str) -> None:
        if step == "ephemeris in place":
            raise Interrupted

    later = make_run(hours_later=6)
    staged = stage_ephemeris(store, elements[:40], START, 1.0)
    with pytest.raises(Interrupted):
        make.publish(store, later, ephemeris=lambda: staged, on_step=stop)
    assert list((store / "ephemeris").iterdir()) == []
    run_id = make.publish(store, later, ephemeris=lambda: stage_ephemeris(store, elements[:40], START, 1.0))
    assert len(read_ephemeris(store, run_id).norad_ids) == 40
