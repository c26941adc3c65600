"""Check a plan and store it; plans as they are listed."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from api.answers.basis import Basis
from api.answers.manoeuvres import Asked, what_if
from api.answers.plans.outcome import outcome_of
from api.models.watched.plans import ListedPlan, PlannedBurn
from screening.answers import same_fields
from screening.manoeuvre.steps import Tell, tell_nobody
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.numbers import second, significant
from storage.state.alerts.plans import burns_of, keep_plan
from storage.state.records import Plan
from storage.times import time_text, utc_datetime

# Imported where they are used: they import numba, which an idle service does not need.
if TYPE_CHECKING:
    from screening.manoeuvre.execution import Execution
    from screening.manoeuvre.impulse import Impulse

_AXES = ("radial", "along the track", "cross-track")


class By(NamedTuple):
    """Who chose a plan."""

    name: str
    credential_id: int | None
    organisation_id: int


def choose(
    snapshot: Snapshot, basis: Basis, asked: Asked, by: By, now: datetime, tell: Tell = tell_nobody
) -> ListedPlan:
    """Check burns as `what_if` does, store them as a plan, and return it. Raises as it does, and TooMany."""
    made = what_if(snapshot, basis, asked, now, tell)
    assert made.verified is not None, "there are burns"
    event, side = made.event, made.side
    other = event.secondary if made.who == "primary" else event.primary
    burns = sorted(made.verified.burns, key=lambda one: one.at)
    outcome = outcome_of(event, side.norad_id, burns, asked.execution)
    values = {
        "event_id": event.id,
        "norad_id": side.norad_id,
        "name": side.name,
        "other_norad_id": other.norad_id,
        "other_name": other.name,
        "burns": tuple(map(_burn_text, burns)),
        "goal": asked.goal,
        "days": asked.days,
        "threshold_km": asked.threshold_km,
        "size_error": asked.execution.size,
        "direction_error_deg": math.degrees(asked.execution.direction_rad),
        "run_id": snapshot.run.run_id,
        "tca": event.tca,
        "miss_distance_m": event.miss_distance_m,
        "probability": event.decisive_probability,
        "miss_after_m": outcome.miss_m,
        "probability_after": outcome.probability,
        "at": now,
        "made_by": by.name,
        "credential_id": by.credential_id,
        "organisation_id": by.organisation_id,
    }
    return listed(keep_plan(snapshot.store, values))


def listed(plan: Plan) -> ListedPlan:
    """Return a plan as it is listed."""
    burns = burns_of(plan)
    fields = same_fields(ListedPlan, plan) | {
        "burns": [PlannedBurn(utc_datetime(one.at), *one.dv_rtn_m_s) for one in burns],
        "dv_m_s": sum(one.size_m_s for one in burns),
        "words": f"{plan.name or plan.norad_id}: {', then '.join(map(_words, burns))}",
    }
    return ListedPlan(**fields)


def execution_of(plan: Plan) -> "Execution":
    """Return how well the burns of a plan are carried out."""
    from screening.manoeuvre.execution import Execution

    return Execution(plan.size_error, math.radians(plan.direction_error_deg))


def _burn_text(burn: "Impulse") -> str:
    return ",".join([time_text(utc_datetime(burn.at)), *(repr(float(part)) for part in burn.dv_rtn_m_s)])


def _words(burn: "Impulse") -> str:
    return f"{_size(burn.dv_rtn_m_s)} at {second(utc_datetime(burn.at))} UTC"


def _size(dv_rtn_m_s: Sequence[float]) -> str:
    radial, along, across = dv_rtn_m_s
    if radial == across == 0.0:
        return f"{significant(abs(along))} m/s {'along' if along > 0 else 'against'} flight"
    parts = zip(dv_rtn_m_s, _AXES, strict=True)
    return ", ".join(f"{significant(value)} m/s {axis}" for value, axis in parts if value)
