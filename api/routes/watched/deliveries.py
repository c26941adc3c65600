"""Messages of alerts: what became of them, tests, and again."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response

from api.access.credentials import require_bearer_or_page
from api.answers.watched.alerts import deliveries_of, listed_delivery
from api.http.json_answers import json_response
from api.http.parameters import DeliveryParameters, each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService
from api.models.watched.alerts import DeliveryList, ListedDelivery
from api.routes.watched.alerts import PATH as ALERTS
from api.routes.watched.alerts import AlertId
from storage.state.alerts.deliveries import put_test, retry

router = APIRouter(
    tags=["alerts"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
MessageId = Annotated[
    str,
    Path(
        alias="id",
        pattern="^msg_[0-9a-f]{32}$",
        description="Id of a message.",
        examples=["msg_5f0c2a9d4b7e4c1f9a3d6e8b2c4f1a70"],
    ),
]


def _refusals() -> dict[int | str, dict[str, Any]]:
    conflict = documented(HTTPStatus.CONFLICT)[HTTPStatus.CONFLICT.value]
    return {
        **documented(HTTPStatus.NOT_FOUND),
        HTTPStatus.CONFLICT.value: {**conflict, "description": "Not possible in the present state."},
    }


@router.get(
    ALERTS + "/{id}/deliveries",
    response_model=DeliveryList,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="Messages of an alert",
)
def list_deliveries(
    service: CurrentService, alert_id: AlertId, parameters: Annotated[DeliveryParameters, Query()]
) -> Response:
    """Return the messages of an alert, newest first, each with the attempts to deliver it."""
    return json_response(deliveries_of(service.settings.store, alert_id, parameters.limit, parameters.offset))


@router.post(
    ALERTS + "/{id}/test",
    status_code=HTTPStatus.ACCEPTED,
    response_model=ListedDelivery,
    responses=_refusals(),
    dependencies=[Depends(no_parameters)],
    summary="Send a test message",
)
def test_alert(service: CurrentService, alert_id: AlertId) -> Response:
    """Put a test message into the outbox: it is delivered within seconds, like any other."""
    message = put_test(service.settings.store, alert_id, service.now())
    return json_response(listed_delivery(message), status=HTTPStatus.ACCEPTED)


@router.post(
    "/deliveries/{id}/retry",
    status_code=HTTPStatus.ACCEPTED,
    response_model=ListedDelivery,
    responses=_refusals(),
    dependencies=[Depends(no_parameters)],
    summary="Deliver a message again",
)
def retry_delivery(service: CurrentService, message_id: MessageId) -> Response:
    """Try a message now that waits or was given up, and as often as a new one."""
    message = retry(service.settings.store, message_id, service.now())
    return json_response(listed_delivery(message), status=HTTPStatus.ACCEPTED)
