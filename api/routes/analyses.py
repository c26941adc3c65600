"""Analyses on demand: what comes near one object, from now on."""

from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response

from api.access.credentials import require_bearer
from api.answers.analyses import Question, analyse, question_on
from api.answers.analysis_json import analysis_json
from api.answers.on_trajectory import trajectory_of
from api.costly.fair_queue import GoOn, in_turn
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.models.requests import AnalysisRequest, FullAnalysisRequest
from api.models.responses import AnalysisResult
from storage.in_memory.snapshot import Snapshot
from storage.vocabulary import AnalysisMode

router = APIRouter(
    tags=["analyses"],
    # The credential comes first: FastAPI resolves dependencies in their order.
    dependencies=[Depends(require_bearer), Depends(no_parameters)],
    responses=documented(
        *WITH_CREDENTIAL,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ),
)
Body = Annotated[AnalysisRequest, Depends(json_body(AnalysisRequest))]
FullBody = Annotated[FullAnalysisRequest, Depends(json_body(FullAnalysisRequest))]


# Included before the routes of events, whose {id} would match. Which methods a path supports needs no
# credential.
not_events = APIRouter(include_in_schema=False)


@not_events.get("/conjunctions/analyze")
async def only_post() -> None:
    """Refuse GET, which would otherwise look for an event with the id `analyze`."""
    raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "POST"})


@router.post(
    "/conjunctions/analyze",
    response_model=AnalysisResult,
    openapi_extra=documented_body(AnalysisRequest),
    summary="Analyse one object quickly",
)
async def analyze(
    request: Request, service: CurrentService, snapshot: CurrentSnapshot, body: Body
) -> Response:
    """Find what comes near an object, in the ephemeris that the newest run left.

    There are no probabilities; risk is by distance alone. A window that extends beyond the ephemeris is
    answered up to `covered_until`. The events are stored, and listed at once.
    """
    return await _answer(request, service, snapshot, body, "quick")


@router.post(
    "/conjunctions/analyze/full",
    response_model=AnalysisResult,
    openapi_extra=documented_body(FullAnalysisRequest),
    summary="Analyse one object in full",
)
async def analyze_full(
    request: Request, service: CurrentService, snapshot: CurrentSnapshot, body: FullBody
) -> Response:
    """Find what comes near an object or on a stored trajectory, each event with its probabilities.

    With `trajectory_id` the window is within its usable span (`covered_until`), and what comes near a
    hypothetical one is not stored. Else the object's path is that of the run. Coarse minima are sampled every
    minute for half an hour on either side, and every minimum is refined. The events are stored, and listed at
    once.
    """
    return await _answer(request, service, snapshot, body, "full")


async def _answer(
    request: Request,
    service: Service,
    snapshot: Snapshot,
    body: AnalysisRequest | FullAnalysisRequest,
    mode: AnalysisMode,
) -> Response:
    work = partial(_analysed, service, snapshot, body, mode)
    return await in_turn(request, service.costly, work, "analysis")


def _analysed(
    service: Service,
    snapshot: Snapshot,
    body: AnalysisRequest | FullAnalysisRequest,
    mode: AnalysisMode,
    go_on: GoOn,
) -> Response:
    """Answer on this thread; writing the JSON of thousands of events takes long too."""
    basis = service.analysed_run.basis(snapshot)
    settings = service.settings
    answer = analyse(
        basis,
        _question(settings.store, body, mode),
        settings,
        service.now(),
        max_events=settings.analysis_max_events,
        go_on=go_on,
    )
    service.events.refresh()  # here: lists of others do not wait for it, and the client's next one has it
    return json_response(analysis_json(answer))


def _question(store: Path, body: AnalysisRequest | FullAnalysisRequest, mode: AnalysisMode) -> Question:
    if isinstance(body, FullAnalysisRequest) and body.trajectory_id:
        return question_on(trajectory_of(store, body.trajectory_id), body.look_ahead_hours, body.threshold_km)
    return Question(mode, body.primary_norad_id, body.look_ahead_hours, body.threshold_km)
