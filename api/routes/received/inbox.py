"""The inbox: files of any kind, and the received messages by encounter, beside our events."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from api.access.credentials import require_bearer_or_page
from api.costly.fair_queue import GoOn, in_turn
from api.http.file_bodies import require_file
from api.http.json_answers import json_response
from api.http.message_parameters import InboxFileParameters, InboxParameters
from api.http.parameters import each_once, each_once_but_lists
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.models.inbox import InboxFile, InboxPage
from storage.disk.layout import MESSAGES
from storage.messages.lists import Wanted
from storage.state.records import Credential

PATH = "/inbox"
_TYPES = ("application/octet-stream",)

router = APIRouter(
    tags=["messages"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The file itself, at most 32 MB: what `POST /messages` or `POST /trajectories` takes.",
        "content": {kind: {"schema": {"type": "string"}} for kind in _TYPES},
    }
}


@router.post(
    PATH,
    status_code=HTTPStatus.CREATED,
    response_model=InboxFile,
    responses=documented(
        HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    ),
    dependencies=[Depends(each_once)],
    openapi_extra=_BODY,
    summary="Hand in a file of any kind",
)
async def hand_in(
    request: Request,
    service: CurrentService,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    parameters: Annotated[InboxFileParameters, Query()],
) -> Response:
    """Tell by its content what a file is: messages are taken, of an ephemeris is said what it would replace.

    An ephemeris is not kept: `POST /trajectories` with the same file adds it.
    """
    require_file(request, _TYPES)
    async with service.uploads.received(request, credential) as file:

        def work(go_on: GoOn) -> Response:
            # Imports numba, which an idle service does not need.
            from api.answers.inbox.files import looked_at

            service.uploads.require_room(MESSAGES, credential)
            store, now = service.settings.store, service.now()
            made = looked_at(
                store, file.read(), parameters.source, parameters.norad_id, now, credential, go_on
            )
            return json_response(made, status=HTTPStatus.CREATED)

        return await in_turn(request, service.costly, work)


@router.get(
    PATH,
    response_model=InboxPage,
    dependencies=[Depends(each_once_but_lists)],
    summary="Received messages by encounter",
)
async def list_inbox(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    parameters: Annotated[InboxParameters, Query()],
) -> Response:
    """Return the encounters that messages tell, ours beside theirs, what came last first."""
    wanted = Wanted(parameters.norad_id, None, parameters.originator, None, restricted=parameters.restricted)

    def work(_go_on: GoOn) -> Response:
        from api.answers.inbox.encounters import encounters

        rows = service.messages.rows(snapshot.organisation_id)
        return json_response(encounters(snapshot, rows, wanted, parameters.limit, parameters.offset))

    return await in_turn(request, service.costly, work)
