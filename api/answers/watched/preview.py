"""What a fleet would have inside its volumes, by the events that the newest run has found."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from api.models.overview import ByLevel
from api.models.watched.fleets import FleetPreview
from screening.orbits.elements import ELEMENT_DTYPE
from screening.vocabulary import PROBABILITY_LEVELS, ProbabilityLevel
from screening.volumes.inside import inside, reach_km, relative_rtn_km, volume_array
from storage.analyses.around_fleets.wanted import Wanted, stored_run, wanted_by
from storage.fleets.managed import Catalogue, hold
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.rows.elements import sets_of_rows
from storage.state.fleets import Fleet
from storage.vocabulary import SHADOW

_ROWS = 5000  # of events at a time: 15 MB
_SIDES = ("primary", "secondary")


def preview(snapshot: Snapshot, fleet: Fleet, catalogue: Catalogue, since: datetime) -> FleetPreview:
    """Return what a fleet would have of the events of a run with TCAs from a time (UTC) on.

    Raises:
        InputError: it would have too many objects, or a volume is not allowed.
    """
    held = hold(fleet, catalogue).members
    assert held is not None, "there is a run"
    numbers = [one.norad_id for one in held.members]
    sets = snapshot.rows(
        sets_of_rows("FROM elements", "WHERE norad_id IN (SELECT unnest(?)) ORDER BY norad_id"), [numbers]
    )
    wanted = wanted_by([fleet], stored_run(snapshot.run, np.array(sets, ELEMENT_DTYPE), {})).volumes
    found = Counter(_levels_inside(snapshot, wanted, since))
    levels = {level: found[level] for level in PROBABILITY_LEVELS}
    return FleetPreview(
        members=len(numbers),
        unknown=list(held.unknown),
        inside=sum(levels.values()),
        levels=ByLevel(**levels),
        words=f"{_words(snapshot, len(numbers), levels)} {_also(snapshot, fleet, wanted)}",
    )


def _also(snapshot: Snapshot, fleet: Fleet, wanted: Sequence[Wanted]) -> str:
    """Say why the list of a saved fleet counts otherwise: it is searched for, and is not the run's alone."""
    run, hours = snapshot.run, _hours(snapshot)
    reaches_km = reach_km(volume_array([one.volume for one in wanted]))
    farther = bool((reaches_km > run.threshold_km).any())
    more = [
        *([f"farther than {run.threshold_km:g} km"] if farther else []),
        *([f"later than {hours:.0f} h"] if any(one.hours > hours for one in wanted) else []),
        "known from messages",
    ]
    levels = "" if fleet.radius == SHADOW else ", and levels at its own hard-body radius"
    return f"Once saved, its list also has those {' or '.join(more)}{levels}."


def _levels_inside(snapshot: Snapshot, wanted: tuple[Wanted, ...], since: datetime) -> Iterator[str]:
    if not wanted:
        return
    query = EventQuery(norad_ids=[one.norad_id for one in wanted], tca_from=since, limit=None)
    for events in snapshot.all_events.tables(query, _ROWS):
        within = np.zeros(len(events), np.bool_)
        for own, other in (_SIDES, _SIDES[::-1]):
            within |= _inside(events, own, other, wanted, snapshot.run.window_start)
        levels = events["probability_level"].filter(pa.array(within)).to_pylist()
        yield from (level or "unknown" for level in levels)


def _inside(
    events: pa.Table, own: str, other: str, wanted: tuple[Wanted, ...], begins: datetime
) -> npt.NDArray[np.bool_]:
    """Return which events (n,) have the other object inside the volume of one's own, in its look-ahead."""
    order = np.argsort([one.norad_id for one in wanted])
    sorted_ids = np.array([one.norad_id for one in wanted])[order]
    numbers = events[f"{own}_norad_id"].to_numpy()
    place = order[np.minimum(np.searchsorted(sorted_ids, numbers), len(order) - 1)]
    mine = sorted_ids[np.minimum(np.searchsorted(sorted_ids, numbers), len(order) - 1)] == numbers
    hours = np.array([one.hours for one in wanted])[place]
    ahead = (events["tca"].to_numpy() - np.datetime64(begins.replace(tzinfo=None))) / np.timedelta64(1, "h")
    states = [
        np.column_stack([events[f"{who}_{name}"].to_numpy().astype(np.float64) for name in names])
        for who, names in (
            (own, ("x_km", "y_km", "z_km")),
            (own, ("vx_km_s", "vy_km_s", "vz_km_s")),
            (other, ("x_km", "y_km", "z_km")),
        )
    ]
    volumes = volume_array([one.volume for one in wanted])[place]
    within: npt.NDArray[np.bool_] = mine & (ahead < hours) & inside(volumes, relative_rtn_km(*states))
    return within


def _words(snapshot: Snapshot, members: int, levels: Mapping[ProbabilityLevel, int]) -> str:
    run, hours, count = snapshot.run, _hours(snapshot), sum(levels.values())
    named = [f"{number} {level}" for level, number in levels.items() if number and level != "low"]
    return (
        f"{members:,} satellite{'' if members == 1 else 's'}. Of the events of the newest run ({hours:.0f} "
        f"h, up to {run.threshold_km:g} km) {count:,} {'is' if count == 1 else 'are'} inside"
        f"{': ' if named else ''}{', '.join(named)}."
    )


def _hours(snapshot: Snapshot) -> float:
    """Return the length of the run's window, h."""
    return (snapshot.run.window_end - snapshot.run.window_start) / timedelta(hours=1)
