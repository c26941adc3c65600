"""Sign in to the web page with a bearer token, and sign out."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request, Response

from api.access.credentials import require_bearer
from api.access.demonstration import visitor
from api.access.page_session import PAGE_HEADER, remove_cookie, secret_of, session_of, set_cookie
from api.http.json_answers import json_response
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService
from api.models.responses import SessionState
from storage.state.records import Credential
from storage.state.sessions import create_session, end_session
from storage.state.whose.organisations import organisation_names

router = APIRouter(tags=["session"], dependencies=[Depends(no_parameters)])


@router.get(
    "/session",
    response_model=SessionState,
    responses=documented(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
    summary="Signed in?",
)
def get_session(request: Request, service: CurrentService) -> Response:
    """Return whether the cookie of this request is valid, and until when. Open to all."""
    if service.demo:
        return _state(service, visitor(), None)
    found = session_of(request, service)
    if found is None:
        return _state(service, None, None)
    session, credential = found
    return _state(service, credential, session.expires)


@router.post(
    "/session",
    response_model=SessionState,
    responses=documented(*WITH_CREDENTIAL),
    summary="Sign in",
)
def create_page_session(
    request: Request, service: CurrentService, credential: Annotated[Credential, Depends(require_bearer)]
) -> Response:
    """Make a session from a bearer token: a cookie that scripts cannot read, good for 12 hours of reading.

    It permits every GET, positions included, and ends with its token. Changes need the token itself.
    """
    now = service.now()
    session = create_session(service.settings.store, credential, now)
    service.credentials.forget()
    response = _state(service, credential, session.expires)
    set_cookie(request, response, session, now)
    return response


@router.delete(
    "/session",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
    summary="Sign out",
)
def end_page_session(
    request: Request,
    service: CurrentService,
    _requested_with: Annotated[
        str,
        Header(
            alias=PAGE_HEADER,
            min_length=1,
            description="Any value: a form of another page cannot send this header.",
        ),
    ],
) -> Response:
    """End the session of the cookie for good."""
    secret = secret_of(request)
    if secret is not None:
        if service.people is not None:
            service.people.end(secret)
        end_session(service.settings.store, secret)
        service.credentials.forget()
    response = Response(status_code=HTTPStatus.NO_CONTENT)
    remove_cookie(request, response)
    return response


def _state(service: CurrentService, credential: Credential | None, expires: datetime | None) -> Response:
    return json_response(
        SessionState(
            signed_in=credential is not None,
            name=credential and credential.name,
            role=credential and credential.role,
            organisation=credential
            and organisation_names(service.settings.store).get(credential.organisation_id),
            demo=service.demo,
            provider=None if service.people is None else service.people.settings.host,
            expires=expires,
            now=service.now(),
        )
    )
