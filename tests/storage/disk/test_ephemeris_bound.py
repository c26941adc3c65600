"""An ephemeris of bounded size: predicted to the byte, of payloads only, or none; failures leave nothing."""

import json
from pathlib import Path

import numpy as np
import pytest

from flows.runs.ephemeris import what_is_kept
from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import window
from screening.search.all_pairs.screen import chunks_of_knots
from screening.search.few_objects.ephemeris import chunk_of, order_in_tiles
from screening.search.few_objects.from_ephemeris import places_in
from screening.search.radial_range import radial_range
from screening.synthetic.catalogue import synthetic_catalogue
from storage.disk import ephemeris_states
from storage.disk.ephemeris import place_ephemeris, remove_old_ephemerides
from storage.disk.ephemeris_bound import MB, Kept, kept_by_run
from storage.disk.ephemeris_states import (
    LONGEST_HOURS,
    NotKept,
    ephemeris_bytes,
    read_ephemeris,
    stage_ephemeris,
)
from storage.reading.check import check, parts
from tests.storage.doomed import killed_before_write, stage_only
from tests.storage.small_disk import printed_on_a_small_disk

START = np.datetime64("2026-01-01T00:00:00", "us")
RUN_ID = "20260101T000000Z"


@pytest.fixture(scope="module")
def elements() -> ElementArray:
    made: ElementArray = synthetic_catalogue(200, 1, START).elements[::2]
    return made


@pytest.mark.parametrize("hours", [0.5, 3.0, 12.25, 36.0, LONGEST_HOURS + 100.0])
@pytest.mark.parametrize("objects", [1, 16, 17, 100])
def test_the_size_is_predicted_to_the_byte(
    tmp_path: Path, elements: ElementArray, objects: int, hours: float
) -> None:
    folder = stage_ephemeris(tmp_path, elements[:objects], START, hours)
    assert sum(path.stat().st_size for path in folder.glob("*.npy")) == ephemeris_bytes(objects, hours)
    assert (folder / "about.json").stat().st_size < 1000


def test_the_bound_is_kept_at_its_edge() -> None:
    payload = np.arange(1000) % 3 == 0
    whole_mb, payloads_mb = (ephemeris_bytes(count, 36.0) / MB for count in (1000, 334))
    for max_mb, what, objects in (
        (whole_mb, "all", 1000),
        (np.nextafter(whole_mb, 0.0), "payloads", 334),
        (payloads_mb, "payloads", 334),
        (np.nextafter(payloads_mb, 0.0), "none", 0),
        (0.0, "none", 0),
    ):
        assert what_is_kept(payload, 36.0, max_mb) == Kept(what, objects, 1000, whole_mb, max_mb)
    nobody = np.zeros(1000, np.bool_)
    assert what_is_kept(nobody, 36.0, payloads_mb).what == "none"


def test_states_of_payloads_are_the_same_bits_as_among_all(tmp_path: Path, elements: ElementArray) -> None:
    payloads = elements[::3]
    place_ephemeris(tmp_path, stage_ephemeris(tmp_path, elements, START, 5.0), RUN_ID)
    kept = Kept("payloads", len(payloads), len(elements), 2.0, 1.0)
    other = RUN_ID.replace("0000Z", "0001Z")
    place_ephemeris(tmp_path, stage_ephemeris(tmp_path, payloads, START, 5.0, kept), other)
    of_all, of_payloads = read_ephemeris(tmp_path, RUN_ID), read_ephemeris(tmp_path, other)
    assert sorted(of_payloads.norad_ids) == sorted(payloads["norad_id"])
    here, there = places_in(of_payloads, payloads), places_in(of_all, payloads)
    np.testing.assert_array_equal(of_payloads.states[:, :, here], of_all.states[:, :, there])
    np.testing.assert_array_equal(of_payloads.slack_km[:, here], of_all.slack_km[:, there])
    assert (of_payloads.start, of_payloads.chunk_borders) == (of_all.start, of_all.chunk_borders)
    assert kept_by_run(tmp_path, other) == kept
    assert kept_by_run(tmp_path, RUN_ID) == Kept("all", len(elements), len(elements))


def test_files_are_the_same_bytes_however_many_objects_are_taken_at_a_time(
    tmp_path: Path, elements: ElementArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for at_a_time in (100_000, 64, 16):
        monkeypatch.setattr(ephemeris_states, "_OBJECTS_AT_A_TIME", at_a_time)
        folder = stage_ephemeris(tmp_path / str(at_a_time), elements, START, 9.0)
        files.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert files[0] == files[1] == files[2]
    propagator = Propagator(elements, window(START, 9.0))
    states = np.load(folder / "states.npy")
    order = order_in_tiles(radial_range(propagator))
    for knots_s in chunks_of_knots(0.0, 9.0 * 3600.0):
        chunk, _ = chunk_of(
            elements[order], propagator.subset(order), np.arange(100, dtype=np.int32), knots_s
        )
        first = round(knots_s[0] / 600.0) + 1
        np.testing.assert_array_equal(states[first : first + len(knots_s)], chunk.states)


def test_none_is_told_with_the_numbers_and_is_no_damage(tmp_path: Path, elements: ElementArray) -> None:
    kept = Kept("none", 0, 300_000, 1_580.0, 100.0)
    place_ephemeris(tmp_path, stage_ephemeris(tmp_path, elements, START, 5.0, kept), RUN_ID)
    told = (
        r"left no ephemeris.*300,000 objects would take 1,580.0 MB.*EPHEMERIS_MAX_MB allows 100.*mode `full`"
    )
    with pytest.raises(NotKept, match=told):
        read_ephemeris(tmp_path, RUN_ID)
    (about,) = [check(part) for part in parts(tmp_path)]
    assert about is not None
    assert (about.verified, about.damage) == (True, "")


def test_one_of_an_earlier_release_opens(tmp_path: Path, elements: ElementArray) -> None:
    place_ephemeris(tmp_path, stage_ephemeris(tmp_path, elements, START, 1.0), RUN_ID)
    path = tmp_path / "ephemeris" / RUN_ID / "about.json"
    about = json.loads(path.read_text())
    path.write_text(json.dumps({name: about[name] for name in about if name not in ("kept", "crc32")}))
    assert len(read_ephemeris(tmp_path, RUN_ID).norad_ids) == len(elements)
    assert kept_by_run(tmp_path, RUN_ID) is None


@pytest.mark.slow
def test_what_a_killed_writer_left_goes_with_the_next_run(tmp_path: Path, elements: ElementArray) -> None:
    (tmp_path / "ephemeris").mkdir()
    number, died, seen = 1, True, 0
    while died:
        died = killed_before_write(number, stage_only, tmp_path)
        left = list((tmp_path / "ephemeris").glob(".staged-*"))
        assert len(left) <= 1  # none if it died before it began, where settings and kernels are read
        seen += len(left)
        remove_old_ephemerides(tmp_path)
        assert list((tmp_path / "ephemeris").iterdir()) == []
        number += 1
    assert seen > 4


@pytest.mark.slow
def test_a_full_disk_keeps_nothing_of_it(tmp_path: Path) -> None:
    """The part that fitted stayed, and the run itself had no room."""
    seen = printed_on_a_small_disk("full_disk_ephemeris.py", tmp_path)[-1]
    assert seen["errno"] == "ENOSPC"
    assert seen["left"] == []
