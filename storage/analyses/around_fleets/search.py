"""Search the volumes of all fleets at once, and mark what the run has found there itself."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray, among_themselves
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides
from screening.orbits.timegrid import FloatArray, TimeWindow, utc
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.known_paths import OnEphemerides, known_paths
from screening.risk.score import score
from screening.search.all_pairs.assemble import SAME_MINIMUM_S
from screening.search.in_volumes.claims import Claims
from screening.search.in_volumes.find import find_in_volumes
from screening.vocabulary import TRAJECTORY_KINDS
from screening.volumes.inside import volume_array
from storage.analyses.around_fleets.wanted import OfRun, Wanted
from storage.reading.known_objects import knowledge_of, known_objects
from storage.reading.newest_run import complexes
from storage.rows.over_runs.event_ids import EVENT_DTYPE, EventArray, EventIds, pair_key
from storage.trajectories.flown import flown
from storage.trajectories.kept import definitive_trajectories

NEW = 0  # in place of the id of an event that the run does not have
_SAME_MINIMUM = np.timedelta64(round(SAME_MINIMUM_S * 1e6), "us")


class Searched(NamedTuple):
    """Encounters (k,) inside volumes, and which of them is inside which."""

    elements: ElementArray  # that they point into
    span: TimeWindow
    flown_by: OnEphemerides | None
    encounters: EncounterArray
    wanted: npt.NDArray[np.intp]  # (m,) rows of what is wanted
    rows: npt.NDArray[np.intp]  # (m,) of the encounters
    relative_km: FloatArray  # (m, 3)


class _Flown(NamedTuple):
    elements: ElementArray
    ephemerides: Ephemerides
    span: TimeWindow


def look_into(
    wanted: tuple[Wanted, ...], run: OfRun, store: Path, most: int, go_on: Callable[[], None]
) -> Searched:
    """Find what comes into the volumes of fleets, each to the end of its look-ahead.

    `go_on` is called between portions of the work, and may raise. Raises Crowded if that is more than `most`.
    """
    until_s = np.array([one.hours for one in wanted]) * 3600.0
    elements, ephemerides, span = _window(run, float(until_s.max(initial=0.0)), store)
    paths, flown_by = known_paths(elements, ephemerides, span)
    numbers = np.array([one.norad_id for one in wanted], np.int64)
    objects = np.searchsorted(elements["norad_id"], numbers).astype(np.int32)
    claims = Claims(objects, volume_array([one.volume for one in wanted]), until_s)
    found = find_in_volumes(elements, paths, claims, most, go_on)
    return Searched(elements, span, flown_by, found.encounters, found.claims, found.rows, found.relative_km)


def _window(run: OfRun, longest_s: float, store: Path) -> _Flown:
    """Return by what objects fly to the end of the longest look-ahead."""
    span = run.span._replace(seconds=longest_s)
    if longest_s <= run.span.seconds:
        return _Flown(run.elements, run.ephemerides, span)
    of_catalogue = run.elements["trajectory"] != TRAJECTORY_KINDS.index("ephemeris")
    objects = flown(run.elements[of_catalogue], definitive_trajectories(store, span))
    # Who was flown by an ephemeris in the run alone, and is in no catalogue, is in the longer window too.
    return _Flown(objects.elements, objects.ephemerides, span)


def events_of_search(searched: Searched) -> EventArray:
    """Return the fields by which the encounters (k,) are matched, without ids."""
    encounters = searched.encounters
    events = np.zeros(len(encounters), EVENT_DTYPE)
    for who in ("primary", "secondary"):
        events[f"{who}_norad_id"] = searched.elements["norad_id"][encounters[f"{who}_index"]]
    events["tca"] = utc(searched.span, encounters["tca_s"])
    events["slow"] = encounters["slow"]
    for name, inside in (("begin", "inside_from_s"), ("end", "inside_to_s")):
        at = utc(searched.span, encounters[inside])
        events[name] = np.where(np.isnat(at), events["tca"], at)
    return events


def ids_in_run(events: EventArray, of_run: EventArray) -> EventIds:
    """Return the ids (k,) that encounters have in the run, NEW where it does not have them.

    A minimum has the same TCA in both to microseconds; visits are the same where they overlap, whatever the
    spheres in which they were followed.
    """
    of_run = of_run[np.isin(pair_key(of_run), pair_key(events))]
    of_pairs: dict[int, list[int]] = {}
    for row, key in enumerate(pair_key(of_run).tolist()):
        of_pairs.setdefault(key, []).append(row)
    ids = np.full(len(events), NEW, np.int64)
    for k, key in enumerate(pair_key(events).tolist()):
        one = events[k]
        rows = of_run[of_pairs.get(key, [])]
        rows = rows[rows["slow"] == one["slow"]]
        if one["slow"]:
            rows = rows[(rows["begin"] <= one["end"]) & (rows["end"] >= one["begin"])]
        else:
            rows = rows[np.abs(rows["tca"] - one["tca"]) <= _SAME_MINIMUM]
        if len(rows):
            ids[k] = rows["event_id"][np.argmin(np.abs(rows["tca"] - one["tca"]))]
    return ids


def rated(
    searched: Searched, rows: npt.NDArray[np.intp], store: Path, as_of: datetime | None = None
) -> ConjunctionArray:
    """Rate some encounters (m,) with what the store knows, or knew as of a time (UTC), of their objects."""
    involved, own = among_themselves(searched.encounters[rows])
    some = searched.elements[involved]
    known = knowledge_of(known_objects(store, searched.elements, involved, as_of))
    together = complexes(store)
    known = known._replace(
        complex_ids=np.array([together.get(number, -1) for number in some["norad_id"].tolist()], np.int64),
        on_ephemerides=searched.flown_by and searched.flown_by.of(involved),
    )
    return score(own, some, searched.span, known)
