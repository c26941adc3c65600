"""What follows a published run that somebody has asked for: the look around fleets, and word to alerts."""

from datetime import UTC, datetime

from flows.alerts.noted import note_published
from flows.runs.fleet_look import fleet_look
from flows.runs.run import Outcome, Stages
from flows.settings import FlowSettings
from storage.analyses.around_fleets.look import FleetLook


def look_and_tell(outcome: Outcome, settings: FlowSettings, stages: Stages) -> FleetLook | None:
    """Look around all fleets, and note what alerts are to tell; return None if there is no fleet.

    What fails is logged, and nothing is raised: the run is published.
    """
    with stages("fleets"):
        around = fleet_look(outcome, settings)
    note_published(settings, outcome.run_id, datetime.now(UTC))
    return around
