"""What operators intend at an event, which every organisation sees."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from api.access.credentials import require_bearer_or_page
from api.answers.stored_events import stored_event
from api.answers.watched.intents import Said, intents, stated
from api.http.event_parameters import EventId
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.models.operators import IntentList, IntentRequest, ListedIntent
from storage.state.records import Credential

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["operators"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


@router.get(
    "/conjunctions/{id}/intents",
    response_model=IntentList,
    dependencies=[Depends(no_parameters)],
    summary="What operators intend",
)
def get_intents(snapshot: CurrentSnapshot, event_id: EventId) -> Response:
    """Return what the operators of both objects have said that they intend, newest first."""
    stored_event(snapshot, event_id, restricted=True)
    return json_response(IntentList(intents(snapshot, event_id)))


@router.post(
    "/conjunctions/{id}/intents",
    status_code=HTTPStatus.CREATED,
    response_model=ListedIntent,
    responses=documented(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(IntentRequest),
    summary="Say what you intend",
)
def add_intent(
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    by: Annotated[Credential, Depends(require_bearer_or_page)],
    body: Annotated[IntentRequest, Depends(json_body(IntentRequest))],
) -> Response:
    """Say whether an object of one of your fleets will move, will not move, or is waiting.

    All organisations see it, with the name of yours: on the page, in reports, alerts and messages on the
    event, and behind its links. The newest counts; older ones stay listed.
    """
    said = Said(body.intent, body.norad_id, body.move_at, body.note, by.name, by.id, by.organisation_id)
    return json_response(stated(snapshot, event_id, said, service.now()), status=HTTPStatus.CREATED)
