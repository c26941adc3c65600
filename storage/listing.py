"""What the commands `events` and `status` print."""

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from storage import output
from storage.read import Events, Status
from storage.runs import Run

_SHOWN_IN_A_PIPE = (
    "event_id",
    "risk_level",
    "tca",
    "primary_norad_id",
    "primary_name",
    "secondary_norad_id",
    "secondary_name",
    "miss_distance_m",
    "relative_speed_m_s",
    "probability",
    "probability_2d",
    "probability_max",
    "probability_flag",
    "risk_basis",
    "encounter",
    "origin",
)
_ON_A_TERMINAL = ("Risk", "TCA", "Primary", "Secondary", "Miss (m)", "Speed (m/s)", "Probability", "Event")


def print_events(events: Events, store: Path, *, as_json: bool) -> None:
    """Print events: JSON has every column, a pipe the main ones, a terminal what fits."""
    if as_json:
        columns = ["id" if name == "event_id" else name for name in events.columns]
        output.print_json_rows(columns, events.rows)
        return
    if sys.stdout.isatty():
        print_events_for_a_reader(events, store)
    else:
        records = [dict(zip(events.columns, row, strict=True)) for row in events.rows]
        output.print_table(_SHOWN_IN_A_PIPE, [[r[name] for name in _SHOWN_IN_A_PIPE] for r in records])


def print_events_for_a_reader(events: Events, store: Path) -> None:
    """Print events as a table of what matters most, in a pipe too."""
    records = [dict(zip(events.columns, row, strict=True)) for row in events.rows]
    caption = f"{len(records):,} of {events.total:,} matching events in {store}; times are UTC"
    rows = [_terminal_row(record) for record in records]
    filled = [i for i in range(len(_ON_A_TERMINAL)) if not rows or any(row[i] != "" for row in rows)]
    columns = [_ON_A_TERMINAL[i] for i in filled]
    output.print_boxed(columns, [[row[i] for i in filled] for row in rows], caption)


def _terminal_row(event: dict[str, object]) -> list[object]:
    probability = _worse(event["probability"], event["probability_2d"], event["probability_mc"])
    flag = event["probability_flag"] or (event["encounter"] if event["encounter"] == "slow" else "")
    return [
        event["risk_level"],
        f"{event['tca']:%Y-%m-%d %H:%M:%SZ}",
        f"{event['primary_norad_id']} {event['primary_name']}",
        f"{event['secondary_norad_id']} {event['secondary_name']}",
        f"{event['miss_distance_m']:,.0f}",
        f"{event['relative_speed_m_s']:,.0f}",
        f"{'' if probability is None else f'{probability:.1e}'} {flag}".strip(),
        event["event_id"],
    ]


def _worse(formula: object, exact: object, monte_carlo: object) -> float | None:
    """Return the larger of formula and exact integral; where neither holds, the Monte Carlo value."""
    known = [p for p in (formula, exact) if isinstance(p, float)]
    if known:
        return max(known)
    return monte_carlo if isinstance(monte_carlo, float) else None


def print_status(status: Status, store: Path, now: datetime, *, as_json: bool) -> None:
    """Print what the store holds, and how old it is at the time `now`."""
    age_s = _age_s(status.run.finished, now)
    if as_json:
        newest = {"run": asdict(status.run), "age_s": age_s, "newest_epoch": status.newest_epoch}
        names = ("line", "record", "reason")
        rejections = [dict(zip(names, rejection, strict=True)) for rejection in status.rejections]
        output.print_json({"store": str(store), "runs": status.runs, **newest, "rejections": rejections})
        return
    for label, text in _status_lines(status, store, age_s).items():
        print(f"{label:<14}{text}")  # noqa: T201 - this is what was asked for


def _status_lines(status: Status, store: Path, age_s: float) -> dict[str, str]:
    run = status.run
    nature = [word for word, holds in (("historic", run.historic), ("synthetic", run.synthetic)) if holds]
    lines = {
        "Store": f"{store} ({status.runs:,} runs)",
        "Newest run": run.run_id + (f" ({', '.join(nature)})" if nature else ""),
        "Finished": f"{output.time_text(run.finished)}, {age_text(age_s)} ago",
        "Source": run.source,
        "Newest epoch": output.text(status.newest_epoch),
        "Window": f"{output.time_text(run.window_start)} to {output.time_text(run.window_end)}, "
        f"below {run.threshold_km:g} km",
        "Objects": _objects_line(run),
        "Rejected": f"{run.rejected:,}",
        "Conjunctions": f"{run.conjunctions:,} fast, {run.slow:,} slow",
        "Risk": f"{run.critical:,} critical, {run.high:,} high, {run.medium:,} medium, {run.low:,} low",
        "Proximities": f"{run.proximities:,}",
    }
    if status.rejections:
        first = "; ".join(f"line {line} ({record}): {reason}" for line, record, reason in status.rejections)
        lines["Rejected"] += f", first: {first}"
    if run.seconds_by_stage:
        lines["Seconds"] = ", ".join(f"{stage} {s:.1f}" for stage, s in run.seconds_by_stage.items())
    return lines


def _objects_line(run: Run) -> str:
    codes = ", ".join(f"code {code}: {count:,}" for code, count in sorted(run.failed_by_code.items()))
    failed = f"{run.failed:,} not propagated by SGP4" + (f" ({codes})" if codes else "")
    return f"{run.objects:,} screened; {failed}; {run.flagged_old_epoch:,} with an epoch over 30 days away"


def _age_s(finished: datetime, now: datetime) -> float:
    aware = finished if finished.tzinfo else finished.replace(tzinfo=UTC)
    return (now - aware).total_seconds()


def age_text(seconds: float) -> str:
    """Return a duration in its two largest units, such as `2 h 5 min`."""
    minutes = int(seconds // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"
