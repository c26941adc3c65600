"""Links that open one event without a credential: made, listed, revoked, and what they show."""

import io
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from api.access.address_keys import require_link
from api.access.credentials import require_bearer_or_page
from api.costly.fair_queue import GoOn, in_turn
from api.http.event_parameters import EventId
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, OrganisationId, Service
from api.models.operators import LinkList, LinkRequest, ListedLink, MadeLink
from screening.answers import same_fields
from storage.state.operators.links import link_ended, links, revoke_link
from storage.state.records import Credential
from storage.vocabulary import EVERYBODY

# As the report asks of browsers: its own styles and pictures, nothing else. No search engine lists it.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "X-Robots-Tag": "noindex, nofollow",
}

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["operators"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)
# Without a credential: the key in the address is one.
public = APIRouter(
    tags=["operators"],
    responses=documented(
        HTTPStatus.NOT_FOUND,
        HTTPStatus.GONE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.SERVICE_UNAVAILABLE,
    ),
)
LinkId = Annotated[int, Path(ge=1, le=2**53, description="Id of a link.", examples=[2])]


class LinkParameters(BaseModel):
    """Parameters of what a link opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str = Field(
        default="", description="The key that `POST /conjunctions/{id}/links` put into the address."
    )


@router.get(
    "/links", response_model=LinkList, dependencies=[Depends(no_parameters)], summary="Links of all events"
)
def get_all_links(service: CurrentService, whose: OrganisationId) -> Response:
    """Return the links that your organisation has made to any event, also those that have ended."""
    return _list(service, whose)


@router.get(
    "/conjunctions/{id}/links",
    response_model=LinkList,
    dependencies=[Depends(no_parameters)],
    summary="List links",
)
def get_links(service: CurrentService, whose: OrganisationId, event_id: EventId) -> Response:
    """Return the links that your organisation has made to an event, also those that have ended."""
    return _list(service, whose, event_id)


@router.post(
    "/conjunctions/{id}/links",
    status_code=HTTPStatus.CREATED,
    response_model=MadeLink,
    responses=documented(
        HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    ),
    dependencies=[Depends(no_parameters)],
    openapi_extra=documented_body(LinkRequest),
    summary="Make a link that needs no credential",
)
async def add_link(
    request: Request,
    service: CurrentService,
    event_id: EventId,
    by: Annotated[Credential, Depends(require_bearer_or_page)],
    body: Annotated[LinkRequest, Depends(json_body(LinkRequest))],
) -> Response:
    """Make an address that opens the report on this event for anyone who has it; it is shown once.

    It ends a week after TCA unless `expires` says otherwise, at the latest after 30 days, when it is revoked,
    or with the credential that made it. It shows what everybody sees and what operators intend, and nothing
    else of any organisation. An event that only your organisation sees, or that rests on an ephemeris that
    must not be shared, is refused (409).
    """
    base = service.settings.public_url or str(request.base_url)

    def made(_go_on: GoOn) -> Response:
        # Imports numba, which an idle service does not need.
        from api.answers.watched.links import made_link

        shown = made_link(
            service.settings.store,
            service.events.current,
            event_id,
            body.expires,
            service.now(),
            base_url=base,
            made_by=by.name,
            organisation_id=by.organisation_id,
            by=by,
        )
        return json_response(shown, status=HTTPStatus.CREATED)

    return await in_turn(request, service.costly, made, "analysis")


@router.delete(
    "/conjunctions/{id}/links/{link_id}",
    status_code=HTTPStatus.NO_CONTENT,
    dependencies=[Depends(no_parameters)],
    summary="Revoke a link",
)
def remove_link(
    service: CurrentService, whose: OrganisationId, event_id: EventId, link_id: LinkId
) -> Response:
    """Let a link of your organisation end for good."""
    revoke_link(service.settings.store, event_id, link_id, whose, service.now())
    return Response(status_code=HTTPStatus.NO_CONTENT)


@public.get(
    "/conjunctions/{id}/shared",
    response_class=Response,
    responses={200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
    dependencies=[Depends(each_once)],
    summary="What a link opens",
)
async def get_shared(
    request: Request,
    service: CurrentService,
    event_id: EventId,
    parameters: Annotated[LinkParameters, Query()],
) -> Response:
    """Return the report on one event as a page, for anyone who has its link.

    A wrong key is 404, as is an event that does not exist; a link that has ended is 410.
    """
    await run_in_threadpool(require_link, request, service, event_id, parameters.key)

    def drawn(_go_on: GoOn) -> Response:
        # Imports matplotlib, which an idle service does not need.
        from api.answers.watched.links import refuse_restricted
        from api.report.contents import report_on
        from api.report.write import write_event_to

        snapshot = service.events.current(EVERYBODY)
        messages = service.messages.rows(EVERYBODY)
        report = report_on(snapshot, event_id, service.settings, service.now(), messages=messages)
        refuse_restricted(report.trajectories)
        stream = io.BytesIO()
        write_event_to(stream, report, ".html")
        return Response(stream.getvalue(), headers=_HEADERS, media_type="text/html; charset=utf-8")

    return await in_turn(request, service.costly, drawn, "analysis")


def _list(service: Service, whose: int, event_id: int | None = None) -> Response:
    store, now = service.settings.store, service.now()
    found = [
        ListedLink(**same_fields(ListedLink, one), ended=link_ended(store, one, now))
        for one in links(store, whose, event_id)
    ]
    return json_response(LinkList(found, len(found)))
