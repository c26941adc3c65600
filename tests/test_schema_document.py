"""docs/schema.md is what the schema says, what a real store has, and its SQL runs."""

import re
from pathlib import Path

import duckdb
import pytest

import skysieve
from docs.schema import ALL, DOCUMENT, document, sql_types
from storage.reading.newest_run import connect
from storage.reading.read_only_sql import query
from tests.earlier_stores import columns_of
from tests.made_up_run import make_run, publish
from tests.runs import busiest_object


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with runs in which every optional value is missing somewhere."""
    store = tmp_path_factory.mktemp("made-up")
    publish(store, make_run())
    publish(store, make_run(hours_later=6))
    return store


@pytest.mark.slow
def test_the_page_is_what_the_schema_says() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run: python docs/schema.py"


@pytest.mark.slow
def test_a_store_has_these_columns_in_this_order_with_these_types(made_up: Path) -> None:
    with connect(made_up):
        had = columns_of(made_up)
    assert had == {name: sql_types(of) for name, of in ALL.items()}
    assert {name: list(columns) for name, columns in had.items()} == {
        name: [column.name for column in of.columns] for name, of in ALL.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("fixture", ["made_up", "store_with_run"])
def test_columns_that_always_have_a_value_have_one(fixture: str, request: pytest.FixtureRequest) -> None:
    store = request.getfixturevalue(fixture)
    for name, of in ALL.items():
        always = [column.name for column in of.columns if not column.nullable]
        _, rows = query(
            store, "SELECT " + ", ".join(f'count(*) - count("{one}")' for one in always) + f" FROM {name}"
        )
        (nulls,) = rows
        assert dict(zip(always, nulls, strict=True)) == dict.fromkeys(always, 0), name
    # Else the test above could not fail.
    assert _count(store, "conjunctions WHERE probability_mc IS NULL")


def test_an_object_has_one_row(store_with_run: Path) -> None:
    for name in ("objects", "elements"):
        assert _count(store_with_run, name) == _count(
            store_with_run, f"(SELECT DISTINCT norad_id FROM {name})"
        )
        assert _count(store_with_run, name) > 500


def test_the_sql_of_the_page_runs(store_with_run: Path) -> None:
    blocks = re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    for sql in blocks:
        _, rows = query(store_with_run, sql.replace("25544", str(busiest_object(store_with_run))))
        assert list(rows), sql


def test_zones_are_what_the_conventions_say(store_with_run: Path) -> None:
    """Texts lose their zone, zoned times and parameters keep it, and local time is UTC to the reader."""
    store = skysieve.open_store(store_with_run)
    first, last = store.sql("SELECT min(tca), max(tca) FROM conjunctions").iloc[0]
    noon = (first + (last - first) / 2).floor("s")  # between events
    local = noon.tz_convert("Europe/Berlin")
    before = _count(store_with_run, f"conjunctions WHERE tca < '{noon:%Y-%m-%d %H:%M:%S}'")
    for_its_hour = _count(store_with_run, f"conjunctions WHERE tca < '{local:%Y-%m-%d %H:%M:%S}'")
    assert 0 < before < for_its_hour
    assert _count(store_with_run, f"conjunctions WHERE tca < '{local.isoformat()}'") == for_its_hour
    zoned = f"conjunctions WHERE tca < TIMESTAMPTZ '{local.isoformat()}'"
    assert _count(store_with_run, zoned) == before
    assert len(store.sql("FROM conjunctions WHERE tca < ?", [local])) == before
    with duckdb.connect(store_with_run / "skysieve.duckdb", read_only=True) as connection:
        for zone, expected in (("Europe/Berlin", for_its_hour), ("UTC", before)):
            connection.execute(f"SET TimeZone = '{zone}'")
            assert connection.sql(f"SELECT count(*) FROM {zoned}").fetchall() == [(expected,)]
    clock = "tca AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin'"
    shown = store.sql(
        f"SELECT tca, {clock} AS local, strftime({clock}, '%d.%m. %H:%M') AS text FROM conjunctions"
    )
    assert str(shown["local"].dtype) == str(shown["tca"].dtype)  # so its zone is wrong
    assert not (shown["local"] == shown["tca"]).any()
    assert (shown["text"] == shown["tca"].dt.tz_convert("Europe/Berlin").dt.strftime("%d.%m. %H:%M")).all()


def _count(store: Path, what: str) -> int:
    _, rows = query(store, f"SELECT count(*) FROM {what}")
    ((count,),) = rows
    assert isinstance(count, int)
    return count
