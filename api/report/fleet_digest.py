"""The digest of a fleet: its events as in the fleet's own list, seen from its satellites."""

from datetime import datetime

from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import typed
from api.answers.watched.inside import as_seen, ids_of, satellites, seen_from_fleet
from api.report.contents import notices
from api.report.digest import Digest, Entry, OfFleet, Seen
from api.settings import ApiSettings
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.state.alerts.acknowledgements import standing, words
from storage.state.fleets import Fleet
from storage.vocabulary import BOUNDING, SHADOW

_M = 1000.0  # in a km


def fleet_digest_of(
    snapshot: Snapshot, fleet: Fleet, limit: int, settings: ApiSettings, now: datetime
) -> Digest:
    """Return the first events inside the volumes of a fleet whose TCA lies ahead, in a historic store all.

    An event of two objects of the fleet has a line for each; `limit` counts events.
    """
    run, store = snapshot.run, snapshot.store
    since = run.window_start if run.historic else now
    events, members = as_seen(store, run.run_id, fleet.id, snapshot.all_events)
    page = events.page(EventQuery(event_ids=ids_of(members), tca_from=since, limit=None))
    found = records(EVENT_FIELDS, page.rows)
    watched = satellites(store, run.run_id, fleet.id, seen_from_fleet(found, members), since)
    entries = [
        Entry(
            typed(event),
            Seen(
                one["fleet_norad_id"],
                one["fleet_miss_radial_km"] * _M,
                one["fleet_miss_in_track_km"] * _M,
                one["fleet_miss_cross_track_km"] * _M,
                one["fleet_hard_body_radius_m"],
            ),
        )
        for event in found[:limit]
        for one in members[int(str(event["id"]))]
    ]
    said = notices(run, settings, now)
    if not watched:
        said.append("Not searched yet: the next run searches the volumes of this fleet.")
    if fleet.radius != SHADOW:
        radius = (
            f"of {fleet.radius} m" if fleet.radius != BOUNDING else "of the spheres around its satellites"
        )
        said.append(
            f"Probabilities and levels are at the fleet's own hard-body radii, {radius}, where known."
        )
    told = OfFleet(fleet.contact, fleet.volume, watched)
    listed = {entry.event.id for entry in entries}
    had = {
        one.event_id: words(one, stands=True, historic=run.historic)
        for one in standing(store, organisation_id=fleet.organisation_id)
        if one.event_id in listed
    }
    return Digest(f"Fleet {fleet.name}", entries, page.total, run, said, now, fleet=told, had=had)
