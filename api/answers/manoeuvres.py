"""What if an object of a stored event thrust: plain functions for HTTP and the command line."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from api.answers.basis import Basis
from api.answers.stored_events import StoredEvent, StoredSide, stored_event
from api.errors import BadParameter
from screening.manoeuvre.steps import Step, Tell, tell_nobody
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, window
from screening.vocabulary import LONGEST_BEFORE_TCA_HOURS, THRESHOLD_RANGE_KM, TRAJECTORY_KINDS
from storage.in_memory.single_objects import ObjectDetails, object_details
from storage.in_memory.snapshot import Snapshot
from storage.times import datetime64_us, time_text, utc_datetime
from storage.trajectories.trajectory_file import Trajectory
from storage.vocabulary import LONGEST_FROM_WINDOW, TOLD

# The search is imported where it is used: it imports numba, which an idle service does not need.
if TYPE_CHECKING:
    from screening.manoeuvre.execution import Execution
    from screening.manoeuvre.impulse import Impulse
    from screening.manoeuvre.search import Found, Verified
    from screening.risk.conjunctions import ConjunctionArray

Who = Literal["primary", "secondary"]

# Of payloads their operator may know better than `can_manoeuvre`; of these nobody does.
_NEVER_MOVED = ("debris", "rocket_body")
_NOT_IN_THE_RUN = "not in the newest run"
# So much older than its first burn an element set may be: SGP4 goes back worse than forth.
_LONGEST_BEFORE_EPOCH = timedelta(days=7)
# Behind TCA there must be room for it to become later.
_SHORTEST_AFTER = timedelta(hours=1)
_ABLE = ("yes", "unknown")
_LAUNCH = len("1998-067")  # of an international designator: year and number of the launch
_STEPS = 2  # before burns are computed

ON_ELEMENTS = (
    "It rests on a general element set, which is kilometres off by then: the change by a burn is computed to "
    "a quarter of a per cent, the miss is not known as well. Plan a burn on the operator's own ephemeris "
    "(--trajectory)."
)


class Asked(NamedTuple):
    """What is asked about an event."""

    event_id: int
    who: Who | None  # that burns; None: as `burns_by_default` has it
    burns: "Sequence[Impulse | Before]"  # empty: a search
    goal: float
    days: float  # after TCA that are screened
    threshold_km: float
    execution: "Execution"
    trajectory: Trajectory | None = None  # of the object that burns, in place of its path in the run
    seen_from: int | None = None  # the object that is the event's primary; None: as stored
    not_before: datetime | None = None  # UTC, of burns; None: now


class Before(NamedTuple):
    """A burn some hours before TCA."""

    hours: float
    dv_rtn_m_s: tuple[float, float, float]


class WhatIf(NamedTuple):
    """An event, and what burns make of it."""

    event: StoredEvent
    who: Who
    encounter: "ConjunctionArray"  # (1,) found again on the paths; its primary is the object that burns
    before: "ConjunctionArray"  # (n,) all encounters of that object in the window, without a burn
    window_start: datetime
    window_end: datetime
    verified: "Verified | None"  # of given burns
    found: "Found | None"  # of a search
    goal: float
    threshold_km: float  # of the encounters that count
    rests_on: str  # what the numbers can carry; empty if the object is on an ephemeris and can manoeuvre
    elements: ElementArray  # of all objects, sorted by norad_id

    @property
    def side(self) -> StoredSide:
        """The object that burns."""
        return self.event.primary if self.who == "primary" else self.event.secondary

    def name_of(self, norad_id: int) -> str:
        """Return the name of an object of the run; empty: it has none."""
        return str(self.elements["name"][np.searchsorted(self.elements["norad_id"], norad_id)])


def what_if(
    snapshot: Snapshot,
    basis: Basis,
    asked: Asked,
    now: datetime,
    tell: Tell = tell_nobody,
) -> WhatIf:
    """Return what burns make of a stored event, or, without any, the search for the cheapest.

    `now` is UTC: a burn cannot be earlier, unless the run is historic. `tell` is called before each
    step of the work, and may raise.

    Raises:
        NotFound: there is no such event.
        BadParameter: the event, the object or a burn does not allow it; the text says why.
        InputError: the burn is impossible, or there is nothing to search for.
    """
    event = stored_event(snapshot, asked.event_id, seen_from=asked.seen_from)
    who, doubt = _who(snapshot, event, asked.who)
    begins = basis.run.window_start if basis.run.historic else now
    tca = event.tca
    if tca <= begins:
        raise BadParameter("id", f"The TCA of event {event.id} ({time_text(tca)}) has passed.")
    if asked.not_before is not None:
        begins = max(begins, asked.not_before)
        if tca <= begins:
            raise BadParameter("not_before", f"{time_text(begins)} is not before TCA, {time_text(tca)}.")
    burns = [_impulse(one, tca) for one in asked.burns]
    side = event.primary if who == "primary" else event.secondary
    basis, span = _flown(basis, snapshot, event, side, asked, begins)
    _check_burns(burns, span, tca, side)
    made = _computed(basis, span, event, who, asked, burns, tell)
    return made._replace(rests_on=" ".join(filter(None, (doubt, made.rests_on))))


def _computed(
    basis: Basis,
    span: TimeWindow,
    event: StoredEvent,
    who: Who,
    asked: Asked,
    burns: "Sequence[Impulse]",
    tell: Tell,
) -> WhatIf:
    """Return what burns, or a search, make of an event in a window."""
    from screening.manoeuvre.course import encounter_again
    from screening.manoeuvre.rescreen import catalogue_in, encounters_of
    from screening.manoeuvre.search import CANDIDATES, Wanted, search, verify

    execution, threshold_km = asked.execution, asked.threshold_km
    steps = _STEPS + (1 if burns else CANDIDATES + 1)
    tell(Step(0, steps, "finding the event again"))
    first, second = (_place(basis, side.norad_id) for side in event.sides)
    places = (first, second) if who == "primary" else (second, first)
    catalogue = catalogue_in(basis.elements, basis.known, basis.flown_by, span)
    encounter = encounter_again(catalogue, *places, datetime64_us(event.tca))
    _check_still_there(event, encounter, basis)
    tell(Step(1, steps, "screening the path as it is"))
    before = encounters_of(catalogue, places[0], threshold_km)
    verified = found = None
    if burns:
        tell(Step(_STEPS, steps, "screening the changed path against everything"))
        verified = verify(catalogue, before, encounter, places, burns, execution, threshold_km)
        if verified.problem:
            raise BadParameter("burns", verified.problem)
    else:
        period_s = 86400.0 / float(catalogue.elements["mean_motion_rev_day"][places[0]])
        wanted = Wanted(asked.goal, execution, threshold_km, period_s)
        found = search(catalogue, before, encounter, places, wanted, _later(tell, _STEPS))
    on_ephemeris = encounter["primary_trajectory"][0] == TRAJECTORY_KINDS.index("ephemeris")
    rests_on = "" if on_ephemeris else ON_ELEMENTS
    begins, ends = utc_datetime(span.start), utc_datetime(span.end)
    return WhatIf(
        event,
        who,
        encounter,
        before,
        begins,
        ends,
        verified,
        found,
        asked.goal,
        threshold_km,
        rests_on,
        basis.elements,
    )


def _check_still_there(event: StoredEvent, encounter: "ConjunctionArray", basis: Basis) -> None:
    """Refuse an event that the orbits of the newest run no longer lead to."""
    miss_km = float(encounter["miss_distance_m"][0]) / 1000.0
    if miss_km > THRESHOLD_RANGE_KM[1]:
        raise BadParameter(
            "id",
            f"The event {event.id} is gone: by the newest run, {basis.run.run_id}, its objects are "
            f"{miss_km:,.0f} km apart when they are closest around {time_text(event.tca)}.",
        )


def _later(tell: Tell, done: int) -> Tell:
    """Return how steps are told that come after others."""
    return lambda step: tell(Step(done + step.done, done + step.of, step.words))


def _who(snapshot: Snapshot, event: StoredEvent, asked: Who | None) -> tuple[Who, str]:
    """Return which object burns, and why it may be unable to: empty if nothing says so.

    Raises BadParameter if nobody can move it, or neither object can manoeuvre and none is asked for.
    """
    if event.origin in TOLD:
        raise BadParameter(
            "id",
            f"The event {event.id} is known only from received messages: the paths of its objects in this "
            "store do not meet.",
        )
    sides: dict[Who, StoredSide] = {"primary": event.primary, "secondary": event.secondary}
    details = {who: object_details(snapshot, side.norad_id) for who, side in sides.items()}
    chosen = asked or burns_by_default(details)
    if chosen is not None and details[chosen].object_type not in _NEVER_MOVED:
        return chosen, _doubt(sides[chosen], details[chosen])
    told = "; ".join(
        f"{sides[who].norad_id} {sides[who].name} ({details[who].can_manoeuvre_reason or _NOT_IN_THE_RUN})"
        for who in sides
        if asked in (None, who)
    )
    if asked is not None or all(one.object_type in _NEVER_MOVED for one in details.values()):
        raise BadParameter("object", f"It cannot be moved: {told}.")
    raise BadParameter("object", f"Neither can manoeuvre: {told}. Use `object` to choose which one burns.")


def burns_by_default(objects: Mapping[Who, ObjectDetails]) -> Who | None:
    """Return which of two objects burns if nobody says: one that can before one that may; or None.

    Of those that are alike in that a payload, and of two the later launched.
    """
    able = [who for who, one in objects.items() if one.can_manoeuvre in _ABLE]
    return max(able, key=lambda who: _likely(objects[who]), default=None)


def _likely(one: ObjectDetails) -> tuple[bool, bool, str]:
    """Return a key that sorts objects by how likely they can burn."""
    return one.can_manoeuvre == "yes", one.object_type == "payload", (one.object_id or "")[:_LAUNCH]


def _doubt(side: StoredSide, one: ObjectDetails) -> str:
    if one.can_manoeuvre != "no":
        return ""
    return f"{side.norad_id} {side.name} cannot manoeuvre, as far as known: {one.can_manoeuvre_reason}."


def _impulse(one: "Impulse | Before", tca: datetime) -> "Impulse":
    from screening.manoeuvre.impulse import Impulse

    if isinstance(one, Impulse):
        return one
    if not 0.0 < one.hours <= LONGEST_BEFORE_TCA_HOURS:
        raise BadParameter(
            "before_hours",
            f"A burn is some hours before TCA, at most {LONGEST_BEFORE_TCA_HOURS:g}, not {one.hours:g}.",
        )
    at = datetime64_us(tca) - np.timedelta64(round(one.hours * 3.6e9), "us")
    return Impulse(at, one.dv_rtn_m_s)


def _check_burns(burns: "Sequence[Impulse]", span: TimeWindow, tca: datetime, side: StoredSide) -> None:
    """Refuse burns that are impossible, too late or too early."""
    from screening.manoeuvre.impulse import checked

    checked(burns)
    begins = utc_datetime(span.start)
    for one in burns:
        at = utc_datetime(one.at)
        if at >= tca:
            raise BadParameter(
                "burn_at", f"A burn at {time_text(at)} does not change an encounter at {time_text(tca)}."
            )
        if at < begins:
            raise BadParameter(
                "burn_at", f"A burn at {time_text(at)} is too early: burns begin at {time_text(begins)}."
            )
        if side.epoch is not None and at < side.epoch - _LONGEST_BEFORE_EPOCH:
            raise BadParameter(
                "burn_at",
                f"A burn at {time_text(at)} is more than {_LONGEST_BEFORE_EPOCH.days} days before the "
                f"epoch of the element set, {time_text(side.epoch)}.",
            )


def _flown(
    basis: Basis,
    snapshot: Snapshot,
    event: StoredEvent,
    side: StoredSide,
    asked: Asked,
    begins: datetime,
) -> tuple[Basis, TimeWindow]:
    """Return by what all objects fly, and the window that is screened: TCA is in it."""
    from api.answers.on_trajectory import on_trajectory

    tca = event.tca
    ends = tca + max(timedelta(days=asked.days), _SHORTEST_AFTER)
    last = basis.run.window_end + LONGEST_FROM_WINDOW
    if ends > last:
        raise BadParameter(
            "days", f"The window would end at {time_text(ends)}; paths of this run end at {time_text(last)}."
        )
    span = window(datetime64_us(begins), (ends - begins) / timedelta(hours=1))
    basis = _with_second_look(basis, snapshot, event)
    if asked.trajectory is None:
        return basis, span
    flies = asked.trajectory.ephemeris.norad_id
    if flies != side.norad_id:
        raise BadParameter(
            "trajectory_id",
            f"The trajectory {asked.trajectory.id} is for object {flies}, but {side.norad_id} burns.",
        )
    basis, span = on_trajectory(basis, asked.trajectory, span)
    if not span.start < datetime64_us(tca) < span.end:
        raise BadParameter(
            "trajectory_id",
            f"The trajectory {asked.trajectory.id} is usable from {time_text(utc_datetime(span.start))} "
            f"to {time_text(utc_datetime(span.end))}: not at TCA, {time_text(tca)}.",
        )
    return basis, span


def _with_second_look(basis: Basis, snapshot: Snapshot, event: StoredEvent) -> Basis:
    """Return a basis that also has the ephemerides of a second look, on which the run did not fly."""
    from storage.trajectories.kept import trajectories_of

    tca = datetime64_us(event.tca)
    flown_by = dict(basis.flown_by)
    for side in event.sides:
        place = _place(basis, side.norad_id)
        if side.on_ephemeris and place not in flown_by:
            flown_by[place] = [
                one.ephemeris
                for one in trajectories_of(snapshot.store, side.norad_id, snapshot.organisation_id)
                if any(part.usable_from <= tca <= part.usable_to for part in one.ephemeris.segments)
            ]
    return basis._replace(flown_by=flown_by)


def _place(basis: Basis, norad_id: int) -> int:
    numbers = basis.elements["norad_id"]
    place = int(np.searchsorted(numbers, norad_id))
    if place == len(numbers) or numbers[place] != norad_id:
        raise BadParameter("id", f"The newest run, {basis.run.run_id}, does not contain object {norad_id}.")
    return place
