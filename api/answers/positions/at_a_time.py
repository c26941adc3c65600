"""Compute where the objects of the newest run are at an instant, and the risks they face.

Plain functions from element sets to states.
"""

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from api.errors import NotFound
from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.frames import geodetic_from_itrf, itrf_state_from_teme
from screening.orbits.timegrid import FloatArray, TimeWindow, instants, julian_date
from screening.orbits.trajectories import Trajectories
from screening.vocabulary import RISK_LEVELS
from storage.in_memory.arrays import RATED_EVENT_DTYPE, RatedEventArray, element_sets, rated_events
from storage.in_memory.snapshot import Snapshot
from storage.rows.run_record import Run
from storage.times import datetime64_us
from storage.vocabulary import LONGEST_FROM_WINDOW

IntArray = npt.NDArray[np.int64]

RISKS = (*RISK_LEVELS, "none", "unknown")
_PORTION = 4096  # objects propagated between two checks whether to continue

_NONE, _UNKNOWN = RISKS.index("none"), RISKS.index("unknown")


class TrackedObjects(NamedTuple):
    """The objects of one run, prepared for questions about their positions."""

    run: Run
    version: str  # changes with everything an answer depends on
    norad_ids: IntArray  # (n,), ascending
    names: list[str]
    epochs: list[str]  # ISO 8601, UTC
    propagator: Trajectories  # its times count from `answered_from`
    answered_from: np.datetime64  # UTC; the first allowed instant
    screened_from: np.datetime64  # UTC
    screened_to: np.datetime64  # exclusive
    event_object: npt.NDArray[np.intp]  # (2 m,) both objects of each event
    event_until: npt.NDArray[np.datetime64]  # (2 m,) when it is over
    event_risk: npt.NDArray[np.int8]  # (2 m,) position in RISKS


class WhereAt(NamedTuple):
    """Which objects of a run, and when."""

    instant: np.datetime64  # UTC, us
    limit: int | None = None  # most objects
    norad_ids: tuple[int, ...] | None = None  # ascending, each once; None: all


class Positions(NamedTuple):
    """Some of the objects at one instant."""

    instant: np.datetime64  # UTC, us
    chosen: npt.NDArray[np.intp]  # (k,) which of the tracked objects
    r_itrf_km: FloatArray  # (k, 3)
    v_itrf_km_s: FloatArray  # (k, 3), relative to the rotating Earth
    latitude_deg: FloatArray  # geodetic
    longitude_deg: FloatArray
    altitude_km: FloatArray  # above WGS-84
    risk: npt.NDArray[np.int8]  # (k,) position in RISKS
    omitted: int  # objects passed over because SGP4 cannot propagate them
    earth_orientation_extrapolated: bool


def tracked_objects(snapshot: Snapshot, before: TrackedObjects | None = None) -> TrackedObjects:
    """Prepare a snapshot's objects; the first time on a machine, kernels are compiled.

    Everything but the events is taken over from `before` if it is of the same run.
    """
    if before is not None and before.run.run_id == snapshot.run.run_id:
        return _with_events(before, rated_events(snapshot))
    # They import numba, which an idle service does not need.
    from screening.risk.objects.known_paths import known_paths
    from storage.trajectories.flown import ephemerides_of_run

    run, elements = snapshot.run, element_sets(snapshot)
    start, end = (datetime64_us(moment) for moment in (run.window_start, run.window_end))
    earliest, latest = (datetime64_us(moment) for moment in answered_span(run))
    jd, day_fraction = julian_date(np.array([earliest]))
    seconds = float((latest - earliest) / np.timedelta64(1, "s"))
    span = TimeWindow(float(jd[0]), float(day_fraction[0]), seconds)
    ephemerides = ephemerides_of_run(snapshot.store, run, elements)
    nothing = np.empty(0, RATED_EVENT_DTYPE)
    objects = TrackedObjects(
        run=run,
        version="",
        norad_ids=np.ascontiguousarray(elements["norad_id"]),
        names=elements["name"].tolist(),
        epochs=iso_times(instants(elements["epoch_jd"], elements["epoch_day_fraction"])),
        # Over the whole allowed span: its integrators start beside it, so that no instant of a set from 1970
        # costs 40,000 steps from the epoch.
        propagator=known_paths(elements, ephemerides, span).paths,
        answered_from=earliest,
        screened_from=start,
        screened_to=end,
        event_object=np.empty(0, np.intp),
        event_until=nothing["until"],
        event_risk=nothing["risk_level"],
    )
    return _with_events(objects, rated_events(snapshot))


def answered_span(run: Run) -> tuple[datetime, datetime]:
    """Return the first and the last instant allowed for positions, UTC."""
    start, end = run.window_start, run.window_end
    return start - LONGEST_FROM_WINDOW, end + LONGEST_FROM_WINDOW


def _with_events(objects: TrackedObjects, events: RatedEventArray) -> TrackedObjects:
    pairs = np.concatenate([events["primary_norad_id"], events["secondary_norad_id"]])
    # A twelfth of what searchsorted takes. An analysis may have an object that this run lost.
    places = pc.index_in(pa.array(pairs), value_set=pa.array(objects.norad_ids))
    known = places.is_valid().to_numpy(zero_copy_only=False)
    run_id = objects.run.run_id.encode()
    return objects._replace(
        version=hashlib.blake2b(run_id + events.tobytes(), digest_size=12).hexdigest(),
        event_object=places.drop_null().to_numpy().astype(np.intp),
        event_until=np.tile(events["until"], 2)[known],
        event_risk=np.tile(events["risk_level"], 2)[known],
    )


def current_positions(
    objects: TrackedObjects, wanted: WhereAt, go_on: Callable[[], None] = lambda: None
) -> Positions:
    """Return where objects are, in the order of their numbers: the first `limit` that SGP4 can propagate.

    `go_on` is called between portions of the work, and may raise.

    Raises:
        NotFound: a number is not among the objects; the message names it.
    """
    instant = wanted.instant
    index = _index_of(objects, wanted.norad_ids)
    limit = len(index) if wanted.limit is None else wanted.limit
    index, r_teme_km, v_teme_km_s, omitted = _propagated(objects, index, instant, limit, go_on)
    jd, day_fraction = (x[0] for x in julian_date(np.array([instant], "M8[us]")))
    orientation = earth_orientation(jd, day_fraction)
    r_itrf_km, v_itrf_km_s = itrf_state_from_teme(r_teme_km, v_teme_km_s, jd, day_fraction, orientation)
    latitude_deg, longitude_deg, altitude_km = geodetic_from_itrf(r_itrf_km)
    return Positions(
        instant=instant.astype("M8[us]"),
        chosen=index,
        r_itrf_km=r_itrf_km,
        v_itrf_km_s=v_itrf_km_s,
        latitude_deg=latitude_deg,
        longitude_deg=longitude_deg,
        altitude_km=altitude_km,
        risk=_coming_risks(objects, instant)[index],
        omitted=omitted,
        earth_orientation_extrapolated=bool(orientation.extrapolated),
    )


def _index_of(objects: TrackedObjects, norad_ids: tuple[int, ...] | None) -> npt.NDArray[np.intp]:
    if norad_ids is None:
        return np.arange(len(objects.norad_ids))
    wanted = np.array(norad_ids, np.int64)
    unknown = wanted[~np.isin(wanted, objects.norad_ids)]
    if len(unknown):
        named = ", ".join(map(str, unknown[:10].tolist())) + (", ..." if len(unknown) > 10 else "")
        raise NotFound(
            f"No object {named} among the {len(objects.norad_ids):,} objects of the run {objects.run.run_id}."
        )
    return np.searchsorted(objects.norad_ids, wanted)


def _propagated(
    objects: TrackedObjects,
    index: npt.NDArray[np.intp],
    instant: np.datetime64,
    limit: int,
    go_on: Callable[[], None],
) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray, int]:
    """Return the first `limit` objects that SGP4 can propagate, their states, and how many it could not.

    Few fail: usually the first portion, of as many as are wanted, is enough. Each further one is twice as
    long.
    """
    seconds = float((instant - objects.answered_from) / np.timedelta64(1, "us")) / 1e6
    goods, states = [], []
    found, begin, portion = 0, 0, limit
    while found < limit and begin < len(index):
        go_on()
        portion = min(portion, _PORTION)
        tried = index[begin : begin + portion].astype(np.int32)
        error, *state = objects.propagator.at(tried, np.full(len(tried), seconds))
        good = np.flatnonzero(error == 0)[: limit - found]
        goods.append(begin + good)
        states.append([part[good] for part in state])
        found, begin, portion = found + len(good), begin + len(tried), 2 * portion
    places = np.concatenate([np.empty(0, np.intp), *goods])
    r_teme_km, v_teme_km_s = (
        np.concatenate([np.empty((0, 3)), *(state[axis] for state in states)]) for axis in range(2)
    )
    passed = int(places[-1]) + 1 if found == limit else len(index)
    return index[places], r_teme_km, v_teme_km_s, passed - found


def _coming_risks(objects: TrackedObjects, instant: np.datetime64) -> npt.NDArray[np.int8]:
    """Return the worst risk (n,) among each object's events that are not over yet."""
    screened = objects.screened_from <= instant < objects.screened_to
    worst = np.full(len(objects.norad_ids), _NONE if screened else _UNKNOWN, np.int8)
    coming = objects.event_until >= instant
    np.minimum.at(worst, objects.event_object[coming], objects.event_risk[coming])
    return worst


def iso_times(moments: npt.NDArray[np.datetime64]) -> list[str]:
    """Return UTC instants as ISO 8601 with Z; microseconds only if there are any."""
    whole = moments.astype("M8[s]") == moments
    texts = np.where(whole, np.datetime_as_string(moments, "s"), np.datetime_as_string(moments, "us"))
    return [f"{text}Z" for text in texts.tolist()]
