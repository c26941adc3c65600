"""Earlier element sets of a run's objects, and what the last run computed from them."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import cast

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import instants
from screening.risk.conjunctions import NO_CODE
from screening.risk.objects.knowledge import FACTOR_DTYPE, FactorArray
from screening.vocabulary import TRAJECTORY_KINDS
from storage.analyst_file.tables_and_views import element_history as every_set
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import NOTHING_EXPIRED, read_current
from storage.disk.faults import damaged_analyst_file, says_damaged
from storage.disk.layout import ELEMENT_FILES
from storage.histories.fitted_laws import SHIPPED
from storage.reading.newest_run import connect
from storage.rows.elements import HISTORY_DTYPE, content_hashes
from storage.times import datetime64_us

HISTORY_DAYS = 30
_NUMBERS = HISTORY_DTYPE.names or ()

_FACTORS = (
    *("covariance_factor_r", "covariance_factor_t", "covariance_factor_n"),
    *("burns_per_day", "burn_dv_m_s"),
)


def carried_factors(store: Path, elements: ElementArray, error_laws: str = SHIPPED) -> FactorArray:
    """Return the last run's factors for those element sets (n,) that it had too, FACTOR_DTYPE (n,).

    `element_sets` is NO_CODE where it had another set of the object or none, or computed no factors, and for
    all if that run did not have these error laws (`error_laws` in its record).

    Raises:
        StoreError: the store's last run cannot be read.
    """
    carried = np.zeros(len(elements), FACTOR_DTYPE)
    carried["norad_id"], carried["element_sets"] = elements["norad_id"], NO_CODE
    for name in _FACTORS:
        carried[name.removeprefix("covariance_")] = np.nan
    carried["last_manoeuvre"] = np.datetime64("NaT")
    current = read_current(store)
    if current is None:
        return carried
    sets = pa.table({"content_hash": content_hashes(elements), "place": np.arange(len(elements))})
    with connect(store) as connection:
        connection.register("sets", sets)
        found = _columns(
            connection,
            store,
            f"SELECT place, element_sets, last_manoeuvre, {', '.join(_FACTORS)} "  # noqa: S608
            "FROM sets JOIN elements USING (content_hash) "
            "JOIN objects USING (norad_id) WHERE element_sets IS NOT NULL AND "
            "(SELECT error_laws FROM runs WHERE run_id = ?) = ?",
            [current.run_id, error_laws],
        )
    place = found["place"]
    carried["element_sets"][place] = found["element_sets"]
    carried["last_manoeuvre"][place] = np.ma.filled(found["last_manoeuvre"], np.datetime64("NaT"))
    for name in _FACTORS:
        carried[name.removeprefix("covariance_")][place] = np.ma.filled(found[name], np.nan)
    return carried


def element_history(store: Path, elements: ElementArray, as_of: datetime | None = None) -> ElementArray:
    """Return element sets (n,), one per object, together with each object's stored sets of the last 30 days.

    With `as_of` (UTC) only sets that were known then. Sorted by norad_id and epoch, HISTORY_DTYPE.
    Only sets of the same kind are compared, general or supplemental. Objects whose set is over 30 days older
    than most are left out, since no new sets of them are published, and so are those that no catalogue has.

    Raises:
        StoreError: the store's element sets cannot be read.
    """
    epoch = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    days = np.timedelta64(HISTORY_DAYS, "D")
    newest = np.percentile(epoch.astype(np.int64), 99.0) if len(epoch) else 0.0
    oldest = np.int64(newest).astype("M8[us]") - days
    in_catalogue = elements["trajectory"] != TRAJECTORY_KINDS.index("ephemeris")
    alive = elements.take(np.flatnonzero((epoch >= oldest) & in_catalogue))
    now = np.zeros(len(alive), HISTORY_DTYPE)
    for name in _NUMBERS:
        now[name] = alive[name]
    joined = np.concatenate([_earlier(store, alive, oldest - days, as_of), now])
    order = np.lexsort((joined["epoch_day_fraction"], joined["epoch_jd"], joined["norad_id"]))
    history: ElementArray = joined.take(order)
    return history


def _earlier(
    store: Path, elements: ElementArray, oldest: np.datetime64, as_of: datetime | None
) -> ElementArray:
    """Return the stored sets, in any order, up to 30 days older than those given of the same objects."""
    if not any(store.glob(ELEMENT_FILES)):
        return np.zeros(0, HISTORY_DTYPE)
    asked = pa.table(
        {
            "norad_id": np.ascontiguousarray(elements["norad_id"]),
            "until": instants(elements["epoch_jd"], elements["epoch_day_fraction"]),
            "known": content_hashes(elements),
            "kind": np.array(TRAJECTORY_KINDS)[elements["trajectory"]],
        }
    )
    verify_all(store.glob(ELEMENT_FILES), (*_NUMBERS, "epoch", "content_hash", "trajectory"))
    known = f"AND first_seen <= TIMESTAMP '{datetime64_us(as_of)}' " if as_of else ""
    with file_reader() as connection:
        connection.register("asked", asked)
        found = _columns(
            connection,
            store,
            f"SELECT {', '.join(_NUMBERS)} FROM ({every_set(store, NOTHING_EXPIRED)}) "  # noqa: S608
            "JOIN asked USING (norad_id) WHERE coalesce(trajectory, 'gp') = kind "
            f"AND epoch >= TIMESTAMP '{oldest}' AND epoch <= until AND content_hash <> known "
            f"AND epoch >= until - INTERVAL {HISTORY_DAYS} DAY {known}",
        )
    sets = np.zeros(len(found["norad_id"]), HISTORY_DTYPE)
    for name, values in found.items():
        sets[name] = values
    return sets


def _columns(
    connection: duckdb.DuckDBPyConnection, store: Path, sql: str, values: Sequence[str] = ()
) -> dict[str, npt.NDArray[np.generic]]:
    try:
        found = cast("dict[str, npt.NDArray[np.generic]]", connection.execute(sql, values).fetchnumpy())
    except duckdb.Error as error:
        if says_damaged(error):
            raise damaged_analyst_file(store, error) from error
        why = str(error).partition("\n")[0]  # the rest is our own statement
        raise StoreError(f"The element sets in the store {store} cannot be read: {why}.") from error
    return found
