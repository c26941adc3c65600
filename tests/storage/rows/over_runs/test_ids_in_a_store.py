"""Ids of events over the runs of a store, also those that had not seen an encounter."""

import duckdb
import numpy as np
import pytest

from storage.reading.newest_run import connect
from storage.rows.over_runs.event_ids import hashed_ids
from storage.writing.found_events import events_of
from storage.writing.known_events import ids_of_others


@pytest.mark.slow
def test_a_run_repeated_over_three_runs_keeps_all_ids(make, store) -> None:
    for i in range(3):
        made_up = make.run(hours_later=6 * i)
        for name in ("tca", "inside_from", "inside_to"):
            made_up.conjunctions[name] += np.timedelta64(3 * i, "s")
        make.publish(store, made_up)
    with connect(store) as connection:
        found = connection.execute(
            "SELECT count(DISTINCT event_id), count(*) FROM conjunction_history"
        ).fetchone()
    assert found == (60, 180)


@pytest.mark.slow
@pytest.mark.parametrize("missed", [1, 3])
def test_an_encounter_that_runs_have_missed_keeps_its_id(missed: int, make, store) -> None:
    """Its history, its trend and its alerts began anew, under another id."""
    made_up = make.run()
    for name in ("tca", "inside_from", "inside_to"):
        made_up.conjunctions[name] += np.timedelta64(20, "h")
    for i in range(missed + 2):
        found = made_up.conjunctions.copy()
        for name in ("tca", "inside_from", "inside_to"):
            found[name] += np.timedelta64(3 * i, "s")
        seen = found[:40] if 0 < i <= missed else found
        make.publish(store, make.run(hours_later=6 * i)._replace(conjunctions=seen))
    with connect(store) as connection:
        times = connection.execute(
            "SELECT n, count(*) FROM (SELECT count(*) AS n FROM conjunction_history GROUP BY event_id) "
            "GROUP BY n ORDER BY n"
        ).fetchall()
    assert times == [(2, 20), (missed + 2, 40)]


def test_an_id_of_another_encounter_in_an_old_run_is_not_given_again(make, store) -> None:
    """Only what is near in time is matched, but no run of the store may hold the id for something else."""
    made_up = make.run()
    make.publish(store, made_up)
    new = events_of(made_up.conjunctions)
    assert ids_of_others(store, new).tolist() == []  # the same encounters: not others
    path = next(store.glob("runs/run_id=2*/conjunctions.parquet"))
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM read_parquet('{path}', hive_partitioning = false)")
        connection.execute("UPDATE t SET tca = tca + INTERVAL 11 MINUTE")
        connection.execute(f"COPY t TO '{path}'")
    assert sorted(ids_of_others(store, new).tolist()) == sorted(hashed_ids(new).tolist())
