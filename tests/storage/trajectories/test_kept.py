"""Trajectories of a store: what is added stays, a damaged one is named, the newest comes first."""

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from screening.errors import InputError, StoreError
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.timegrid import window
from storage.disk.layout import TRAJECTORIES, replace_parquet
from storage.reading.check import check, parts
from storage.trajectories import trajectory_file
from storage.trajectories.kept import (
    add_trajectory,
    definitive_trajectories,
    remove_expired_trajectories,
    remove_trajectory,
    trajectories,
    trajectories_of,
    trajectory,
)
from storage.trajectories.trajectory_file import About, Kind

START = np.datetime64("2026-11-21T06:00:00", "us")
DAY = window(START, 24.0)
ADDED = datetime(2026, 11, 21, 7, tzinfo=UTC)


def ephemeris(norad_id: int, first_km: float = 7000.0) -> Ephemeris:
    epochs = START + np.arange(20) * np.timedelta64(60, "s")
    positions = np.full((20, 3), first_km)
    none = np.empty((0, 6, 6))
    segment = Segment(epochs, positions, epochs[0], epochs[-1], epochs[:0], none)
    return Ephemeris(norad_id, f"OBJECT {norad_id}", "", (segment,))


def about(kind: Kind = "definitive", hours: int = 0) -> About:
    return About(kind, "a.oem", "0" * 64, ADDED + timedelta(hours=hours), restricted=False)


def test_what_is_added_is_listed_until_it_is_removed(tmp_path: Path) -> None:
    first = add_trajectory(tmp_path, ephemeris(1), about())
    second = add_trajectory(tmp_path, ephemeris(2), about("hypothetical"))
    assert add_trajectory(tmp_path, ephemeris(1), about(hours=3)) == first
    assert [one.id for one in trajectories(tmp_path)] == sorted([first, second])
    assert trajectory(tmp_path, second[:6]).ephemeris.name == "OBJECT 2"
    assert remove_trajectory(tmp_path, second[:6]) == second
    assert [one.id for one in trajectories(tmp_path)] == [first]


@pytest.mark.parametrize("wanted", ["", "abc", "0000000000000000", "../current"])
def test_an_unknown_id_is_refused_and_removes_nothing(tmp_path: Path, wanted: str) -> None:
    kept = add_trajectory(tmp_path, ephemeris(1), about())
    with pytest.raises(InputError, match="There is no trajectory"):
        remove_trajectory(tmp_path, wanted)
    assert [one.id for one in trajectories(tmp_path)] == [kept]


def test_an_empty_store_has_none(tmp_path: Path) -> None:
    assert trajectories(tmp_path / "not there") == []
    assert definitive_trajectories(tmp_path, DAY) == []


def test_a_run_takes_the_definitive_ones_of_its_window(tmp_path: Path) -> None:
    flown_by = {add_trajectory(tmp_path, ephemeris(number), about()) for number in (1, 2)}
    add_trajectory(tmp_path, ephemeris(1), about("hypothetical"))
    assert {one.id for one in definitive_trajectories(tmp_path, DAY)} == flown_by
    assert definitive_trajectories(tmp_path, DAY._replace(start_jd=DAY.start_jd + 1.0)) == []


def test_a_file_is_opened_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    def counted(path: Path, **options: bool) -> pq.ParquetFile:
        opened.append(path)
        return parquet_file(path, **options)

    parquet_file = pq.ParquetFile
    monkeypatch.setattr(pq, "ParquetFile", counted)
    flown_by = add_trajectory(tmp_path, ephemeris(1), about())
    add_trajectory(tmp_path, ephemeris(2), about("hypothetical"))
    assert [one.id for one in definitive_trajectories(tmp_path, DAY)] == [flown_by]
    assert len(trajectories(tmp_path)) == len(opened) == 2
    assert remove_expired_trajectories(tmp_path, ADDED, [flown_by]) == 0
    assert [one.id for one in definitive_trajectories(tmp_path, DAY)] == [flown_by]
    assert len(opened) == 3  # for the states of the first
    remove_trajectory(tmp_path, flown_by)
    assert add_trajectory(tmp_path, ephemeris(1), about(hours=3)) == flown_by
    assert ADDED + timedelta(hours=3) in {one.about.added for one in trajectories(tmp_path)}


def test_what_is_in_use_does_not_expire(tmp_path: Path) -> None:
    ids = [add_trajectory(tmp_path, ephemeris(number), about()) for number in (1, 2)]
    later = ADDED + timedelta(days=1)
    assert remove_expired_trajectories(tmp_path, ADDED, []) == 0
    assert remove_expired_trajectories(tmp_path, later, ids[:1]) == 1
    assert [one.id for one in trajectories(tmp_path)] == ids[:1]


def test_one_that_lasts_for_decades_expires_too(tmp_path: Path) -> None:
    whole = ephemeris(1)
    (segment,) = whole.segments
    decades = segment._replace(
        epochs=segment.epochs + np.arange(20) * np.timedelta64(4 * 365, "D"),
        usable_to=segment.epochs[-1] + np.timedelta64(19 * 4 * 365, "D"),
    )
    add_trajectory(tmp_path, whole._replace(segments=(decades,)), about())
    assert remove_expired_trajectories(tmp_path, ADDED + timedelta(days=60), []) == 0
    assert remove_expired_trajectories(tmp_path, ADDED + timedelta(days=61), []) == 1


def test_a_damaged_one_is_left_out_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    damaged = add_trajectory(tmp_path, ephemeris(1), about())
    kept = add_trajectory(tmp_path, ephemeris(2), about())
    path = tmp_path / TRAJECTORIES / f"{damaged}.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    with caplog.at_level(logging.WARNING, "skysieve"):
        assert [one.id for one in trajectories(tmp_path)] == [kept]
    assert damaged in caplog.text
    with pytest.raises(StoreError, match="is damaged"):
        trajectory(tmp_path, damaged)
    looked = [check(part) for part in parts(tmp_path) if part.kind == "trajectories"]
    assert sorted(found.damage == "" for found in looked if found) == [False, True]


def test_those_of_one_object_come_the_last_added_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    older = add_trajectory(tmp_path, ephemeris(1, 7000.0), about(hours=1))
    newer = add_trajectory(tmp_path, ephemeris(1, 7001.0), about("hypothetical", hours=2))
    other = add_trajectory(tmp_path, ephemeris(2), about())
    assert [one.id for one in trajectories_of(tmp_path, 1, None)] == [newer, older]
    (tmp_path / TRAJECTORIES / f"{other}.parquet").write_bytes(b"not read again")
    remove_trajectory(tmp_path, newer)
    assert [one.id for one in trajectories_of(tmp_path, 1, None)] == [older]
    assert trajectories_of(tmp_path, 3, None) == []
    with caplog.at_level(logging.WARNING, "skysieve"):
        assert trajectories_of(tmp_path, 2, None) == []
    assert other in caplog.text


def test_others_may_not_read_them_also_those_of_an_earlier_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be restricted; they were readable by everybody on the machine."""
    modes: list[int] = []

    def write(table: pa.Table, path: Path) -> None:
        modes.append(path.parent.stat().st_mode & 0o777)  # before the file is there
        replace_parquet(table, path)

    monkeypatch.setattr(trajectory_file, "replace_parquet", write)
    add_trajectory(tmp_path, ephemeris(1), about())
    (tmp_path / TRAJECTORIES).chmod(0o755)
    add_trajectory(tmp_path, ephemeris(2), about())
    assert modes == [0o700, 0o700]
