"""Bring the table `objects` of an earlier release up to date: status, and who can manoeuvre."""

import duckdb
import numpy as np
import pyarrow as pa

from screening.risk.objects.bodies.body_classes import stations_of
from screening.risk.objects.bodies.in_use import Movers, statuses, who_can_manoeuvre
from screening.risk.objects.error_classes import ERROR_CLASSES, manoeuvred_lately
from screening.vocabulary import OBJECT_TYPES

_KNOWN = """
SELECT objects.norad_id, objects.name, epoch, last_manoeuvre,
    coalesce(list_position(?, object_type), 0) - 1 AS object_type, coalesce(status, '') AS status,
    coalesce(list_position(?, error_class), 0) - 1 AS error_class, coalesce(mass_kg, 'nan'::DOUBLE) AS mass_kg
FROM objects JOIN elements USING (norad_id) WHERE can_manoeuvre IS NULL"""


def set_status(connection: duckdb.DuckDBPyConnection) -> None:
    """Set `status`, `can_manoeuvre` and its reason in rows without the latter.

    Earlier releases wrote SATCAT's words as `status`, NULL where it says nothing.
    """
    rows = connection.execute(_KNOWN, [list(OBJECT_TYPES), list(ERROR_CLASSES)]).fetchnumpy()
    found = {name: np.ma.asarray(values) for name, values in rows.items()}
    if not len(found["norad_id"]):
        return
    types, words = found["object_type"].astype(np.int8), found["status"].astype(np.str_)
    last = np.ma.filled(found["last_manoeuvre"].astype("M8[us]"), np.datetime64("NaT"))
    status = statuses(types, words, manoeuvred_lately(found["epoch"].astype("M8[us]"), last))
    classes = found["error_class"].astype(np.int8)
    can, why = who_can_manoeuvre(
        Movers(
            stations_of(np.asarray(found["norad_id"])) >= 0,
            found["name"].astype(np.str_),
            types,
            status,
            last,
            classes,
            found["mass_kg"],
        )
    )
    columns = {"norad_id": found["norad_id"], "status": status, "can": can, "why": why}
    connection.register(
        "of_today", pa.table({name: pa.array(np.asarray(one)) for name, one in columns.items()})
    )
    connection.execute(
        "UPDATE objects SET status = of_today.status, can_manoeuvre = can, can_manoeuvre_reason = why "
        "FROM of_today WHERE objects.norad_id = of_today.norad_id"
    )
    connection.unregister("of_today")
