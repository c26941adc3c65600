"""Sign in to the web page by an OpenID Connect provider: there, and back with a code."""

import html
import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from api.access.page_session import begun_of, keep_begun, set_cookie
from api.errors import NotFound, ProviderDown, SignInRefused
from api.http.middleware.proxy import client_network, note_refusal
from api.http.problems import documented
from api.http.request_notes import exchange_of
from api.live.service import CurrentService, Service

if TYPE_CHECKING:
    from api.live.people import People

LOG = logging.getLogger("skysieve.api")

CALLBACK = "/session/oidc/callback"
router = APIRouter(tags=["session"])
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sign in - skysieve</title>
<h1>You are not signed in</h1>
<p>{why}</p>
<p><a href="{base}">Back to the sign-in</a>, where a token works too.</p>
"""
_HTML: dict[str, Any] = {"content": {"text/html": {"schema": {"type": "string"}}}}
_REFUSED: dict[int | str, dict[str, Any]] = {
    HTTPStatus.FORBIDDEN.value: {
        "description": "The provider refuses, or the person may do nothing here.",
        **_HTML,
    },
    HTTPStatus.BAD_GATEWAY.value: {"description": "The provider cannot be reached.", **_HTML},
    **documented(
        HTTPStatus.NOT_FOUND,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.SERVICE_UNAVAILABLE,
    ),
}


@router.get(
    "/session/oidc",
    status_code=HTTPStatus.SEE_OTHER,
    response_class=Response,
    responses=_REFUSED,
    summary="Sign in by a provider",
)
def begin_sign_in(request: Request, service: CurrentService) -> Response:
    """Send a browser to the OpenID Connect provider of `SKYSIEVE_OIDC`, if there is one."""
    people = _people(request, service)
    try:
        address, begun = people.begin(_redirect_uri(request))
    except ProviderDown as error:
        return _not_signed_in(request, HTTPStatus.BAD_GATEWAY, str(error))
    response = Response(status_code=HTTPStatus.SEE_OTHER, headers={"Location": address})
    keep_begun(request, response, begun)
    return response


@router.get(
    CALLBACK,
    status_code=HTTPStatus.SEE_OTHER,
    response_class=Response,
    responses=_REFUSED,
    summary="Back from the provider",
)
def end_sign_in(
    request: Request,
    service: CurrentService,
    state: Annotated[str, Query(max_length=200, description="What the browser left with.")] = "",
    code: Annotated[str, Query(max_length=10_000, description="What the provider gives tokens for.")] = "",
    error: Annotated[str, Query(max_length=200, description="Why the provider has refused.")] = "",
    iss: Annotated[str, Query(max_length=2_000, description="The provider (RFC 9207).")] = "",
) -> Response:
    """Make a session of the page for the person whom the provider has identified; then to the page.

    The session lasts up to 12 hours, as long as the provider confirms the person, who is asked about every 5
    minutes.
    """
    people = _people(request, service)
    try:
        answer = {"state": state, "code": code, "error": error, "iss": iss}
        session, credential = people.sign_in(begun_of(request), answer, _redirect_uri(request))
    except ProviderDown as failure:
        return _not_signed_in(request, HTTPStatus.BAD_GATEWAY, str(failure))
    except SignInRefused as failure:
        service.metrics.failed_authentications.inc()
        note_refusal(request)
        return _not_signed_in(request, HTTPStatus.FORBIDDEN, str(failure))
    exchange = exchange_of(request)
    exchange.credential, exchange.who = credential.id, credential.name
    exchange.organisation, exchange.address = credential.organisation_id, client_network(request)
    response = Response(status_code=HTTPStatus.SEE_OTHER, headers={"Location": _base(request)})
    set_cookie(request, response, session, service.now())
    keep_begun(request, response, "")
    return response


def _people(request: Request, service: Service) -> "People":
    """Return who signs people in, if a client from this address has not tried too often."""
    if service.people is None:
        raise NotFound("People sign in with tokens here: SKYSIEVE_OIDC names no provider.")
    quota = service.limits.visitor(client_network(request))
    exchange_of(request).headers.update(quota.headers())
    if not quota.taken.allowed:
        raise quota.refusal("An address that signs in")
    return service.people


def _not_signed_in(request: Request, status: HTTPStatus, why: str) -> Response:
    LOG.warning("a sign-in has failed: %s", why)
    text = _PAGE.format(why=html.escape(why), base=html.escape(_base(request)))
    response = Response(text, status, media_type="text/html")
    keep_begun(request, response, "")
    return response


def _base(request: Request) -> str:
    return f"{request.scope.get('root_path', '')}/"


def _redirect_uri(request: Request) -> str:
    """Return where the provider sends the browser back to: the name by which it came here."""
    return f"{str(request.base_url).rstrip('/')}{CALLBACK}"
