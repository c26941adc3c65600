"""Acknowledgements: who has taken on an event, and who has which."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from api.access.credentials import require_bearer_or_page
from api.answers.watched.acknowledgements import acknowledged, listed
from api.http.event_parameters import EventId
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, OrganisationId
from api.models.watched.acknowledgements import (
    AcknowledgementList,
    AcknowledgementRequest,
    ListedAcknowledgement,
)
from storage.state.alerts.acknowledgements import NewAcknowledgement, standing
from storage.state.records import Credential

_MOST_LISTED = 1000

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["acknowledgements"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.post(
    "/conjunctions/{id}/acknowledgements",
    status_code=HTTPStatus.CREATED,
    response_model=ListedAcknowledgement,
    responses=documented(
        HTTPStatus.NOT_FOUND,
        HTTPStatus.CONFLICT,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ),
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(AcknowledgementRequest),
    summary="Take on an event, or let it go",
)
def acknowledge_event(
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    asked: Annotated[AcknowledgementRequest, Depends(json_body(AcknowledgementRequest))],
) -> Response:
    """Note who has an event, for all others of the organisation who look at it; later runs keep it.

    Everything before stays in `acknowledgements` of `GET /conjunctions/{id}`.
    """
    new = NewAcknowledgement(
        event_id,
        asked.name,
        asked.note,
        credential.name,
        credential.id,
        asked.withdrawn,
        credential.organisation_id,
    )
    made = acknowledged(snapshot, new, asked.replaces, service.now())
    return json_response(made, status=HTTPStatus.CREATED)


@router.get(
    "/acknowledgements",
    response_model=AcknowledgementList,
    dependencies=[Depends(no_parameters)],
    summary="Who has which event",
)
def list_acknowledgements(
    service: CurrentService, snapshot: CurrentSnapshot, whose: OrganisationId
) -> Response:
    """Return the acknowledgements of the organisation that stand."""
    stand = standing(service.settings.store, _MOST_LISTED, whose)
    found = [listed(one, stands=True, historic=snapshot.run.historic) for one in stand]
    return json_response(AcknowledgementList(acknowledgements=found))
