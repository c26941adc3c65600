"""Approaches of a run by shell and group as stored: against SQL over its events, and after it is gone."""

from datetime import timedelta
from pathlib import Path

import pytest

from storage.disk.layout import ENVIRONMENT_FILES
from storage.reading.newest_run import connect
from storage.sky.crowding import COLUMNS, SERIES_COLUMNS, rows_of_run, series, workload
from storage.writing.retention import Retention, compact
from tests.made_up_run import WINDOW_START
from tests.storage.sky.counted_run import Counted, counted_run

# By the rules of the documentation: fast, of complexes the smallest number, constellations by name.
SQL = """
CREATE TEMP TABLE fast AS
SELECT miss_distance_m AS m, coalesce(probability_best, 0.0) AS p, coalesce(fragments_10cm, 0.0) AS f,
    sqrt(primary_x_km^2 + primary_y_km^2 + primary_z_km^2) - 6378.135 AS up,
    a.object_type AS type_a, b.object_type AS type_b,
    if(a.owner IS NULL, 'unknown', a.owner) AS owner_a, if(b.owner IS NULL, 'unknown', b.owner) AS owner_b,
    CASE WHEN a.object_type <> 'payload' THEN 'none' WHEN a.name LIKE 'STARLINK%' THEN 'Starlink'
        WHEN a.name LIKE 'ONEWEB%' THEN 'OneWeb' ELSE 'none' END AS of_a,
    CASE WHEN b.object_type <> 'payload' THEN 'none' WHEN b.name LIKE 'STARLINK%' THEN 'Starlink'
        WHEN b.name LIKE 'ONEWEB%' THEN 'OneWeb' ELSE 'none' END AS of_b,
    primary_norad_id AS id_a, secondary_norad_id AS id_b
FROM conjunctions JOIN objects a ON a.norad_id = primary_norad_id
    JOIN objects b ON b.norad_id = secondary_norad_id
WHERE encounter = 'fast' AND coalesce(a.complex_id, a.norad_id) = a.norad_id
    AND coalesce(b.complex_id, b.norad_id) = b.norad_id
"""
NUMBERS = """count(*) FILTER (m < 1000), count(*) FILTER (m < 5000), 365.25 * sum(p), 365.25 * sum(p * f)"""
RATES = ("approaches_1km_day", "approaches_5km_day", "collisions_year", "fragments_year")
PLACES = [COLUMNS.index(name) for name in RATES]


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counted]:
    store = tmp_path_factory.mktemp("crowded") / "store"
    return store, counted_run(store)


def stored(store: Path, run_id: str, kind: str) -> dict[tuple[object, ...], list[float]]:
    """Return the rates of one kind by group and shell."""
    rows = rows_of_run(store, run_id, kind, 1000)
    key = [COLUMNS.index(name) for name in ("one", "other", "altitude_from_km")]
    return {tuple(row[k] for k in key): [row[k] for k in PLACES] for row in rows}


def test_shells_are_as_the_events(counted: tuple[Path, Counted]) -> None:
    store, run = counted
    shells = stored(store, run.run_id, "shell")
    some = {
        "all": "true",
        "outside": "of_a = 'none' AND of_b = 'none'",
        "within": "of_a <> 'none' AND of_a = of_b",
    }
    with connect(store) as connection:
        connection.execute(SQL)
        for name, where in some.items():
            rows = connection.execute(
                "SELECT CASE WHEN up < 2000 THEN 50 * floor(up / 50) WHEN up < 3000 THEN 2000 ELSE 3000 END, "
                f"{NUMBERS} FROM fast WHERE {where} GROUP BY 1"
            ).fetchall()
            assert len(rows) > 10 or name == "within"
            for altitude, *numbers in rows:
                if numbers[1] or numbers[2]:
                    assert shells[name, None, altitude] == pytest.approx(numbers)
        totals = [
            sum(values)
            for values in zip(*(v for (one, *_), v in shells.items() if one == "all"), strict=True)
        ]
        assert totals == pytest.approx(connection.execute(f"SELECT {NUMBERS} FROM fast").fetchone())
    assert totals[0] > 20


@pytest.mark.parametrize(("kind", "name"), [("type", "type"), ("owner", "owner"), ("constellation", "of")])
def test_groups_are_as_the_events(counted: tuple[Path, Counted], kind: str, name: str) -> None:
    store, run = counted
    found = stored(store, run.run_id, kind)
    pairs = {}
    with connect(store) as connection:
        connection.execute(SQL)
        groups = {group for (group,) in connection.execute(f"SELECT {name}_a FROM fast").fetchall()}
        for one in groups:
            any_of_it = connection.execute(
                f"SELECT {NUMBERS} FROM fast WHERE ? IN ({name}_a, {name}_b)", [one]
            ).fetchone()
            assert found.pop((one, None, None)) == pytest.approx(any_of_it)
        for low, high, *numbers in connection.execute(
            f"SELECT least({name}_a, {name}_b), greatest({name}_a, {name}_b), {NUMBERS} "
            "FROM fast GROUP BY 1, 2"
        ).fetchall():
            if (kind != "owner" or low == high) and (numbers[1] or numbers[2]):
                pairs[low, high] = numbers
    of_pairs = {tuple(sorted((one, other))): rates for (one, other, _), rates in found.items() if other}
    assert of_pairs == {pair: pytest.approx(numbers) for pair, numbers in pairs.items()}


def test_work_is_counted_by_who_the_others_are(counted: tuple[Path, Counted]) -> None:
    store, run = counted
    own = [int(one["norad_id"]) for one in run.objects if one["owner"] == "GSFC"]
    with connect(store) as connection:
        shares = workload(store, lambda q, v: connection.execute(q, v).fetchall(), run.run_id, own)
        connection.execute(SQL)
        rows = connection.execute(
            "SELECT owner_a, owner_b, type_a, type_b, m, p FROM fast WHERE m < 5000"
        ).fetchall()
    of_it = [row for row in rows if "GSFC" in row[:2]]
    by = {(one.kind, one.group): one for one in shares}
    assert by["all", ""].approaches_5km == len(of_it)
    within = [row for row in of_it if row[0] == row[1]]
    assert by["within", ""].approaches_5km == len(within) > 0
    for group in ("SPXS", "GUKOS", "unknown"):
        near = [row[4] for row in of_it if group in row[:2]]
        assert by["owner", group].approaches_5km == len(near)
        assert by["owner", group].approaches_1km == sum(m < 1000.0 for m in near)
    debris = [
        row for row in of_it if row[0] != row[1] and (row[3] if row[0] == "GSFC" else row[2]) == "debris"
    ]
    assert by["type", "debris"].approaches_5km == len(debris)
    assert ("owner", "GSFC") not in by
    docked = [int(run.objects["norad_id"][6])]
    alone = [int(run.objects["norad_id"][5])]
    with connect(store) as connection:
        asked = [
            workload(store, lambda q, v: connection.execute(q, v).fetchall(), run.run_id, of)
            for of in (docked, alone)
        ]
    assert asked[0] == asked[1] != []


def test_a_shorter_threshold_says_nothing_of_5_km(store: Path) -> None:
    run = counted_run(store, threshold_km=2.0)
    rows = rows_of_run(store, run.run_id, "type", 10)
    assert {row[COLUMNS.index("approaches_5km_day")] for row in rows} == {None}
    assert any(row[COLUMNS.index("approaches_1km_day")] for row in rows)


def test_the_series_outlives_its_runs(store: Path) -> None:
    first = counted_run(store)
    rows = rows_of_run(store, first.run_id, None, 1000)
    second = counted_run(store, hours_later=8.0)
    assert rows_of_run(store, first.run_id, None, 1000) == rows
    before = series(store)
    assert [row[0] for row in before] == [first.run_id, second.run_id]
    assert len(list(store.glob(ENVIRONMENT_FILES))) == 2  # one month, and the empty file
    compact(store, WINDOW_START + timedelta(days=400), Retention(timedelta(days=30), timedelta(days=30)))
    assert series(store) == before
    assert rows_of_run(store, first.run_id, None, 1000) == rows
    row = dict(zip(SERIES_COLUMNS, before[0], strict=True))
    assert row["approaches_5km_day"] > row["approaches_1km_day"] > row["within_1km_day"] >= 0
    with connect(store) as connection:
        ((runs,),) = connection.execute("SELECT count(DISTINCT run_id) FROM environment").fetchall()
    assert runs == 2
    assert rows_of_run(store, "20200101T000000Z", None, 10) == []
