"""The record of one run."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

import pyarrow as pa

from screening.vocabulary import RISK_LEVELS
from storage import schema
from storage.addresses import without_secrets
from storage.rows.records import conform
from storage.times import in_utc


@dataclass(frozen=True)
class Run:
    """What one run did. Times are UTC.

    `publish_run` fills in what it can count itself: everything from `run_id` on.
    """

    source: str
    catalogue_sha256: str
    started: datetime
    finished: datetime
    window_start: datetime
    window_end: datetime
    threshold_km: float
    historic: bool = False
    synthetic: bool = False
    scope: str = "catalogue"
    failed_by_code: Mapping[int, int] = field(default_factory=dict)  # SGP4 error code -> objects
    flagged_old_epoch: int = 0  # element sets with an epoch more than 30 days from the window
    candidates: int = 0
    seconds_by_stage: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    ephemeris: str | None = None  # objects with one: all, payloads, none; None: unknown
    ephemeris_reason: str | None = None  # why not of all; empty: of all
    trajectories: str | None = None  # ids with blanks between; None: of an earlier release
    catalogue_epoch: datetime | None = None  # that dates its element sets; None: of an earlier release
    catalogue_decision: str | None = None  # how the catalogue came; None: of an earlier release
    catalogue_reason: str | None = None
    run_id: str = ""
    objects: int = 0
    rejected: int = 0
    failed: int = 0
    conjunctions: int = 0  # fast
    slow: int = 0
    proximities: int = 0
    critical: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0
    probability_levels: Mapping[str, int] | None = None  # events by level; None: of an earlier release
    near_levels: Mapping[str, int] | None = None
    error_laws: str | None = None  # that rated it: shipped, or refitted when; None: of an earlier release
    replay: bool | None = False  # as of a past time; None: of an earlier release


def run_table(run: Run) -> pa.Table:
    """Return the record as the one row of the table `runs`."""
    types = {column.name: column.type for column in schema.RUNS.columns}
    columns = {
        f.name: pa.array([_plain(getattr(run, f.name))], _storage_type(types[f.name])) for f in fields(Run)
    }
    return conform(columns, schema.RUNS, "runs")


def run_from_row(row: Mapping[str, object]) -> Run:
    """Return the record of a row of the table `runs`, which may lack the newest columns."""
    run = Run(**{f.name: row[f.name] for f in fields(Run) if f.name in row})  # type: ignore[arg-type]
    return replace(run, source=without_secrets(run.source))  # earlier releases stored addresses with keys


def levels_in_words(run: Run) -> dict[str, str]:
    """Return how many events a run has of each level: by probability, by the miss, by the mission's rule."""
    by_risk = {level: getattr(run, level) for level in RISK_LEVELS}
    lines = {"Levels": run.probability_levels, "Near": run.near_levels, "Risk": by_risk}
    return {
        name: ", ".join(f"{count:,} {level}" for level, count in dict(one).items())
        for name, one in lines.items()
        if one is not None
    }


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return in_utc(value)
    return list(value.items()) if isinstance(value, Mapping) else value


def _storage_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
