"""What is inside the volumes of a fleet: its events, and its satellites, also those without any."""

from http import HTTPStatus
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Depends, Query, Request, Response

from api.access.credentials import require_bearer
from api.answers.rows import EVENT_FIELDS, records
from api.answers.watched.fleets import fleet_of
from api.answers.watched.inside import AsSeen, as_seen, ids_of, satellites, seen_from_fleet
from api.answers.watched.standing import events_of_fleets, outside, standings
from api.costly.event_csv import CSV, CSV_CONTENT, csv_headers, csv_parts
from api.costly.fair_queue import GoOn, in_turn
from api.costly.streamed import in_parts
from api.http.cursors import continued, decode, encode
from api.http.event_parameters import EventParameters, FleetEventParameters
from api.http.json_answers import JSON, json_response
from api.http.negotiation import wanted_type
from api.http.parameters import (
    FleetParameters,
    OutsideParameters,
    each_once,
    each_once_but_lists,
    no_parameters,
)
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.models.watched.decision import FleetDecision
from api.models.watched.fleets import FleetEventPage, OutsideEvents, SatelliteList, StandingList
from api.routes.conjunctions import event_query, events_of_run
from api.routes.watched.fleets import FleetId, counted_from
from storage.fleets.events import inside_fleet
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.state.fleets import Fleet, fleets
from storage.vocabulary import SHADOW

router = APIRouter(
    tags=["fleets"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)
# Of all fleets: none that is asked for can be missing.
standing = APIRouter(
    tags=["fleets"], dependencies=[Depends(require_bearer)], responses=documented(*WITH_CREDENTIAL)
)


@standing.get(
    "/fleet-standings",
    response_model=StandingList,
    dependencies=[Depends(each_once)],
    summary="How fleets stand",
)
async def list_standings(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    parameters: Annotated[FleetParameters, Query()],
) -> Response:
    """Return what each fleet has coming at the newest run, its worst level, what is new, and its alerts.

    Events whose TCA has passed do not count, but in a historic store.
    """

    def work(_go_on: GoOn) -> Response:
        store, run_id = service.settings.store, snapshot.run.run_id
        known = fleets(store, snapshot.organisation_id)
        page = known[parameters.offset : parameters.offset + parameters.limit]
        now = events_of_fleets(store, run_id)
        wanted = np.array(sorted(set().union(*(now.get(one.id, ()) for one in page))), np.int64)
        query = EventQuery(event_ids=wanted, limit=None)
        events = records(EVENT_FIELDS, snapshot.events(query).rows)
        own = {
            one.id: _all_of(as_seen(store, run_id, one.id, events_of_run(snapshot, run_id)))
            for one in page
            if one.radius != SHADOW
        }
        since = counted_from(service, snapshot)
        further = {
            one.id: outside(snapshot, _numbers(service, one, snapshot), now.get(one.id, ()), since, 1)
            for one in page
        }
        ids = [one.id for one in page]
        found = standings(store, run_id, ids, now, events, own, since, further)
        return json_response(StandingList(run_id, found, len(known)))

    return await in_turn(request, service.costly, work)


@router.get(
    "/fleets/{id}/conjunctions",
    response_model=FleetEventPage,
    responses={200: {"content": CSV_CONTENT}, **documented(HTTPStatus.GONE)},
    dependencies=[Depends(each_once_but_lists)],
    summary="Events of a fleet",
)
async def list_fleet_events(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    fleet_id: FleetId,
    parameters: Annotated[FleetEventParameters, Query()],
) -> Response:
    """Return the events inside the volumes of a fleet, with the conditions and pages of `GET /conjunctions`.

    An event of two objects of the fleet comes once for each; `limit` and `total` count events. With `Accept:
    text/csv` the answer is CSV, and without `limit` has all that match.
    """
    given = EventParameters(**parameters.model_dump(), fleet=fleet_id)
    run_id, wanted, after = snapshot.run.run_id, given, None
    if given.cursor is not None:
        cursor = decode(given.cursor)
        run_id, wanted, after = cursor.run, continued(given, cursor), cursor.after

    def found(_go_on: GoOn) -> tuple[AsSeen, EventQuery]:
        store = service.settings.store
        fleet_of(store, fleet_id)
        seen = as_seen(store, run_id, fleet_id, events_of_run(snapshot, run_id))
        return seen, event_query(snapshot, wanted, after)._replace(event_ids=ids_of(seen.inside))

    def page(go_on: GoOn) -> Response:
        seen, query = found(go_on)
        rows = seen.events.page(query)
        events = seen_from_fleet(records(EVENT_FIELDS, rows.rows), seen.inside)
        following = None if rows.last is None else encode(run_id, wanted, rows.last)
        return json_response(FleetEventPage(events, rows.total, following), {"Vary": "Accept"})

    if wanted_type(request.headers.getlist("Accept"), (JSON, CSV)) == JSON:
        return await in_turn(request, service.costly, page)
    seen, query = await in_turn(request, service.costly, found)
    if "limit" not in parameters.model_fields_set:
        query = query._replace(limit=None)
    headers = csv_headers(f"fleet-{fleet_id}-{run_id}")
    return await in_parts(request, service.costly, csv_parts(seen.events, query, seen.inside), CSV, headers)


@router.get(
    "/fleets/{id}/decision",
    response_model=FleetDecision,
    dependencies=[Depends(no_parameters)],
    summary="How sure the events of a fleet are",
)
async def list_to_decide(
    request: Request, service: CurrentService, snapshot: CurrentSnapshot, fleet_id: FleetId
) -> Response:
    """Return how sure the probability of each coming event of a fleet is, and what former runs said of it.

    It goes with the list of its events, by id. In a historic store no TCA counts as passed.
    """

    def work(_go_on: GoOn) -> Response:
        # Imports numba, which an idle service does not need.
        from api.answers.drawn.fleet_decision import fleet_decision

        store, run_id = service.settings.store, snapshot.run.run_id
        fleet_of(store, fleet_id)
        seen = as_seen(store, run_id, fleet_id, events_of_run(snapshot, run_id))
        return json_response(fleet_decision(snapshot, seen, counted_from(service, snapshot)))

    return await in_turn(request, service.costly, work)


@router.get(
    "/fleets/{id}/outside",
    response_model=OutsideEvents,
    dependencies=[Depends(each_once)],
    summary="Events outside the volumes of a fleet",
)
async def list_outside(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    fleet_id: FleetId,
    parameters: Annotated[OutsideParameters, Query()],
) -> Response:
    """Return the newest run's events of a fleet's objects outside its volumes, or all if it did not search.

    Alerts, feeds and reports omit these. Events whose TCA has passed do not count, but in a historic
    store; those of a complex count once.
    """

    def work(_go_on: GoOn) -> Response:
        store, run_id = service.settings.store, snapshot.run.run_id
        numbers = _numbers(service, fleet_of(store, fleet_id), snapshot)
        within = inside_fleet(store, run_id, fleet_id)["event_id"].to_pylist()
        since = counted_from(service, snapshot)
        return json_response(outside(snapshot, numbers, within, since, parameters.limit))

    return await in_turn(request, service.costly, work)


@router.get(
    "/fleets/{id}/satellites",
    response_model=SatelliteList,
    dependencies=[Depends(no_parameters)],
    summary="Satellites of a fleet",
)
async def list_satellites(
    request: Request, service: CurrentService, snapshot: CurrentSnapshot, fleet_id: FleetId
) -> Response:
    """Return the objects of a fleet as of the newest run's search, with or without coming events.

    Events whose TCA has passed do not count, but in a historic store. None if no run has searched it yet.
    """

    def work(_go_on: GoOn) -> Response:
        store, run_id = service.settings.store, snapshot.run.run_id
        fleet_of(store, fleet_id)
        seen = as_seen(store, run_id, fleet_id, events_of_run(snapshot, run_id))
        events = seen_from_fleet(_all_of(seen), seen.inside)
        found = satellites(store, run_id, fleet_id, events, counted_from(service, snapshot))
        return json_response(SatelliteList(run_id, found, len(found)))

    return await in_turn(request, service.costly, work)


def _all_of(seen: AsSeen) -> list[dict[str, object]]:
    """Return the events of a fleet that may be shared, as records."""
    query = EventQuery(event_ids=ids_of(seen.inside), limit=None)
    return records(EVENT_FIELDS, seen.events.page(query).rows)


def _numbers(service: Service, fleet: Fleet, snapshot: Snapshot) -> list[int]:
    """Return the objects of a run that are a fleet's now; none if its pattern fits too many."""
    found = service.fleet_objects.held(fleet, snapshot).members
    return [] if found is None else [one.norad_id for one in found.members]
