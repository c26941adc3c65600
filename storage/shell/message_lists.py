"""The output of the command `messages list`."""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from storage.messages.apart import apart
from storage.messages.as_events import as_events
from storage.reading.newest_run import connect
from storage.rows.danger import levels_for_a_reader
from storage.rows.graded import graded
from storage.rows.marks import NOT_COMPUTED
from storage.shell import output
from storage.times import time_text, utc_rows

_SHOWN = (
    "id",
    "originator",
    "creation_date",
    "tca",
    "primary_norad_id",
    "primary_name",
    "secondary_norad_id",
    "secondary_name",
    "miss_distance_m",
    "probability_level",
    "probability_best",
    "probability_method",
    "near_level",
    "claimed_probability",
    "sigmas_apart",
    "probability_2d",
    "probability_flag",
    "risk_level",
    "event_id",
    "encounter_id",
    "restricted",
)
_COLUMNS = (
    "Id",
    "From",
    "Made",
    "TCA",
    "Objects",
    "Miss (m)",
    "Claimed",
    "Ours",
    "Apart (σ)",
    "Level",
    "Near",
    "Encounter",
)
RESTRICTED = "*"

Record = Mapping[str, Any]


def beside_ours(store: Path, records: Sequence[Record]) -> list[Record]:
    """Return messages with how far each is from our event: `sigmas_apart`, and in words `apart`.

    Of one about an encounter that no run has both are empty.
    """
    events = sorted({one["event_id"] for one in records if one["event_id"] is not None})
    rows = as_events(store, [one["id"] for one in records if one["event_id"] is not None])
    ours: dict[int, Record] = {}
    if events:
        with connect(store) as connection:
            found = connection.sql("FROM events WHERE event_id IN (SELECT unnest(?))", params=[events])
            ours = {row["event_id"]: row for row in utc_rows(found.to_arrow_table())}

    def difference(one: Record) -> tuple[float | None, str]:
        event = ours.get(one["event_id"])
        return (None, "") if event is None else apart(one, rows.get(one["id"], {}), event)

    return [{**one, **dict(zip(("sigmas_apart", "apart"), difference(one), strict=True))} for one in records]


def print_messages(records: Sequence[Record], total: int, *, as_json: bool) -> None:
    """Print messages: every column as JSON, the main ones into a pipe, those that fit on a terminal."""
    if as_json:
        output.print_json(list(records))
    elif sys.stdout.isatty():
        caption = f"{len(records):,} of {total:,} messages; times are UTC; + no run has the encounter"
        if any(one["restricted"] for one in records):
            caption += f"\n{RESTRICTED} its source does not allow sharing it"
        output.print_first_that_fits([(_COLUMNS, [_row(one) for one in records])], caption, ("Objects",))
    else:
        output.print_table(_SHOWN, [[one[name] for name in _SHOWN] for one in records])


def _row(one: Record) -> tuple[str, ...]:
    claimed, ours, (level, near) = one["claimed_probability"], graded(one), levels_for_a_reader(one)
    return (
        one["id"] + (RESTRICTED if one["restricted"] else ""),
        one["originator"],
        _time(one["creation_date"]),
        _time(one["tca"]),
        " - ".join(
            one[f"{who}_name"] or one[f"{who}_designator"].lstrip("0") for who in ("primary", "secondary")
        ),
        "" if one["miss_distance_m"] is None else f"{one['miss_distance_m']:,.0f}",
        "" if claimed is None else f"{claimed:.2e}",
        NOT_COMPUTED if ours.probability is None else ours.said(3),
        "" if one["sigmas_apart"] is None else f"{one['sigmas_apart']:.1f}",
        level,
        near,
        f"{one['encounter_id']}{'+' if one['event_id'] is None else ''}",
    )


def _time(instant: datetime | None) -> str:
    return "" if instant is None else time_text(instant, "seconds")
