"""Break-ups that new objects show."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from api.access.credentials import require_bearer
from api.costly.fair_queue import GoOn, in_turn
from api.errors import NotFound
from api.http.json_answers import json_response
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, OrganisationId
from storage.sky.fragmentations import (
    Fragmentations,
    FragmentationWithPieces,
    list_fragmentations,
    one_fragmentation,
)
from storage.state.fleets import fleets

router = APIRouter(
    tags=["sky"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)
FragmentationId = Annotated[
    int, Path(alias="id", ge=1, le=2**63 - 1, description="Id of a break-up.", examples=[1355220211115])
]


@router.get(
    "/fragmentations",
    response_model=Fragmentations,
    dependencies=[Depends(no_parameters)],
    summary="List break-ups",
)
async def get_fragmentations(request: Request, service: CurrentService) -> Response:
    """Return the break-ups that new objects show: parent, time, pieces by run; the newest first.

    Each run looks for new objects whose orbits all passed through one point of an older object's path.
    """

    def made(_go_on: GoOn) -> Response:
        return json_response(list_fragmentations(service.settings.store))

    return await in_turn(request, service.costly, made)


@router.get(
    "/fragmentations/{id}",
    response_model=FragmentationWithPieces,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="A break-up with its pieces",
)
async def get_fragmentation(
    request: Request, service: CurrentService, whose: OrganisationId, number: FragmentationId
) -> Response:
    """Return a break-up with the orbits of its pieces, and how often they come near, also your fleets."""

    def made(_go_on: GoOn) -> Response:
        store = service.settings.store
        found = one_fragmentation(store, number, {one.id: one.name for one in fleets(store, whose)})
        if found is None:
            raise NotFound(f"No run has found a break-up {number}.")
        return json_response(found)

    return await in_turn(request, service.costly, made)
