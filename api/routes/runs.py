"""The newest run: its record, its events at a glance, and how earlier ones did."""

import hashlib
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from api.access.credentials import require_bearer
from api.answers.rows import RUN_FIELDS
from api.answers.watched.fleets import fleet_of
from api.answers.watched.inside import as_seen
from api.costly.fair_queue import GoOn, in_turn
from api.http.json_answers import JSON, json_response
from api.http.negotiation import UNCHANGED, is_known
from api.http.parameters import OverviewParameters, each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.made_once import MadeOnce
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.models.overview import Overview
from api.models.responses import Run
from api.routes.conjunctions import events_of_run
from api.routes.watched.fleets import counted_from
from storage.in_memory.snapshot import Snapshot
from storage.verification.record import Verification

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
    responses={**UNCHANGED, **documented(HTTPStatus.NOT_FOUND)},
    dependencies=[Depends(each_once)],
    summary="The newest run at a glance",
)
async def get_overview(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    parameters: Annotated[OverviewParameters, Query()],
) -> Response:
    """Return what changed since the run before, and the events by place, hour, miss and probability.

    Without events known only from restricted messages, or that only searches around fleets have found. It is
    made once a run, in turn with other costly answers; then it is sent at once. With `fleet` it is of what is
    inside the volumes of that fleet and has not passed, at its hard-body radius, as far as it looks ahead.
    """
    fleet_id = parameters.fleet
    if fleet_id is None:
        return await made_once(request, service, service.overviews, snapshot)

    def work(_go_on: GoOn) -> Response:
        from api.answers.drawn.overview import overview_of_fleet  # numba, which an idle service does not need

        store, run_id = service.settings.store, snapshot.run.run_id
        fleet_of(store, fleet_id)
        seen = as_seen(store, run_id, fleet_id, events_of_run(snapshot, run_id))
        since = counted_from(service, snapshot)
        return json_response(overview_of_fleet(snapshot, fleet_id, seen, since))

    return await in_turn(request, service.costly, work)


@router.get(
    "/verification",
    response_model=Verification,
    responses={**UNCHANGED},
    dependencies=[Depends(no_parameters)],
    summary="How forecasts did",
)
async def get_verification(request: Request, service: CurrentService, snapshot: CurrentSnapshot) -> Response:
    """Return how predictions of encounters that have passed did, against what came.

    Each run judges those that passed at least 12 hours before it. Made once a run, as the overview.
    """
    return await made_once(request, service, service.verifications, snapshot)


async def made_once(request: Request, service: Service, answers: MadeOnce, snapshot: Snapshot) -> Response:
    """Return an answer that is made once a run, or say that the client has it."""

    def made(_go_on: GoOn) -> bytes:
        return answers.body(snapshot)

    body = answers.kept(snapshot)
    if body is None:
        body = await in_turn(request, service.costly, made)
    headers = {"ETag": f'W/"{hashlib.blake2b(body, digest_size=8).hexdigest()}"', "Cache-Control": _CACHED}
    if is_known(request.headers.getlist("If-None-Match"), headers["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, media_type=JSON, headers=headers)
