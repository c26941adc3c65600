"""A trajectory comes back from its file to the bit, once for each content, and never damaged."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from screening.errors import StoreError
from screening.orbits.ephemerides import Ephemeris, Segment
from storage.disk.checksums import DamagedFile
from storage.trajectories.trajectory_file import (
    About,
    read_trajectory,
    trajectory_id,
    write_trajectory,
)

START = np.datetime64("2026-11-21T06:00:00", "us")
ABOUT = About(
    "definitive",
    "iss.oem",
    "0" * 64,
    datetime(2026, 11, 21, 7, 0, 0, 123456, tzinfo=UTC),
    restricted=False,
    notes=("one covariance repaired",),
)


def segment(seed: int, states: int, covariances: int) -> Segment:
    rng = np.random.default_rng(seed)
    epochs = START + np.cumsum(rng.integers(1, 10**8, states)).astype("m8[us]")
    roots = rng.normal(size=(covariances, 6, 6))
    squares = roots @ roots.transpose(0, 2, 1)
    return Segment(
        epochs,
        rng.normal(size=(states, 3)) * 7000.0,
        epochs[1],
        epochs[-2],
        epochs[:covariances] + np.timedelta64(1, "us"),
        0.5 * (squares + squares.transpose(0, 2, 1)),
    )


@pytest.fixture
def ephemeris() -> Ephemeris:
    """Give one with two segments, of which one has no covariance."""
    return Ephemeris(25544, 'ISS "ZARYA" ä', "1998-067A", (segment(1, 40, 0), segment(2, 30, 7)))


def assert_same(one: Ephemeris, other: Ephemeris) -> None:
    assert one._replace(segments=()) == other._replace(segments=())
    for ours, theirs in zip(one.segments, other.segments, strict=True):
        for name in Segment._fields:
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)


def test_it_comes_back_to_the_bit(tmp_path: Path, ephemeris: Ephemeris) -> None:
    name = write_trajectory(tmp_path, ephemeris, ABOUT)
    (path,) = tmp_path.iterdir()
    found = read_trajectory(path)
    assert (found.id, found.about) == (name, ABOUT)
    assert_same(found.ephemeris, ephemeris)


def test_one_without_covariances_has_no_columns_for_them(tmp_path: Path, ephemeris: Ephemeris) -> None:
    write_trajectory(tmp_path, ephemeris._replace(segments=ephemeris.segments[:1]), ABOUT)
    (path,) = tmp_path.iterdir()
    assert pq.read_schema(path).names == ["segment", "epoch", "x_teme_km", "y_teme_km", "z_teme_km"]


def test_a_file_with_empty_columns_for_covariances_is_read(tmp_path: Path, ephemeris: Ephemeris) -> None:
    """Earlier releases wrote them into every file."""
    without = ephemeris._replace(segments=(ephemeris.segments[0], segment(4, 25, 0)))
    write_trajectory(tmp_path, without, ABOUT)
    (path,) = tmp_path.iterdir()
    table = pq.read_table(path)
    for row in range(1, 7):
        for column in range(1, row + 1):
            empty = pa.nulls(len(table), pa.float64())
            table = table.append_column(f"covariance_rtn_{row}{column}", empty)
    assert table.num_columns == 26
    pq.write_table(table, path)
    assert_same(read_trajectory(path).ephemeris, without)
    assert read_trajectory(path).about == ABOUT


def test_the_same_content_is_stored_once_whoever_sends_it(tmp_path: Path, ephemeris: Ephemeris) -> None:
    name = write_trajectory(tmp_path, ephemeris, ABOUT)
    assert write_trajectory(tmp_path, ephemeris, ABOUT._replace(source="another name")) == name
    (path,) = tmp_path.iterdir()
    assert read_trajectory(path).about.source == "iss.oem"


def test_every_number_and_the_kind_make_another_one(ephemeris: Ephemeris) -> None:
    first, second = ephemeris.segments
    moved = first.r_teme_km.copy()
    moved[3, 1] = np.nextafter(moved[3, 1], np.inf)
    wider = second.covariance_rtn.copy()
    wider[0, 5, 4] = wider[0, 4, 5] = 0.0
    others = [
        ephemeris._replace(norad_id=25545),
        ephemeris._replace(name="ISS"),
        ephemeris._replace(segments=(first,)),
        ephemeris._replace(segments=(first._replace(r_teme_km=moved), second)),
        ephemeris._replace(segments=(first._replace(usable_to=first.epochs[-1]), second)),
        ephemeris._replace(segments=(first, second._replace(covariance_rtn=wider))),
    ]
    ids = [trajectory_id(one, "definitive") for one in (ephemeris, *others)]
    ids.append(trajectory_id(ephemeris, "hypothetical"))
    assert len(set(ids)) == len(others) + 2


def test_a_changed_bit_is_found(tmp_path: Path, ephemeris: Ephemeris) -> None:
    write_trajectory(tmp_path, ephemeris, ABOUT)
    (path,) = tmp_path.iterdir()
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match=r"\.parquet is damaged"):
        read_trajectory(path)


def test_a_damaged_one_is_written_again(tmp_path: Path, ephemeris: Ephemeris) -> None:
    write_trajectory(tmp_path, ephemeris, ABOUT)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-100])
    write_trajectory(tmp_path, ephemeris, ABOUT)
    assert_same(read_trajectory(path).ephemeris, ephemeris)


def test_a_file_of_another_table_is_no_trajectory(tmp_path: Path) -> None:
    pq.write_table(pa.table({"epoch": [1]}), tmp_path / "other.parquet")
    with pytest.raises(StoreError, match="contains no trajectory"):
        read_trajectory(tmp_path / "other.parquet")


def test_an_ephemeris_of_a_week_takes_little(tmp_path: Path) -> None:
    """Seven days each minute with a covariance each: 28 doubles and an epoch, compressed."""
    week = Ephemeris(1, "X", "", (segment(3, 10_080, 10_080),))
    write_trajectory(tmp_path, week, ABOUT)
    (path,) = tmp_path.iterdir()
    assert path.stat().st_size < 10_080 * (24 + 2) * 8
