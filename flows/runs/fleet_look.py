"""After a run, look around the objects of all fleets; the run stands whatever fails."""

import logging

from flows.runs.run import Outcome
from flows.settings import FlowSettings
from screening.errors import SkysieveError
from screening.kernel_files import keep_kernels_in
from storage.analyses.around_fleets.look import FleetLook, look_around
from storage.analyses.around_fleets.wanted import OfRun
from storage.state.fleets import fleets

log = logging.getLogger("skysieve")


def fleet_look(outcome: Outcome, settings: FlowSettings) -> FleetLook | None:
    """Look around the objects of all fleets after a published run, and store that; None if there are none.

    What fails is logged, and nothing is raised.
    """
    try:
        wanted = fleets(settings.store)
        if not wanted:
            return None
        keep_kernels_in(settings.kernel_cache)
        prepared = outcome.prepared
        as_of = prepared.started if prepared.replay else None
        run = OfRun(outcome.run_id, prepared.span, prepared.elements, prepared.ephemerides, as_of)
        looked = look_around(settings.store, wanted, run, settings.max_events)
    except SkysieveError as error:
        looked = FleetLook(0, 0, 0, 0, (str(error),))
    for problem in looked.problems:
        log.warning("Fleets: %s", problem)
    return looked
