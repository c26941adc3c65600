"""Figures of events, as reports show them, and of what is to be decided, for notebooks and papers.

Each function returns a new `matplotlib.figure.Figure`, which belongs to its caller: `savefig` writes it, a
notebook shows it. Nothing of `matplotlib.pyplot` is used, so that no window opens and nothing must be closed.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa
from matplotlib.figure import Figure

from api.answers.basis import basis_of
from api.answers.drawn.decision import NEEDED, Tails, decision
from api.answers.drawn.orbit import orbit_at
from api.answers.manoeuvres import Asked, what_if
from api.errors import BadParameter
from api.report.pictures.decision import DECISION_IN, draw_decision
from api.report.pictures.ground_track import TRACK_IN, GroundTrack, draw_ground_tracks
from api.report.pictures.history import draw_history
from api.report.pictures.plane import draw_plane
from api.report.pictures.trade_space import TRADE_SPACE_IN, draw_trade_space
from api.report.summary import title
from screening.errors import InputError, UsageError
from screening.manoeuvre.execution import Execution
from screening.vocabulary import (
    DEFAULT_DAYS_AFTER,
    DEFAULT_DIRECTION_ERROR_DEG,
    DEFAULT_GOAL,
    DEFAULT_SIZE_ERROR,
    DEFAULT_THRESHOLD_KM,
)
from skysieve.event import Event
from skysieve.run import Run
from skysieve.store import Store
from storage.fleets.events import fleet_events
from storage.in_memory.snapshot import newest_snapshot
from storage.machine.kernel_folder import kernels_below
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.danger import DECISIVE_PROBABILITY
from storage.rows.words.numbers import instant, number, place, second
from storage.settings import StoreSettings, load_settings
from storage.state.fleets import fleet as fleet_named
from storage.times import aware_utc
from storage.vocabulary import RESTRICTED_MESSAGE

__all__ = ["decision_plot", "encounter_plane", "globe_track", "trade_space", "trend"]

_PLANE_IN, _TREND_IN = (5.4, 5.2), (6.4, 4.9)
_WHO: tuple[Literal["primary", "secondary"], ...] = ("primary", "secondary")
_COLORS = (style.PRIMARY, style.SECONDARY)
# A historic run was made when its window began, as in a trend.
_FORMER = f"""
    SELECT event_id,
        epoch_us(tca - CASE WHEN historic THEN window_start ELSE computed_at END) / 3.6e9 AS hours,
        {DECISIVE_PROBABILITY} AS chance
    FROM conjunction_history JOIN runs USING (run_id)
    WHERE list_contains($ids, event_id) AND chance > 0 ORDER BY event_id, hours DESC
"""  # noqa: S608


def encounter_plane(event: Event) -> Figure:
    """Draw an event in the plane normal to the relative velocity at TCA: ellipses, hard body, miss.

    Axes in m or km, the primary at the origin, its radial upwards. Around the secondary are the ellipses of
    1, 2 and 3 sigmas of both errors together, dashed those of each alone. Where all would be a hairline, the
    directions have different scales, which the axis says.

    Raises:
        InputError: the event has no encounter plane, because only a message without states tells it, or the
            two are at rest; the message says which.
    """
    report = _checked(event, "encounter_plane")._report
    if report.geometry.plane is None:
        raise InputError(report.geometry.missing["encounter_plane"])
    return _of_event(event, _PLANE_IN, lambda area: draw_plane(area, report))


def trend(event: Event) -> Figure:
    """Draw miss distance (m or km) and probability of an event over the time (UTC) when each was computed.

    A mark is a run, in the colour of its level, a diamond a received message. A bar goes from the least to
    the largest probability with all errors half to twice as large.

    Raises:
        InputError: neither a run nor a message says anything of the event yet.
    """
    report = _checked(event, "trend")._report
    if not report.trend.points:
        raise InputError(f"Event {event.id} has no trend yet: no run or message has it.")
    return _of_event(event, _TREND_IN, lambda area: draw_history(area, report))


def trade_space(
    event: Event,
    *,
    norad_id: int | None = None,
    goal: float = DEFAULT_GOAL,
    not_before: datetime | None = None,
) -> Figure:
    """Draw what burns along the track make of an event: hours before TCA against delta-v, m/s.

    The colour is the probability that a burn leaves, a line that of the goal, thin lines the miss; marks are
    the burns that were screened against the whole catalogue, as by `skysieve manoeuvre ID --search`, which
    takes some seconds to minutes.

    Args:
        event: the event.
        norad_id: which of its two objects burns; None: the one that can manoeuvre.
        goal: the probability that no encounter may reach.
        not_before: no burn before this, UTC without a zone; None: now, or the start of a historic window.

    Raises:
        UsageError: `norad_id` is neither of its objects.
        InputError: its TCA has passed, nobody can move the object, or no burn helps; the message says which.
    """
    both = (side.norad_id for side in _checked(event, "trade_space")._report.event.sides)
    sides = dict(zip(both, _WHO, strict=True))
    if norad_id is not None and norad_id not in sides:
        raise UsageError(f"norad_id is {norad_id}; expected one of {', '.join(map(str, sides))}.")
    asked = Asked(
        event.id,
        None if norad_id is None else sides[norad_id],
        [],
        goal,
        DEFAULT_DAYS_AFTER,
        DEFAULT_THRESHOLD_KM,
        Execution(DEFAULT_SIZE_ERROR, np.radians(DEFAULT_DIRECTION_ERROR_DEG)),
        seen_from=event._report.event.primary.norad_id,
        not_before=None if not_before is None else aware_utc(not_before),
    )
    snapshot = newest_snapshot(event.store)
    try:
        made = what_if(snapshot, basis_of(snapshot), asked, datetime.now(UTC))
    except BadParameter as error:
        raise InputError(str(error).replace("`object`", "`norad_id`")) from error
    found = made.found
    assert found is not None, "it was a search"
    return style.alone(TRADE_SPACE_IN, lambda area: draw_trade_space(area, made, found))


def decision_plot(
    source: Store | Run,
    events: pd.DataFrame | None = None,
    *,
    run: str | None = None,
    fleet: str | int | None = None,
    most: int = 100,
) -> Figure:
    """Draw what is to be decided: time to TCA (hours or days) against probability, a mark an encounter.

    Size and colour are the level, a bar goes from the least to the largest probability with all errors half
    to twice as large, a line is where the encounter was in former runs, dotted lines are the limits of the
    levels. Time counts from now; of a historic run, of an older one and of a `Run` from the start of its
    window. Encounters without a probability stand hollow at the lower edge.

    Args:
        source: the store, whose newest run counts with what was evaluated again since; or a run in memory,
            which has no former ones unless it was published.
        events: only these, rows of `conjunctions` or of the view `events`.
        run: an older run of the store, by its id.
        fleet: only what is inside the volumes of this fleet, by its name or id, at its hard-body radius.
        most: so many are drawn, the most dangerous; the others, and those below 1e-10, are counted.

    Raises:
        InputError: the store has no such run, or `events` lack a column.
        UsageError: the source is neither, `most` is below 1, or arguments exclude each other.
    """
    if not isinstance(source, Store | Run):
        raise UsageError(f"decision_plot takes a Store or a Run, not a {type(source).__name__}.")
    if most < 1:
        raise UsageError(f"most is {most}; it must be at least 1.")
    if [events is None, run is None, fleet is None].count(False) > 1:
        raise UsageError("events, run and fleet each choose the encounters: give one of them.")
    if isinstance(source, Run) and (run is not None or fleet is not None):
        raise UsageError("A Run is one run without fleets: run and fleet go with a Store.")
    rows, at, what = _chosen(source, events, run, fleet)
    kernels_below(load_settings(StoreSettings).kernel_cache)
    found = decision(rows, at, most)
    store = source if isinstance(source, Store) else source.store and Store(source.store)
    tails = _tails(store, found.event_id) if store else {}
    heading = f"{what}, from {second(at)} UTC"
    return style.alone(DECISION_IN, lambda area: draw_decision(area, found, tails, heading))


def globe_track(source: Event | Store, norad_id: int | None = None, at: datetime | None = None) -> Figure:
    """Draw where objects pass over the ground: one revolution around an instant, on a map in degrees.

    Of an event both objects around TCA, by what the event rests on; of a store one object, by its newest
    element set or ephemeris. A dot is where it is at the instant, arrows say which way it goes. Coasts are
    there if the page is built (`make page`; wheels have it).

    Args:
        source: the event, or the store.
        norad_id: the object of the store, by its catalogue number.
        at: the instant, UTC without a zone; None: now, or the start of a historic window.

    Raises:
        InputError: neither object has a path, the run has no such object, or nothing says where it is then.
        UsageError: the instant is too far from the run's window, or arguments do not fit the source.
    """
    if isinstance(source, Event):
        if norad_id is not None or at is not None:
            raise UsageError("An event has both objects at its TCA: norad_id and at go with a Store.")
        return _tracks_of_event(source)
    if not isinstance(source, Store) or norad_id is None:
        raise UsageError("globe_track takes an Event, or a Store and norad_id.")
    snapshot = newest_snapshot(source.path)
    found = orbit_at(snapshot, norad_id, None if at is None else aware_utc(at), datetime.now(UTC))
    name = f"{norad_id} {found.name}".strip()
    track = GroundTrack(name, found.latitude_deg, found.longitude_deg, style.PRIMARY)
    said = (
        f"one revolution, {number(found.period_min, 0)} min, around {second(found.at)} UTC; "
        f"{number(found.perigee_km, 0)} to {number(found.apogee_km, 0)} km high"
    )
    return style.alone(TRACK_IN, lambda area: draw_ground_tracks(area, [track], name, said))


def _tracks_of_event(event: Event) -> Figure:
    report = event._report
    geometry = report.geometry
    tracks = [
        GroundTrack(
            f"{side.norad_id} {side.name}".strip(), path.orbit.latitude_deg, path.orbit.longitude_deg, color
        )
        for side, path, color in zip(
            report.event.sides, (geometry.primary, geometry.secondary), _COLORS, strict=True
        )
        if path is not None
    ]
    if not tracks:
        raise InputError(" ".join(geometry.missing[f"orbits.{who}"] for who in _WHO))
    where = "" if geometry.place is None else f", above {place(*geometry.place[:2])}"
    said = f"a revolution of each around TCA, {instant(event.tca)} UTC{where}"
    return style.alone(TRACK_IN, lambda area: draw_ground_tracks(area, tracks, title(report.event), said))


def _checked(event: Event, function: str) -> Event:
    if not isinstance(event, Event):
        raise UsageError(
            f"{function} takes an Event, not a {type(event).__name__}: store.event(id) reads one."
        )
    return event


def _of_event(event: Event, size_in: tuple[float, float], draw: Callable[[Area], None]) -> Figure:
    """Return a picture of an event under its names and its TCA."""

    def headed(area: Area) -> None:
        style.panel(area, title(event._report.event), f"closest at {instant(event.tca)} UTC")
        below = area.top_in + style.HEADING_IN
        draw(area._replace(top_in=below, height_in=area.height_in - style.HEADING_IN))

    return style.alone(size_in, headed)


def _chosen(
    source: Store | Run, events: pd.DataFrame | None, run: str | None, fleet: str | int | None
) -> tuple[pa.Table, datetime, str]:
    """Return the events, the instant from which time counts, and what they are."""
    if isinstance(source, Run):
        rows, at, what = source.to_arrow(), source.window_start, f"Run {source.run_id}"
    else:
        rows, at, what = _of_store(source, run, fleet, wanted=events is None)
    if events is not None:
        lacking = [name for name in NEEDED if name not in events]
        if lacking:
            raise InputError(f"events lack {', '.join(lacking)}: expected rows of conjunctions.")
        rows = pa.Table.from_pandas(events[list(NEEDED)], preserve_index=False)
        what = f"{len(events):,} chosen events"
    return rows, at, what


def _of_store(
    store: Store, run: str | None, fleet: str | int | None, *, wanted: bool
) -> tuple[pa.Table, datetime, str]:
    newest = store.sql_arrow("FROM runs ORDER BY run_id DESC LIMIT 1").to_pylist()[0]
    at = newest["window_start"].replace(tzinfo=UTC) if newest["historic"] else datetime.now(UTC)
    if run is not None:
        rows = store.to_arrow("conjunctions", run)
        (record,) = store.sql_arrow("SELECT window_start FROM runs WHERE run_id = ?", [run]).to_pylist()
        return rows, record["window_start"].replace(tzinfo=UTC), f"Run {run}"
    if fleet is not None:
        chosen = fleet_named(store.path, str(fleet))
        rows = fleet_events(store.path, newest["run_id"], chosen.id)
        _, first = np.unique(rows["event_id"].to_numpy(), return_index=True)
        return rows.take(pa.array(first)), at, f"Fleet {chosen.name}"
    shared = "WHERE origin <> ?" if wanted else "WHERE origin <> ? AND false"
    rows = store.sql_arrow(f"SELECT {', '.join(NEEDED)} FROM events {shared}", [RESTRICTED_MESSAGE])  # noqa: S608
    return rows, at, f"Run {newest['run_id']}"


def _tails(store: Store, event_ids: np.ndarray) -> Tails:
    tails: dict[int, tuple[list[float], list[float]]] = {}
    for row in store.sql_arrow(_FORMER, {"ids": event_ids}).to_pylist():
        hours, probabilities = tails.setdefault(row["event_id"], ([], []))
        hours.append(row["hours"])
        probabilities.append(row["chance"])
    return {event_id: tail for event_id, tail in tails.items() if len(tail[0]) > 1}
