"""Facts about the body of one object: from the newest run, or from the tables without one."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from storage.bodies.table import BODY_DTYPE, bodies_with
from storage.disk.current import read_current
from storage.disk.faults import store_faults
from storage.reading.newest_run import connect
from storage.state.object_facts import read_facts


class ObjectBody(NamedTuple):
    """The body of an object, as the newest run has it; None: not known."""

    name: str | None = None  # in the catalogue of the run
    body_name: str | None = None  # by GCAT
    owner: str | None = None
    state: str | None = None
    status: str | None = None  # active, inactive, unknown
    can_manoeuvre: str | None = None  # yes, no, unknown
    can_manoeuvre_reason: str | None = None
    hard_body_radius_m: float | None = None
    hard_body_source: str | None = None
    radius_m: float | None = None
    bounding_radius_m: float | None = None
    mass_kg: float | None = None
    body_source: str | None = None


def object_body(store: Path, norad_id: int) -> ObjectBody | None:
    """Return what the newest run knows of an object's body, else what the table of bodies does.

    None: nothing is known.

    Raises:
        StoreError: the store is damaged.
    """
    if read_current(store) is not None:
        columns = ", ".join(ObjectBody._fields)
        with store_faults(store), connect(store) as connection:
            found = connection.execute(
                f"SELECT {columns} FROM objects WHERE norad_id = ?",  # noqa: S608
                [norad_id],
            ).fetchone()
        if found:
            return ObjectBody(*found)
    return _of_table(store, norad_id)


def _of_table(store: Path, norad_id: int) -> ObjectBody | None:
    bodies = bodies_with(read_facts(store).bodies)
    place = np.searchsorted(bodies["norad_id"], norad_id)
    if place == len(bodies) or bodies["norad_id"][place] != norad_id:
        return None
    body = dict(zip(BODY_DTYPE.names or (), bodies[place].item(), strict=True))
    return ObjectBody(
        body_name=body["name"] or None,
        owner=body["owner"] or None,
        state=body["state"] or None,
        radius_m=body["radius_m"],
        bounding_radius_m=body["bounding_radius_m"],
        mass_kg=None if np.isnan(body["mass_kg"]) else body["mass_kg"],
        body_source=body["body_source"],
    )
