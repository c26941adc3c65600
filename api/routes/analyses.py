"""Analyses on demand: what comes near one object from now on, and what burns make of an event."""

from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from api.access.credentials import require_bearer, require_bearer_or_page
from api.answers.analyses import Question, analyse, analysis_result, question_on
from api.answers.manoeuvre_answer import asked_of, what_if_answer
from api.answers.manoeuvres import what_if
from api.answers.on_trajectory import trajectory_of
from api.costly.event_stream import EVENT_STREAM, in_events
from api.costly.fair_queue import GoOn, in_turn
from api.http.event_parameters import EventId, SeenFromParameters
from api.http.json_answers import JSON, json_bytes, json_response
from api.http.json_bodies import documented_body, json_body
from api.http.negotiation import wanted_type
from api.http.parameters import each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.models.manoeuvres import EVENTS_CONTENT, ManoeuvreRequest, WhatIfResult
from api.models.requests import AnalysisRequest, FullAnalysisRequest
from api.models.responses import AnalysisResult
from screening.manoeuvre.steps import Step, Tell
from storage.in_memory.snapshot import Snapshot
from storage.vocabulary import AnalysisMode

# That an analysis keeps and returns, the nearest; others are only counted.
MOST_EVENTS = 2000
_PROBLEMS = documented(
    *WITH_CREDENTIAL,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["analyses"],
    dependencies=[Depends(require_bearer), Depends(no_parameters)],
    responses=_PROBLEMS,
)
# What stores nothing, and so may be asked by the page.
questions = APIRouter(
    tags=["analyses"],
    dependencies=[Depends(require_bearer_or_page), Depends(each_once)],
    responses=_PROBLEMS,
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


@questions.post(
    "/conjunctions/{id}/manoeuvres",
    response_model=WhatIfResult,
    responses={200: {"content": EVENTS_CONTENT}},
    openapi_extra=documented_body(ManoeuvreRequest),
    summary="What burns make of one event",
)
async def try_manoeuvres(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[SeenFromParameters, Query()],
    body: Annotated[ManoeuvreRequest, Depends(json_body(ManoeuvreRequest))],
) -> Response:
    """Show how burns change an event and the days after it, or search for the cheapest sufficient one.

    The object's whole changed path is screened against all objects of the newest run, from now on; in a
    historic run from the start of its window. Nothing is stored.

    With `Accept: text/event-stream` the answer is Server-Sent Events: `progress` as it goes, then `result`,
    or `problem` if it is refused after it began. Closing the connection ends the work.
    """
    tried = partial(_tried, service, snapshot, event_id, parameters.seen_from, body)
    if wanted_type(request.headers.getlist("Accept"), (JSON, EVENT_STREAM)) == EVENT_STREAM:
        return await in_events(
            request, service.costly, lambda tell: tried(lambda step: tell(step._asdict())), "analysis"
        )

    def made(go_on: GoOn) -> Response:
        def tell(_step: Step) -> None:
            go_on()

        return Response(tried(tell), headers={"Vary": "Accept"}, media_type=JSON)

    return await in_turn(request, service.costly, made, "analysis")


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
    answer = analyse(
        basis,
        _question(snapshot, body, mode),
        service.settings.store,
        service.now(),
        max_events=MOST_EVENTS,
        go_on=go_on,
    )
    service.events.refresh()  # here: lists of others do not wait for it, and the client's next one has it
    return json_response(analysis_result(answer))


def _question(
    snapshot: Snapshot, body: AnalysisRequest | FullAnalysisRequest, mode: AnalysisMode
) -> Question:
    if isinstance(body, FullAnalysisRequest) and body.trajectory_id:
        one = trajectory_of(snapshot.store, body.trajectory_id, snapshot.organisation_id)
        return question_on(one, body.look_ahead_hours, body.threshold_km)
    return Question(mode, body.primary_norad_id, body.look_ahead_hours, body.threshold_km)


def _tried(
    service: Service,
    snapshot: Snapshot,
    event_id: int,
    seen_from: int | None,
    body: ManoeuvreRequest,
    tell: Tell,
) -> bytes:
    """Return the answer as JSON, made on this thread."""
    store = snapshot.store
    asked = asked_of(event_id, body, body.burns)._replace(
        trajectory=trajectory_of(store, body.trajectory_id, snapshot.organisation_id)
        if body.trajectory_id
        else None,
        seen_from=seen_from,
        not_before=body.not_before,
    )
    made = what_if(snapshot, service.analysed_run.basis(snapshot), asked, service.now(), tell)
    return json_bytes(what_if_answer(made))
