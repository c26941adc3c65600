"""The cookie of the web page: what it permits, and how it is set and removed.

A browser sends cookies whichever page causes the request. So the cookie alone permits reading only. With
`X-Requested-With`, which a form or a foreign page cannot send, it may also sign out, ask questions whose body
needs a POST, and change what the page manages, as fleets and trajectories. All else needs the header of a
credential.
"""

from datetime import datetime
from urllib.parse import urlsplit

from fastapi import Request, Response

from api.live.service import Service
from storage.state.credentials import RefusedCredential
from storage.state.records import Credential, Session
from storage.state.sessions import NewSession

COOKIE = "skysieve_session"
BEGUN_COOKIE = "skysieve_sign_in"
BEGUN_S = 600
PAGE_HEADER = "X-Requested-With"
READING = ("GET", "HEAD")
_OWN_SITES = ("same-origin", "none", None)  # none: the user typed the address; None: a program asks


def secret_of(request: Request) -> str | None:
    """Return the secret of the cookie; None without one, or if a page of another origin caused the request.

    `SameSite` does not stop pages of the same site, which to a browser includes every port of this machine.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is None and request.method not in READING and not _of_own_origin(request):
        return None
    if site not in _OWN_SITES:
        return None
    return request.cookies.get(COOKIE)


def _of_own_origin(request: Request) -> bool:
    """Return whether a request names no origin, or that with the host and the port that it came to.

    The scheme is left out: behind a proxy that ends TLS it is another here.
    """
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc.lower() == request.headers.get("Host", "").lower()


def _by_page(request: Request) -> bool:
    """Return whether a request has the page's header, with a value."""
    return bool(request.headers.get(PAGE_HEADER))


def credential_of_session(request: Request, service: Service, *, by_page: bool) -> Credential | None:
    """Return the credential behind the cookie of a request, None without one or if it may not send it.

    `by_page`: the page may do this with its header, whatever the method.

    Raises:
        RefusedCredential: there is a cookie, but it is no longer valid.
    """
    secret = secret_of(request)
    allowed = request.method in READING or (by_page and _by_page(request))
    if secret is None or not allowed:
        return None
    return _of_session(secret, service)[1]


def session_of(request: Request, service: Service) -> tuple[Session, Credential] | None:
    """Return the valid session of a request and its credential, None without one."""
    secret = secret_of(request)
    try:
        return None if secret is None else _of_session(secret, service)
    except RefusedCredential:
        return None


def _of_session(secret: str, service: Service) -> tuple[Session, Credential]:
    if service.people is not None:
        service.people.confirm(secret)
    return service.credentials.of_session(secret, service.now())


def set_cookie(request: Request, response: Response, session: NewSession, now: datetime) -> None:
    """Set the session's cookie: scripts cannot read it, and pages of other sites cannot have it sent."""
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


def begun_of(request: Request) -> str:
    """Return what a browser keeps of a sign-in that it has begun, empty if there is none."""
    return request.cookies.get(BEGUN_COOKIE, "")


def keep_begun(request: Request, response: Response, begun: str) -> None:
    """Let a browser keep what it brings back from the provider, a page of another site; empty: nothing."""
    response.set_cookie(
        BEGUN_COOKIE,
        begun,
        max_age=BEGUN_S if begun else 0,
        path=_path(request),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def _path(request: Request) -> str:
    return f"{request.scope.get('root_path', '')}/"
