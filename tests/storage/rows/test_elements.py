"""Element sets are kept at full precision, each once."""

from pathlib import Path

import duckdb
import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE
from screening.vocabulary import TRAJECTORY_KINDS
from storage.reading.newest_run import connect
from storage.rows.elements import content_hashes


def test_elements_are_stored_bit_by_bit(make, store: Path) -> None:
    made_up = make.run()
    make.publish(store, made_up)
    for table in ("elements", "element_history"):
        with connect(store) as connection:
            stored = connection.sql(f"FROM {table} ORDER BY norad_id").to_arrow_table()
        for name in ELEMENT_DTYPE.names:
            expected = made_up.elements[name].tolist()
            if name == "trajectory":
                expected = [TRAJECTORY_KINDS[code] for code in expected]
            assert stored[name].to_pylist() == expected, name


def test_each_set_is_stored_once_over_all_runs(make, store: Path) -> None:
    make.publish(store, make.run())
    again = make.run(hours_later=6)
    again.elements["mean_anomaly_deg"][:5] += 1e-9  # five new sets
    again.elements["name"][7] = "NEW NAME"  # the same set
    second = make.publish(store, again)
    make.publish(store, make.run(hours_later=12))
    with connect(store) as connection:
        history = connection.execute(
            "SELECT run_id, count(*) FROM element_history GROUP BY 1 ORDER BY 1"
        ).fetchall()
        now = connection.execute("SELECT count(*), count(DISTINCT norad_id) FROM elements").fetchone()
    assert history == [("20261121T060000Z", 30), (second, 5)]
    assert now == (30, 30)
    files = sorted(path.stem for path in (store / "elements").iterdir())
    assert files == ["0", "20261121T060000Z", second, "imported-0"]


def test_every_number_of_a_set_counts_for_its_identity(make) -> None:
    elements = make.elements(10)
    before = content_hashes(elements)
    for name in ELEMENT_DTYPE.names:
        changed = elements.copy()
        if ELEMENT_DTYPE[name].kind == "f":
            changed[name] = np.nextafter(changed[name], np.inf)
        elif ELEMENT_DTYPE[name].kind == "i":
            changed[name] += 1
        else:
            changed[name] = "X"
        differs = content_hashes(changed) != before
        assert differs.all() == (ELEMENT_DTYPE[name].kind in "if" and name != "trajectory"), name


def test_the_stored_hash_survives_a_reader_that_is_not_this_code(make, store: Path) -> None:
    made_up = make.run()
    make.publish(store, made_up)
    files = str(store / "elements" / "*.parquet")
    with duckdb.connect() as connection:
        rows = connection.execute(
            "SELECT content_hash FROM read_parquet(?) ORDER BY norad_id", [files]
        ).fetchall()
    assert [row[0] for row in rows] == content_hashes(made_up.elements).tolist()
