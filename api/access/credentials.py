"""Check credentials and their limits: a bearer token for events and analyses, an API key for positions.

For requests that only read, the session of the page stands for its token; with the page's header also for
those that change what the page manages.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import APIKeyHeader, HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials

from api.access.demonstration import of_demonstration
from api.access.page_session import credential_of_session
from api.access.rights import require_own, require_role
from api.errors import NotAuthenticated, WrongCredential
from api.http.middleware.proxy import client_network, note_refusal
from api.http.request_notes import exchange_of
from api.live.service import CurrentService, Service
from storage.state.credentials import RefusedCredential
from storage.state.records import Credential
from storage.vocabulary import CredentialKind

KEY_HEADER = "X-API-Key"
_BEARER_CHALLENGE = 'Bearer realm="skysieve"'
_KEY_CHALLENGE = f'ApiKey realm="skysieve", header="{KEY_HEADER}"'

# These two are for the documentation; the headers are read again below, where each failure has its own
# message.
_bearer_scheme = HTTPBearer(
    scheme_name="bearer",
    description="A token of `skysieve tokens create --kind bearer`.",
    auto_error=False,
)
_key_scheme = APIKeyHeader(
    name=KEY_HEADER,
    scheme_name="apiKey",
    description="A key of `skysieve tokens create --kind api-key`.",
    auto_error=False,
)


def require_bearer(
    request: Request,
    service: CurrentService,
    _scheme: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer_scheme)],
) -> Credential:
    """Require a valid bearer token or session whose limit and whose role allow the request."""
    return _allowed(request, service, _bearer(request, service, by_page=False))


def require_bearer_or_page(
    request: Request,
    service: CurrentService,
    _scheme: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer_scheme)],
) -> Credential:
    """Require the same for what the page asks by POST, or manages: a session may send it, with its header."""
    return _allowed(request, service, _bearer(request, service, by_page=True))


def _allowed(request: Request, service: Service, credential: Credential) -> Credential:
    """Return a credential if its role permits what is asked for, and what is named is of its organisation."""
    if not service.demo:
        require_role(request, credential)
    return require_own(request, credential, service.settings.store)


def _bearer(request: Request, service: Service, *, by_page: bool) -> Credential:
    if service.demo:
        return of_demonstration(request, service, "bearer")
    with _failures_counted(request, service):
        header = _given_once(request, "Authorization", _BEARER_CHALLENGE)
        key = _given_once(request, KEY_HEADER, _BEARER_CHALLENGE)
        if header is None:
            if credential := _of_session(request, service, _BEARER_CHALLENGE, by_page=by_page):
                return credential
            _refuse_other_kind(request, service, key, "bearer")
            raise NotAuthenticated(
                "This needs a bearer token, in the header `Authorization: Bearer TOKEN`.", _BEARER_CHALLENGE
            )
        scheme, _, secret = header.partition(" ")
        if scheme.lower() != "bearer":
            raise NotAuthenticated(
                "The header Authorization is malformed: expected `Bearer TOKEN`.", _BEARER_CHALLENGE
            )
        challenge = f'{_BEARER_CHALLENGE}, error="invalid_token"'
        return _required(request, service, secret.strip(), "bearer", challenge)


def require_api_key(
    request: Request, service: CurrentService, _scheme: Annotated[str | None, Depends(_key_scheme)]
) -> Credential:
    """Require a valid API key or session whose limit allows the request."""
    if service.demo:
        return of_demonstration(request, service, "api-key")
    with _failures_counted(request, service):
        secret = _given_once(request, KEY_HEADER, _KEY_CHALLENGE)
        header = _given_once(request, "Authorization", _KEY_CHALLENGE) or ""
        if secret is None:
            if credential := _of_session(request, service, _KEY_CHALLENGE, by_page=False):
                return credential
            _, _, token = header.partition(" ")
            _refuse_other_kind(request, service, token.strip() or None, "api-key")
            raise NotAuthenticated(
                f"This needs an API key, in the header `{KEY_HEADER}: KEY`.", _KEY_CHALLENGE
            )
        return _required(request, service, secret.strip(), "api-key", _KEY_CHALLENGE)


def _given_once(request: Request, name: str, challenge: str) -> str | None:
    """Return the value of a header, refusing two: a proxy in front might have checked the other one."""
    values = request.headers.getlist(name)
    if len(values) > 1:
        raise NotAuthenticated(
            f"The header {name} was sent {len(values)} times; send it only once.", challenge
        )
    return values[0] if values else None


@contextmanager
def _failures_counted(request: Request, service: Service) -> Iterator[None]:
    """Refuse failed authentications of an address beyond its limit as too many; valid credentials still pass.

    Otherwise one client with an expired key would lock out all others behind the same address. Guessing
    256 random bits is hopeless at any rate.
    """
    try:
        yield
    except NotAuthenticated as error:
        service.metrics.failed_authentications.inc()
        note_refusal(request, brought="Authorization" in request.headers or KEY_HEADER in request.headers)
        quota = service.limits.failure(client_network(request))
        if quota.taken.allowed:
            raise
        exchange_of(request).headers.update(quota.headers())
        raise quota.refusal("An address whose requests have no valid credential") from error


def _required(
    request: Request, service: Service, secret: str, kind: CredentialKind, challenge: str
) -> Credential:
    try:
        credential = _recognised(request, service, secret)
    except RefusedCredential as error:
        raise NotAuthenticated(str(error), challenge) from error
    if credential.kind != kind:
        raise WrongCredential(_wrong_kind(credential, kind))
    return credential


def _refuse_other_kind(request: Request, service: Service, secret: str | None, kind: CredentialKind) -> None:
    """Raise WrongCredential if the other header, instead of the missing one, has a valid credential."""
    if secret is None:
        return
    try:
        credential = _recognised(request, service, secret)
    except RefusedCredential:
        return  # ignored: the response says that the right header is missing
    raise WrongCredential(_wrong_kind(credential, kind))


def _recognised(request: Request, service: Service, secret: str) -> Credential:
    return _counted(request, service, service.credentials.recognise(secret, service.now()))


def _of_session(request: Request, service: Service, challenge: str, *, by_page: bool) -> Credential | None:
    """Return the credential behind the session of a request, None without one that may send it."""
    try:
        credential = credential_of_session(request, service, by_page=by_page)
    except RefusedCredential as error:
        raise NotAuthenticated(str(error), challenge) from error
    return None if credential is None else _counted(request, service, credential)


def _counted(request: Request, service: Service, credential: Credential) -> Credential:
    """Note the credential of a request and count it; return the credential if its limit allows one more."""
    exchange = exchange_of(request)
    exchange.credential, exchange.who = credential.id, credential.name
    exchange.organisation, exchange.address = credential.organisation_id, client_network(request)
    quota = service.limits.request(credential)
    exchange.headers.update(quota.headers())
    if not quota.taken.allowed:
        raise quota.refusal(f"Credential {credential.id}")
    service.asked = True
    return credential


def _wrong_kind(credential: Credential, kind: CredentialKind) -> str:
    if credential.kind == kind:
        header = "Authorization: Bearer TOKEN" if kind == "bearer" else f"{KEY_HEADER}: KEY"
        return f"Credential {credential.id} is accepted here in the header `{header}`."
    words = {"bearer": "a bearer token", "api-key": "an API key"}
    return f"Credential {credential.id} is {words[credential.kind]}; this needs {words[kind]}."
