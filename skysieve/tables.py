"""Turn Arrow tables into pandas DataFrames, each column with the type that fits it.

time, date                      datetime64[us, UTC]   NULL: NaT
span of time                    timedelta64[us]       NULL: NaT
one of few texts                category              NULL: missing
integer, where NULL may occur   Int64, Int32          NULL: <NA>
yes or no, where NULL may occur boolean               NULL: <NA>
double, decimal                 float64               NULL: NaN
integer, yes or no, never NULL  int64, int32, bool
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.api.extensions import ExtensionArray

from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS, RISK_LEVELS

Values: TypeAlias = npt.NDArray[np.generic]
Column: TypeAlias = Values | ExtensionArray | pd.Series

# From harmless to dangerous, so that `level >= "high"` and sorting mean what they say.
_LEVELS = {
    "risk_level": RISK_LEVELS[::-1],
    "probability_level": PROBABILITY_LEVELS[::-1],
    "near_level": NEAR_LEVELS[::-1],
}
_INTERVAL_DTYPE = np.dtype([("months", "i4"), ("days", "i4"), ("ns", "i8")])
_US_OF_DAY = 86_400_000_000


def to_dataframe(parts: Iterable[pa.Table]) -> pd.DataFrame:
    """Return the columns of tables with equally many rows as one DataFrame, which may be changed.

    Each table is freed before the next one is asked for: where they are read one after the other, the frame
    needs little more memory than its columns.
    """
    names: list[str] = []
    columns: list[Column] = []
    rows = 0
    for part in parts:
        rows = part.num_rows
        names += part.column_names
        columns += [_column(field, part.column(place)) for place, field in enumerate(part.schema)]
        del part
    # By place, since the names of a join may repeat.
    frame = pd.DataFrame(dict(enumerate(columns)), index=pd.RangeIndex(rows), copy=False)
    frame.columns = pd.Index(names)
    return frame


def with_found_nulls(table: pa.Table) -> pa.Table:
    """Return a table of unknown origin that says of each column whether NULL may occur: whether it does."""
    fields = [f.with_nullable(table.column(i).null_count > 0) for i, f in enumerate(table.schema)]
    return pa.Table.from_arrays(table.columns, schema=pa.schema(fields))


def _column(field: pa.Field, values: pa.ChunkedArray) -> Column:
    kinds: tuple[tuple[Callable[[pa.DataType], bool], Callable[[pa.Field, pa.ChunkedArray], Column]], ...] = (
        (pa.types.is_dictionary, _words),
        (pa.types.is_string, _text),
        (pa.types.is_temporal, _temporal),
        (pa.types.is_decimal, _decimal),
        (pa.types.is_integer, _integers),
        (pa.types.is_boolean, _yes_no),
        (pa.types.is_floating, lambda _, values: _writable(values)),
    )
    for fits, convert in kinds:
        if fits(field.type):
            return convert(field, values)
    return _as_pandas_does(values)


def _as_pandas_does(values: pa.ChunkedArray) -> pd.Series:
    """Return texts, maps, lists, structures; maps become dictionaries of Python."""
    series: pd.Series = values.to_pandas(maps_as_pydicts="strict")
    return series


def _writable(values: pa.ChunkedArray) -> Values:
    """Return numbers or times as an array of its own; NaN and NaT stand for NULL."""
    none: Values = values.slice(0, 0).to_numpy()
    return np.concatenate([none, *(chunk.to_numpy(zero_copy_only=False) for chunk in values.chunks)])


def _words(field: pa.Field, values: pa.ChunkedArray) -> pd.Series:
    words = _as_pandas_does(values)
    levels = _LEVELS.get(field.name, ())
    if levels and set(words.cat.categories) <= set(levels):
        words = words.cat.set_categories(levels, ordered=True)
    return words


def _text(field: pa.Field, values: pa.ChunkedArray) -> pd.Series:
    """Return texts as they are, and levels in their order: compared as texts, critical is below high."""
    if field.name in _LEVELS:
        return _words(field, values.dictionary_encode())
    return _as_pandas_does(values)


def _temporal(_field: pa.Field, values: pa.ChunkedArray) -> Column:
    kind = values.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        instants = values.cast(pa.timestamp("us"), safe=False)
        return pd.DatetimeIndex(_writable(instants)).tz_localize("UTC").array
    if pa.types.is_duration(kind):
        return _writable(values.cast(pa.duration("us"), safe=False))
    if pa.types.is_interval(kind):
        return _spans(values)
    return _as_pandas_does(values)  # times of day


def _spans(values: pa.ChunkedArray) -> Column:
    """Return spans of days and less as timedelta64[us]; months have no fixed length and stay as they are."""
    array = values.combine_chunks()
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    parts = np.frombuffer(array.buffers()[1], _INTERVAL_DTYPE, len(array), array.offset * 16)
    missing = array.is_null().to_numpy(zero_copy_only=False)
    if parts["months"][~missing].any():
        return _as_pandas_does(values)
    spans: Values = (parts["days"].astype("i8") * _US_OF_DAY + parts["ns"] // 1000).astype("m8[us]")
    spans[missing] = np.timedelta64("NaT")
    return spans


def _decimal(field: pa.Field, values: pa.ChunkedArray) -> Column:
    """Return decimals as doubles; sums of integers, which DuckDB returns as decimals too, as integers."""
    if values.type.scale == 0:
        try:
            return _integers(field, values.cast(pa.int64()))
        except pa.ArrowInvalid:  # beyond 64 bits
            pass
    return _writable(values.cast(pa.float64()))


def _integers(field: pa.Field, values: pa.ChunkedArray) -> Column:
    if not field.nullable:
        return _writable(values)
    return pd.arrays.IntegerArray(_writable(pc.fill_null(values, 0)), _missing(values))  # type: ignore[arg-type]


def _yes_no(field: pa.Field, values: pa.ChunkedArray) -> Column:
    if not field.nullable:
        return _writable(values)
    known = np.asarray(_writable(pc.fill_null(values, False)), np.bool_)
    return pd.arrays.BooleanArray(known, _missing(values))


def _missing(values: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    return np.asarray(_writable(values.is_null()), np.bool_)
