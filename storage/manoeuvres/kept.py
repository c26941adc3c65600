"""Which manoeuvres the store has: each once, and again if later sets show it better."""

from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from storage.analyst_file.tables_and_views import manoeuvres
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import Expiry
from storage.disk.faults import store_faults
from storage.disk.layout import MANOEUVRE_FILES
from storage.manoeuvre_schema import MANOEUVRES
from storage.rows.records import conform, constant
from storage.times import datetime64_us

ManoeuvreArray = npt.NDArray[np.void]
Instants = npt.NDArray[np.datetime64]

# Sets that come later change the sigmas of a detection by some tenths; more is a burn seen whole.
BETTER_BY = 1.5
STORED_DTYPE = np.dtype(
    [
        *(("norad_id", "i8"), ("from", "M8[us]"), ("to", "M8[us]"), ("at", "M8[us]")),
        *(("dv_m_s", "f8"), ("sigmas", "f8")),
    ]
)
_FOUND = tuple(name for name in MANOEUVRES.arrow.names if name not in ("found_at", "run_id"))


def stored_manoeuvres(store: Path, expiry: Expiry, wanted: str = "true") -> ManoeuvreArray:
    """Return the manoeuvres that the store shows, STORED_DTYPE (n,), by object and time.

    `wanted`: a condition on rows, SQL.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    columns = ", ".join(f'"{name}"' for name in STORED_DTYPE.names or ())
    order = f'SELECT {columns} FROM ({manoeuvres(store, expiry, wanted)}) ORDER BY norad_id, "from"'  # noqa: S608
    found = _columns(store, order)
    stored = np.zeros(len(found["norad_id"]) if found else 0, STORED_DTYPE)
    for name, values in found.items():
        stored[name] = values
    return stored


def last_manoeuvres(
    store: Path, expiry: Expiry, as_of: datetime | None = None
) -> tuple[npt.NDArray[np.int64], Instants]:
    """Return the objects of which manoeuvres are stored, ascending, and the first set after each one's last.

    With `as_of` (UTC) only of those that had been found then.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    found = _columns(
        store,
        f'SELECT norad_id, max("to") AS "to" FROM ({manoeuvres(store, expiry, found_until(as_of))}) '  # noqa: S608
        "GROUP BY norad_id ORDER BY norad_id",
    )
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, "M8[us]")
    return found["norad_id"].astype(np.int64), found["to"].astype("M8[us]")


def found_until(as_of: datetime | None) -> str:
    """Return the condition that a row had been found at a time (UTC); None: any has."""
    return "true" if as_of is None else f"found_at <= TIMESTAMP '{datetime64_us(as_of)}'"


def not_yet_stored(
    store: Path, found: ManoeuvreArray, expiry: Expiry, wanted: str = "true"
) -> ManoeuvreArray:
    """Return those of some manoeuvres, MANOEUVRE_DTYPE, that the store has not, or has as much less sure.

    Of two whose times overlap the surer counts. Needs the lock. `wanted`: a condition on what the store has.
    """
    kept = np.concatenate(
        [stored_manoeuvres(store, expiry, wanted), found[list(STORED_DTYPE.names or ())].astype(STORED_DTYPE)]
    )
    fresh = np.zeros(len(kept), np.bool_)
    fresh[len(kept) - len(found) :] = True
    is_news = _is_news(kept, fresh)[fresh]
    news: ManoeuvreArray = found[is_news]
    return news


def _is_news(rows: ManoeuvreArray, fresh: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which of the fresh rows (n,) no other row with an overlapping time says as well."""
    news = np.zeros(len(rows), np.bool_)
    order = np.argsort(rows["norad_id"], kind="stable")
    numbers = rows["norad_id"][order]
    for number in np.unique(rows["norad_id"][fresh]):
        own = order[np.searchsorted(numbers, number) : np.searchsorted(numbers, number, "right")]
        known = list(own[~fresh[own]])
        candidates = own[fresh[own]]
        for one in candidates[np.argsort(-rows["sigmas"][candidates], kind="stable")]:
            row, others = rows[one], rows[known]
            overlaps = (others["from"] < row["to"]) & (row["from"] < others["to"])
            if row["sigmas"] >= BETTER_BY * others["sigmas"][overlaps].max(initial=0.0):
                news[one] = True
                known.append(one)
    return news


def manoeuvre_table(found: ManoeuvreArray, found_at: datetime | Instants, run_id: str | None) -> pa.Table:
    """Return manoeuvres, MANOEUVRE_DTYPE (n,), as rows of the table; `run_id`: None for a whole history."""
    when = found_at if isinstance(found_at, np.ndarray) else np.full(len(found), datetime64_us(found_at))
    columns: dict[str, Any] = {
        name: pa.array(np.ascontiguousarray(found[name]), from_pandas=True)
        if name in (found.dtype.names or ())
        else pa.nulls(len(found), MANOEUVRES.arrow.field(name).type)
        for name in _FOUND
    }
    columns["found_at"] = pa.array(when)
    columns["run_id"] = pa.nulls(len(found)) if run_id is None else constant(run_id, len(found))
    return conform(columns, MANOEUVRES, "manoeuvres")


def _columns(store: Path, sql: str) -> dict[str, npt.NDArray[Any]]:
    """Run a query over the files; no columns if there are none yet."""
    if not any(store.glob(MANOEUVRE_FILES)):
        return {}
    with store_faults(store):
        verify_all(store.glob(MANOEUVRE_FILES))
        with file_reader() as connection:
            return {
                name: np.ma.getdata(values) for name, values in connection.execute(sql).fetchnumpy().items()
            }
