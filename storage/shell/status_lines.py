"""Print what `skysieve status` shows: the newest run, the ages of its data, attempts, fleets and alerts."""

from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from screening.orbits.sgp4.errors import SGP4_ERRORS
from storage.messages.origins import asked_words
from storage.reading.catalogue_age import AGE_UNKNOWN, CatalogueAge
from storage.reading.newest_run import Status
from storage.rows.run_record import Run, levels_in_words
from storage.shell import output
from storage.shell.service_view import NOTHING_KNOWN, ServiceView, Watched
from storage.state.database import Attempt
from storage.times import time_text


def print_status(
    status: Status | None,
    store: Path,
    now: datetime,
    *,
    as_json: bool,
    service: ServiceView = NOTHING_KNOWN,
    sets: CatalogueAge = AGE_UNKNOWN,
) -> None:
    """Print the newest run (None: there is none), its age at the time `now`, and the last attempts."""
    if as_json:
        output.print_json(
            {"store": str(store)} | _run_record(status, now, sets) | _service_record(service, now)
        )
        return
    lines = (
        [("Store", str(store))] if status is None else list(_status_lines(status, store, now, sets).items())
    )
    for label, text in lines + _service_lines(service, now):
        print(f"{label:<14}{text}")  # noqa: T201 - this is what was asked for


def _run_record(status: Status | None, now: datetime, sets: CatalogueAge) -> dict[str, object]:
    if status is None:
        return {
            "runs": 0,
            "run": None,
            "age_s": None,
            "newest_epoch": None,
            "newest_epoch_age_s": None,
            "element_sets": "unknown",
            "rejections": [],
            "ephemeris": None,
            "ephemeris_being_written": False,
        }
    names = ("line", "record", "reason")
    return {
        "runs": status.runs,
        "run": asdict(status.run),
        "age_s": _age_s(status.run.finished, now),
        "newest_epoch": sets.epoch,
        "newest_epoch_age_s": None if sets.age is None else sets.age.total_seconds(),
        "element_sets": sets.state,
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
        "catalogue_changes": list(service.catalogue_words),
        "messages": [origin._asdict() for origin in service.origins],
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
    labels = ["Changes", *[""] * len(service.catalogue_words)]
    lines += list(zip(labels, service.catalogue_words, strict=False))
    if (watched := service.watched) and watched.fleets:
        lines.append(("Watched", _watched_text(watched)))
    if service.origins:
        lines.append(("Messages", "; ".join(asked_words(origin) for origin in service.origins)))
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
    outcome = attempt.outcome or f"in progress or killed, at {attempt.stage}"
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


def _status_lines(status: Status, store: Path, now: datetime, sets: CatalogueAge) -> dict[str, str]:
    run = status.run
    nature = [word for word in ("historic", "replay", "synthetic") if getattr(run, word)]
    lines = {
        "Store": f"{store} ({status.runs:,} runs)",
        "Newest run": run.run_id + (f" ({', '.join(nature)})" if nature else ""),
        "Finished": f"{time_text(run.finished)}, {age_text(_age_s(run.finished, now))} ago",
        "Source": run.source + (f" ({run.catalogue_decision})" if run.catalogue_decision else ""),
        "Newest epoch": _epoch_line(sets),
        "Window": f"{time_text(run.window_start)} to {time_text(run.window_end)}, "
        f"below {run.threshold_km:g} km",
        "Objects": _objects_line(run),
        "Rejected": f"{run.rejected:,}",
        "Conjunctions": f"{run.conjunctions:,} fast, {run.slow:,} slow",
        **levels_in_words(run),
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


def _epoch_line(sets: CatalogueAge) -> str:
    if sets.epoch is None or sets.age is None:
        return "unknown: the run is from an earlier release"
    said = f"{_second(sets.epoch)}, {age_text(sets.age.total_seconds())} ago"
    return f"{said}: NO NEW ELEMENT SETS since" if sets.state == "old" else said


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
    return (now - finished).total_seconds()


def age_text(seconds: float) -> str:
    """Return a duration in its two largest units, such as `2 h 5 min`."""
    minutes = int(seconds // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"
