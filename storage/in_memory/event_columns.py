"""The columns of events in memory, to which rows are added without copying those that are there."""

import itertools
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import NamedTuple, Self, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from storage import schema
from storage.rows.danger import PROBABILITIES, danger_keys, decisive_probability, unknown_last
from storage.times import utc_datetimes

Numbers = npt.NDArray[np.generic]
Indices = npt.NDArray[np.intp]

_FIRST = ("event_id", "primary_norad_id", "secondary_norad_id", "tca", "miss_distance_m", "risk_level")
EVENT_COLUMNS = _FIRST + tuple(c.name for c in schema.CONJUNCTIONS.columns if c.name not in _FIRST)
# Columns that numpy holds directly; NaN and NaT stand for NULL, which integers lack.
_NUMBERS = tuple(
    c.name
    for c in schema.CONJUNCTIONS.columns
    if pa.types.is_floating(c.type)
    or pa.types.is_timestamp(c.type)
    or (pa.types.is_integer(c.type) and not c.nullable)
)
_PLAIN = frozenset(_NUMBERS)
_TIMES = frozenset(c.name for c in schema.CONJUNCTIONS.columns if pa.types.is_timestamp(c.type))
_WORDS = tuple(name for name in EVENT_COLUMNS if name not in _PLAIN)
# Words as texts.
PLAIN_SCHEMA = pa.schema(
    [
        (name, kind.value_type if pa.types.is_dictionary(kind) else kind)
        for name, kind in ((name, schema.CONJUNCTIONS.arrow.field(name).type) for name in EVENT_COLUMNS)
    ]
)
# Columns that follow from others and that many requests need.
DECISIVE, DANGER, TCA_US = "decisive", "danger", "tca, us"
LIKELIEST_FIRST, MOST_PIECES_FIRST = "likeliest first", "most expected pieces first"
# Numbers that filters and orders read; the others are kept by their distinct values where these are few.
_READ_BY_QUERIES = frozenset(
    {"event_id", "primary_norad_id", "secondary_norad_id", "tca", "miss_distance_m"}
    | {DECISIVE, DANGER, LIKELIEST_FIRST, MOST_PIECES_FIRST}
)
_FEW = (np.uint8, np.uint16)  # types of codes
# Room for as many further rows; analyses add tens at a time.
_SPARE_ROWS = 4096

NULL = 0  # the code of a word that is not there

Codes = npt.NDArray[np.unsignedinteger]


class Words(NamedTuple):
    """A column with few distinct values, or an integer column with NULLs."""

    codes: Codes  # (n,)
    values: list[object]  # the first is None; further rows may add more at the end


class _Room:
    """Arrays with room at their end. What lies before `used` never changes, so readers share it.

    Arrays of words, and those of numbers in `few`, hold codes of values: places in lists of them, which only
    grow. Codes that no longer fit their type go on in a wider array.
    """

    def __init__(
        self,
        arrays: dict[str, Numbers],
        values: dict[str, list[object]],
        few: dict[str, Numbers],
        used: int,
    ) -> None:
        self.arrays, self.values, self.few, self.used = arrays, values, few, used
        # The code of each word, made when rows are first added.
        self.codes: dict[str, dict[object, int]] = {}
        self.lock = Lock()

    @property
    def size(self) -> int:
        """Rows that it can hold."""
        return len(next(iter(self.arrays.values())))

    def copied(self, rows: int, size: int) -> "_Room":
        """Return a room of its own that begins with the first rows of this one, for `size` rows and more."""
        arrays = {name: _roomy([array[:rows]], size) for name, array in self.arrays.items()}
        few = {name: values[: _codes_of(arrays[name][:rows])] for name, values in self.few.items()}
        return _Room(arrays, {name: list(words) for name, words in self.values.items()}, few, rows)

    def add(self, numbers: Mapping[str, Numbers], words: Mapping[str, list[object]], count: int) -> None:
        """Write rows (m,) behind those that are used."""
        here = slice(self.used, self.used + count)
        for name, array in numbers.items():
            if name in self.few:  # without looking for values that are there already
                before = len(self.few[name])
                self.few[name] = np.concatenate([self.few[name], array])
                self._put(name, here, np.arange(before, before + count))
            else:
                self.arrays[name][here] = array
        for name, column in words.items():
            values = self.values[name]
            codes = self.codes.setdefault(name, {})
            for code in range(len(codes), len(values)):
                codes[values[code]] = code
            for word in column:
                if word not in codes:
                    codes[word] = len(values)
                    values.append(word)
            self._put(name, here, np.array([codes[word] for word in column], np.int64))
        self.used += count

    def _put(self, name: str, here: slice, codes: npt.NDArray[np.int64]) -> None:
        kind = np.promote_types(self.arrays[name].dtype, _type_of_codes(_codes_of(codes)))
        self.arrays[name] = self.arrays[name].astype(kind, copy=False)
        self.arrays[name][here] = codes


class EventColumns:
    """Columns (n,) that never change; columns with further rows share the first n with them."""

    def __init__(self, room: _Room, rows: int) -> None:
        """Take the first rows of a room."""
        self._room, self._rows = room, rows
        self._arrays = {name: array[:rows] for name, array in room.arrays.items()}

    @classmethod
    def read(cls, batches: pa.RecordBatchReader) -> Self:
        """Read events (n,) with EVENT_COLUMNS batch by batch, without further memory."""
        parts: dict[str, list[Numbers]] = {}
        encoded: dict[str, list[pa.Array]] = {name: [] for name in _WORDS}
        none = pa.record_batch([pa.array([], field.type) for field in batches.schema], schema=batches.schema)
        for batch in itertools.chain([none], batches):
            for name, array in _numbers_of(batch).items():
                parts.setdefault(name, []).append(array)
            for name, column in encoded.items():
                column.append(batch[name].dictionary_encode())
        rows = sum(len(part) for part in parts["event_id"])
        arrays: dict[str, Numbers] = {}
        few: dict[str, Numbers] = {}
        for name in list(parts):
            array = _roomy(parts.pop(name), rows)
            found = None if name in _READ_BY_QUERIES else _by_values(array[:rows])
            if found is None:
                arrays[name] = array
            else:
                codes, few[name] = found
                arrays[name] = _roomy([codes], rows)
        values: dict[str, list[object]] = {}
        for name in _WORDS:
            whole = pa.chunked_array(encoded.pop(name)).combine_chunks()
            values[name] = [None, *whole.dictionary.to_pylist()]
            places = np.array(whole.indices.fill_null(-1), np.int32) + np.int32(1)
            arrays[name] = _roomy([places.astype(_type_of_codes(len(values[name])))], rows)
        pa.default_memory_pool().release_unused()
        return cls(_Room(arrays, values, few, rows), rows)

    def __len__(self) -> int:
        return self._rows

    def first(self, rows: int) -> Self:
        """Return columns of the first rows."""
        return type(self)(self._room, rows)

    def has_room(self, count: int) -> bool:
        """Return whether more rows can be written without a copy: only free room follows these."""
        return self._room.used == self._rows and self._rows + count <= self._room.size

    def with_rows(self, rows: pa.Table) -> Self:
        """Return columns (n + m,) that also have the rows (m,) of a table with EVENT_COLUMNS.

        Only those are written, unless the room is used up, or others were added behind the same n.
        """
        rows = rows.combine_chunks()
        numbers, words = _numbers_of(rows), {name: rows[name].to_pylist() for name in _WORDS}
        end = self._rows + len(rows)
        with self._room.lock:
            room = self._room
            if not self.has_room(len(rows)):
                room = room.copied(self._rows, end)
            room.add(numbers, words, len(rows))
        return type(self)(room, end)

    def numbers(self, name: str) -> Numbers:
        """Return a column (n,) of numbers or times; NaN and NaT stand for NULL."""
        if name == TCA_US:
            return self._arrays["tca"].view(np.int64)
        return self._decoded(name, self._arrays[name])

    def words(self, name: str) -> Words:
        """Return a column (n,) of words, of truth values, or of integers with NULLs."""
        codes: Codes = self._arrays[name]  # type: ignore[assignment]
        return Words(codes, self._room.values[name])

    def cells(self, indices: Indices) -> list[Sequence[object]]:
        """Return the cells of some rows, column by column in the order of EVENT_COLUMNS."""
        found: list[Sequence[object]] = []
        for name in EVENT_COLUMNS:
            cells = self._arrays[name][indices]
            if name in _TIMES:
                found.append(utc_datetimes(self._decoded(name, cells)))
            elif name in _PLAIN:
                found.append(self._decoded(name, cells).tolist())
            else:
                values, codes = self._room.values[name], cast("list[int]", cells.tolist())
                found.append([values[code] for code in codes])
        return found

    def taken(self, indices: Indices, names: Sequence[str] = EVENT_COLUMNS) -> pa.Table:
        """Return some rows as an Arrow table with nulls."""
        return pa.table({name: self._taken(name, indices) for name in names})

    def arrow(self, rows: npt.NDArray[np.bool_] | None) -> pa.Table:
        """Return the columns as an Arrow table, NULL numbers as NaN; all rows without copying the numbers."""
        whole = pa.table({name: self._arrow(name) for name in EVENT_COLUMNS})
        return whole if rows is None else whole.filter(pa.array(rows))

    def _taken(self, name: str, indices: Indices) -> pa.Array:
        if name in _PLAIN:
            return pa.array(self._decoded(name, self._arrays[name][indices]), from_pandas=True)
        # A thousand rows have few of the words; names alone make 50,000.
        used, codes = np.unique(self._arrays[name][indices], return_inverse=True)
        values = self._room.values[name]
        kind = pa.array(values[1:2]).type
        return pa.array([values[code] for code in used.tolist()], kind).take(pa.array(codes))

    def _arrow(self, name: str) -> pa.Array:
        if name in self._room.few:
            return pa.DictionaryArray.from_arrays(self._arrays[name], self._room.few[name])
        if name in _PLAIN:
            return pa.array(self._arrays[name])
        codes, values = self.words(name)
        return pa.DictionaryArray.from_arrays(pa.array(codes - 1, mask=codes == NULL), pa.array(values[1:]))

    def _decoded(self, name: str, cells: Numbers) -> Numbers:
        """Return cells of a column of numbers as these."""
        few = self._room.few.get(name)
        return cells if few is None else few[cells]


def _numbers_of(rows: pa.RecordBatch | pa.Table) -> dict[str, Numbers]:
    """Return the columns (n,) of numbers, and those that follow from them."""
    numbers: dict[str, Numbers] = {}
    for name in _NUMBERS:
        column = rows[name]
        filled = column.fill_null(np.nan) if pa.types.is_floating(column.type) else column
        array = (
            filled.to_numpy()
            if isinstance(filled, pa.ChunkedArray)
            else filled.to_numpy(zero_copy_only=False)
        )
        numbers[name] = np.array(array)  # a copy, so that the batch can be freed
    decisive = decisive_probability(*(numbers[name].astype(np.float64) for name in PROBABILITIES))
    numbers[DECISIVE] = decisive
    numbers[DANGER] = danger_keys(numbers.__getitem__)[0]
    numbers[LIKELIEST_FIRST] = unknown_last(decisive)
    numbers[MOST_PIECES_FIRST] = unknown_last(decisive * numbers["fragments_10cm"].astype(np.float64))
    return numbers


def _by_values(array: Numbers) -> tuple[Codes, Numbers] | None:
    """Return a column (n,) as codes (n,) of its values, equal to the bit; None if they are too many."""
    bits = array.view(np.int64)
    begin = bits[:_SPARE_ROWS]
    if len(np.unique(begin)) > len(begin) // 2 or not len(bits):
        return None
    encoded = pa.array(bits).dictionary_encode()
    count = len(encoded.dictionary)
    if count > len(bits) // 4 or count > np.iinfo(_FEW[-1]).max:
        return None
    return np.array(encoded.indices, _type_of_codes(count)), np.array(encoded.dictionary).view(array.dtype)


def _type_of_codes(count: int) -> type[np.unsignedinteger]:
    """Return the smallest type for as many codes from 0 on."""
    return next((kind for kind in _FEW if count - 1 <= np.iinfo(kind).max), np.uint32)


def _codes_of(codes: Numbers) -> int:
    """Return how many values codes (n,) may mean."""
    return int(codes.max()) + 1 if len(codes) else 0


def _roomy(parts: Sequence[Numbers], size: int) -> Numbers:
    """Return parts of an array one after the other, with room behind `size` rows."""
    rows = sum(len(part) for part in parts)
    whole = np.empty(size + max(_SPARE_ROWS, size // 32), parts[0].dtype)
    np.concatenate(parts, out=whole[:rows])
    return whole
