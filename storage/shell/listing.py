"""The output of the commands `events`, `status` and `objects show`."""

import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from screening.orbits.sgp4.errors import SGP4_ERRORS
from storage.reading.fleet_view import SEEN_FROM_FLEET
from storage.reading.newest_run import Events, Status
from storage.rows.danger import decisive_probability_of, levels_for_a_reader
from storage.rows.graded import AT_MOST, METHOD_WORDS, graded
from storage.rows.marks import LEGEND, NOT_COMPUTED, marks
from storage.rows.run_record import Run
from storage.rows.trajectory_words import beside_the_name, trajectory_words
from storage.shell import output
from storage.shell.service_view import NOTHING_KNOWN, ServiceView, Watched
from storage.state.database import Attempt
from storage.state.object_facts import StoredFacts
from storage.times import aware_utc, time_text
from storage.vocabulary import RESTRICTED_MESSAGE, TOLD

_SHOWN_IN_A_PIPE = (
    "event_id",
    "probability_level",
    "probability_best",
    "probability_method",
    "near_level",
    "tca",
    "primary_norad_id",
    "primary_name",
    "secondary_norad_id",
    "secondary_name",
    "miss_distance_m",
    "relative_speed_m_s",
    "probability_flag",
    "risk_level",
    "risk_basis",
    "probability",
    "probability_2d",
    "probability_max",
    "encounter",
    "origin",
    "hard_body_source",
    "primary_manoeuvring",
    "secondary_manoeuvring",
    "primary_trajectory",
    "secondary_trajectory",
)
_OF_A_FLEET = tuple(SEEN_FROM_FLEET.values())
_MARKED_BY = ("hard_body_source", "primary_manoeuvring", "secondary_manoeuvring")
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
        caption += f"\n{count:,} of them only told by messages: no run has them"
    if any(record["origin"] == RESTRICTED_MESSAGE for record in records):
        caption += "\nrestricted message: the terms of its source forbid to hand it on to others"
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
        event["event_id"],
    ]


def _told_by(event: dict[str, object]) -> str:
    """Return `message` or `restricted message` of an encounter that no run has."""
    return str(event["origin"]).replace("_", " ") if event["origin"] in TOLD else ""


def _on_ephemeris(event: dict[str, object]) -> bool:
    return "ephemeris" in (event["primary_trajectory"], event["secondary_trajectory"])


def _marks(event: dict[str, object]) -> str:
    return marks(decisive_probability_of(event), *(event[name] for name in _MARKED_BY))


def _narrow_row(event: dict[str, object]) -> list[object]:
    """Return a row for 80 columns, with a star where the miss alone is near."""
    level, near, _, _, _, miss, _, probability, event_id = map(str, _terminal_row(event))
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


def print_status(
    status: Status | None,
    store: Path,
    now: datetime,
    *,
    as_json: bool,
    service: ServiceView = NOTHING_KNOWN,
) -> None:
    """Print the newest run (None: there is none), its age at the time `now`, and the last attempts."""
    if as_json:
        output.print_json({"store": str(store)} | _run_record(status, now) | _service_record(service, now))
        return
    lines = [("Store", str(store))] if status is None else list(_status_lines(status, store, now).items())
    for label, text in lines + _service_lines(service, now):
        print(f"{label:<14}{text}")  # noqa: T201 - this is what was asked for


def _run_record(status: Status | None, now: datetime) -> dict[str, object]:
    if status is None:
        return {
            "runs": 0,
            "run": None,
            "age_s": None,
            "newest_epoch": None,
            "rejections": [],
            "ephemeris": None,
            "ephemeris_being_written": False,
        }
    names = ("line", "record", "reason")
    return {
        "runs": status.runs,
        "run": asdict(status.run),
        "age_s": _age_s(status.run.finished, now),
        "newest_epoch": status.newest_epoch,
        "rejections": [dict(zip(names, rejection, strict=True)) for rejection in status.rejections],
        "ephemeris": status.ephemeris and status.ephemeris._asdict(),
        "ephemeris_being_written": status.ephemeris_being_written,
    }


def _service_record(service: ServiceView, now: datetime) -> dict[str, object]:
    text, watched = service.catalogue_text, service.watched
    return {
        "fleets": watched and watched.fleets,
        "alerts": watched
        and {
            "total": watched.alerts,
            "off": watched.figures.off,
            "waiting": watched.figures.waiting,
            "failed": watched.figures.failed,
        },
        "catalogue_text": text and asdict(text) | {"age_s": _age_s(text.downloaded_at, now)},
        "attempts": [attempt._asdict() for attempt in service.attempts],
        "problems": service.problems,
    }


def _service_lines(service: ServiceView, now: datetime) -> list[tuple[str, str]]:
    lines = []
    if text := service.catalogue_text:
        age = age_text(_age_s(text.downloaded_at, now))
        still = (
            "" if text.checked_at == text.downloaded_at else f", still the newest {_second(text.checked_at)}"
        )
        lines.append(("Catalogue", f"downloaded {_second(text.downloaded_at)}, {age} ago{still}"))
    if (watched := service.watched) and watched.fleets:
        lines.append(("Watched", _watched_text(watched)))
    labels = ["Attempts"] + [""] * len(service.attempts)
    lines += [(label, _attempt_line(a)) for label, a in zip(labels, service.attempts, strict=False)]
    return lines + [("Problem", " ".join(problem.split())) for problem in service.problems]


def _watched_text(watched: Watched) -> str:
    found = watched.figures
    return (
        f"{output.counted(watched.fleets, 'fleet')}; "
        f"{output.counted(watched.alerts, 'alert')}, {found.off:,} off; "
        f"{output.counted(found.waiting, 'message')} waiting, {found.failed:,} given up within a day"
    )


def _attempt_line(attempt: Attempt) -> str:
    outcome = attempt.outcome or f"under way or killed, at {attempt.stage}"
    if attempt.outcome == "failed":
        outcome = f"FAILED at {attempt.stage}"
    if attempt.run_id:
        outcome += f" {attempt.run_id}"
    if attempt.decision:
        outcome += f" ({attempt.decision})"
    reason = f": {' '.join(attempt.reason.split())}" if attempt.reason else ""
    return f"{_second(attempt.started)} {attempt.source} {outcome}{reason}"


def _second(time: datetime) -> str:
    return time_text(time, "seconds")


def _status_lines(status: Status, store: Path, now: datetime) -> dict[str, str]:
    run = status.run
    nature = [word for word, holds in (("historic", run.historic), ("synthetic", run.synthetic)) if holds]
    lines = {
        "Store": f"{store} ({status.runs:,} runs)",
        "Newest run": run.run_id + (f" ({', '.join(nature)})" if nature else ""),
        "Finished": f"{time_text(run.finished)}, {age_text(_age_s(run.finished, now))} ago",
        "Source": run.source,
        "Newest epoch": output.text(status.newest_epoch),
        "Window": f"{time_text(run.window_start)} to {time_text(run.window_end)}, "
        f"below {run.threshold_km:g} km",
        "Objects": _objects_line(run),
        "Rejected": f"{run.rejected:,}",
        "Conjunctions": f"{run.conjunctions:,} fast, {run.slow:,} slow",
        "Risk": f"{run.critical:,} critical, {run.high:,} high, {run.medium:,} medium, {run.low:,} low",
        "Proximities": f"{run.proximities:,}",
    }
    if status.ephemeris or status.ephemeris_being_written:
        lines["Ephemeris"] = status.ephemeris.text if status.ephemeris else "still being written"
    if status.rejections:
        first = "; ".join(f"line {line} ({record}): {reason}" for line, record, reason in status.rejections)
        lines["Rejected"] += f", first: {first}"
    if run.seconds_by_stage:
        lines["Seconds"] = ", ".join(f"{stage} {s:.1f}" for stage, s in run.seconds_by_stage.items())
    return lines


def _objects_line(run: Run) -> str:
    reasons = ", ".join(
        f"{count:,} {SGP4_ERRORS.get(code, f'code {code}')}"
        for code, count in sorted(run.failed_by_code.items())
    )
    failed = f"{run.failed:,} not propagated by SGP4" + (f" ({reasons})" if reasons else "")
    given = len((run.trajectories or "").split())
    on_trajectories = f"; {given:,} trajectories of operators used" if given else ""
    return (
        f"{run.objects:,} screened; {failed}; {run.flagged_old_epoch:,} with an epoch over 30 days away"
        f"{on_trajectories}"
    )


def _age_s(finished: datetime, now: datetime) -> float:
    return (now - aware_utc(finished)).total_seconds()


def age_text(seconds: float) -> str:
    """Return a duration in its two largest units, such as `2 h 5 min`."""
    minutes = int(seconds // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def print_object(norad_id: int, facts: StoredFacts, *, as_json: bool) -> None:
    """Print what is stored about an object, and the sources."""
    if as_json:
        output.print_json({"norad_id": norad_id} | facts._asdict())
        return
    lines = [("Object", str(norad_id))]
    if at := facts.satcat_imported_at:
        lines += [("Type", facts.object_type or "not known"), ("Status", facts.status or "not known")]
        if facts.rcs_m2 is not None:
            lines.append(("Cross-section", f"{facts.rcs_m2:g} m2, by radar"))
        if facts.docked_to is not None:
            lines.append(("Docked to", str(facts.docked_to)))
        lines.append(("", f"imported {_second(at)} from {facts.satcat_source}"))
    if at := facts.table_imported_at:
        lines.append(("Radius", f"{facts.table_radius_m:g} m ({facts.table_estimate})"))
        lines.append(("", f"imported {_second(at)} from {facts.table_source}"))
    if at := facts.override_set_at:
        lines.append(("Override", f"{facts.override_radius_m:g} m, set {_second(at)}; overrides all files"))
    if len(lines) == 1:
        lines.append(("", "nothing is stored; type and radius follow from the name"))
    for label, text in lines:
        print(f"{label:<14}{text}")  # noqa: T201 - this is what was asked for
