"""Operators' ephemerides in the store: taken, listed, removed."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.access.credentials import require_bearer_or_page
from api.answers.trajectories import TrajectoryList, Upload, checked, listed, removed, shown, taken
from api.costly.fair_queue import GoOn, in_turn
from api.http.file_bodies import require_file
from api.http.json_answers import json_response
from api.http.parameters import each_once, each_once_but_lists, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.http.trajectory_parameters import CheckParameters, ObjectId, TrajectoryParameters, UploadParameters
from api.live.service import CurrentService, OrganisationId
from storage.disk.layout import TRAJECTORIES
from storage.state.records import Credential
from storage.trajectories.facts import CheckedFile, StoredTrajectory
from storage.trajectories.scores import TrajectoryScorecard

PATH = "/trajectories"
CHECK_PATH = f"{PATH}/check"
MAX_FILE_BYTES = 32 * 1024**2  # as the reader takes
# What its content is tells the format.
_TYPES = ("text/plain", "application/xml", "application/octet-stream", "text/xml", "application/gzip")

router = APIRouter(
    tags=["trajectories"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
TrajectoryId = Annotated[
    str,
    Path(
        alias="id",
        pattern="^[0-9a-f]{16}$",
        description="Id of a trajectory.",
        examples=["3f2a90c1d4e5b687"],
    ),
]
_FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The file itself, at most 32 MB: OEM or OCM (KVN or XML), Starlink's text, SP3-c or "
        "SP3-d; also compressed by gzip.",
        "content": {kind: {"schema": {"type": "string"}} for kind in _TYPES[:3]},
    }
}


@router.post(
    PATH,
    status_code=HTTPStatus.CREATED,
    response_model=StoredTrajectory,
    responses=documented(
        HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    ),
    dependencies=[Depends(each_once)],
    openapi_extra=_FILE,
    summary="Add a trajectory",
)
async def add_trajectory(
    request: Request,
    service: CurrentService,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    parameters: Annotated[UploadParameters, Query()],
) -> Response:
    """Read an operator's ephemeris, check it, and keep it; the same one again is kept once.

    A definitive one replaces its object's element set from the next run on, for as long as it lasts. It is
    refused (409, with the report of its check) if it is more than 100 km and 10 sigma from that set, or
    jumps, unless `force` is true. It needs a credential that names its object (403), and all see it; a
    hypothetical one is seen by the organisation alone.
    """
    require_file(request, _TYPES)
    async with service.uploads.received(request, credential) as file:

        def work(go_on: GoOn) -> Response:
            service.uploads.require_room(TRAJECTORIES, credential)
            upload = Upload(file.read(), **parameters.model_dump(), by=credential)
            made = taken(service.settings.store, upload, service.now(), go_on)
            location = {"Location": f"{request.url.path}/{made.id}"}
            return json_response(made, location, HTTPStatus.CREATED)

        return await in_turn(request, service.costly, work)


@router.post(
    CHECK_PATH,
    response_model=CheckedFile,
    responses=documented(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    dependencies=[Depends(each_once)],
    openapi_extra=_FILE,
    summary="Check a trajectory",
)
async def check_trajectory(
    request: Request,
    service: CurrentService,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    parameters: Annotated[CheckParameters, Query()],
) -> Response:
    """Check an operator's ephemeris by a set of rules, and keep nothing."""
    require_file(request, _TYPES)
    async with service.uploads.received(request, credential) as file:

        def work(go_on: GoOn) -> Response:
            upload = Upload(file.read(), parameters.source, parameters.norad_id, parameters.name)
            return json_response(checked(service.settings.store, upload, parameters.rules, go_on))

        return await in_turn(request, service.costly, work)


@router.get(
    PATH,
    response_model=TrajectoryList,
    dependencies=[Depends(each_once_but_lists)],
    summary="List trajectories",
)
async def list_trajectories(
    service: CurrentService, whose: OrganisationId, parameters: Annotated[TrajectoryParameters, Query()]
) -> Response:
    """Return the stored trajectories, by catalogue number."""
    wanted = (parameters.norad_id, parameters.kind, parameters.limit, parameters.offset, whose)
    return json_response(await run_in_threadpool(listed, service.settings.store, *wanted))


@router.get(
    PATH + "/{id}",
    response_model=StoredTrajectory,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="One trajectory",
)
def get_trajectory(service: CurrentService, whose: OrganisationId, trajectory_id: TrajectoryId) -> Response:
    """Return the facts about a trajectory."""
    return json_response(shown(service.settings.store, trajectory_id, whose))


@router.get(
    "/objects/{id}/trajectories/scorecard",
    response_model=TrajectoryScorecard,
    dependencies=[Depends(no_parameters)],
    summary="How an object's trajectories did",
)
async def get_scorecard(request: Request, service: CurrentService, norad_id: ObjectId) -> Response:
    """Return how the definitive trajectories of an object did, each against the one that came next."""

    def work(_go_on: GoOn) -> Response:
        # Imports numba, which an idle service does not need.
        from storage.trajectories.scorecard import scorecard

        return json_response(scorecard(service.settings.store, norad_id))

    return await in_turn(request, service.costly, work)


@router.delete(
    PATH + "/{id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Remove a trajectory",
)
def remove_trajectory(
    service: CurrentService,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    trajectory_id: TrajectoryId,
) -> Response:
    """Remove a trajectory; the runs and analyses that it was in stay as they are."""
    removed(service.settings.store, trajectory_id, credential)
    return Response(status_code=HTTPStatus.NO_CONTENT)
