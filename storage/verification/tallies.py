"""What forecasts come to: counts by day, lead and class of objects, which stay when the forecasts expire."""

from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.disk.checksums import verify_all, verify_parquet
from storage.disk.connections import file_reader
from storage.disk.faults import store_faults
from storage.disk.layout import (
    FORECAST_FILES,
    FORECAST_TALLIES,
    forecast_file,
    quoted,
    replace_parquet,
)
from storage.disk.run_ids import is_run_id
from storage.disk.whole_files import sync_folder

REGIONS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.997, 1.0)
# Upper limits of absolute errors in sigmas: a factor of the root of 2 from one to the next.
SIGMAS = tuple(round(0.05 * 2.0 ** (k / 2.0), 4) for k in range(24))
BEYOND = 9999.0  # what is above all of them
DAYS = tuple(0.25 * k for k in range(121))  # upper limits of days before TCA

TALLIES = pa.schema(
    [
        ("day", pa.date32()),  # UTC, of TCA
        ("days_ahead", pa.int8()),  # 0 of first_warned, settled
        ("kind", pa.string()),  # of the pair; of errors in sigmas: the law of the object
        # region, radial, in_track, cross_track, probability, level, manoeuvred, first_warned, settled
        ("measure", pa.string()),
        ("bin", pa.string()),  # upper limit; exponent of 10; level predicted>level at the end; days
        ("encounters", pa.float64()),
        ("said", pa.float64()),  # sum of probabilities
        ("came", pa.float64()),
    ]
)
JUDGED_UNTIL = b"judged_until"  # in the footers of forecasts and sums: TCAs before it are judged
_SUMMED = b"summed_until"  # in the footer: the run whose forecasts are the last in the sums

KIND = """CASE
    WHEN primary_error_law = secondary_error_law AND primary_error_law IN ('starlink', 'oneweb')
        THEN primary_error_law
    WHEN primary_manoeuvring AND secondary_manoeuvring THEN 'both thrust'
    WHEN primary_manoeuvring OR secondary_manoeuvring THEN 'one thrusts'
    ELSE 'neither thrusts' END"""

_COUNTED = """
WITH every AS (
    SELECT *, CAST(tca AS DATE) AS day, {kind} AS kind FROM read_parquet({path})
),
f AS (FROM every WHERE days_ahead >= 0),
sigmas AS (
    UNPIVOT (
        SELECT day, days_ahead, primary_error_law AS kind, stands_for, primary_radial_sigmas AS radial,
            primary_in_track_sigmas AS in_track, primary_cross_track_sigmas AS cross_track FROM f
        UNION ALL
        SELECT day, days_ahead, secondary_error_law, stands_for, secondary_radial_sigmas,
            secondary_in_track_sigmas, secondary_cross_track_sigmas FROM f
    ) ON radial, in_track, cross_track INTO NAME measure VALUE off
)
SELECT day, days_ahead, kind, 'region' AS measure, CAST({region} AS VARCHAR) AS bin,
    sum(stands_for) AS encounters, 0.0 AS said, 0.0 AS came FROM f WHERE region IS NOT NULL GROUP BY ALL
UNION ALL
SELECT day, days_ahead, kind, measure, CAST({off} AS VARCHAR), sum(stands_for), 0.0, 0.0
FROM sigmas WHERE off IS NOT NULL AND kind IS NOT NULL GROUP BY ALL
UNION ALL
SELECT day, days_ahead, kind, 'probability',
    CAST(greatest(floor(log10(greatest(probability_best, 1e-30))), -10) AS INTEGER)::VARCHAR,
    sum(stands_for), sum(stands_for * probability_best),
    sum(stands_for * coalesce(last_probability_best, 0.0))
FROM f WHERE days_ahead > 0 AND probability_best IS NOT NULL AND last_run_id IS NOT NULL GROUP BY ALL
UNION ALL
SELECT day, days_ahead, kind, if(fate = 'manoeuvred', 'manoeuvred', 'level'),
    if(miss_distance_m IS NULL, 'not listed', coalesce(probability_level, 'unknown')) || '>'
        || coalesce(last_probability_level, 'vanished'),
    sum(stands_for), 0.0, 0.0
FROM f WHERE days_ahead > 0 AND last_run_id IS NOT NULL GROUP BY ALL
UNION ALL
SELECT day, 0, kind, measure, CAST({days} AS VARCHAR), sum(stands_for), 0.0, 0.0
FROM (UNPIVOT (
    SELECT day, kind, stands_for, first_warned_days AS first_warned, settled_days AS settled FROM every
) ON first_warned, settled INTO NAME measure VALUE before_tca) GROUP BY ALL
"""


class Fate(NamedTuple):
    """What became of encounters."""

    encounters: float = 0.0
    red: float = 0.0  # critical or high in the last run before TCA
    medium: float = 0.0
    low: float = 0.0  # or without a probability
    vanished: float = 0.0  # not found by it
    manoeuvred: float = 0.0  # of all of them

    def and_others(self, other: "Fate") -> "Fate":
        """Return the sum of both."""
        return Fate(*map(sum, zip(self, other, strict=True)))


def fates(counts: pa.Table) -> dict[tuple[int, str], Fate]:
    """Return what became of encounters, from rows of TALLIES, by whole days ahead and level said then."""
    found: dict[tuple[int, str], Fate] = {}
    of_levels = counts.filter(pc.is_in(counts["measure"], pa.array(["level", "manoeuvred"])))
    sums = of_levels.group_by(["days_ahead", "measure", "bin"]).aggregate([("encounters", "sum")])
    for row in sums.to_pylist():
        said, at_end = row["bin"].split(">")
        end = {"critical": "red", "high": "red", "unknown": "low"}.get(at_end, at_end)
        count, key = row["encounters_sum"], (row["days_ahead"], said)
        fate = Fate(count, manoeuvred=count * (row["measure"] == "manoeuvred"))._replace(**{end: count})
        found[key] = found.get(key, Fate()).and_others(fate)
    return found


def add_to_tallies(store: Path) -> None:
    """Count the forecasts that are not in the sums yet, in the order of the runs that judged them.

    Needs the lock. One that is killed between the forecasts of a run and their sums is made good by the next.

    Raises:
        StoreError: a file is damaged or cannot be read or written.
    """
    with store_faults(store):
        known, summed_until = _read(store)
        judged = sorted(path.stem for path in store.glob(FORECAST_FILES) if is_run_id(path.stem))
        fresh = [forecast_file(store, run_id) for run_id in judged if run_id > summed_until]
        if not fresh:
            return
        verify_all(fresh)
        parts = [known, *map(_counted, fresh)]
        with file_reader() as connection:
            connection.register("parts", pa.concat_tables(parts))
            total = connection.sql(
                "SELECT day, days_ahead, kind, measure, bin, sum(encounters) AS encounters, "
                "sum(said) AS said, sum(came) AS came FROM parts GROUP BY ALL ORDER BY ALL"
            ).to_arrow_table()
        path = store / FORECAST_TALLIES
        until = pq.read_schema(fresh[-1]).metadata[JUDGED_UNTIL]
        marked = TALLIES.with_metadata({_SUMMED: fresh[-1].stem, JUDGED_UNTIL: until})
        replace_parquet(total.cast(marked), path)
        sync_folder(path.parent)


def tallies(store: Path) -> pa.Table:
    """Return the sums of all forecasts of a store, of TALLIES.

    Raises:
        StoreError: the file is damaged or cannot be read.
    """
    with store_faults(store):
        return _read(store)[0]


def _read(store: Path) -> tuple[pa.Table, str]:
    """Return the sums, and the run whose forecasts are the last in them."""
    path = store / FORECAST_TALLIES
    if not path.is_file():
        return TALLIES.empty_table(), ""
    verify_parquet(path)
    found = pq.read_table(path, use_threads=False)
    return found.replace_schema_metadata(None), found.schema.metadata[_SUMMED].decode()


def _counted(path: Path) -> pa.Table:
    """Return the sums of one file of forecasts."""
    region = _bins("region", REGIONS[:-1], REGIONS[-1])
    off = _bins("abs(off)", SIGMAS, BEYOND)
    days = _bins("before_tca", DAYS, BEYOND)
    query = _COUNTED.format(kind=KIND, path=quoted(path), region=region, off=off, days=days)
    with file_reader() as connection:
        return connection.sql(query).to_arrow_table().cast(TALLIES)


def _bins(value: str, limits: tuple[float, ...], above: float) -> str:
    """Return the SQL of the least of some ascending limits that a value does not exceed, or `above`."""
    cases = " ".join(f"WHEN {value} <= {limit} THEN {limit}" for limit in limits)
    return f"CAST(CASE {cases} ELSE {above} END AS DOUBLE)"
