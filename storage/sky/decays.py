"""Forecast the decays of a run's objects, after it, from its sets and an earlier one of each; store them."""

from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from screening.decay.forecast import HIGHEST_PERIGEE_KM, Decays, Recent, decays
from screening.decay.life import Lives, Orbits
from screening.decay.temperature import temperature_kelvin
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.orbits.timegrid import FloatArray, UtcArray, instants
from screening.risk.objects.bodies.in_use import who_can_manoeuvre
from screening.vocabulary import DECAY_METHODS, OBJECT_TYPES, TRAJECTORY_KINDS
from storage.analyst_file.tables_and_views import files_in
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import Expiry, expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import (
    IMPORTED_ELEMENT_FILES,
    NO_RUN,
    RUN_ELEMENT_FILES,
    decay_file,
    element_file,
    replace_parquet,
)
from storage.disk.run_ids import stamp
from storage.disk.whole_files import sync_folder
from storage.rows.records import conform, constant, words
from storage.sky.lists import WITHIN_DAYS
from storage.sky_schema import DECAYS
from storage.times import utc_datetime
from storage.upkeep.upgrade import opened_for_writing
from storage.writing.objects_table import ObjectArray, movers

LOCK_TIMEOUT_S = 60.0
# How much earlier the other set should be: half of the time left, but a change must show, and be recent. The
# time left is about 0.008 n / (dn/dt) if the orbit is low and nearly circular.
_SHARE = 0.004
# Sets of a few days only are read, as many days older than those of the run; from, to.
_AGES_DAYS = {3.0: (2.0, 5.0), 10.0: (8.5, 11.5), 28.0: (26.5, 30.0)}
_OLDEST_DAYS = 31
_PER_DAY = np.timedelta64(1, "D")
_COLUMNS = ("norad_id", "epoch", "mean_motion_rev_day", "eccentricity", "trajectory")


class _Earlier(NamedTuple):
    """An earlier set of each object (n,); NaN and NaT where there is none."""

    epoch: UtcArray
    mean_motion_rev_day: FloatArray
    eccentricity: FloatArray


def forecast_decays(
    store: Path, run_id: str, elements: ElementArray, objects: ObjectArray, start: np.datetime64
) -> int:
    """Forecast the decays of a run's objects (n,) within five years of its start (UTC); store and count them.

    Objects that only an operator's ephemeris has are left out, and payloads that thrust.

    Raises:
        StoreError: the store cannot be read or written, a file is damaged, or another process holds it.
    """
    store = store.resolve()
    of_catalogue = elements["trajectory"] != TRAJECTORY_KINDS.index("ephemeris")
    epoch = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    motion, rate = elements["mean_motion_rev_day"], 2.0 * elements["mean_motion_dot_rev_day2"]
    orbits, day = Orbits.of(motion, elements["eccentricity"]), _day_of_year(epoch)
    stages = of_catalogue & (objects["object_type"] == OBJECT_TYPES.index("rocket_body"))
    of_stages = Orbits(*(values[stages] for values in orbits))
    kelvin = temperature_kelvin(of_stages, motion[stages], rate[stages], day[stages])
    low = np.flatnonzero(of_catalogue & (orbits.perigee_km < HIGHEST_PERIGEE_KM))
    epoch = epoch[low]
    recent = Recent(
        motion[low],
        elements["eccentricity"][low],
        rate[low],
        day[low],
        objects["object_type"][low] == OBJECT_TYPES.index("payload"),
        *(np.full(len(low), np.nan) for _ in range(3)),
    )
    lives = Lives.at(kelvin)
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        with np.errstate(divide="ignore"):
            wanted = _SHARE * recent.mean_motion_rev_day / np.maximum(recent.rate_rev_day2, 0.0)
        asked = pa.table(
            {
                "place": np.arange(len(low)),
                "norad_id": elements["norad_id"][low],
                "until": epoch,
                "wanted": _nearest(wanted),
                "kind": np.array(TRAJECTORY_KINDS)[elements["trajectory"][low]],
            }
        )
        earlier = _earlier(store, run_id, asked, start)
        between = (epoch - earlier.epoch) / _PER_DAY
        recent = recent._replace(
            earlier_mean_motion_rev_day=earlier.mean_motion_rev_day,
            earlier_eccentricity=earlier.eccentricity,
            days_between=between,
        )
        found = decays(recent, lives)
        soon = found.median_days < WITHIN_DAYS
        here = np.flatnonzero(soon & (_after(epoch, found.end_days) > start))
        here = here[np.argsort(_after(epoch[here], found.median_days[here]))]
        found = Decays._make(values[here] for values in found)
        sets, facts = elements[low[here]], objects[low[here]]
        table = _table(run_id, sets, facts, epoch[here], earlier.epoch[here], found, kelvin)
        path = decay_file(store, run_id)
        replace_parquet(table, path)
        sync_folder(path.parent)
    return len(here)


def _earlier(store: Path, run_id: str, asked: pa.Table, start: np.datetime64) -> _Earlier:
    """Return for each row asked for a set of before this run, about as much older as is wanted."""
    earlier = _Earlier(np.full(len(asked), np.datetime64("NaT"), "M8[us]"), *np.full((2, len(asked)), np.nan))
    paths = _files(store, run_id, start, expiry_of(read_current(store)))
    verify_all(paths, (*_COLUMNS, "first_seen"))
    with file_reader() as connection:
        connection.register("asked", asked)
        rows = connection.execute(
            "SELECT place, epoch, mean_motion_rev_day, eccentricity "  # noqa: S608
            f"FROM {files_in(paths)} AS sets JOIN asked USING (norad_id) "
            "WHERE coalesce(trajectory, 'gp') = kind "
            f"AND (first_seen IS NULL OR first_seen <= TIMESTAMP '{start}') "
            f"AND epoch >= until - INTERVAL {_OLDEST_DAYS} DAY AND epoch < until - INTERVAL 1 DAY "
            "QUALIFY row_number() OVER (PARTITION BY place "
            "ORDER BY abs(date_diff('second', epoch, until) / 86400.0 - wanted), epoch) = 1"
        ).fetchnumpy()
    place = rows["place"]
    for values, name in zip(earlier, _Earlier._fields, strict=True):
        values[place] = rows[name]
    return earlier


def _nearest(days: FloatArray) -> FloatArray:
    """Return the age nearest to each in the logarithm, of those that are read."""
    ages = np.array(list(_AGES_DAYS))
    nearest: FloatArray = ages[np.searchsorted(np.sqrt(ages[1:] * ages[:-1]), days)]
    return nearest


def _files(store: Path, run_id: str, start: np.datetime64, expiry: Expiry) -> list[Path]:
    """Return the files of sets that became known in the time before a run, and of imported ones."""
    spans = [
        tuple(stamp(utc_datetime(start) - timedelta(days=days)) for days in reversed(ages))
        for ages in _AGES_DAYS.values()
    ]
    of_runs = [
        path
        for path in sorted(store.glob(RUN_ELEMENT_FILES))
        if expiry.elements_from <= path.stem < run_id
        and any(begin <= path.stem <= end for begin, end in spans)
    ]
    return [element_file(store, NO_RUN), *of_runs, *sorted(store.glob(IMPORTED_ELEMENT_FILES))]


def _table(
    run_id: str,
    elements: ElementArray,
    objects: ObjectArray,
    epoch: UtcArray,
    earlier: UtcArray,
    found: Decays,
    kelvin: float,
) -> pa.Table:
    """Return the rows of objects (n,)."""
    can, _ = who_can_manoeuvre(movers(objects, elements))
    perigee_km, e = found.perigee_km, elements["eccentricity"]
    columns = {
        "run_id": constant(run_id, len(elements)),
        "norad_id": pa.array(np.ascontiguousarray(elements["norad_id"])),
        "name": pa.array(elements["name"]),
        "median": pa.array(_after(epoch, found.median_days)),
        "window_start": pa.array(_after(epoch, found.begin_days)),
        "window_end": pa.array(_after(epoch, found.end_days)),
        "method": words(found.method, DECAY_METHODS),
        "may_manoeuvre": pa.array(can != "no"),
        "epoch": pa.array(epoch),
        "earlier_epoch": pa.array(earlier),
        "perigee_km": pa.array(perigee_km),
        "apogee_km": pa.array((perigee_km + EARTH_RADIUS_KM) * (1.0 + e) / (1.0 - e) - EARTH_RADIUS_KM),
        "inclination_deg": pa.array(elements["inclination_deg"]),
        "exospheric_kelvin": pa.array(np.full(len(elements), kelvin)),
    }
    return conform(columns, DECAYS, "decays")


def _after(epoch: UtcArray, days: FloatArray) -> UtcArray:
    """Return instants some days after epochs; NaT where that is not known, or beyond any calendar."""
    with np.errstate(invalid="ignore"):
        there = days < 1e5
    instant: UtcArray = epoch + (np.where(there, days, 0.0) * 86400e6).astype("m8[us]")
    instant[~there] = np.datetime64("NaT")
    return instant


def _day_of_year(epoch: UtcArray) -> FloatArray:
    days: FloatArray = (epoch - epoch.astype("M8[Y]").astype("M8[us]")) / _PER_DAY
    return days
