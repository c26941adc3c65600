"""The newest run: its record, and its events at a glance."""

from fastapi import APIRouter, Depends, Request, Response

from api.access.credentials import require_bearer
from api.answers.rows import RUN_FIELDS
from api.costly.fair_queue import GoOn, in_turn
from api.http.json_answers import JSON, json_response
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.models.overview import Overview
from api.models.responses import Run

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
    dependencies=[Depends(no_parameters)],
    summary="The newest run at a glance",
)
async def get_overview(request: Request, service: CurrentService, snapshot: CurrentSnapshot) -> Response:
    """Return what changed since the run before, and the events by place, hour, miss and probability.

    Without events that only restricted messages tell, or that only looks around fleets have found.
    """

    def made(_go_on: GoOn) -> Response:
        return Response(service.overviews.body(snapshot), media_type=JSON)

    return await in_turn(request, service.costly, made)
