"""Read how crowded the sky was, by run, and who causes the work of an operator."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from storage.analyst_file.tables_and_views import files_in
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.faults import store_faults
from storage.disk.layout import (
    ENVIRONMENT_FILES,
    RUN_FILES,
    environment_file,
    quoted,
    run_folder,
)
from storage.rows.constellations import OF_OBJECTS
from storage.rows.danger import DECISIVE_PROBABILITY
from storage.rows.owners import Ask
from storage.sky_schema import ENVIRONMENT
from storage.times import Cells

COLUMNS = tuple(column.name for column in ENVIRONMENT.columns)
SERIES_COLUMNS = (
    *("run_id", "days", "objects", "approaches_1km_day", "approaches_5km_day"),
    *("within_1km_day", "within_5km_day", "collisions_year", "fragments_year"),
    *("outside_1km_day", "gas_outside_1km_day", "gas_outside_collisions_year"),
)

_MOST_FIRST = "coalesce(approaches_5km_day, approaches_1km_day) DESC NULLS LAST, one, other"
_SHARES_OF = ("type", "owner", "constellation")


class Share(NamedTuple):
    """The approaches of some objects with one group of others."""

    kind: str  # all; within: both are among these objects; type, owner, constellation of the other
    group: str
    approaches_1km: int
    approaches_5km: int
    collisions: float  # sum of probabilities


WORKLOAD_COLUMNS = Share._fields


def rows_of_run(store: Path, run_id: str, kind: str | None, limit: int) -> list[Cells]:
    """Return rows of COLUMNS of a run, of one kind or all: the shells upward, of groups those with the most.

    At most `limit` of each kind but shells. A run of an earlier release has none.

    Raises:
        StoreError: the file is damaged or cannot be read.
    """
    path = environment_file(store, run_id)
    if not path.is_file():
        return []
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    with store_faults(store):
        verify_all([path])
        with file_reader() as connection:
            return connection.execute(
                f"SELECT {columns} FROM {files_in([path])} "  # noqa: S608
                "WHERE run_id = ? AND (? IS NULL OR kind = ?) "
                "QUALIFY kind = 'shell' OR "
                f"row_number() OVER (PARTITION BY kind ORDER BY {_MOST_FIRST}) <= ? "
                f"ORDER BY kind, altitude_from_km, {_MOST_FIRST}",
                [run_id, kind, kind, limit],
            ).fetchall()


def series(store: Path) -> list[Cells]:
    """Return a row of SERIES_COLUMNS for each run that has counted, the first before the others.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    paths = sorted(store.glob(ENVIRONMENT_FILES))
    if not paths:
        return []

    def of(name: str, one: str) -> str:
        return f"sum({name}) FILTER (one = '{one}')"

    sums = [of(name, "all") for name in SERIES_COLUMNS[2:5]]
    sums += [of(f"approaches_{km}km_day", "within") for km in (1, 5)]
    sums += [of(name, "all") for name in ("collisions_year", "fragments_year")]
    sums += [of(name, "outside") for name in ("approaches_1km_day", "gas_1km_day", "gas_collisions_year")]
    with store_faults(store):
        verify_all(paths)
        with file_reader() as connection:
            return connection.execute(
                f"SELECT run_id, any_value(days), {', '.join(sums)} FROM {files_in(paths)} "  # noqa: S608
                "WHERE kind = 'shell' GROUP BY run_id ORDER BY run_id"
            ).fetchall()


def workload(store: Path, ask: Ask, run_id: str, norad_ids: Sequence[int]) -> list[Share]:
    """Return with whom some objects of the newest run have fast approaches closer than 5 km.

    First all of them, then those within, each counted once; then those with others, by what the other is, the
    most first. `ask` queries the tables of the run.

    Raises:
        StoreError: the run's file is damaged or cannot be read.
    """
    path = run_folder(store.resolve(), run_id) / RUN_FILES["conjunctions"]
    with store_faults(store):
        verify_all([path])
    # A docked complex counts once, by its smallest number, and is among the objects if a part of it is.
    query = f"""
    WITH asked AS (SELECT unnest(?) AS norad_id),
    bodies AS (
        SELECT coalesce(complex_id, objects.norad_id) AS id, bool_or(asked.norad_id IS NOT NULL) AS own,
            arg_min(object_type, objects.norad_id) AS "type",
            arg_min(coalesce(nullif(owner, ''), 'unknown'), objects.norad_id) AS owner,
            arg_min(coalesce({OF_OBJECTS}, 'none'), objects.norad_id) AS constellation
        FROM objects LEFT JOIN asked USING (norad_id) GROUP BY ALL
    ),
    near AS (
        SELECT primary_norad_id AS a, secondary_norad_id AS b, miss_distance_m AS m,
            coalesce({DECISIVE_PROBABILITY}, 0.0) AS p
        FROM read_parquet({quoted(path)}) WHERE encounter = 'fast'
    ),
    met AS (
        SELECT one.own AND other.own AS within, m, p,
            if(one.own, other."type", one."type") AS "type", if(one.own, other.owner, one.owner) AS owner,
            if(one.own, other.constellation, one.constellation) AS constellation
        FROM near JOIN bodies AS one ON a = one.id JOIN bodies AS other ON b = other.id
        WHERE one.own OR other.own
    ),
    counted AS (
        SELECT 'all' AS kind, '' AS "group", * FROM met
        UNION ALL SELECT 'within', '', * FROM met WHERE within
        {"".join(f"UNION ALL SELECT '{kind}', {kind}, * FROM met WHERE NOT within " for kind in _SHARES_OF)}
    )
    SELECT kind, "group", count(*) FILTER (m < 1000), count(*) FILTER (m < 5000), sum(p)
    FROM counted GROUP BY kind, "group"
    HAVING kind IN ('all', 'within') OR count(*) FILTER (m < 5000) > 0
    ORDER BY list_position({["all", "within", *_SHARES_OF]}, kind), 4 DESC, 3 DESC, "group"
    """  # noqa: S608
    return [Share(*row) for row in ask(query, [list(norad_ids)])]
