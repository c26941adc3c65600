"""A run that is published, looked at for a fleet and noted, to be killed on the way."""

from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

from flows.alerts.outbox import note_published
from storage.settings import StoreSettings
from storage.state.fleets import fleets
from tests.flows.alerts.made_up_days import OURS, Meeting, at, look, publish_meetings

PUBLISH, LOOK, NOTE, DONE = STAGES = ("publish", "look", "note", "done")


def make_run(store: Path, hours: float, meetings: list[Meeting], stages_told: Connection) -> None:
    """Do what a run does once its search is over; tell of each stage as it begins, and the end."""
    (fleet,) = fleets(store)
    stages_told.send(PUBLISH)
    run_id = publish_meetings(store, hours, meetings)
    stages_told.send(LOOK)
    look(store, run_id, fleet, OURS)
    stages_told.send(NOTE)
    note_published(StoreSettings(store=store), run_id, at(hours) + timedelta(seconds=10))
    stages_told.send(DONE)
