"""Fleets: made, listed, changed, removed."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from api.access.credentials import require_bearer_or_page
from api.answers.watched.fleets import changed, listed, made, members, new_fleet, removed, shown
from api.answers.watched.preview import preview
from api.costly.fair_queue import GoOn, in_turn
from api.errors import BadParameter, NotReady
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import FleetParameters, each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, OrganisationId, Service
from api.models.watched.fleets import (
    FleetChanges,
    FleetList,
    FleetPreview,
    FleetRequest,
    ListedFleet,
    MemberList,
)
from screening.answers import same_fields
from screening.errors import InputError
from storage.fleets.managed import Catalogue, FleetFacts
from storage.in_memory.snapshot import Snapshot
from storage.state.fleet_rules import drafted
from storage.state.records import Credential

PATH = "/fleets"

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["fleets"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
FleetId = Annotated[int, Path(alias="id", ge=1, le=2**53, description="Id of a fleet.", examples=[1])]
_WITH_BODY = documented(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


@router.get(PATH, response_model=FleetList, dependencies=[Depends(each_once)], summary="List fleets")
async def list_fleets(
    request: Request,
    service: CurrentService,
    whose: OrganisationId,
    parameters: Annotated[FleetParameters, Query()],
) -> Response:
    """Return the fleets in the order they were made."""

    def work(_go_on: GoOn) -> Response:
        found, total = listed(
            service.settings.store,
            service.fleet_objects,
            newest(service),
            parameters.limit,
            parameters.offset,
            whose,
        )
        return json_response(FleetList([_with_search(service, one) for one in found], total))

    return await in_turn(request, service.costly, work)


@router.post(
    PATH,
    status_code=HTTPStatus.CREATED,
    response_model=ListedFleet,
    responses=_WITH_BODY,
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(FleetRequest),
    summary="Make a fleet",
)
async def create_fleet(
    request: Request,
    service: CurrentService,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    body: Annotated[FleetRequest, Depends(json_body(FleetRequest))],
) -> Response:
    """Create a fleet. Its volumes are searched now, and by every later run."""

    def work(_go_on: GoOn) -> Response:
        store, known = service.settings.store, service.fleet_objects
        fleet = made(store, known, newest(service), body, credential, service.now())
        location = {"Location": f"{request.url.path}/{fleet.id}"}
        return json_response(_searched(service, fleet, credential), location, HTTPStatus.CREATED)

    return await in_turn(request, service.costly, work)


@router.post(
    PATH + "/preview",
    response_model=FleetPreview,
    responses={**documented(HTTPStatus.SERVICE_UNAVAILABLE), **_WITH_BODY},
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(FleetRequest),
    summary="What a fleet would have",
)
async def preview_fleet(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    body: Annotated[FleetRequest, Depends(json_body(FleetRequest))],
) -> Response:
    """Count what a fleet would have inside its volumes, by the events of the newest run. Stores nothing."""

    def work(_go_on: GoOn) -> Response:
        try:
            fleet = drafted(new_fleet(body, snapshot, credential), service.now())
            known = service.fleet_objects.catalogue(snapshot) or Catalogue((), ())
            return json_response(preview(snapshot, fleet, known, counted_from(service, snapshot)))
        except InputError as error:
            raise BadParameter("body", str(error)) from error

    return await in_turn(request, service.costly, work)


@router.get(
    PATH + "/{id}",
    response_model=ListedFleet,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="One fleet",
)
async def get_fleet(request: Request, service: CurrentService, fleet_id: FleetId) -> Response:
    """Return a fleet."""

    def work(_go_on: GoOn) -> Response:
        fleet = shown(service.settings.store, service.fleet_objects, newest(service), fleet_id)
        return json_response(_with_search(service, fleet))

    return await in_turn(request, service.costly, work)


@router.get(
    PATH + "/{id}/members",
    response_model=MemberList,
    responses=documented(HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE),
    dependencies=[Depends(no_parameters)],
    summary="Members of a fleet",
)
async def list_members(
    request: Request, service: CurrentService, snapshot: CurrentSnapshot, fleet_id: FleetId
) -> Response:
    """Return which objects of the newest run are a fleet's as it is now, searched or not."""

    def work(_go_on: GoOn) -> Response:
        return json_response(members(service.settings.store, service.fleet_objects, snapshot, fleet_id))

    return await in_turn(request, service.costly, work)


@router.patch(
    PATH + "/{id}",
    response_model=ListedFleet,
    responses={**documented(HTTPStatus.NOT_FOUND), **_WITH_BODY},
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(FleetChanges),
    summary="Change a fleet",
)
async def change_fleet(
    request: Request,
    service: CurrentService,
    fleet_id: FleetId,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    body: Annotated[FleetChanges, Depends(json_body(FleetChanges))],
) -> Response:
    """Change what is sent of a fleet; the rest stays as it is. It is searched again now, as a new one."""

    def work(_go_on: GoOn) -> Response:
        catalogue = service.fleet_objects.catalogue(newest(service))
        fleet = changed(service.settings.store, fleet_id, body, catalogue)
        return json_response(_searched(service, fleet, credential))

    return await in_turn(request, service.costly, work)


@router.post(
    PATH + "/{id}/search",
    status_code=HTTPStatus.ACCEPTED,
    response_model=ListedFleet,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Search a fleet now",
)
async def search_fleet(
    request: Request,
    service: CurrentService,
    fleet_id: FleetId,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
) -> Response:
    """Search the volumes of a fleet again, as after a change; `searching` says whether that goes on."""

    def work(_go_on: GoOn) -> Response:
        fleet = shown(service.settings.store, service.fleet_objects, newest(service), fleet_id)
        return json_response(_searched(service, fleet, credential), status=HTTPStatus.ACCEPTED)

    return await in_turn(request, service.costly, work)


@router.delete(
    PATH + "/{id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Remove a fleet",
)
def remove_fleet(service: CurrentService, fleet_id: FleetId) -> Response:
    """Remove a fleet with its alerts and feeds; runs and their events stay."""
    removed(service.settings.store, fleet_id, service.now())
    return Response(status_code=HTTPStatus.NO_CONTENT)


def _searched(service: Service, fleet: FleetFacts, credential: Credential) -> ListedFleet:
    """Begin the search of a fleet that has been saved, if there is a run; return it with its state."""
    if newest(service) is not None:
        service.fleet_searches.begin(fleet.id, credential.id)
    return _with_search(service, fleet)


def _with_search(service: Service, fleet: FleetFacts) -> ListedFleet:
    searching, problem = service.fleet_searches.state(fleet.id)
    return ListedFleet(**same_fields(FleetFacts, fleet), searching=searching, search_problem=problem)


def counted_from(service: Service, snapshot: Snapshot) -> datetime:
    """Return from which TCA on events are coming: in a historic store all has passed."""
    return snapshot.run.window_start if snapshot.run.historic else service.now()


def newest(service: Service) -> Snapshot | None:
    """Return the newest snapshot, None before the first run: fleets can be made before it."""
    try:
        return service.events.current()
    except NotReady:
        return None
