"""What is published is what is read: every column, every table, by several readers."""

import json
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from screening.encounters import PROXIMITY_DTYPE
from screening.errors import InputError, StoreError
from screening.risk.conjunctions import (
    CONJUNCTION_DTYPE,
    PROBABILITY_FLAGS,
    WORDS_OF_CODED_FIELDS,
    unrated,
)
from storage import schema
from storage.reading.newest_run import connect, status

NOT_STORED_FROM_RECORDS = ("event_id", "run_id", "origin", "computed_at", "primary_name", "secondary_name")


def word_or_number(name: str, value: object) -> object:
    """Say what a field of a record means, one value at a time: an oracle for the vectorised conversion."""
    if name in WORDS_OF_CODED_FIELDS:
        return None if value == -1 else WORDS_OF_CODED_FIELDS[name][value]
    if name == "probability_flag":
        return " ".join(w for bit, w in enumerate(PROBABILITY_FLAGS) if value & 2**bit) or None
    if name in ("diluted", "catastrophic") or name.endswith("_manoeuvring"):
        return None if value == -1 else bool(value)
    if name in ("mc_samples", "mc_hits") or name.endswith("_complex_id"):
        return None if value < 0 else int(value)
    if isinstance(value, np.datetime64):
        return None if np.isnat(value) else value.item()
    if isinstance(value, np.floating):
        return None if math.isnan(value) else float(value)
    return int(value)


def rows_by_key(rows: list[dict[str, object]]) -> dict[tuple[object, ...], dict[str, object]]:
    return {(r["primary_norad_id"], r["secondary_norad_id"], r["tca"]): r for r in rows}


def dictionaries(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, object]]:
    found = connection.execute(sql)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.mark.parametrize("source", ["conjunctions", "events", "conjunction_history"])
def test_every_value_of_a_conjunction_is_stored(make, store: Path, source: str) -> None:
    made_up = make.run(conjunctions=300, objects=40)
    run_id = make.publish(store, made_up)
    with connect(store) as connection:
        stored = rows_by_key(dictionaries(connection, f"FROM {source}"))
    names = {int(e["norad_id"]): str(e["name"]) for e in made_up.elements}
    expected = rows_by_key(
        [
            {name: word_or_number(name, record[name]) for name in CONJUNCTION_DTYPE.names}
            | {f"{who}_name": names[int(record[f"{who}_norad_id"])] for who in ("primary", "secondary")}
            | {"run_id": run_id, "origin": "run", "computed_at": made_up.run.finished.replace(tzinfo=None)}
            for record in made_up.conjunctions
        ]
    )
    assert stored.keys() == expected.keys()
    assert any(row["secondary_norad_id"] == 999_999_999 for row in stored.values())
    for key, row in expected.items():
        assert stored[key].pop("event_id") in range(1, 2**53)
        assert stored[key] == row


def test_columns_stand_in_the_documented_order(published: Path) -> None:
    with connect(published) as connection:
        for view in ("conjunctions", "events", "analyses", "conjunction_history"):
            names = [row[0] for row in connection.execute(f"DESCRIBE {view}").fetchall()]
            assert names == [column.name for column in schema.CONJUNCTIONS.columns]
    assert [c.name for c in schema.CONJUNCTIONS.columns if c.name not in NOT_STORED_FROM_RECORDS] == list(
        CONJUNCTION_DTYPE.names
    )


def test_ids_and_run_ids_have_the_promised_types(published: Path) -> None:
    with connect(published) as connection:
        types = {row[0]: row[1] for row in connection.execute("DESCRIBE conjunction_history").fetchall()}
    assert types["event_id"] == types["primary_norad_id"] == "BIGINT"
    assert types["run_id"] == "VARCHAR"
    assert types["tca"] == "TIMESTAMP"


def test_proximities_are_stored_with_names_and_times(make, store: Path) -> None:
    made_up = make.run()
    run_id = make.publish(store, made_up)
    with connect(store) as connection:
        stored = dictionaries(connection, "FROM proximities ORDER BY primary_norad_id")
    start = made_up.run.window_start.replace(tzinfo=None)
    for row, record in zip(stored, made_up.proximities, strict=True):
        first, second = (made_up.elements[record[f"{who}_index"]] for who in ("primary", "secondary"))
        never = math.isnan(record["leaves_at_s"])
        assert row == {
            "run_id": run_id,
            "primary_norad_id": first["norad_id"],
            "secondary_norad_id": second["norad_id"],
            "primary_name": first["name"],
            "secondary_name": second["name"],
            "tca": start + timedelta(microseconds=round(float(record["tca_s"]) * 1e6)),
            "min_distance_m": record["min_distance_km"] * 1e3,
            "max_distance_m": record["max_distance_km"] * 1e3,
            "kind": "same_elements" if record["same_elements"] else "co_orbiting",
            "leaves_at": None if never else start + timedelta(seconds=float(record["leaves_at_s"])),
        }


def test_the_record_of_the_run_is_stored_and_counts_are_filled_in(make, store: Path) -> None:
    made_up = make.run()
    run_id = make.publish(store, made_up)
    stored = status(store).run
    assert (stored.run_id, stored.started) == (run_id, made_up.run.started)
    assert stored.failed_by_code == {1: 2, 6: 1}
    assert stored.seconds_by_stage == made_up.run.seconds_by_stage
    assert stored.versions == made_up.run.versions
    assert (stored.failed, stored.rejected, stored.objects, stored.proximities) == (3, 1, 30, 4)
    assert stored.conjunctions + stored.slow == len(made_up.conjunctions)
    assert stored.slow == np.count_nonzero(made_up.conjunctions["encounter"])
    assert stored.critical + stored.high + stored.medium + stored.low == len(made_up.conjunctions)
    assert stored.critical == np.count_nonzero(made_up.conjunctions["risk_level"] == 0)
    assert status(store).rejections == [tuple(made_up.rejected[0])]


def test_times_with_another_offset_are_stored_as_utc(make, store: Path) -> None:
    made_up = make.run()
    started = datetime(2026, 11, 21, 9, 0, tzinfo=timezone(timedelta(hours=3)))
    run_id = make.publish(store, made_up._replace(run=replace(made_up.run, started=started)))
    assert run_id == "20261121T060000Z"
    assert status(store).run.started == datetime(2026, 11, 21, 6, 0, tzinfo=UTC)


def test_objects_get_their_type_from_the_name(make, store: Path) -> None:
    make.publish(store, make.run())
    with connect(store) as connection:
        types = dict(connection.execute("SELECT name, object_type FROM objects").fetchall())
    assert types["MADE UP 0"] == "payload"
    assert types["MADE UP 1 DEB"] == "debris"
    assert types["MADE UP 2 R/B"] == "rocket_body"


@pytest.mark.slow
def test_a_run_without_any_event_is_published(make, store: Path) -> None:
    made_up = make.run()
    nothing = made_up._replace(conjunctions=unrated(0), proximities=np.zeros(0, PROXIMITY_DTYPE), rejected=[])
    make.publish(store, nothing)
    make.publish(store, nothing)
    with connect(store) as connection:
        for table in ("conjunctions", "events", "conjunction_history", "proximities"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


@pytest.mark.parametrize("column", ["tca", "miss_distance_m", "risk_level", "primary_vz_km_s"])
def test_a_missing_value_is_refused_before_anything_is_written(make, store: Path, column: str) -> None:
    made_up = make.run()
    kind = CONJUNCTION_DTYPE[column].kind
    made_up.conjunctions[column][7] = {"f": np.nan, "i": -1, "M": np.datetime64("NaT")}[kind]
    with pytest.raises(InputError, match=f"no value .* in the column {column}"):
        make.publish(store, made_up)
    assert not list(store.glob("runs/run_id=2*"))
    assert not (store / "skysieve.duckdb").exists()


def test_a_conjunction_of_an_unknown_object_is_refused(make, store: Path) -> None:
    made_up = make.run()
    made_up.conjunctions["secondary_norad_id"][0] = 123
    with pytest.raises(InputError, match="object 123"):
        make.publish(store, made_up)


@pytest.mark.slow
def test_runs_of_the_same_second_get_ids_that_sort(make, store: Path) -> None:
    ids = [make.publish(store, make.run()) for _ in range(3)]
    assert ids == ["20261121T060000Z", "20261121T060000Z-002", "20261121T060000Z-003"]
    later = make.publish(store, make.run(hours_later=1 / 3600))
    assert sorted([later, *ids]) == [*ids, later]


def test_a_synthetic_run_never_replaces_a_real_one(make, store: Path) -> None:
    make.publish(store, make.run(synthetic=True))
    real = make.publish(store, make.run(synthetic=False, hours_later=1))
    with pytest.raises(StoreError, match=f"real run {real}.*synthetic") as refused:
        make.publish(store, make.run(synthetic=True, hours_later=2))
    assert str(store) in str(refused.value)
    assert json.loads((store / "current.json").read_text())["run_id"] == real


def test_only_a_catalogue_wide_run_becomes_current(make, store: Path) -> None:
    made_up = make.run()
    with pytest.raises(InputError, match="primary"):
        make.publish(store, made_up._replace(run=replace(made_up.run, scope="primary")))


def test_a_failure_on_the_way_leaves_the_store_as_it_was(make, published: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in published.rglob("*") if path.is_file()}

    def full_disk(step: str) -> None:
        if step == "catalogue in place":
            raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match="No space left"):
        make.publish(published, make.run(hours_later=6), on_step=full_disk)
    after = {path: path.stat().st_mtime_ns for path in published.rglob("*") if path.is_file()}
    lock = published / "publisher.lock"
    assert {**after, lock: 0} == {**before, lock: 0}
    assert status(published).runs == 1


@pytest.mark.parametrize(
    "folder", ["decays", "environment", "forecasts", "sky/catalogue", "sky/fragmentations"]
)
def test_what_a_killed_run_was_writing_after_it_was_published_goes(
    make, published: Path, folder: str
) -> None:
    """Regression: the file stayed for good, since the next run's has another name."""
    left = published / folder / "20241101T000000Z.new"
    left.write_bytes(b"PAR1")
    whole = {path for path in left.parent.iterdir() if path != left}
    make.publish(published, make.run(hours_later=6))
    assert not left.exists()
    assert whole <= set(left.parent.iterdir())


def test_parquet_names_the_run_in_path_and_file(make, store: Path) -> None:
    run_id = make.publish(store, make.run())
    for path in (store / "runs" / f"run_id={run_id}").iterdir():
        column = pq.ParquetFile(path).read(columns=["run_id"])["run_id"]
        assert set(column.to_pylist()) <= {run_id}, path


def test_doubles_have_split_bytes_and_only_texts_have_dictionaries(published: Path) -> None:
    path = next(published.glob("runs/run_id=2*/conjunctions.parquet"))
    group = pq.ParquetFile(path).metadata.row_group(0)
    encodings = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert "BYTE_STREAM_SPLIT" in encodings["miss_distance_m"].encodings
    assert encodings["primary_name"].has_dictionary_page
    assert not encodings["event_id"].has_dictionary_page
    assert {column.compression for column in encodings.values()} == {"ZSTD"}


@pytest.mark.slow
def test_a_run_filter_reads_only_its_own_file(make, store: Path) -> None:
    ids = [make.publish(store, make.run(hours_later=6 * i)) for i in range(3)]
    with connect(store) as connection:
        plan = connection.execute(
            f"EXPLAIN ANALYZE SELECT count(event_id) FROM conjunction_history WHERE run_id = '{ids[1]}'"
        ).fetchall()[0][1]
    assert "Scanning Files: 1/4" in plan  # three runs and the file without rows


def test_steps_are_reported_in_order(make, store: Path) -> None:
    seen: list[str] = []
    make.publish(store, make.run(), on_step=seen.append)
    assert seen == [
        "staging begun",
        "run written",
        "run in place",
        "catalogue written",
        "catalogue in place",
        "current",
    ]
