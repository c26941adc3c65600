"""Which objects decay, when, and how long a fleet's satellites stay."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from api.access.credentials import require_bearer
from api.answers.sky.re_entries import re_entries, remaining_lives
from api.answers.watched.fleets import members
from api.http.json_answers import json_response
from api.http.parameters import ReEntryParameters, each_once_but_lists, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.models.sky.re_entries import ReEntries, RemainingLives
from api.routes.watched.fleets import FleetId
from storage.in_memory.snapshot import Snapshot

router = APIRouter(
    tags=["sky"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "/re-entries",
    response_model=ReEntries,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once_but_lists)],
    summary="List re-entries",
)
def list_re_entries(
    service: CurrentService, snapshot: CurrentSnapshot, parameters: Annotated[ReEntryParameters, Query()]
) -> Response:
    """Return the objects that decay soon, the first before the others, each with its window of 90 %.

    By drag alone, from how fast their orbits sink. Controlled re-entries are not forecast, and of objects
    that `may_manoeuvre` the forecast holds if they do not. Where an object comes down is not forecast, nor
    the risk on the ground.
    """
    numbers = parameters.norad_id
    if parameters.fleet is not None:
        own = _members(service, snapshot, parameters.fleet)
        numbers = own if numbers is None else [number for number in own if number in numbers]
    page = (parameters.limit, parameters.offset)
    return json_response(re_entries(service.settings.store, snapshot, parameters.days, numbers, *page))


@router.get(
    "/fleets/{id}/remaining-life",
    response_model=RemainingLives,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="How long a fleet's satellites stay in orbit",
)
def get_remaining_life(service: CurrentService, snapshot: CurrentSnapshot, fleet_id: FleetId) -> Response:
    """Return for each satellite of a fleet when it decays if it is left to drag, or that it stays."""
    numbers = _members(service, snapshot, fleet_id)
    return json_response(remaining_lives(service.settings.store, snapshot, numbers))


def _members(service: Service, snapshot: Snapshot, fleet_id: int) -> list[int]:
    """Return the numbers of a fleet's objects in the run. Raises NotFound."""
    found = members(service.settings.store, service.fleet_objects, snapshot, fleet_id)
    return [one.norad_id for one in found.members]
