"""Alerts: made, listed, switched, removed; their secrets."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.access.credentials import require_bearer_or_page
from api.answers.watched.alerts import made, page_of, rotated, shown, switched
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import AlertParameters, each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, OrganisationId
from api.models.watched.alerts import (
    AlertChanges,
    AlertList,
    AlertRequest,
    ListedAlert,
    MadeAlert,
    NewSecret,
)
from storage.state.alerts import alerts as stored
from storage.state.records import Credential

PATH = "/alerts"

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["alerts"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
AlertId = Annotated[int, Path(alias="id", ge=1, le=2**53, description="Id of an alert.", examples=[3])]
By = Annotated[Credential, Depends(require_bearer_or_page)]
_WITH_BODY = documented(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


@router.get(PATH, response_model=AlertList, dependencies=[Depends(each_once)], summary="List alerts")
def list_alerts(
    service: CurrentService, whose: OrganisationId, parameters: Annotated[AlertParameters, Query()]
) -> Response:
    """Return the alerts in the order they were made, without their secrets, and whether anything delivers."""
    wanted = (parameters.fleet_id, parameters.limit, parameters.offset, whose)
    return json_response(page_of(service.settings, *wanted))


@router.post(
    PATH,
    status_code=HTTPStatus.CREATED,
    response_model=MadeAlert,
    responses={**documented(HTTPStatus.CONFLICT), **_WITH_BODY},
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(AlertRequest),
    summary="Make an alert",
)
async def create_alert(
    request: Request,
    service: CurrentService,
    credential: By,
    body: Annotated[AlertRequest, Depends(json_body(AlertRequest))],
) -> Response:
    """Make an alert; it begins with what the newest run has. The secret of a webhook is shown only here."""
    settings = service.settings
    new = await run_in_threadpool(
        made, settings.store, body, credential, service.now(), allow_private=settings.alerts_allow_private
    )
    return json_response(new, {"Location": f"{request.url.path}/{new.id}"}, HTTPStatus.CREATED)


@router.get(
    PATH + "/{id}",
    response_model=ListedAlert,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="One alert",
)
def get_alert(service: CurrentService, alert_id: AlertId) -> Response:
    """Return an alert, without its secrets."""
    return json_response(shown(service.settings.store, alert_id))


@router.patch(
    PATH + "/{id}",
    response_model=ListedAlert,
    responses={**documented(HTTPStatus.NOT_FOUND), **_WITH_BODY},
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(AlertChanges),
    summary="Switch an alert on or off",
)
async def change_alert(
    service: CurrentService,
    credential: By,
    alert_id: AlertId,
    body: Annotated[AlertChanges, Depends(json_body(AlertChanges))],
) -> Response:
    """Switch an alert on or off. One message afterwards reports the changes while it was off."""
    store = service.settings.store
    return json_response(
        await run_in_threadpool(switched, store, alert_id, credential, service.now(), on=body.on)
    )


@router.delete(
    PATH + "/{id}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Remove an alert",
)
def remove_alert(service: CurrentService, alert_id: AlertId) -> Response:
    """Remove an alert; what waits to be delivered is cancelled."""
    stored.remove_alert(service.settings.store, alert_id, service.now())
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post(
    PATH + "/{id}/secret",
    response_model=NewSecret,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Give a webhook a new secret",
)
def rotate(service: CurrentService, alert_id: AlertId) -> Response:
    """Give a webhook a new secret. The one before it signs too, until the next rotation."""
    return json_response(rotated(service.settings.store, alert_id))
