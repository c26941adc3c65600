"""The output of the commands `events`, `status` and `objects show`."""

import sys
from pathlib import Path

from storage.reading.fleet_view import SEEN_FROM_FLEET
from storage.reading.newest_run import Events
from storage.rows.danger import PROBABILITIES, decisive_probability_of, levels_for_a_reader
from storage.rows.graded import AT_MOST, METHOD_WORDS, graded
from storage.rows.marks import LEGEND, NOT_COMPUTED, marks
from storage.rows.trajectory_words import beside_the_name, trajectory_words
from storage.schema import CONJUNCTIONS
from storage.shell import output
from storage.vocabulary import RESTRICTED_MESSAGE, TOLD

_SHOWN_IN_A_PIPE = tuple(
    column.name
    for column in sorted(
        (column for column in CONJUNCTIONS.columns if column.listed is not None),
        key=lambda column: column.listed or 0,
    )
)
# All that `print_events_for_a_reader` reads of an event of the newest run.
FOR_A_READER = (
    *("event_id", "origin", "tca", "encounter", "miss_distance_m", "relative_speed_m_s", "fragments_10cm"),
    *("probability_level", "probability_method", "probability_flag", "hard_body_source", *PROBABILITIES),
    *(
        f"{who}_{name}"
        for who in ("primary", "secondary")
        for name in ("norad_id", "name", "trajectory", "manoeuvring", "departs_at")
    ),
)
_OF_A_FLEET = tuple(SEEN_FROM_FLEET.values())
_ON_A_NARROW_ONE = ("Level", "TCA", "Objects", "Miss m", "Prob.", "Event")
_SHORT = {  # for a narrow one
    NOT_COMPUTED: "none",
    AT_MOST["bound"]: "<= ",
    METHOD_WORDS["3d"]: "3-D",
    METHOD_WORDS["trajectory_mc"]: "sampled",
}
_FLEET_COLUMNS = ("Fleet's", "Volume", "R T N (km)")
_ON_A_TERMINAL = (
    "Level",
    "Near",
    "TCA",
    "Primary",
    "Secondary",
    "Miss (m)",
    "Speed (m/s)",
    "Probability",
    "Pieces",
    "Event",
)


def print_events(events: Events, store: Path, *, as_json: bool) -> None:
    """Print events: every column as JSON, the main ones into a pipe, those that fit on a terminal."""
    if as_json:
        columns = ["id" if name == "event_id" else name for name in events.columns]
        output.print_json_rows(columns, events.rows)
        return
    if sys.stdout.isatty():
        print_events_for_a_reader(events, store)
    else:
        records = [dict(zip(events.columns, row, strict=True)) for row in events.rows]
        shown = _SHOWN_IN_A_PIPE + (_OF_A_FLEET if _of_a_fleet(events) else ())
        output.print_table(shown, [[record[name] for name in shown] for record in records])


def print_events_for_a_reader(events: Events, store: Path) -> None:
    """Print events as a table of the most important columns, in a pipe too."""
    records = [dict(zip(events.columns, row, strict=True)) for row in events.rows]
    shown = len({record["event_id"] for record in records})
    caption = f"{shown:,} of {events.total:,} matching events in {store}; times are UTC"
    if any(_marks(record) for record in records):
        caption += f"\n{LEGEND}"
    if count := sum(_on_ephemeris(record) for record in records):
        caption += f"\n{count:,} of them with an object on its {trajectory_words('ephemeris')}"
    if count := sum(bool(_told_by(record)) for record in records):
        caption += f"\n{count:,} of them known only from messages"
    if any(record["fragments_10cm"] is not None for record in records):
        caption += "\nPieces: fragments of 10 cm or larger that a collision would produce"
    if count := sum(record.get("fleet_hard_body_radius_m") is not None for record in records):
        caption += f"\n{count:,} of them at the fleet's own hard-body radius"
    if any(record["origin"] == RESTRICTED_MESSAGE for record in records):
        caption += "\nrestricted message: its source does not allow sharing it"
    rows = [_terminal_row(record) for record in records]
    filled = [i for i in range(len(_ON_A_TERMINAL)) if not rows or any(row[i] != "" for row in rows)]
    wide = [_ON_A_TERMINAL[i] for i in filled], [[row[i] for i in filled] for row in rows]
    narrow = [*_ON_A_NARROW_ONE], [_narrow_row(record) for record in records]
    if _of_a_fleet(events):
        for columns, shown_rows in (wide, narrow):
            columns[-1:-1] = _FLEET_COLUMNS
            for row, record in zip(shown_rows, records, strict=True):
                row[-1:-1] = _fleet_cells(record)
    output.print_first_that_fits([wide, narrow], caption, folded=("Primary", "Secondary"))


def _of_a_fleet(events: Events) -> bool:
    return _OF_A_FLEET[0] in events.columns


def _fleet_cells(event: dict[str, object]) -> list[object]:
    axes = (f"{event[name]:.3g}" for name in _OF_A_FLEET if name.startswith("fleet_miss"))
    return [event["fleet_norad_id"], event["volume"], " ".join(axes)]


def _terminal_row(event: dict[str, object]) -> list[object]:
    found = graded(event)
    flag = event["probability_flag"] or (event["encounter"] if event["encounter"] == "slow" else "")
    shown = NOT_COMPUTED if found.probability is None else found.probability_words
    return [
        *levels_for_a_reader(event),
        f"{event['tca']:%Y-%m-%d %H:%M:%SZ}",
        *(
            f"{event[f'{who}_norad_id']} {event[f'{who}_name']}{beside_the_name(event[f'{who}_trajectory'])}"
            for who in ("primary", "secondary")
        ),
        f"{event['miss_distance_m']:,.0f}",
        "" if event["relative_speed_m_s"] is None else f"{event['relative_speed_m_s']:,.0f}",
        " ".join(part for part in (shown, _marks(event), str(flag or ""), _told_by(event)) if part),
        "" if event["fragments_10cm"] is None else f"{event['fragments_10cm']:,.0f}",
        event["event_id"],
    ]


def _told_by(event: dict[str, object]) -> str:
    """Return `message` or `restricted message` of an encounter that no run has."""
    return str(event["origin"]).replace("_", " ") if event["origin"] in TOLD else ""


def _on_ephemeris(event: dict[str, object]) -> bool:
    return "ephemeris" in (event["primary_trajectory"], event["secondary_trajectory"])


def _marks(event: dict[str, object]) -> str:
    manoeuvring, departs_at = (
        [event[f"{who}_{name}"] for who in ("primary", "secondary")] for name in ("manoeuvring", "departs_at")
    )
    return marks(decisive_probability_of(event), event["hard_body_source"], manoeuvring, departs_at)


def _narrow_row(event: dict[str, object]) -> list[object]:
    """Return a row for 80 columns, with a star where the miss alone is near."""
    level, near, _, _, _, miss, _, probability, _, event_id = map(str, _terminal_row(event))
    return [
        f"{level} *" if near else level,
        f"{event['tca']:%m-%d %H:%M}",
        f"{event['primary_norad_id']} {event['secondary_norad_id']}",
        miss,
        _shortened(probability),
        event_id,
    ]


def _shortened(probability: str) -> str:
    for words, short in _SHORT.items():
        probability = probability.replace(words, short)
    return probability
