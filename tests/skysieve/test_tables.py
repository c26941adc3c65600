"""DataFrames have the values that pyarrow itself reads from the Arrow table, with types of their own."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from skysieve.tables import to_dataframe, with_found_nulls

T0 = datetime(2026, 11, 21, 6, 0, 0, 123456)  # noqa: DTZ001 - Arrow has times without a zone
WORD = pa.dictionary(pa.int32(), pa.string())
KINDS = {
    "time": (pa.timestamp("us"), [T0, None, T0 + timedelta(microseconds=1)], "datetime64[us, UTC]"),
    "zoned": (pa.timestamp("us", "Asia/Tokyo"), [T0.replace(tzinfo=UTC), None, None], "datetime64[us, UTC]"),
    "nanoseconds": (pa.timestamp("ns"), [T0, None, T0], "datetime64[us, UTC]"),
    "day": (pa.date32(), [date(2026, 11, 21), None, date(1957, 10, 4)], "datetime64[us, UTC]"),
    "span": (pa.duration("s"), [timedelta(days=-1), None, timedelta(seconds=2)], "timedelta64[us]"),
    "word": (WORD, ["b", None, "a"], "category"),
    "number": (pa.int64(), [2**53 + 1, None, -1], "Int64"),
    "small_number": (pa.int32(), [1, None, -1], "Int32"),
    "yes_no": (pa.bool_(), [True, None, False], "boolean"),
    "double": (pa.float64(), [0.1, None, -np.inf], "float64"),
    "decimal": (pa.decimal128(20, 1), [Decimal("1.5"), None, Decimal("-2.5")], "float64"),
    "sum": (pa.decimal128(38, 0), [Decimal(2**53 + 1), None, Decimal(-1)], "Int64"),
    "large_sum": (pa.decimal128(38, 0), [Decimal(2**70), None, Decimal(1)], "float64"),
}


def as_python(value: object) -> object:
    """Return a cell as pyarrow would give it: None for what is missing, times in UTC."""
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    if isinstance(value, pd.Timedelta):
        return value.to_pytimedelta()
    return None if pd.isna(value) else value  # type: ignore[call-overload]


def expected_of(value: object) -> object:
    """Return a value of Python as UTC where it is a time, as a number where it is a decimal."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("chunks", [1, 3])
def test_every_kind_of_column_keeps_its_values(name: str, chunks: int) -> None:
    kind, values, dtype = KINDS[name]
    table = pa.table({name: pa.chunked_array([pa.array(values, kind)] * chunks)})
    frame = to_dataframe([table])
    assert str(frame[name].dtype) == dtype
    assert [as_python(value) for value in frame[name]] == [expected_of(value) for value in values] * chunks


@pytest.mark.parametrize("name", KINDS)
def test_a_column_that_is_never_null_has_the_plain_type(name: str) -> None:
    kind, values, dtype = KINDS[name]
    given = [value for value in values if value is not None]
    table = pa.table([pa.array(given, kind)], schema=pa.schema([pa.field(name, kind, nullable=False)]))
    plain = {"Int64": "int64", "Int32": "int32", "boolean": "bool"}.get(dtype, dtype)
    assert str(to_dataframe([table])[name].dtype) == plain


@pytest.mark.parametrize("name", KINDS)
def test_an_empty_column_has_the_type_of_a_full_one(name: str) -> None:
    kind, _, dtype = KINDS[name]
    expected = "Int64" if name == "large_sum" else dtype  # doubles stand only for sums beyond 64 bits
    for none in (pa.chunked_array([], kind), pa.chunked_array([pa.array([], kind)])):
        frame = to_dataframe([pa.table({name: none})])
        assert len(frame) == 0
        assert str(frame[name].dtype) == expected


@pytest.mark.parametrize("name", KINDS)
def test_what_is_in_a_frame_can_be_changed(name: str) -> None:
    # Arrays that pyarrow lends are read-only, and pandas tells so only when something is assigned.
    kind, values, _ = KINDS[name]
    given = pa.array([values[0], values[2] or values[0]], kind)
    frame = to_dataframe([pa.table([given], schema=pa.schema([pa.field(name, kind, nullable=False)]))])
    frame.loc[0, name] = frame.loc[1, name]
    assert as_python(frame[name].iloc[0]) == as_python(frame[name].iloc[1])


def test_a_change_of_a_frame_leaves_its_table_alone() -> None:
    table = pa.table({"miss_distance_m": pa.array([1.0, 2.0])})
    frame = to_dataframe([table])
    frame["miss_distance_m"] *= 1000
    frame.loc[0, "miss_distance_m"] = -1.0
    assert table["miss_distance_m"].to_pylist() == [1.0, 2.0]


@pytest.mark.parametrize("stored", [WORD, pa.string()])
def test_levels_are_in_order_of_danger(stored: pa.DataType) -> None:
    levels = ["low", "critical", None, "high", "unknown"]
    (level,) = to_dataframe([pa.table({"probability_level": pa.array(levels, stored)})]).items()
    assert list(level[1].cat.categories) == ["low", "unknown", "medium", "high", "critical"]
    assert (level[1] >= "high").tolist() == [False, True, False, True, False]
    assert level[1].sort_values().dropna().tolist() == ["low", "unknown", "high", "critical"]
    (near,) = to_dataframe([pa.table({"near_level": pa.array([None, "high", "medium"], stored)})]).items()
    assert list(near[1].cat.categories) == ["medium", "high", "critical"]


def test_a_level_that_this_release_does_not_know_is_kept() -> None:
    frame = to_dataframe([pa.table({"risk_level": pa.array(["low", "extreme"], WORD)})])
    assert frame["risk_level"].tolist() == ["low", "extreme"]


def test_tables_become_columns_side_by_side_and_names_may_repeat() -> None:
    parts = (pa.table({"norad_id": [1, 2], "name": ["A", "B"]}), pa.table({"norad_id": [3, 4]}))
    frame = to_dataframe(iter(parts))
    assert list(frame.columns) == ["norad_id", "name", "norad_id"]
    assert frame.to_numpy().tolist() == [[1, "A", 3], [2, "B", 4]]


def test_no_tables_are_an_empty_frame() -> None:
    assert to_dataframe([]).shape == (0, 0)
    assert to_dataframe([pa.table({})]).shape == (0, 0)


# DuckDB's own DataFrame is the reference.
OF_DUCKDB = """
SELECT i AS number, i * 1.5 AS decimal, i % 2 = 0 AS even, sum(i) OVER () AS total,
    TIMESTAMP '2026-11-21 06:00:00' + i * INTERVAL 36 HOUR AS time,
    i * INTERVAL 36 HOUR + INTERVAL 1 MICROSECOND AS span, DATE '2026-11-21' + i::INTEGER AS day,
    'text ' || i AS word, nullif(i, 1) AS some, if(i = 1, NULL, INTERVAL 3 DAY) AS some_spans, i / 3 AS third
FROM range(5000) AS r(i)
"""


def test_answers_of_duckdb_are_as_duckdb_itself_turns_them_into_a_frame() -> None:
    with duckdb.connect() as connection:
        frame = to_dataframe([with_found_nulls(connection.sql(OF_DUCKDB).to_arrow_table())])
        reference = connection.sql(OF_DUCKDB).df()
    assert frame.dtypes.map(str).drop("word").to_dict() == {
        "number": "int64",
        "decimal": "float64",
        "even": "bool",
        "total": "int64",
        "time": "datetime64[us, UTC]",
        "span": "timedelta64[us]",
        "day": "datetime64[us, UTC]",
        "some": "Int64",
        "some_spans": "timedelta64[us]",
        "third": "float64",
    }
    for name in ("number", "decimal", "even", "total", "word", "third"):
        assert frame[name].tolist() == reference[name].tolist()
    for name in ("time", "day"):
        assert frame[name].dt.tz_localize(None).tolist() == pd.to_datetime(reference[name]).tolist()
    for name in ("span", "some_spans"):
        assert (frame[name].dropna() == reference[name].dropna()).all()
        assert (frame[name].isna() == reference[name].isna()).all()
    assert frame["some"].isna().tolist() == reference["some"].isna().tolist()


def test_months_have_no_fixed_length_and_stay_as_they_are() -> None:
    with duckdb.connect() as connection:
        table = connection.sql("SELECT INTERVAL 1 MONTH AS span").to_arrow_table()
    (span,) = to_dataframe([table])["span"]
    assert pd.Timestamp("2026-02-28") + span == pd.Timestamp("2026-03-28")


def test_maps_are_dictionaries() -> None:
    kind = pa.map_(pa.string(), pa.float64())
    frame = to_dataframe([pa.table({"seconds": pa.array([{"pairs": 1.5}, {}], kind)})])
    assert frame["seconds"].tolist() == [{"pairs": 1.5}, {}]
