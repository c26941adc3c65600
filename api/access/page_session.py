"""The cookie of the web page: what it is worth, and how it is set and taken away.

A browser sends a cookie along whoever made it ask. So it is good for reading only: what changes something
needs the header of a credential, or `X-Requested-With`, neither of which a form or a foreign page can send.
"""

from datetime import datetime

from fastapi import Request, Response

from api.live.service import Service
from storage.state.credentials import Credential, RefusedCredential
from storage.state.sessions import NewSession, Session

COOKIE = "skysieve_session"
PAGE_HEADER = "X-Requested-With"
_READING = ("GET", "HEAD")
_OWN_ORIGIN = ("same-origin", "none")  # none: a person typed the address, or a program asks


def secret_of(request: Request) -> str | None:
    """Return the secret of the cookie; None if there is none, or if a page of another origin made it be sent.

    `SameSite` does not stop pages of the same site: to a browser that is any port of this machine.
    """
    if request.headers.get("Sec-Fetch-Site", "none") not in _OWN_ORIGIN:
        return None
    return request.cookies.get(COOKIE)


def credential_of_session(request: Request, service: Service) -> Credential | None:
    """Return the credential behind the cookie of a request that only reads; None if there is none.

    Raises:
        RefusedCredential: there is a cookie, and it opens nothing any more.
    """
    secret = secret_of(request)
    if secret is None or request.method not in _READING:
        return None
    return service.credentials.of_session(secret, service.now())[1]


def session_of(request: Request, service: Service) -> tuple[Session, Credential] | None:
    """Return the session of a request and its credential; None if there is none that opens anything."""
    secret = secret_of(request)
    try:
        return None if secret is None else service.credentials.of_session(secret, service.now())
    except RefusedCredential:
        return None


def set_cookie(request: Request, response: Response, session: NewSession, now: datetime) -> None:
    """Hand a session to the browser: no script reads it, and no other site's page makes it be sent."""
    response.set_cookie(
        COOKIE,
        session.secret,
        max_age=int((session.expires - now).total_seconds()),
        path=_path(request),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def remove_cookie(request: Request, response: Response) -> None:
    """Make the browser forget the session."""
    response.delete_cookie(
        COOKIE,
        path=_path(request),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def _path(request: Request) -> str:
    return f"{request.scope.get('root_path', '')}/"
