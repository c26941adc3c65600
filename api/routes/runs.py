"""The newest run: its record, and its events at a glance."""

import hashlib
from http import HTTPStatus

from fastapi import APIRouter, Depends, Request, Response

from api.access.credentials import require_bearer
from api.answers.rows import RUN_FIELDS
from api.costly.fair_queue import GoOn, in_turn
from api.http.json_answers import JSON, json_response
from api.http.negotiation import UNCHANGED, is_known
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.models.overview import Overview
from api.models.responses import Run

_CACHED = "private, no-cache"

router = APIRouter(
    tags=["runs"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "/runs/current",
    response_model=Run,
    dependencies=[Depends(no_parameters)],
    summary="The newest run",
)
def get_current_run(snapshot: CurrentSnapshot) -> Response:
    """Return the record of the newest run: its window, source and counts, and whether it is historic."""
    return json_response({name: getattr(snapshot.run, name) for name in RUN_FIELDS})


@router.get(
    "/runs/current/overview",
    response_model=Overview,
    responses={**UNCHANGED},
    dependencies=[Depends(no_parameters)],
    summary="The newest run at a glance",
)
async def get_overview(request: Request, service: CurrentService, snapshot: CurrentSnapshot) -> Response:
    """Return what changed since the run before, and the events by place, hour, miss and probability.

    Without events known only from restricted messages, or that only searches around fleets have found. It is
    made once a run, in turn with other costly answers; then it is sent at once.
    """

    def made(_go_on: GoOn) -> bytes:
        return service.overviews.body(snapshot)

    body = service.overviews.kept(snapshot)
    if body is None:
        body = await in_turn(request, service.costly, made)
    headers = {"ETag": f'W/"{hashlib.blake2b(body, digest_size=8).hexdigest()}"', "Cache-Control": _CACHED}
    if is_known(request.headers.getlist("If-None-Match"), headers["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, media_type=JSON, headers=headers)
