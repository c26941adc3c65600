"""Screen an object on a changed path against the whole catalogue: what becomes better, what becomes worse."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from screening.encounters import among_themselves
from screening.manoeuvre.burnt_path import path_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides, Ephemeris
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.error_law import error_laws
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.objects.known_paths import KnownPaths, known_paths
from screening.risk.score import score
from screening.search.few_objects.primary import screen_primaries

SAME_ENCOUNTER = np.timedelta64(10, "m")  # with the same other object: as events of two runs are matched


class Catalogue(NamedTuple):
    """All objects of a run in a window, and how they fly."""

    elements: ElementArray  # (n,)
    known: ObjectKnowledge  # (n,)
    flown_by: Ephemerides  # operators' ephemerides
    span: TimeWindow
    paths: KnownPaths  # (n,) in that window


def catalogue_in(
    elements: ElementArray, known: ObjectKnowledge, flown_by: Ephemerides, span: TimeWindow
) -> Catalogue:
    """Return all objects with their paths in a window."""
    return Catalogue(elements, known, flown_by, span, known_paths(elements, flown_by, span))


def encounters_of(catalogue: Catalogue, moved: int, threshold_km: float) -> ConjunctionArray:
    """Return what comes near one object in the catalogue's window, rated; it is the primary."""
    primaries = np.array([moved], np.int32)
    paths = catalogue.paths
    found = screen_primaries(catalogue.elements, paths.paths, threshold_km, primaries)
    involved, own = among_themselves(found.asked_first(primaries).encounters)
    known = catalogue.known._replace(on_ephemerides=paths.on_ephemerides).of(involved)
    return score(own, catalogue.elements[involved], catalogue.span, known)


def after_burns(
    catalogue: Catalogue, moved: int, impulses: Sequence[Impulse], execution: Execution
) -> tuple[Catalogue, Ephemeris]:
    """Return the catalogue with one object on the path that burns give it, and that path.

    Before the first burn the object flies as it did. Raises OutOfReach, or InputError for an impossible burn.
    """
    here = np.array([moved])
    element, known = catalogue.elements[here], catalogue.known.of(here)
    laws = error_laws(element, known.error_classes, known.factors_rtn, known.burns, known.law_factors_rtn)
    path = path_after(catalogue.paths, moved, element, laws, impulses, execution)
    if not path.segments:
        return catalogue, path
    flown_by = {**catalogue.flown_by, moved: [path, *catalogue.flown_by.get(moved, ())]}
    planned = np.zeros(len(catalogue.elements), np.bool_)
    planned[moved] = moved not in catalogue.flown_by  # its errors are those of its element set
    known = catalogue.known._replace(planned=planned)
    return catalogue_in(catalogue.elements, known, flown_by, catalogue.span), path


class Change(NamedTuple):
    """One encounter before and after burns; -1: there is none."""

    before: int
    after: int


def changes(before: ConjunctionArray, after: ConjunctionArray) -> list[Change]:
    """Match encounters (n,) of one object before burns with those (m,) after, by the other object and TCA."""
    found, taken = [], np.zeros(len(after), np.bool_)
    for i in np.argsort(before["tca"], kind="stable").tolist():
        apart = np.abs(after["tca"] - before["tca"][i])
        same = (after["secondary_norad_id"] == before["secondary_norad_id"][i]) & ~taken
        near = np.flatnonzero(same & (apart <= SAME_ENCOUNTER))
        if len(near):
            j = int(near[np.argmin(apart[near])])
            taken[j] = True
            found.append(Change(i, j))
        else:
            found.append(Change(i, -1))
    return found + [Change(-1, j) for j in np.flatnonzero(~taken).tolist()]


def probabilities_of(rows: ConjunctionArray) -> FloatArray:
    """Return the probability (n,) that counts for each encounter; NaN where there is none."""
    best: FloatArray = rows["probability_best"]
    return best
