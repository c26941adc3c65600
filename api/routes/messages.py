"""Received conjunction data messages: taken, listed, shown."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.access.credentials import require_bearer
from api.answers.messages import listed, shown, taken
from api.costly.fair_queue import GoOn, in_turn
from api.http.file_bodies import require_file
from api.http.json_answers import JSON, json_response
from api.http.message_parameters import (
    MessageParameters,
    MessageUploadParameters,
    OneMessageParameters,
    encode,
    last_sent,
)
from api.http.parameters import each_once, each_once_but_lists
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, OrganisationId
from api.models.messages import MessagePage, MessagesTaken, ReceivedMessage
from storage.disk.layout import MESSAGES
from storage.messages.kept import text_of
from storage.messages.lists import Wanted
from storage.state.records import Credential

PATH = "/messages"
# What its content is tells the form.
_TYPES = (
    "text/plain",
    "application/xml",
    "application/json",
    "application/zip",
    "application/octet-stream",
    "text/xml",
    "application/gzip",
)
_ORIGINAL = {"<": "application/xml", "{": JSON}

router = APIRouter(
    tags=["messages"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)
MessageId = Annotated[
    str,
    Path(
        alias="id",
        pattern="^[0-9a-f]{16}$",
        description="Id of a message in the store.",
        examples=["3f2a90c1d4e5b687"],
    ),
]
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "Conjunction data messages, at most 32 MB: KVN, XML or JSON, one or more, also "
        "compressed by gzip; or a zip archive of such files.",
        "content": {kind: {"schema": {"type": "string"}} for kind in ("text/plain", "application/xml")},
    }
}


@router.post(
    PATH,
    status_code=HTTPStatus.CREATED,
    response_model=MessagesTaken,
    responses=documented(
        HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    ),
    dependencies=[Depends(each_once)],
    openapi_extra=_BODY,
    summary="Add received messages",
)
async def add_messages(
    request: Request,
    service: CurrentService,
    credential: Annotated[Credential, Depends(require_bearer)],
    parameters: Annotated[MessageUploadParameters, Query()],
) -> Response:
    """Read conjunction data messages, score them by our own engine, and keep them; each is kept once.

    What cannot be read is listed beside what is taken; if nothing can be, the answer is 422.
    """
    require_file(request, _TYPES)
    async with service.uploads.received(request, credential) as file:

        def work(go_on: GoOn) -> Response:
            service.uploads.require_room(MESSAGES, credential)
            store, of = service.settings.store, credential.organisation_id
            made = taken(store, file.read(), parameters.source, service.now(), of, go_on)
            return json_response(made, status=HTTPStatus.CREATED)

        return await in_turn(request, service.costly, work)


@router.get(
    PATH,
    response_model=MessagePage,
    dependencies=[Depends(each_once_but_lists)],
    summary="List received messages",
)
async def list_messages(
    service: CurrentService, whose: OrganisationId, parameters: Annotated[MessageParameters, Query()]
) -> Response:
    """Return the received messages, the newest first; `restricted` ones only if they are asked for."""
    after = last_sent(parameters)
    wanted = Wanted(
        parameters.norad_id,
        parameters.event_id,
        parameters.originator,
        parameters.since,
        parameters.restricted,
    )

    def page() -> Response:
        found = listed(service.messages.rows(whose), wanted, after, parameters.limit)
        following = encode(parameters, found.messages[-1]["id"]) if found.more else None
        return json_response(MessagePage(found.messages, found.total, following))

    return await run_in_threadpool(page)


@router.get(
    PATH + "/{id}",
    response_model=ReceivedMessage,
    responses=documented(HTTPStatus.NOT_FOUND)
    | {
        200: {"content": {kind: {"schema": {"type": "string"}} for kind in ("text/plain", "application/xml")}}
    },
    dependencies=[Depends(each_once)],
    summary="One received message",
)
def get_message(
    service: CurrentService,
    whose: OrganisationId,
    message_id: MessageId,
    parameters: Annotated[OneMessageParameters, Query()],
) -> Response:
    """Return what was read from a message and our numbers, or the message itself as it was received."""
    found = shown(service.messages.rows(whose), message_id, restricted=parameters.restricted)
    if parameters.format == "json":
        return json_response(found)
    text = text_of(service.settings.store, message_id)
    return Response(text, media_type=_ORIGINAL.get(text.lstrip()[:1], "text/plain"))
