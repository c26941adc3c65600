"""How a plan fares: what each run and message since it was chosen makes of it, and whether it still holds."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from api.answers.drawn.trend import Said, all_said
from api.answers.event_messages import EventMessages, messages_about
from api.answers.manoeuvred import Burn, burns_around
from api.answers.plans.listed import execution_of, listed
from api.answers.plans.outcome import outcome_of
from api.answers.plans.screened import Screened
from api.answers.plans.sentences import Fare, sentences
from api.answers.stored_events import EventRecord, StoredEvent, event_with_history, stored_event, typed
from api.errors import NotFound
from api.models.watched.plans import EventPlans, FollowedPlan, PlanPoint, PlanState
from storage.in_memory.searching import Passes, newest_searching, why_not_found
from storage.in_memory.snapshot import Snapshot
from storage.state.alerts.plans import burns_of, plans_of
from storage.state.records import Plan
from storage.times import datetime64_us, utc_datetime
from storage.vocabulary import MESSAGE

NOT_SCREENED = Screened(None)


Screen = Callable[[Plan, StoredEvent], Screened]


class Known(NamedTuple):
    """What the store has of an event."""

    event: EventRecord
    history: Sequence[EventRecord]
    messages: EventMessages


def plans_followed(
    snapshot: Snapshot,
    event_id: int,
    received: Callable[[], pa.Table],
    screen: Screen,
    now: datetime,
    *,
    restricted: bool = False,
) -> EventPlans:
    """Return how the plans of an event fare: 2 ms a plan and row, and what `screen` takes.

    `received` returns the store's messages; those that must not be handed on count only if `restricted`.
    Raises NotFound if the store has neither the event nor a plan for it.
    """
    plans = plans_of(snapshot.store, event_id, snapshot.organisation_id)
    if not plans:
        stored_event(snapshot, event_id, restricted=restricted)
        return EventPlans(plans=[])
    try:
        event, history = event_with_history(snapshot, event_id, restricted=restricted)
    except NotFound:  # its runs have expired
        known = None
    else:
        known = Known(event, history, messages_about(received(), typed(event), restricted=restricted))
    return EventPlans(plans=[followed(snapshot, plan, known, now, screen) for plan in plans])


def followed(
    snapshot: Snapshot,
    plan: Plan,
    known: Known | None,
    now: datetime,
    screen: Screen,
) -> FollowedPlan:
    """Return how a plan fares by the newest run of a snapshot, and by what it has from before.

    `known`: None if the event's runs have all expired. `screen` is called only if a burn is ahead. In a
    historic run its window's beginning counts in place of `now`, UTC.
    """
    now = snapshot.run.window_start if snapshot.run.historic else now
    said = [] if known is None else _since(plan, snapshot, known)
    points = [_point(one, plan) for one in said]
    tca = plan.tca if known is None else typed(known.event).tca
    burns = [utc_datetime(one.at) for one in burns_of(plan)]
    ahead = [one for one in burns if one > now]
    lost = _why_not_in_newest(snapshot, said)
    by_runs = [point for point in points if point.kind != MESSAGE]
    in_newest = bool(by_runs) and lost is None
    screened = NOT_SCREENED
    if known is not None and in_newest and len(ahead) == len(burns) and now < tca:
        screened = screen(plan, typed(known.event))
    state = _state(plan, by_runs, screened, lost, passed=not ahead, ended=tca <= now)
    seen: list[Burn] = [] if ahead else burns_around(snapshot, plan.norad_id, burns[-1])
    fare = Fare(
        plan, listed(plan), state, points, screened, lost or "", seen, ahead, tca, now, snapshot.run.run_id
    )
    return FollowedPlan(
        plan=fare.shown,
        state=state,
        words=sentences(fare),
        hours_to_burn=(ahead[0] - now) / timedelta(hours=1) if ahead else None,
        hours_to_tca=(tca - now) / timedelta(hours=1),
        points=points,
        raised=screened.raised,
    )


def _since(plan: Plan, snapshot: Snapshot, known: Known) -> list[Said]:
    """Return what runs and messages say since a plan was chosen, the run it was chosen with first."""
    said = all_said(snapshot, typed(known.event), known.history, known.messages)
    chosen = [one.made for one in said if one.message is None and one.event.run_id == plan.run_id]
    since = min(chosen, default=None)
    return [
        one
        for one in said
        if (one.event.run_id >= plan.run_id if one.message is None else since is None or one.made >= since)
    ]


def _point(said: Said, plan: Plan) -> PlanPoint:
    event = said.event
    outcome = outcome_of(event, plan.norad_id, burns_of(plan), execution_of(plan))
    fields: dict[str, Any] = {
        "kind": event.origin if said.message is None else MESSAGE,
        "probability_level": event.levels[0],
    }
    return PlanPoint(
        **fields,
        run_id=event.run_id if said.message is None else None,
        received_id=None if said.message is None else said.message["id"],
        made=said.made,
        hours_to_tca=(event.tca - said.made) / timedelta(hours=1),
        tca=event.tca,
        miss_distance_m=event.miss_distance_m,
        probability=event.decisive_probability,
        miss_after_m=outcome.miss_m,
        probability_after=outcome.probability,
        not_computed=outcome.why_not,
    )


def _why_not_in_newest(snapshot: Snapshot, said: Sequence[Said]) -> str | None:
    """Return why the newest run lacks an event; None: it has it; empty: its objects pass too far away."""
    rows = [one.event for one in said if one.message is None]
    if any(one.run_id == snapshot.run.run_id for one in rows):
        return None
    if not rows:
        return "no run that the store keeps has it"
    last = rows[-1]
    tca = np.array([datetime64_us(last.tca)])
    begins, ends = (
        tca if one is None else np.array([datetime64_us(one)]) for one in (last.inside_from, last.inside_to)
    )
    miss_m = np.array([last.miss_distance_m])
    numbers = np.array([[side.norad_id] for side in last.sides])
    passes = Passes(tca, begins, ends, miss_m, miss_m, numbers)
    (why,) = why_not_found(newest_searching(snapshot), passes)
    return why


def _state(
    plan: Plan,
    points: Sequence[PlanPoint],
    screened: Screened,
    lost: str | None,
    *,
    passed: bool,
    ended: bool,
) -> PlanState:
    """Return the state of a plan; `points` are those of runs, and `lost` why the newest has none."""
    if ended:
        return "ended"
    if lost == "":
        return "gone"
    if lost is not None:
        return "not_followed"
    newest = points[-1]
    if passed:
        return "burn_passed"
    if newest.probability is None:
        return "not_followed"
    if newest.probability < plan.goal:
        return "not_needed"
    if newest.probability_after is None:
        return "not_followed"
    if newest.probability_after >= plan.goal:
        return "not_enough"
    return "raises" if screened.raised else "holds"
