"""docs/schema.md is what the schema says, what a real store has, and its SQL runs."""

import re
from pathlib import Path

import pytest

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


def test_the_page_is_what_the_schema_says() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run: python docs/schema.py"


def test_a_store_has_these_columns_in_this_order_with_these_types(made_up: Path) -> None:
    with connect(made_up):
        had = columns_of(made_up)
    assert had == {name: sql_types(of) for name, of in ALL.items()}
    assert {name: list(columns) for name, columns in had.items()} == {
        name: [column.name for column in of.columns] for name, of in ALL.items()
    }


@pytest.mark.parametrize("fixture", ["made_up", "store_with_run"])
def test_columns_that_always_have_a_value_have_one(fixture: str, request: pytest.FixtureRequest) -> None:
    store = request.getfixturevalue(fixture)
    for name, of in ALL.items():
        always = [column.name for column in of.columns if not column.nullable]
        _, rows = query(
            store, f"SELECT {', '.join(f'count(*) - count({one})' for one in always)} FROM {name}"
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


def _count(store: Path, what: str) -> int:
    _, rows = query(store, f"SELECT count(*) FROM {what}")
    ((count,),) = rows
    assert isinstance(count, int)
    return count
