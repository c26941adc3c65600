"""The output of the command `messages list`."""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from storage.rows.danger import levels_for_a_reader
from storage.rows.graded import graded
from storage.rows.marks import NOT_COMPUTED
from storage.shell import output
from storage.times import time_text

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
    "Level",
    "Near",
    "Encounter",
)
RESTRICTED = "*"

Record = Mapping[str, Any]


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
        level,
        near,
        f"{one['encounter_id']}{'+' if one['event_id'] is None else ''}",
    )


def _time(instant: datetime | None) -> str:
    return "" if instant is None else time_text(instant, "seconds")
