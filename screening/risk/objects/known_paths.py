"""The paths of objects in a window: by element sets, and by the ephemerides that replace these."""

from typing import NamedTuple

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemerides
from screening.orbits.pieces import ObjectPaths, paths_of, pieces_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow
from screening.risk.objects.knowledge import OnEphemerides, on_ephemerides
from screening.vocabulary import TRAJECTORY_KINDS


class KnownPaths(NamedTuple):
    """The paths of objects (n,) in a window, and who is on an ephemeris when."""

    paths: Propagator | ObjectPaths
    on_ephemerides: OnEphemerides | None  # None: nobody is


def known_paths(elements: ElementArray, ephemerides: Ephemerides, span: TimeWindow) -> KnownPaths:
    """Return the paths of objects (n,), of which some have ephemerides, and some nothing else."""
    known = known_of_ephemerides(elements, ephemerides, span)
    return KnownPaths(paths_of(elements, span, known and known.pieces), known)


def known_of_ephemerides(
    elements: ElementArray, ephemerides: Ephemerides, span: TimeWindow
) -> OnEphemerides | None:
    """Return who of objects (n,) is on an ephemeris when, without propagating anything."""
    if not ephemerides and not (elements["trajectory"] == TRAJECTORY_KINDS.index("ephemeris")).any():
        return None
    pieces, used = pieces_of(elements, ephemerides, span)
    return on_ephemerides(pieces, used, span)
