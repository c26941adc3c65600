"""The catalogue as it was known at a time, and all sets of an object, from a store's history."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from screening.errors import InputError
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.revolution import apsides_km
from storage.analyst_file.tables_and_views import element_history
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import ELEMENT_FILES, IMPORTED_ELEMENT_FILES
from storage.rows.elements import sets_of_rows
from storage.times import datetime64_us, time_text, utc_datetimes
from storage.upkeep.upgrade import settle

KEPT_DAYS = 30  # after which a public catalogue drops an object of which there are no new sets

_NEWEST = """
WHERE first_seen <= TIMESTAMP '{as_of}' AND epoch >= TIMESTAMP '{oldest}'
    AND coalesce(trajectory, 'gp') <> 'ephemeris'
QUALIFY row_number() OVER (
    PARTITION BY norad_id ORDER BY first_seen DESC, epoch DESC, content_hash
) = 1
ORDER BY norad_id"""
_SHOWN = (
    *("epoch", "first_seen", "mean_motion_rev_day", "eccentricity", "inclination_deg"),
    *("bstar_per_earth_radius", "name", "run_id"),
)
COLUMNS = (
    *("epoch", "first_seen", "age_at_first_seen_h", "since_previous_h", "mean_motion_rev_day"),
    *("perigee_km", "apogee_km", "inclination_deg", "bstar_per_earth_radius", "run_id"),
)


def catalogue_at(store: Path, as_of: datetime) -> ElementArray:
    """Return the element sets (n,) ELEMENT_DTYPE that a catalogue had at a time (UTC), by norad_id.

    Of each object that which became known last, and of these the newest. Objects without a set of the 30
    days before are left out, as public catalogues do.

    Raises:
        InputError: no set was known then.
        StoreError: the store cannot be read.
    """
    oldest = as_of - timedelta(days=KEPT_DAYS)
    newest = _NEWEST.format(as_of=datetime64_us(as_of), oldest=datetime64_us(oldest))
    columns = _history(store, lambda history: sets_of_rows(f"FROM ({history})", newest))
    elements = np.zeros(len(columns["norad_id"]), ELEMENT_DTYPE)
    for name, values in columns.items():
        elements[name] = values
    if not len(elements):
        raise InputError(
            f"The store {store} has no element set that was known at {time_text(as_of)} and at most "
            f"{KEPT_DAYS} days old: import some (`skysieve history import PATH`)."
        )
    return elements


def sets_of_object(store: Path, norad_id: int) -> list[dict[str, object]]:
    """Return the sets of an object in the order of their epochs, each with the values of COLUMNS.

    Raises:
        InputError: the store has none.
        StoreError: the store cannot be read.
    """
    found = _history(
        store,
        lambda history: (
            f"SELECT {', '.join(_SHOWN)} FROM ({history}) "  # noqa: S608
            f"WHERE norad_id = {norad_id} ORDER BY epoch, first_seen"
        ),
    )
    if not len(found["epoch"]):
        raise InputError(f"The store {store} has no element set of object {norad_id}.")
    hour = np.timedelta64(1, "h")
    found["age_at_first_seen_h"] = ((found["first_seen"] - found["epoch"]) / hour).round(3)
    found["since_previous_h"] = np.append(np.nan, np.diff(found["epoch"]) / hour).round(3)
    pairs = zip(found["mean_motion_rev_day"].tolist(), found["eccentricity"].tolist(), strict=True)
    found["perigee_km"], found["apogee_km"] = np.array([apsides_km(*pair) for pair in pairs]).T.round(3)
    values = [_plain(found[name]) for name in COLUMNS]
    return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*values, strict=True)]


def _plain(values: Any) -> list[object]:
    if values.dtype.kind == "M":
        return list(utc_datetimes(values.astype("M8[us]")))
    plain: list[object] = np.ma.asarray(values).tolist()
    return plain


def _history(store: Path, query: Any) -> dict[str, Any]:
    """Run a query, made from that of the history, and return its columns as arrays."""
    with store_faults(store):
        settle(store)
        if not any(store.glob(IMPORTED_ELEMENT_FILES)):
            raise InputError(f"The store {store} has no element sets.")
        verify_all(store.glob(ELEMENT_FILES))
        expiry = expiry_of(read_current(store))
        with file_reader() as connection:
            found: dict[str, Any] = connection.execute(query(element_history(store, expiry))).fetchnumpy()
    return found
