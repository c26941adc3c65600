"""Read the newest run from the store, consistently at any time, even during a publication."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa

from screening.errors import StoreError
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader, in_memory
from storage.disk.current import Current
from storage.disk.ephemeris import is_being_written
from storage.disk.ephemeris_bound import Kept, kept_by_run
from storage.disk.faults import store_faults
from storage.disk.layout import ANALYSIS_FILES, ANALYST_FILE, CURRENT, quoted
from storage.fleets.events import at_own_radius
from storage.rows.danger import MOST_DANGEROUS_FIRST, PROBABILITY_LEVEL, SQL_ORDERS
from storage.rows.owners import numbers_of_owner
from storage.rows.run_record import Run, run_from_row
from storage.times import fetched_utc
from storage.upkeep.upgrade import settle
from storage.vocabulary import FLEET, EventOrder


class Events(NamedTuple):
    """Stored events as rows."""

    columns: list[str]
    rows: list[tuple[object, ...]]
    total: int  # all that match, whatever the limit


class Status(NamedTuple):
    """The newest run, and the number of runs."""

    run: Run
    runs: int
    rejections: list[tuple[int, str, str]]  # the first few: line, record, reason
    ephemeris: Kept | None = None  # which objects have one; None: not known, or there is none
    ephemeris_being_written: bool = False


def current(store: Path) -> Current:
    """Return the current run of a store.

    Raises:
        StoreError: there is none, or the store is damaged; the message says what to do.
    """
    store = store.resolve()
    with store_faults(store):
        found = settle(store)
    if found is None:
        raise StoreError(
            f"The store {store} holds no run yet. `skysieve refresh` fetches a catalogue and makes a run, "
            "`skysieve screen FILE` makes one from a file; --store or SKYSIEVE_STORE selects another store."
        )
    if not (store / ANALYST_FILE).is_file():
        raise StoreError(
            f"{store / ANALYST_FILE} is missing, although {found.run_id} is the store's current run. "
            "Restore it, or let the next run (`skysieve refresh`) rewrite it; no run is lost."
        )
    return found


def connect(store: Path) -> duckdb.DuckDBPyConnection:
    """Open the analyst file read-only, as the default database of a connection of its own.

    DuckDB 1's `duckdb.connect(path)` returns the file from before a publication as long as any other
    connection of this process has it open; attaching to a fresh in-memory connection does not.
    """
    store = store.resolve()
    current(store)
    connection = in_memory(autoinstall_known_extensions="false")
    try:
        with store_faults(store):
            connection.execute(f"ATTACH {quoted(store / ANALYST_FILE)} AS skysieve (READ_ONLY)")
            connection.execute("USE skysieve")
    except BaseException:
        connection.close()
        raise
    return connection


def events(
    store: Path,
    *,
    risk_levels: Sequence[str] = (),
    probability_levels: Sequence[str] = (),
    norad_ids: Sequence[int] = (),
    owner: str | None = None,
    of_fleet: pa.Table | None = None,
    order: EventOrder = "risk",
    limit: int = 100,
    columns: Sequence[str] = ("*",),
) -> Events:
    """Return stored events in an order, all columns or some; without an order the most dangerous first.

    Only events of the given levels, of the given objects and of an owner's, if any are given. Those that only
    searches around fleets have found are left out, unless those of one are wanted: `of_fleet` are its rows of
    FLEET_EVENTS, and its own hard-body radius counts.

    Raises:
        UnknownOwner: the run knows no such owner.
        StoreError: there is no run, or the store is damaged.
    """
    conditions: list[str] = ["true" if of_fleet is not None else f"origin <> '{FLEET}'"]
    values: list[list[str] | list[int]] = []
    for name, levels in (("risk_level", risk_levels), (PROBABILITY_LEVEL, probability_levels)):
        if levels:
            conditions.append(f"list_contains(?, {name})")
            values.append([str(level) for level in levels])
    theirs = None if owner is None else objects_of_owner(store, owner)
    for numbers in (norad_ids or None, theirs):
        if numbers is not None:
            conditions.append("list_has_any(?, [primary_norad_id, secondary_norad_id])")
            values.append(list(numbers))
    where = " AND ".join(conditions)
    with store_faults(store), connect(store) as connection:
        verify_all(store.glob(ANALYSIS_FILES))
        rows = "events"
        if of_fleet is not None:
            ids = of_fleet["event_id"].to_pylist()
            of_run = connection.sql(f"FROM {rows} WHERE list_contains(?, event_id)", params=[ids])
            connection.register("inside", at_own_radius(of_run.to_arrow_table(), of_fleet))
            rows = "inside"
        # DuckDB reads all columns to count rows of the view, but only one to count its values.
        total = connection.execute(f"SELECT count(event_id) FROM {rows} WHERE {where}", values).fetchone()  # noqa: S608
        found = connection.execute(
            f"SELECT {', '.join(columns)} FROM {rows} WHERE {where} "  # noqa: S608
            f"ORDER BY {SQL_ORDERS[order]} LIMIT {limit:d}",
            values,
        )
        names = [column[0] for column in found.description or ()]
        return Events(names, fetched_utc(found), 0 if total is None else total[0])


def objects_of_owner(store: Path, owner: str, *, satellites: bool = False) -> list[int]:
    """Return the numbers of an owner's objects in the newest run, or only of its satellites.

    Raises as `events`.
    """
    with store_faults(store), connect(store) as connection:
        return numbers_of_owner(
            lambda query, values: connection.execute(query, values).fetchall(), owner, satellites=satellites
        )


def unknown_objects(store: Path, norad_ids: Sequence[int]) -> list[int]:
    """Return the given catalogue numbers that the newest run did not screen."""
    with store_faults(store), connect(store) as connection:
        known = connection.execute(
            "SELECT norad_id FROM elements WHERE list_contains(?, norad_id)", [list(norad_ids)]
        ).fetchall()
    return [number for number in norad_ids if (number,) not in known]


def complexes(store: Path) -> dict[int, int]:
    """Return the complexes of the newest run: of each object in one, the smallest number in it."""
    with store_faults(store), connect(store) as connection:
        found = connection.execute("SELECT norad_id, complex_id FROM objects WHERE complex_id IS NOT NULL")
        return dict(found.fetchall())


def bounding_radii_m(store: Path) -> dict[int, float]:
    """Return the radii of the spheres around objects of the newest run, m; not of those set by hand."""
    with store_faults(store), connect(store) as connection:
        found = connection.execute(
            "SELECT norad_id, bounding_radius_m FROM objects "
            "WHERE bounding_radius_m IS NOT NULL AND hard_body_source IS DISTINCT FROM 'override'"
        )
        return dict(found.fetchall())


def object_names(store: Path) -> tuple[list[int], list[str]] | None:
    """Return the numbers and names of the objects of the newest run; None: the store holds no run yet."""
    if not (store / CURRENT).exists():
        return None
    with store_faults(store), connect(store) as connection:
        rows = connection.execute("SELECT norad_id, name FROM objects ORDER BY norad_id").fetchall()
    return [number for number, _ in rows], [name for _, name in rows]


def most_dangerous(rows: pa.Table, limit: int) -> Events:
    """Return the most dangerous rows of the table `conjunctions`."""
    with file_reader() as connection:
        connection.register("rows", rows)
        found = connection.execute(f"FROM rows ORDER BY {MOST_DANGEROUS_FIRST} LIMIT {limit:d}")
        columns = [column[0] for column in found.description or ()]
        return Events(columns, fetched_utc(found), len(rows))


def status(store: Path, *, rejections: int = 5) -> Status:
    """Return the newest run's record, and the first records it rejected."""
    run_id = current(store).run_id
    with store_faults(store), connect(store) as connection:
        found = connection.execute("FROM runs WHERE run_id = ?", [run_id])
        names = [column[0] for column in found.description or ()]
        (row,) = fetched_utc(found)
        ((count,),) = connection.execute("SELECT count(*) FROM runs").fetchall()
        first = connection.execute(
            "SELECT line, record, reason FROM rejections ORDER BY line LIMIT ?", [rejections]
        ).fetchall()
    run = run_from_row(dict(zip(names, row, strict=True)))
    kept = kept_by_run(store, run_id)
    return Status(run, count, first, kept, kept is None and is_being_written(store))
