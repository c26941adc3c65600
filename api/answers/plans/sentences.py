"""A plan in sentences: whether it still holds, and by which numbers."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import takewhile
from typing import NamedTuple

from api.answers.manoeuvred import Burn
from api.answers.plans.screened import Screened
from api.models.manoeuvres import ComputedEncounter
from api.models.watched.plans import ListedPlan, PlanPoint, PlanState
from storage.rows.words.numbers import distance, minute, probability, significant, until
from storage.state.records import Plan
from storage.times import parse_time
from storage.vocabulary import MESSAGE


class Fare(NamedTuple):
    """What is known of how a plan fares."""

    plan: Plan
    shown: ListedPlan
    state: PlanState
    points: Sequence[PlanPoint]  # the oldest first
    screened: Screened
    lost: str  # why the newest run does not have the event
    seen: Sequence[Burn]  # manoeuvres that may be the last of the burns
    ahead: Sequence[datetime]  # the burns that are ahead
    tca: datetime
    now: datetime
    run_id: str  # the newest

    @property
    def by_runs(self) -> list[PlanPoint]:
        """What runs make of it."""
        return [one for one in self.points if one.kind != MESSAGE]


def sentences(fare: Fare) -> str:
    """Return a plan in sentences, the verdict first."""
    verdict = _VERDICTS[fare.state](fare)
    message = "" if fare.state == "ended" else _message(fare)
    return " ".join(part for part in (verdict, message, _time(fare)) if part)


def _holds(fare: Fare) -> str:
    newest = fare.by_runs[-1]
    return f"The plan holds: {_numbers(newest)}. {_goal(fare)} {_others(fare)}"


def _not_enough(fare: Fare) -> str:
    newest = fare.by_runs[-1]
    since = _since(fare.by_runs, lambda one: not _below(one.probability_after, fare.plan.goal))
    if since is fare.by_runs[0]:
        return f"The plan is not enough for its goal of {fare.plan.goal:g}: {_numbers(newest)}."
    return (
        f"The plan is no longer enough for its goal of {fare.plan.goal:g}, since the run of "
        f"{minute(since.made)} Z: {_numbers(newest)}."
    )


def _raises(fare: Fare) -> str:
    raised = fare.screened.raised
    assert raised, "the state says so"
    more = f", and {len(raised) - 1} more" if len(raised) > 1 else ""
    return (
        f"The burn leads into another encounter: with {_other(raised[0])}{more}. For this event itself it is "
        f"enough: {_numbers(fare.by_runs[-1])}."
    )


def _other(one: ComputedEncounter) -> str:
    name = f"{one.other_name} ({one.other_norad_id})" if one.other_name else one.other_norad_id
    return (
        f"{name} at {minute(parse_time(one.tca))} Z, miss {distance(one.miss_distance_m)}, "
        f"probability {probability(one.probability)}"
    )


def _not_needed(fare: Fare) -> str:
    newest = fare.by_runs[-1]
    since = _since(fare.by_runs, lambda one: _below(one.probability, fare.plan.goal))
    return (
        f"The burn is not needed as it stands: without it the probability has been below the goal of "
        f"{fare.plan.goal:g} since the run of {minute(since.made)} Z, and the level is now "
        f"{newest.probability_level}. {_capital(_numbers(newest))}. Later runs may raise it again."
    )


def _gone(fare: Fare) -> str:
    last = fare.by_runs[-1]
    return (
        "The event is gone without the burn: the newest run no longer finds it. The last that did, of "
        f"{minute(last.made)} Z, had {_numbers(last)}."
    )


def _burn_passed(fare: Fare) -> str:
    newest = fare.by_runs[-1]
    if newest.not_computed:
        by = (
            "By the newest run, whose data begin after it, the miss is "
            f"{distance(newest.miss_distance_m)}, the probability {probability(newest.probability)}. "
            "Sets from soon after a burn do not show all of it."
        )
    else:
        by = f"No data from after it have come yet: {_numbers(newest)}."
    return f"The time of the burn has passed. {by} {_seen(fare)}"


def _not_followed(fare: Fare) -> str:
    if fare.lost:
        last = f" The last that has it: {_numbers(fare.by_runs[-1])}." if fare.by_runs else ""
        return f"The plan cannot be followed with the newest run, {fare.run_id}: {fare.lost}.{last}"
    newest = fare.by_runs[-1]
    why = newest.not_computed or "No probability could be computed."
    return f"Whether the plan holds cannot be said: {_numbers(newest)}. {why}"


def _ended(fare: Fare) -> str:
    last = [one for one in fare.by_runs if one.made < fare.tca]
    by = f" The last run before it had {_numbers(last[-1])}." if last else ""
    return f"TCA has passed; the plan has ended. {_seen(fare)}{by}"


_VERDICTS: dict[PlanState, Callable[[Fare], str]] = {
    "holds": _holds,
    "not_enough": _not_enough,
    "raises": _raises,
    "not_needed": _not_needed,
    "gone": _gone,
    "burn_passed": _burn_passed,
    "not_followed": _not_followed,
    "ended": _ended,
}


def _seen(fare: Fare) -> str:
    """Return whether the element sets show the last burn."""
    who = fare.plan.name or str(fare.plan.norad_id)
    if fare.seen:
        one = fare.seen[0]
        return (
            f"The element sets of {who} show a manoeuvre around that time, of {significant(one.dv_m_s)} m/s "
            f"at about {minute(one.at)} Z."
        )
    return (
        f"The element sets of {who} show no manoeuvre around the time of the burn: it was not flown, is too "
        "small to be seen, or sets from after it have not come yet."
    )


def _message(fare: Fare) -> str:
    newest = fare.points[-1] if fare.points else None
    if newest is None or newest.kind != MESSAGE:
        return ""
    return f"A message made since, at {minute(newest.made)} Z, has {_numbers(newest)}."


def _time(fare: Fare) -> str:
    if fare.state in ("ended", "burn_passed"):
        return ""
    if not fare.ahead:
        return "The time of the burn has passed."
    return f"The burn is {until(fare.ahead[0], fare.now)}, TCA {until(fare.tca, fare.now)}."


def _goal(fare: Fare) -> str:
    return f"With it the probability is below the goal of {fare.plan.goal:g}."


def _others(fare: Fare) -> str:
    if fare.screened.raised is None:
        why = f": {fare.screened.why_not}" if fare.screened.why_not else ", as a burn has passed."
        return f"Other encounters are not screened{why}"
    days = f"{fare.plan.days:g} day{'' if fare.plan.days == 1 else 's'}"
    return f"It brings no other encounter to the goal until {days} after TCA."


def _numbers(one: PlanPoint) -> str:
    """Return a run's numbers: "miss 62.2 m, probability 1.3e-04 without the burn, ... with it"."""
    without = (
        f"miss {distance(one.miss_distance_m)}, probability {probability(one.probability)} without the burn"
    )
    if one.not_computed:
        return without
    if one.miss_after_m is None:
        return f"{without}; with it they no longer meet"
    return f"{without}, {distance(one.miss_after_m)} and {probability(one.probability_after)} with it"


def _since(points: Sequence[PlanPoint], holds: Callable[[PlanPoint], bool]) -> PlanPoint:
    """Return the first of the last points in a row of which something holds; it does of the last."""
    return list(takewhile(holds, reversed(points)))[-1]


def _below(value: float | None, goal: float) -> bool:
    return value is not None and value < goal


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
