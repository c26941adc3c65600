"""A run is written some rows at a time: the same tables, however it was cut, and nothing of half a run."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from screening.errors import InputError
from storage.disk.checksums import DamagedFile, verify_parquet
from storage.disk.layout import new_parquet
from storage.reading.newest_run import connect, status
from storage.rows.danger import danger_keys
from storage.upkeep.upgrade import settle
from storage.writing.found_events import FoundEvents
from storage.writing.objects_table import objects_of
from storage.writing.publish import publish_run
from tests.made_up_run import MadeUpRun, make_run
from tests.storage import doomed

ROWS = 700


@pytest.fixture
def few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sort, match and write so few rows at a time that a small run has many parts."""
    few_rows(monkeypatch)


def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.writing.found_events.AT_A_TIME", 50)
    monkeypatch.setattr("storage.rows.over_runs.event_ids.AT_A_TIME", 30)
    monkeypatch.setattr("storage.writing.publish.ROW_GROUP", 64)


def shown(store: Path, run_id: str) -> tuple[pa.Table, pa.Table]:
    """Return the conjunctions in the run's own file and in that of analysts, rows as they lie there."""
    with connect(store) as connection:
        in_file = connection.sql("FROM conjunctions").to_arrow_table()
    path = store / "runs" / f"run_id={run_id}" / "conjunctions.parquet"
    return pq.ParquetFile(path).read(), in_file


def publish_in_parts(store: Path, made_up: MadeUpRun, parts: list[np.ndarray]) -> str:
    run, _, proximities, elements, rejected = made_up
    with FoundEvents(store) as found:
        for part in parts:
            found.add(part)
        return publish_run(store, run, found, proximities, elements, rejected=rejected)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_parts_in_any_order_and_cut_make_the_same_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    first, second = (make_run(ROWS, 40, seed, hours_later=hours) for hours in (0, 6))
    second.conjunctions["tca"][: ROWS // 2] += np.timedelta64(3, "s")
    for made_up in (first, second):
        made_up.conjunctions["miss_distance_m"] = np.round(made_up.conjunctions["miss_distance_m"], -3)
        made_up.conjunctions["probability"] = made_up.conjunctions["probability_2d"] = 0.0
    rng = np.random.default_rng(seed)
    stores = []
    for name in ("whole", "parts"):
        store = tmp_path / name
        for made_up in (first, second):
            cuts = np.sort(rng.integers(0, ROWS, 9)) if name == "parts" else []
            parts = np.split(made_up.conjunctions, cuts)
            run_id = publish_in_parts(store, made_up, [parts[at] for at in rng.permutation(len(parts))])
        stores.append((shown(store, run_id), status(store).run))
        few_rows(monkeypatch)
    (whole, run), (in_parts, run_in_parts) = stores
    for one, other in zip(whole, in_parts, strict=True):
        assert len(one) == ROWS
        assert one.cast(other.schema).to_pylist() == other.to_pylist()
    assert run == run_in_parts


@pytest.mark.slow
@pytest.mark.usefixtures("few_at_a_time")
def test_checksums_cover_every_row_group(store: Path) -> None:
    made_up = make_run(ROWS)
    run_id = publish_in_parts(store, made_up, [made_up.conjunctions])
    path = store / "runs" / f"run_id={run_id}" / "conjunctions.parquet"
    assert pq.ParquetFile(path).metadata.num_row_groups == -(-ROWS // 64)
    assert verify_parquet(path)
    last = pq.ParquetFile(path).metadata.row_group(ROWS // 64).column(20)
    content = bytearray(path.read_bytes())
    content[last.data_page_offset + last.total_compressed_size // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedFile):
        verify_parquet(path)


@pytest.mark.slow
def test_a_footer_of_more_than_a_megabyte_is_verified(tmp_path: Path) -> None:
    path, rows = tmp_path / "many.parquet", pa.table({f"column_{i}": pa.array([i]) for i in range(100)})
    with new_parquet(path, rows.schema) as file:
        for _ in range(150):
            file.write_table(rows)
    length = int.from_bytes(path.read_bytes()[-8:-4], "little")
    assert length > 2**20
    assert verify_parquet(path)
    content = bytearray(path.read_bytes())
    content[-length // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedFile):
        verify_parquet(path)


@pytest.mark.usefixtures("few_at_a_time")
def test_a_missing_value_names_the_row_of_the_whole_table(make, published: Path) -> None:
    made_up = make_run(ROWS, hours_later=6)
    last = np.lexsort(danger_keys(made_up.conjunctions.__getitem__)[::-1])[-1]
    made_up.conjunctions["primary_vz_km_s"][last] = np.nan
    before = {path for path in published.rglob("*") if path.name != "publisher.lock"}
    with pytest.raises(InputError, match=rf"Row {ROWS - 1} of the table conjunctions .* primary_vz_km_s"):
        make.publish(published, made_up)
    assert {path for path in published.rglob("*") if path.name != "publisher.lock"} == before
    assert status(published).runs == 1


@pytest.mark.slow
def test_a_run_of_one_part_of_one_event(store: Path) -> None:
    made_up = make_run(1)
    run_id = publish_in_parts(store, made_up, [made_up.conjunctions])
    assert [len(table) for table in shown(store, run_id)] == [1, 1]


@pytest.mark.slow
def test_the_objects_tell_the_complexes(store: Path) -> None:
    """Tasks rate encounters before it is known what stays together."""
    made_up = make_run(ROWS)
    for who in ("primary", "secondary"):
        made_up.conjunctions[f"{who}_complex_id"] = -1
    objects = objects_of(made_up.elements)
    members, (lowest, *_) = np.array([3, 7, 12]), made_up.elements["norad_id"][[3]]
    objects["complex_id"][members] = lowest
    run, conjunctions, proximities, elements, _ = made_up
    with FoundEvents(store) as found:
        found.add(conjunctions)
        publish_run(store, replace(run), found, proximities, elements, objects=objects)
    numbers = elements["norad_id"][members].tolist()
    with connect(store) as connection:
        rows = connection.execute(
            "SELECT primary_norad_id, primary_complex_id FROM conjunctions UNION ALL "
            "SELECT secondary_norad_id, secondary_complex_id FROM conjunctions"
        ).fetchall()
    assert {number for number, complex_id in rows if complex_id is not None} == set(numbers)
    assert all(complex_id == (lowest if number in numbers else None) for number, complex_id in rows)


def die_at_part(store: Path, number: int) -> None:
    """Publish a run of many parts, and die before one is written."""
    from storage.writing import publish as module

    made, table = 0, module.conjunction_table

    def counted(*arguments: object, **named: object) -> pa.Table:
        nonlocal made
        made += 1
        if made == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return table(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        few_rows(patch)
        patch.setattr(module, "conjunction_table", counted)
        made_up = make_run(ROWS, hours_later=6)
        publish_in_parts(store, made_up, [made_up.conjunctions])


@pytest.mark.processes
@pytest.mark.parametrize("number", [1, 2, 7, ROWS // 64 + 1])
def test_killed_between_two_parts_leaves_nothing(published: Path, number: int) -> None:
    before = {path for path in published.rglob("*") if path.name != "publisher.lock"}
    process = doomed.start(die_at_part, published, number)
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert (published / ".publishing").exists()
    settle(published)
    assert {path for path in published.rglob("*") if path.name != "publisher.lock"} == before
    assert status(published).runs == 1
