"""Paths within a store, and how its tables are written."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from storage.disk.checksums import DamagedFile, add_checks, verify_parquet
from storage.disk.whole_files import synced
from storage.vocabulary import FIRST_ORGANISATION

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

# pyarrow is imported where it is used: a process that only reads `current.json` is 25 MB smaller.

SCHEMA_VERSION = 6  # the store's form: raise it when tables or views of the analyst file change

_WHOSE = re.compile(r"-of-([0-9]+)\.parquet$")

ANALYST_FILE = "skysieve.duckdb"  # a link to a file in SHOWN
SHOWN = "shown"
CURRENT = "current.json"
ERROR_LAWS_FILE = "error_laws.json"  # refitted to the store's history
STAGING = ".publishing"
RUNS = "runs"
EXPIRED = "expired"  # a folder for each month of runs that have expired
ELEMENTS = "elements"
ANALYSES = "analyses"
EPHEMERIS = "ephemeris"
TRAJECTORIES = "trajectories"
MESSAGES = "messages"
FLEETS = "fleets"
MANOEUVRES = "manoeuvres"
FORECASTS = "forecasts"
DECAYS = "decays"
ENVIRONMENT = "environment"
SKY = "sky"  # what changes in the sky as a whole

RUN_TABLES = ("conjunctions", "proximities", "rejections", "runs")
RUN_FILES = {
    "conjunctions": "conjunctions.parquet",
    "proximities": "proximities.parquet",
    "rejections": "rejections.parquet",
    "runs": "run.parquet",
}
SCREENED = "screened.parquet"  # which objects a run has screened
KEPT = "kept.parquet"  # the critical and high rows of a run that has expired
SCREENED_FILES = f"{RUNS}/*/{SCREENED}"
KEPT_FILES = f"{RUNS}/*/{KEPT}"
MONTH_KEPT_FILES = f"{EXPIRED}/*/{KEPT}"
MONTH_RUN_FILES = f"{EXPIRED}/*/{RUN_FILES['runs']}"
ELEMENT_FILES = f"{ELEMENTS}/*.parquet"
RUN_ELEMENT_FILES = f"{ELEMENTS}/[0-9]*.parquet"  # sets first seen by runs: their names are run ids
IMPORTED_PREFIX = "imported-"
IMPORTED_ELEMENT_FILES = f"{ELEMENTS}/{IMPORTED_PREFIX}*.parquet"  # of imported histories
ANALYSIS_FILES = f"{ANALYSES}/*.parquet"
MESSAGE_FILES = f"{MESSAGES}/*.parquet"
FLEET_EVENT_FILES = f"{FLEETS}/*[0-9Z].parquet"  # their names are run ids; beside each one of members
FLEET_MEMBER_FILES = f"{FLEETS}/*.members.parquet"
MANOEUVRE_FILES = f"{MANOEUVRES}/*.parquet"
RUN_MANOEUVRE_FILES = f"{MANOEUVRES}/[1-9]*.parquet"  # found by runs: their names are run ids
FORECAST_FILES = f"{FORECASTS}/[0-9]*.parquet"  # their names are the ids of the runs that judged
DECAY_FILES = f"{DECAYS}/[0-9]*.parquet"  # their names are the ids of the runs that forecast them
ENVIRONMENT_FILES = f"{ENVIRONMENT}/[0-9]*.parquet"  # their names are months, as 202611; they never expire
TIP_FILE = "announced_decays/messages.parquet"
FORECAST_TALLIES = f"{FORECASTS}/tallies.parquet"  # what all of them come to, also those that expired
CATALOGUE_CHANGE_FILES = f"{SKY}/catalogue/[0-9]*.parquet"  # their names are run ids
FRAGMENTATION_FILES = f"{SKY}/fragmentations/[0-9]*.parquet"  # likewise
# Files without rows: DuckDB refuses a pattern that matches nothing, and the first file by name determines the
# order of columns. "0" sorts before any run id.
NO_RUN = "0"
NO_ANALYSIS = NO_MESSAGES = NO_FLEET_EVENTS = f"{NO_RUN}.parquet"
STAGED_SUFFIX = ".new"  # of a file that is about to replace a table's file


def run_folder(store: Path, run_id: str) -> Path:
    """Return the folder of a run."""
    return store / RUNS / f"run_id={run_id}"


def month_folder(store: Path, name: str) -> Path:
    """Return the folder of what stays of a month's runs; `name` is as 202611."""
    return store / EXPIRED / f"month={name}"


def element_file(store: Path, run_id: str) -> Path:
    """Return the file of the element sets first seen by a run."""
    return store / ELEMENTS / f"{run_id}.parquet"


def imported_file(store: Path, name: str) -> Path:
    """Return a file of imported element sets."""
    return store / ELEMENTS / f"{IMPORTED_PREFIX}{name}.parquet"


def manoeuvre_file(store: Path, name: str) -> Path:
    """Return a file of manoeuvres: that of a run by its id, or of a search by its name."""
    return store / MANOEUVRES / f"{name}.parquet"


def forecast_file(store: Path, run_id: str) -> Path:
    """Return the file of the forecasts that a run has judged."""
    return store / FORECASTS / f"{run_id}.parquet"


def decay_file(store: Path, run_id: str) -> Path:
    """Return the file of the decays that a run has forecast."""
    return store / DECAYS / f"{run_id}.parquet"


def environment_file(store: Path, run_id: str) -> Path:
    """Return the file of how crowded the sky was, which the runs of a month share."""
    return store / ENVIRONMENT / f"{run_id[:6]}.parquet"


def catalogue_change_file(store: Path, run_id: str) -> Path:
    """Return the file of how the catalogue of a run differs from an earlier one."""
    return store / SKY / "catalogue" / f"{run_id}.parquet"


def fragmentation_file(store: Path, run_id: str) -> Path:
    """Return the file of the break-ups of which a run found pieces."""
    return store / SKY / "fragmentations" / f"{run_id}.parquet"


def run_files(table: str) -> str:
    """Return the pattern of a table's files over all runs, relative to the store."""
    return f"{RUNS}/*/{RUN_FILES[table]}"


def conjunction_files(store: Path) -> list[Path]:
    """Return the files that the view of all runs' conjunctions reads."""
    patterns = (run_files("conjunctions"), KEPT_FILES, MONTH_KEPT_FILES)
    return [path for pattern in patterns for path in store.glob(pattern)]


def with_every_column(store: Path, paths: Iterable[Path]) -> str:
    """Return files of one table of runs as an SQL list, for `union_by_name`.

    The first has every column of today, and no rows: files of an earlier release may lack some.
    """
    listed = list(paths)
    return f"[{', '.join(map(quoted, [run_folder(store, NO_RUN) / listed[0].name, *listed]))}]"


def quoted(text: str | Path) -> str:
    """Return a text as an SQL literal."""
    return "'" + str(text).replace("'", "''") + "'"


def quoted_glob(store: Path, pattern: str) -> str:
    """Return a pattern inside the store as an SQL literal; the store's own path is taken literally."""
    literal = "".join(f"[{c}]" if c in "*?[" else c for c in str(store))
    return quoted(f"{literal}/{pattern}")


def told_file(origin: str, organisation_id: int) -> str:
    """Return the name of the file in ANALYSES with what messages of an organisation alone tell."""
    return f"{origin}{_of_organisation(organisation_id)}.parquet"


def whose_told(name: str) -> int:
    """Return the organisation whose file of messages, or of what these tell, has a name."""
    found = _WHOSE.search(name)
    return int(found[1]) if found else FIRST_ORGANISATION


def message_file(begin: str, organisation_id: int) -> str:
    """Return the name of a file of received messages of one organisation."""
    return f"{begin}{_of_organisation(organisation_id)}.parquet"


def _of_organisation(organisation_id: int) -> str:
    """Return what ends a name; earlier releases, which knew no organisations, wrote those of the first."""
    return "" if organisation_id == FIRST_ORGANISATION else f"-of-{organisation_id}"


def prepare(store: Path) -> None:
    """Make the store's folders, each with an empty file of the present schema."""
    from storage import fleet_schema, forecast_schema, manoeuvre_schema, message_schema, schema, sky_schema

    (store / SHOWN).mkdir(exist_ok=True)
    no_run = run_folder(store, NO_RUN)
    files = {no_run / RUN_FILES[table]: schema.TABLES[table].arrow for table in RUN_TABLES}
    files[no_run / KEPT] = files[month_folder(store, NO_RUN) / KEPT] = schema.CONJUNCTIONS.arrow
    files[month_folder(store, NO_RUN) / RUN_FILES["runs"]] = schema.RUNS.arrow
    files[element_file(store, NO_RUN)] = schema.ELEMENT_HISTORY.arrow
    files[imported_file(store, NO_RUN)] = schema.ELEMENT_HISTORY.arrow
    files[store / ANALYSES / NO_ANALYSIS] = schema.CONJUNCTIONS.arrow
    files[store / MESSAGES / NO_MESSAGES] = message_schema.STORED
    files[store / FLEETS / NO_FLEET_EVENTS] = fleet_schema.FLEET_EVENTS.arrow
    files[manoeuvre_file(store, NO_RUN)] = manoeuvre_schema.MANOEUVRES.arrow
    files[forecast_file(store, NO_RUN)] = forecast_schema.FORECASTS.arrow
    files[decay_file(store, NO_RUN)] = sky_schema.DECAYS.arrow
    files[environment_file(store, NO_RUN)] = sky_schema.ENVIRONMENT.arrow
    files[catalogue_change_file(store, NO_RUN)] = sky_schema.CATALOGUE_CHANGES.arrow
    files[fragmentation_file(store, NO_RUN)] = sky_schema.FRAGMENTATIONS.arrow
    for path, columns in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _is_of(path, columns):
            replace_parquet(columns.empty_table(), path)


def analyses_written(store: Path) -> dict[str, int]:
    """Return the names of the files of analyses, and when each was written, ns."""
    with os.scandir(store / ANALYSES) as entries:
        return {file.name: file.stat().st_mtime_ns for file in entries if file.name.endswith(".parquet")}


def _is_of(path: Path, columns: "pa.Schema") -> bool:
    """Return whether a file exists, is intact, and has a table's columns."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    return _holds(path, columns, (found.st_ino, found.st_mtime_ns, found.st_size))


@lru_cache(maxsize=256)
def _holds(path: Path, columns: "pa.Schema", _stamp: tuple[int, int, int]) -> bool:
    """Return `_is_of`, computed once for a file that does not change: every writer asks ten times."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        verify_parquet(path)
        return bool(pq.read_schema(path).equals(columns))
    except (FileNotFoundError, DamagedFile, pa.ArrowException):
        return False
    except OSError as error:
        if error.errno is not None:
            raise  # an error of the disk
        return False  # pyarrow's errors for a damaged file


def write_parquet(table: "pa.Table", path: Path) -> None:
    """Write a table as Parquet, with checksums, and wait until it is on the disk."""
    with new_parquet(path, table.schema) as file:
        file.write_table(table)


@contextmanager
def new_parquet(path: Path, columns: "pa.Schema") -> Iterator["pq.ParquetWriter"]:
    """Open a new Parquet file for tables; when the block ends, all is on the disk, with checksums.

    zstd, a dictionary for texts, split bytes for doubles: 29 MB and 0.10 s for 130,000 conjunctions, where
    the defaults take 39 MB and 0.32 s.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    doubles = [field.name for field in columns if pa.types.is_float64(field.type)]
    texts = [f.name for f in columns if pa.types.is_dictionary(f.type) or pa.types.is_string(f.type)]
    with synced(path) as file:
        with pq.ParquetWriter(
            file,
            columns,
            compression="zstd",
            use_dictionary=texts,
            use_byte_stream_split=doubles,
            write_page_checksum=True,
        ) as writer:
            yield writer
        add_checks(file)


def replace_parquet(table: "pa.Table", path: Path) -> None:
    """Replace a file by a table in one step; wait until its content, but not its name, is on the disk."""
    staged = path.with_suffix(STAGED_SUFFIX)
    write_parquet(table, staged)
    staged.replace(path)
