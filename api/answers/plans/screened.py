"""The whole paths of plans against the newest run: which other encounters they bring to the goal."""

from collections.abc import Callable
from datetime import datetime
from threading import Lock
from typing import NamedTuple

from api.answers.basis import Basis
from api.answers.manoeuvres import Asked, what_if
from api.answers.plans.listed import execution_of
from api.answers.stored_events import StoredEvent
from api.errors import Refusal
from api.models.manoeuvres import ComputedEncounter
from screening.errors import InputError
from storage.in_memory.snapshot import Snapshot
from storage.state.alerts.plans import burns_of
from storage.state.records import Plan
from storage.times import utc_datetime


class Screened(NamedTuple):
    """What the path of a plan, from its first burn on, meets."""

    raised: list[ComputedEncounter] | None  # by probability; None: see `why_not`
    why_not: str = ""


class ScreenedPlans:
    """Screens each plan once a run; any number of threads may ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._run_id = ""
        self._known: dict[tuple[int, datetime], Screened] = {}

    def of(self, snapshot: Snapshot, basis: Callable[[], Basis], plan: Plan, event: StoredEvent) -> Screened:
        """Return what the path of a plan for an event of the newest run meets."""
        key = plan.id, event.computed_at
        with self._lock:
            if self._run_id != snapshot.run.run_id:
                self._run_id = snapshot.run.run_id
                self._known.clear()
            known = self._known.get(key)
        if known is None:
            known = screened(snapshot, basis(), plan)
            with self._lock:
                self._known[key] = known
        return known


def screened(snapshot: Snapshot, basis: Basis, plan: Plan) -> Screened:
    """Screen the path of a plan from its first burn on, which must be ahead."""
    from api.answers.manoeuvre_answer import computed_encounter
    from screening.manoeuvre.rescreen import SAME_ENCOUNTER  # numba, which an idle service does not need

    burns = burns_of(plan)
    first = utc_datetime(burns[0].at)
    asked = Asked(
        plan.event_id, "primary", burns, plan.goal, plan.days, plan.threshold_km, execution_of(plan),
        seen_from=plan.norad_id, not_before=first,
    )  # fmt: skip
    try:
        made = what_if(snapshot, basis, asked, first)
    except (Refusal, InputError) as error:
        return Screened(None, str(error))
    assert made.verified is not None, "there are burns"
    found, tca = made.verified.others, made.encounter["tca"][0]
    others = [
        computed_encounter(made, found, one.after)
        for one in made.verified.raised(made.before, plan.goal)
        if found["secondary_norad_id"][one.after] != plan.other_norad_id
        or abs(found["tca"][one.after] - tca) > SAME_ENCOUNTER
    ]
    return Screened(sorted(others, key=lambda one: -one.probability))
