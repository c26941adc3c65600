"""Evaluate one event of a run again, on other ephemerides of its objects."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from flows.runs.run import Prepared
from flows.sources.errors import SourceError
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, window
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.objects.known_paths import KnownPaths, known_paths
from screening.risk.score import score
from screening.search.few_objects.refind import approach_again, visit_again
from screening.vocabulary import TRAJECTORY_KINDS
from storage.reading.known_objects import knowledge_of, known_objects
from storage.reading.run_events import RunEvent
from storage.times import datetime64_us

# A satellite is tens of kilometres from its element set after a thrust; another one is farther away.
ANOTHER_SATELLITE_KM = 1000.0
_AROUND = np.timedelta64(10, "m")  # as events of two runs are matched
_EPHEMERIS = TRAJECTORY_KINDS.index("ephemeris")


class NotLookedAt(SourceError):
    """An event cannot be evaluated on an ephemeris."""


class Known(NamedTuple):
    """Facts about the objects of some events."""

    norad_ids: npt.NDArray[np.int64]  # (m,) ascending
    places: npt.NDArray[np.intp]  # (m,) among the elements of the run
    objects: ObjectKnowledge  # of them


def known_of(prepared: Prepared, events: list[RunEvent], store: Path) -> Known:
    """Return what the store knows about the objects of events."""
    numbers = np.unique([[one.primary_norad_id, one.secondary_norad_id] for one in events])
    places = np.searchsorted(prepared.elements["norad_id"], numbers)
    return Known(numbers, places, knowledge_of(known_objects(store, prepared.elements, places)))


def looked_at(
    event: RunEvent, ephemerides: list[Ephemeris], prepared: Prepared, known: Known
) -> ConjunctionArray:
    """Return an event evaluated and rated again, CONJUNCTION_DTYPE (1,).

    `ephemerides` are new ones of its objects; those that the run used count after them.

    Raises NotLookedAt for an ephemeris of another satellite, or one without states at TCA.
    """
    pair = np.array([event.primary_norad_id, event.secondary_norad_id])
    own = np.searchsorted(known.norad_ids, np.sort(pair))
    places = known.places[own]
    elements = prepared.elements[places]
    given = {
        side: [
            *(one for one in ephemerides if one.norad_id == number),
            *prepared.ephemerides.get(int(place), ()),
        ]
        for side, (number, place) in enumerate(zip(elements["norad_id"], places, strict=True))
    }
    span = _window(event, prepared.span)
    paths = known_paths(elements, {side: those for side, those in given.items() if those}, span)
    tca_s = float((datetime64_us(event.tca) - span.start) / np.timedelta64(1, "us")) / 1e6
    for one in ephemerides:
        _refuse_another(int(np.searchsorted(elements["norad_id"], one.norad_id)), one, elements, paths, tca_s)
    if event.encounter == "slow":
        found = visit_again(elements, paths.paths, prepared.threshold_km, tca_s)
    else:
        found = approach_again(paths.paths)
    complexes = {
        event.primary_norad_id: event.primary_complex_id,
        event.secondary_norad_id: event.secondary_complex_id,
    }
    about = known.objects.of(own)._replace(
        complex_ids=np.array([complexes[number] or -1 for number in elements["norad_id"].tolist()]),
        on_ephemerides=paths.on_ephemerides,
    )
    row = score(found, elements, span, about)
    if not any((row[f"{who}_trajectory"] == _EPHEMERIS).any() for who in ("primary", "secondary")):
        raise NotLookedAt(f"there are no states around {event.tca}Z, perhaps because of a thrust.")
    return row


def _window(event: RunEvent, of_run: TimeWindow) -> TimeWindow:
    """Return the window in which an event is searched for again: of a visit no more than the run's."""
    begin: np.datetime64 = datetime64_us(event.inside_from or event.tca) - _AROUND
    end: np.datetime64 = datetime64_us(event.inside_to or event.tca) + _AROUND
    if event.encounter == "slow":
        begin, end = max(begin, of_run.start), min(end, of_run.end)
    return window(begin, float((end - begin) / np.timedelta64(1, "h")))


def _refuse_another(
    side: int, one: Ephemeris, elements: ElementArray, paths: KnownPaths, tca_s: float
) -> None:
    """Refuse an ephemeris so far from its object's element set that it belongs to another satellite."""
    index, times_s = np.array([side], np.int32), np.array([tca_s])
    failed, by_elements_km, _ = Propagator(elements, paths.paths.span).at(index, times_s)
    missing, there_km, _ = paths.paths.at(index, times_s)
    if failed[0] or missing[0]:
        return
    apart_km = float(np.linalg.norm(there_km - by_elements_km))
    if apart_km > ANOTHER_SATELLITE_KM:
        raise NotLookedAt(
            f"the ephemeris of {one.norad_id} {one.name} is {apart_km:,.0f} km from its element set: it is "
            "another satellite's."
        )
