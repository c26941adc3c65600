"""Record arrays of the screening as Arrow tables, and back: codes are words; NaN, NaT and NO_CODE NULL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from screening.encounters import ProximityArray
from screening.errors import InputError
from screening.fields import Field
from screening.orbits.elements import ElementArray, Rejection
from screening.risk.conjunctions import FIELDS, NO_CODE, ConjunctionArray, unrated
from storage import schema
from storage.times import datetime64_us, in_utc
from storage.vocabulary import TOLD

# Records whose fields are copied one after the other: 0.8 MB, which stay in the processor's cache.
_AT_A_TIME = 2048


class Names(NamedTuple):
    """The names of a catalogue's objects."""

    numbers: npt.NDArray[np.int64]  # (n,) ascending
    texts: pa.Array  # (n,)


def names_of(elements: ElementArray) -> Names:
    """Return the names in element sets (n,), one of each object, in any order."""
    by_number = np.argsort(elements["norad_id"], kind="stable")
    return Names(elements["norad_id"][by_number], pa.array(elements["name"][by_number]))


def conjunction_table(
    records: ConjunctionArray,
    event_ids: npt.NDArray[np.int64],
    names: Names,
    *,
    run_id: str,
    origin: str,
    computed_at: datetime,
    first_row: int = 0,
) -> pa.Table:
    """Return rated conjunctions (n,) of CONJUNCTION_DTYPE as rows of the table `conjunctions`.

    They are the rows from `first_row` on, for the texts of errors. Of `origin` TOLD, from a message, they may
    lack what only states and element sets give.

    Raises:
        InputError: a required value is missing, or an object has no name.
    """
    count = len(records)
    columns: dict[str, pa.Array] = {
        "event_id": pa.array(event_ids),
        "run_id": constant(run_id, count),
        "origin": constant(origin, count),
        "computed_at": pa.repeat(pa.scalar(in_utc(computed_at), pa.timestamp("us")), count),
    }
    for who in ("primary", "secondary"):
        columns[f"{who}_name"] = _look_up(names, records[f"{who}_norad_id"])
    columns |= columns_of(records)
    always = () if origin in TOLD else schema.FOLLOWS_FROM_STATES
    return conform(columns, schema.CONJUNCTIONS, "conjunctions", first_row, always)


def columns_of(records: ConjunctionArray) -> dict[str, pa.Array]:
    """Return the fields of rated conjunctions (n,) of CONJUNCTION_DTYPE as columns."""
    values = {name: np.empty(len(records), records.dtype[name]) for name in records.dtype.names or ()}
    for begin in range(0, len(records), _AT_A_TIME):
        some = records[begin : begin + _AT_A_TIME]
        for name, column in values.items():
            column[begin : begin + _AT_A_TIME] = some[name]
    return {field.name: _column_of(field, values[field.name]) for field in FIELDS}


def conjunctions_of(rows: pa.Table) -> ConjunctionArray:
    """Return rows of the table `conjunctions` as rated conjunctions (n,) of CONJUNCTION_DTYPE."""
    records = unrated(len(rows))
    for field in FIELDS:
        records[field.name] = _values_of(field, rows[field.name])
    return records


def proximity_table(
    records: ProximityArray, elements: ElementArray, window_start: datetime, *, run_id: str
) -> pa.Table:
    """Return proximities (n,) of PROXIMITY_DTYPE, which point into `elements`, as rows of `proximities`."""
    start = datetime64_us(window_start)
    columns = {"run_id": constant(run_id, len(records))}
    for who in ("primary", "secondary"):
        theirs = elements[records[f"{who}_index"]]
        columns[f"{who}_norad_id"] = pa.array(np.ascontiguousarray(theirs["norad_id"]))
        columns[f"{who}_name"] = pa.array(theirs["name"], pa.string())
    columns["tca"] = pa.array(_after(start, records["tca_s"]))
    columns["min_distance_m"] = _doubles(records["min_distance_km"] * 1e3)
    columns["max_distance_m"] = _doubles(records["max_distance_km"] * 1e3)
    columns["kind"] = words(np.where(records["same_elements"], 0, 1), ("same_elements", "co_orbiting"))
    columns["leaves_at"] = pa.array(_after(start, records["leaves_at_s"]))
    return conform(columns, schema.PROXIMITIES, "proximities")


def rejection_table(rejected: Sequence[Rejection], *, run_id: str) -> pa.Table:
    """Return rejected catalogue records as rows of the table `rejections`."""
    columns = {
        "run_id": constant(run_id, len(rejected)),
        "line": pa.array([r.line for r in rejected], pa.int64()),
        "record": pa.array([r.record for r in rejected], pa.string()),
        "reason": pa.array([r.reason for r in rejected], pa.string()),
    }
    return conform(columns, schema.REJECTIONS, "rejections")


def words(codes: npt.NDArray[np.integer], vocabulary: Sequence[str]) -> pa.Array:
    """Return the words of codes; NULL for NO_CODE."""
    indices = pa.array(codes.astype(np.int32), mask=codes == NO_CODE)
    return pa.DictionaryArray.from_arrays(indices, pa.array(vocabulary, pa.string()))


def constant(word: str, count: int) -> pa.Array:
    """Return a column with the same word `count` times."""
    return words(np.zeros(count, np.int32), (word,))


def conform(
    columns: dict[str, pa.Array],
    table: schema.Table,
    name: str,
    first_row: int = 0,
    always: Collection[str] = (),
) -> pa.Table:
    """Return columns in the table's order and types; they are its rows from `first_row` on.

    Columns of `always` must have a value in every row, although they may be NULL in others.

    Raises:
        InputError: a required value is missing; the message names row and column.
    """
    for column in table.columns:
        required = not column.nullable or column.name in always
        if required and columns[column.name].null_count:
            row = first_row + columns[column.name].is_null().index(True).as_py()
            raise InputError(
                f"Row {row} of the table {name} has no value (NaN or NaT) in the column {column.name}, "
                "which must have one; nothing was written."
            )
    return pa.table([columns[c.name].cast(c.type) for c in table.columns], schema=table.arrow)


def _column_of(field: Field, values: npt.NDArray[np.generic]) -> pa.Array:
    match field.kind:
        case "word":
            return words(values.astype(np.int32), field.words)
        case "flags":
            return words(values.astype(np.int32) - 1, _together(field.words))
        case "yes_no":
            return pa.array(values == 1, mask=values == NO_CODE)
        case "count" if not field.always:
            return pa.array(values, mask=values.astype(np.int64) < 0)
        case "number":
            return _doubles(values)
        case "count" | "time":
            return pa.array(values)


def _together(flags: Sequence[str]) -> list[str]:
    """Return the words of flags, separated by blanks, for each number above 0 of which they are the bits."""
    return [
        " ".join(word for bit, word in enumerate(flags) if bits >> bit & 1)
        for bits in range(1, 1 << len(flags))
    ]


def _values_of(field: Field, column: pa.ChunkedArray) -> npt.NDArray[np.generic]:
    """Return the values of a column, as `_column_of` takes them."""
    values: npt.NDArray[np.generic]
    if field.kind in ("word", "flags"):
        vocabulary = _together(field.words) if field.kind == "flags" else field.words
        codes = pc.index_in(column.cast(pa.string()), pa.array(vocabulary, pa.string())).fill_null(NO_CODE)
        values = codes.to_numpy() + (field.kind == "flags")
    elif field.kind in ("yes_no", "count"):
        values = column.cast(pa.int64()).fill_null(NO_CODE).to_numpy()
    else:
        values = column.to_numpy()  # NULL becomes NaN or NaT
    return values


def _doubles(values: npt.NDArray[np.generic]) -> pa.Array:
    return pa.array(values, from_pandas=True)  # NaN becomes NULL


def _after(start: np.datetime64, seconds: npt.NDArray[np.float64]) -> npt.NDArray[np.datetime64]:
    known = np.isfinite(seconds)
    offsets = np.rint(np.where(known, seconds, 0.0) * 1e6).astype("m8[us]")
    return np.where(known, start + offsets, np.datetime64("NaT", "us"))


def _look_up(names: Names, norad_ids: npt.NDArray[np.int64]) -> pa.Array:
    """Return the names (m,) of objects; the dictionary has only these."""
    numbers = names.numbers
    index = np.searchsorted(numbers, norad_ids)
    found = index < len(numbers)
    found[found] = numbers[index[found]] == norad_ids[found]
    if not found.all():
        raise InputError(
            f"A conjunction names object {norad_ids[~found][0]}, which is not among the element sets of its "
            "run; nothing was written."
        )
    used = np.zeros(len(numbers), np.bool_)
    used[index] = True
    place = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return pa.DictionaryArray.from_arrays(pa.array(place[index]), names.texts.filter(pa.array(used)))
