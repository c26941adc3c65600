"""Paths of objects, to hand on."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from api.access.credentials import require_bearer
from api.costly.fair_queue import GoOn, in_turn
from api.errors import BadParameter, NotFound
from api.http.parameters import each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.http.trajectory_parameters import PathParameters
from api.live.service import CurrentService, CurrentSnapshot, Service
from screening.errors import UsageError
from screening.vocabulary import MAX_NORAD_ID
from storage.in_memory.snapshot import Snapshot
from storage.trajectories.refusals import NotKnown
from storage.vocabulary import PathForm

_TYPES: dict[PathForm, str] = {"oem-kvn": "text/plain", "oem-xml": "application/xml", "csv": "text/csv"}
_ENDINGS: dict[PathForm, str] = {"oem-kvn": "oem", "oem-xml": "xml", "csv": "csv"}
_TEXT = {"schema": {"type": "string"}}

router = APIRouter(
    tags=["objects"],
    dependencies=[Depends(require_bearer), Depends(each_once)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


@router.get(
    "/objects/{id}/ephemeris",
    response_class=Response,
    responses={200: {"description": "The path.", "content": dict.fromkeys(_TYPES.values(), _TEXT)}},
    summary="The path of an object",
)
async def get_ephemeris(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    norad_id: Annotated[
        int, Path(alias="id", ge=1, le=MAX_NORAD_ID, description="Catalogue number.", examples=[25544])
    ],
    parameters: Annotated[PathParameters, Query()],
) -> Response:
    """Return an object's path as the newest run had it, with its covariance, to hand on.

    On its operator's ephemeris where the run used one, else by SGP4 from the run's element set with our law
    of errors; comments (in CSV the last column) say which. A path on a file whose terms forbid to hand it on
    is 403.
    """

    def made(_go_on: GoOn) -> Response:
        return _made(service, snapshot, norad_id, parameters)

    return await in_turn(request, service.costly, made)


def _made(service: Service, snapshot: Snapshot, norad_id: int, wanted: PathParameters) -> Response:
    # Imports numba, which an idle service does not need.
    from storage.in_memory.object_paths import PathQuestion, check_states, object_path
    from storage.trajectories.handed_on import path_text

    try:
        check_states(wanted.hours, wanted.step)
    except UsageError as error:
        raise BadParameter("step", str(error)) from error
    now = service.now()
    try:
        path = object_path(snapshot, PathQuestion(norad_id, wanted.start, wanted.hours, wanted.step), now)
    except NotKnown as error:
        raise NotFound(str(error)) from error
    except UsageError as error:
        raise BadParameter("start", str(error)) from error
    text = path_text(path, wanted.format, wanted.frame, now)
    name = f'attachment; filename="{norad_id}-{snapshot.run.run_id}.{_ENDINGS[wanted.format]}"'
    return Response(text, headers={"Content-Disposition": name}, media_type=_TYPES[wanted.format])
