"""The geometry of one event, from which its pictures are drawn."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from api.access.credentials import require_bearer
from api.answers.stored_events import stored_event
from api.costly.fair_queue import GoOn, in_turn
from api.http.event_parameters import EventId, OneEventParameters
from api.http.json_answers import json_response
from api.http.parameters import each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.models.geometry import Geometry

router = APIRouter(
    tags=["conjunctions"],
    dependencies=[Depends(require_bearer), Depends(each_once)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


@router.get("/conjunctions/{id}/geometry", response_model=Geometry, summary="The geometry of one event")
async def get_geometry(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[OneEventParameters, Query()],
) -> Response:
    """Return the encounter plane, curves of probability and distance, both orbits and both objects.

    Plane and probabilities follow from the stored row alone and agree with it; distances and orbits follow
    the element sets or ephemerides that the event rests on. Undefined values are null; `missing` says why.
    """

    def made(go_on: GoOn) -> Response:
        # Imports numba, which an idle service does not need.
        from api.answers.event_messages import messages_of
        from api.answers.geometry import event_details
        from api.answers.geometry_answer import geometry_answer, right_of_way
        from api.answers.watched.whom import whom_of_both

        event = stored_event(
            snapshot, event_id, restricted=parameters.restricted, seen_from=parameters.seen_from
        )
        go_on()
        details = event_details(snapshot, event)
        received = service.messages.rows(snapshot.organisation_id)
        messages = messages_of(received, event_id, restricted=parameters.restricted).told
        gives_way = right_of_way(snapshot, details, messages)
        return json_response(geometry_answer(details, whom_of_both(snapshot, details), gives_way))

    return await in_turn(request, service.costly, made)
