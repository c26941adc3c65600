"""What a report says of one event: its row, its history over runs, its geometry, and what to be wary of."""

from datetime import datetime
from typing import Any, NamedTuple

from api.answers.geometry import Json, geometry_of, known
from api.answers.stored_events import event_with_history
from api.report.words import minute, span
from api.settings import ApiSettings
from storage.in_memory.snapshot import Snapshot
from storage.rows.run_record import Run
from storage.times import aware_utc


class Report(NamedTuple):
    """Everything that is drawn and written of one event."""

    event: dict[str, Any]  # the fields of EVENT_FIELDS, None for NULL
    history: list[dict[str, Any]]  # what each run found of it, the oldest first
    geometry: Json
    run: Run  # the newest of the store
    notices: list[str]  # what the reader must know before anything else
    made_at: datetime  # UTC


def report_on(snapshot: Snapshot, event_id: int, settings: ApiSettings, now: datetime) -> Report:
    """Gather what there is to say of one event. Raises NotFound if the store has no such event."""
    event, history = event_with_history(snapshot, event_id)
    return Report(
        event=known(event),
        history=[known(found) for found in history],
        geometry=geometry_of(snapshot, event),
        run=snapshot.run,
        notices=[*notices(snapshot.run, settings, now), *_superseded(snapshot, event_id, history)],
        made_at=now,
    )


def notices(run: Run, settings: ApiSettings, now: datetime) -> list[str]:
    """Return what to be wary of in a run: synthetic, historic, stale."""
    said = []
    if run.synthetic:
        said.append("Synthetic: the catalogue is generated, not observed. No object here exists.")
    if run.historic:
        said.append(f"Historic: the catalogue is old, and its window begins at {minute(run.window_start)} Z.")
    age = now - aware_utc(run.finished)
    if age > settings.stale_after:
        said.append(
            f"Stale: the newest run ended {span(age)} ago, more than "
            f"{span(settings.stale_after)}. Newer element sets may tell otherwise."
        )
    return said


def _superseded(snapshot: Snapshot, event_id: int, history: list[dict[str, Any]]) -> list[str]:
    if snapshot.event(event_id) is not None:
        return []
    return [f"Not in the newest run: {history[-1]['run_id']} was the last run that had this event."]
