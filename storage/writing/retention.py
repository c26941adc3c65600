"""Expire old runs, analyses and element sets: they are hidden, and the next run frees their space."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.errors import StoreError
from storage import schema
from storage.analyst_file.tables_and_views import element_history
from storage.disk.checksums import verify_all, verify_parquet
from storage.disk.connections import in_memory
from storage.disk.current import NOTHING_EXPIRED, Current, Expiry, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import (
    ANALYST_FILE,
    ELEMENT_FILES,
    ELEMENTS,
    KEPT,
    RUN_FILES,
    STAGING,
    quoted,
    run_folder,
    write_parquet,
)
from storage.disk.run_ids import stamp
from storage.disk.whole_files import sync_folder
from storage.messages.merging import merge_batches
from storage.settings import StoreSettings
from storage.trajectories.kept import remove_expired_trajectories
from storage.upkeep.damaged_files import read_without_damaged
from storage.upkeep.expired_files import (
    empty_what_is_hidden,
    expired_analyses,
    expired_elements,
    expired_messages,
    expired_runs,
)
from storage.upkeep.merged_months import merge_expired_months
from storage.upkeep.recovery import end_staging, remove_remains
from storage.upkeep.upgrade import opened_for_writing, settle, show
from storage.writing.publish import LOCK_TIMEOUT_S

KEPT_LEVELS = ("critical", "high")


class Retention(NamedTuple):
    """How long data are kept."""

    runs: timedelta  # all rows of a run, analyses; trajectories after their end, messages after their TCA
    elements: timedelta  # from the run that first saw a set


def retention_of(settings: StoreSettings) -> Retention:
    """Return the retention from the settings."""
    return Retention(timedelta(days=settings.retention_days), timedelta(days=settings.element_retention_days))


class Compacted(NamedTuple):
    """The hidden data; the following run frees their disk space."""

    runs: int = 0
    element_files: int = 0
    analyses: int = 0
    message_files: int = 0
    trajectories: int = 0  # removed at once


class _Expired(NamedTuple):
    """The data before the borders that are not freed yet."""

    runs: list[str]
    elements: list[Path]
    analyses: list[Path]
    messages: list[Path]


def compact(
    store: Path, now: datetime, retention: Retention, *, lock_timeout_s: float = LOCK_TIMEOUT_S
) -> Compacted:
    """Hide expired data: the medium and low rows of old runs, old analyses, old elements, old messages.

    The newest run is never touched, nor are element sets that it uses. Readers see the change in one step.
    Trajectories that ended as long ago as analyses expire are removed, unless the newest run used them.
    A naive `now` is UTC.

    Raises:
        StoreError: the store is held by another publisher, cannot be written, or a file of it is damaged; it
            is unchanged.
    """
    store = store.resolve()
    if not store.is_dir():
        return Compacted()
    with store_faults(store):
        settle(store)
    with store_faults(store), opened_for_writing(store, lock_timeout_s):
        current = read_current(store)
        if current is None:
            return Compacted()
        if current.expiry.hidden_by != current.run_id:
            empty_what_is_hidden(store, current.expiry, now)
        expiry = _borders(current, now, retention)
        hidden, to_hide = (_expired(store, borders) for borders in (current.expiry, expiry))
        compacted = Compacted(
            len(to_hide.runs) - len(hidden.runs),
            len(to_hide.elements) - len(hidden.elements),
            len(to_hide.analyses) - len(hidden.analyses),
            len(to_hide.messages) - len(hidden.messages),
        )
        if any(compacted):
            try:
                _hide(store, current._replace(expiry=expiry), to_hide.runs)
            finally:
                remove_remains(store)
        used = _trajectories_of(store, current.run_id)
        read_without_damaged(store, lambda: merge_batches(store, now))
        ended = remove_expired_trajectories(store, now - retention.runs, used)
    return compacted._replace(trajectories=ended)


def _trajectories_of(store: Path, run_id: str) -> list[str]:
    """Return the ids of the trajectories that a run used."""
    run = pq.read_table(run_folder(store, run_id) / RUN_FILES["runs"], use_threads=False)
    ids = run["trajectories"].to_pylist() if "trajectories" in run.column_names else []
    return " ".join(one or "" for one in ids).split()


def _expired(store: Path, borders: Expiry) -> _Expired:
    return _Expired(
        list(expired_runs(store, borders.runs_from)),
        list(expired_elements(store, borders.elements_from)),
        list(expired_analyses(store, borders.analyses_from)),
        list(expired_messages(store, borders.analyses_from)),
    )


def _borders(current: Current, now: datetime, retention: Retention) -> Expiry:
    """Return the borders at a time. None goes back, and none passes the newest run."""
    known = current.expiry
    runs_from, elements_from = (stamp(now - kept) for kept in retention)
    return known._replace(
        runs_from=max(known.runs_from, min(runs_from, current.run_id)),
        elements_from=max(known.elements_from, min(elements_from, current.run_id)),
        analyses_from=max(known.analyses_from, runs_from),
        hidden_by=current.run_id,
        hidden_at=stamp(now),
    )


def _hide(store: Path, current: Current, runs: list[str]) -> None:
    """Move the borders to those of `current`; `runs` are the ids of all runs that lie before them."""
    staging = store / STAGING
    staging.mkdir()
    for run_id in runs:
        folder = run_folder(store, run_id)
        if not (folder / KEPT).exists():
            write_parquet(_kept_rows(folder / RUN_FILES["conjunctions"]), staging / KEPT)
            (staging / KEPT).rename(folder / KEPT)
            sync_folder(folder)
    still_used = _still_used(store, current)
    if len(still_used):
        write_parquet(still_used, staging / "elements.parquet")
        again = f"{current.run_id}-kept-{current.expiry.elements_from}.parquet"
        (staging / "elements.parquet").rename(store / ELEMENTS / again)
        sync_folder(store / ELEMENTS)
    show(store, current._replace(expiry=merge_expired_months(store, current.expiry)))
    end_staging(store)


def _kept_rows(path: Path) -> pa.Table:
    """Return the rows of a run that never expire."""
    try:
        verify_parquet(path)
        rows = pq.ParquetFile(path).read()
    except (pa.ArrowInvalid, OSError) as error:  # a damaged file is an OSError too
        raise StoreError(
            f"{path} cannot be read ({str(error).strip()}). Restore it from a backup, or rename it: until "
            "then no run expires."
        ) from error
    return rows.filter(pc.is_in(rows["risk_level"].cast(pa.string()), pa.array(KEPT_LEVELS)))


def _still_used(store: Path, current: Current) -> pa.Table:
    """Return the sets of the newest run that would be hidden, as sets of it, with when each became known."""
    verify_all(store.glob(ELEMENT_FILES), ("content_hash", "run_id"))
    with in_memory() as connection:
        connection.execute(f"ATTACH {quoted(store / ANALYST_FILE)} AS skysieve (READ_ONLY)")
        seen = f"SELECT content_hash, first_seen FROM ({element_history(store, NOTHING_EXPIRED)})"  # noqa: S608
        rows = connection.sql(
            "FROM skysieve.elements "
            f"ANTI JOIN ({element_history(store, current.expiry)}) USING (content_hash) "
            f"LEFT JOIN ({seen}) USING (content_hash) "
            "QUALIFY row_number() OVER (PARTITION BY content_hash ORDER BY first_seen) = 1"
        ).to_arrow_table()
    wanted = schema.ELEMENT_HISTORY
    return rows.select([column.name for column in wanted.columns]).cast(wanted.arrow)
