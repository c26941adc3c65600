"""By what the objects of a catalogue fly: their element sets, and the trajectories that replace these."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ELEMENT_DTYPE, MAX_MEAN_MOTION_REV_DAY, ElementArray
from screening.orbits.ephemerides import Ephemerides, Ephemeris
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.timegrid import julian_date, window
from screening.synthetic.inverse import elements_through
from screening.vocabulary import TRAJECTORY_KINDS
from storage.rows.run_record import Run
from storage.trajectories.kept import trajectories_with
from storage.trajectories.trajectory_file import Trajectory

LARGEST_ECCENTRICITY = 0.99  # of the elements of an object that no catalogue has


class Flown(NamedTuple):
    """The objects of a catalogue, and the ephemerides that some of them fly by."""

    elements: ElementArray  # (n,) sorted by norad_id
    ephemerides: Ephemerides
    ids: tuple[str, ...]  # of the trajectories, ascending


def flown(elements: ElementArray, trajectories: Iterable[Trajectory]) -> Flown:
    """Join a catalogue (n,), sorted by norad_id, and trajectories; those added last count most.

    Objects that the catalogue does not have are added, each with an element set through its first usable
    state, which gives its regime and is never propagated.
    """
    newest_first = sorted(trajectories, key=lambda one: (one.about.added, one.id), reverse=True)
    of_objects: dict[int, list[Ephemeris]] = {}
    for one in newest_first:
        of_objects.setdefault(one.ephemeris.norad_id, []).append(one.ephemeris)
    flying = np.array(sorted(of_objects), np.int64)
    unknown = np.setdiff1d(flying, elements["norad_id"])
    if len(unknown):
        rows = np.concatenate([elements_of(of_objects[i][0]) for i in unknown.tolist()])
        elements = np.concatenate([elements, rows])
        elements = elements[np.argsort(elements["norad_id"], kind="stable")]
    places = np.searchsorted(elements["norad_id"], flying)
    return Flown(
        elements,
        {place: of_objects[i] for place, i in zip(places.tolist(), flying.tolist(), strict=True)},
        tuple(sorted(one.id for one in newest_first)),
    )


def ephemerides_of_run(store: Path, run: Run, elements: ElementArray) -> Ephemerides:
    """Return the ephemerides that the objects of a run flew by, of those that the store still has.

    `elements` (n,) are the run's.
    """
    return flown(elements, trajectories_with(store, (run.trajectories or "").split())).ephemerides


def elements_of(ephemeris: Ephemeris) -> ElementArray:
    """Return an element set (1,) through the first usable state of an ephemeris, marked as `ephemeris`."""
    first = ephemeris.segments[0]
    span = window(first.usable_from, 0.0)
    there = Interpolated(tracks_of([first], span), span, np.zeros(1, np.int32))
    _, r_km, v_km_s = there.at(np.zeros(1, np.int32), np.zeros(1))
    row = np.zeros(1, ELEMENT_DTYPE)
    row["norad_id"], row["name"] = ephemeris.norad_id, ephemeris.name
    row["object_id"], row["classification"] = ephemeris.object_id, "U"
    row["epoch_jd"], row["epoch_day_fraction"] = julian_date(np.array([first.usable_from], "M8[us]"))
    with np.errstate(invalid="ignore"):
        row, _ = elements_through(row, span, np.zeros(1), r_km, v_km_s)
    for name, largest in (
        ("mean_motion_rev_day", MAX_MEAN_MOTION_REV_DAY),
        ("eccentricity", LARGEST_ECCENTRICITY),
    ):
        row[name] = np.minimum(np.nan_to_num(row[name], nan=largest), largest)
    row["trajectory"] = TRAJECTORY_KINDS.index("ephemeris")
    return row
