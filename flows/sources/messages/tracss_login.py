"""Log in to TraCSS, the civil Traffic Coordination System for Space of the United States, and ask it.

A token for an hour comes from the service's own login server, for a client id and its secret (OAuth 2.0,
client credentials).
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx

from flows.settings import FlowSettings, name_and_secret
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import CONNECTION_ATTEMPTS, Answer, Limits, Web, ask, open_client
from flows.sources.errors import NotAsked, SourceError, Stopped
from flows.sources.names import Access, every_form
from flows.sources.visits import secrets_hidden
from screening.errors import UsageError
from screening.orbits.texts.unreadable import shown

TRACSS_URL = "https://api.tracss.gov"
LOGIN_URL = "https://tracssamu.okta-gov.com/oauth2/aus1358llxDldKxE80j7/v1/token"
SCOPE = "tracssusername"
_TOKEN_BYTES, _SHOWN_BYTES = 65_536, 300
NO_ACCESS = (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)


def wants_tracss(settings: FlowSettings) -> bool:
    """Return whether messages of TraCSS are wanted: there is a login."""
    return bool(settings.tracss_login.get_secret_value())


class Session(NamedTuple):
    """A client that is logged in."""

    client: httpx.Client
    access: Access  # its token, and whatever must not be shown
    web: Web

    def ask(
        self,
        path: str,
        *,
        good: Sequence[int] = (httpx.codes.OK,),
        file: tuple[str, bytes] | None = None,
        **query: object,
    ) -> Answer:
        """Return an answer to a request, which sends a file if there is one.

        Raises NotAsked if the service refuses the token, and what `flows.sources.download.ask` raises.
        """
        upload = {} if file is None else {"files": {"file": (*file, "text/plain")}}
        request = self.client.build_request(
            "GET" if file is None else "POST",
            f"{TRACSS_URL}{path}",
            params={name: str(value) for name, value in query.items()},
            headers=dict(self.access.headers),
            **upload,  # type: ignore[arg-type]
        )
        try:
            # What breaks off may have arrived: a file is not sent twice.
            attempts = CONNECTION_ATTEMPTS if file is None else 1
            return ask(self.client, request, self.web.limits, self.web, good=good, attempts=attempts)
        except Stopped as stop:
            if stop.status in NO_ACCESS:
                raise NotAsked(f"TraCSS refused its own token: {stop}") from stop
            raise


@contextmanager
def logged_in(settings: FlowSettings, web: Web = DEFAULT_WEB) -> Iterator[Session]:
    """Log in; secrets are hidden in all errors raised inside.

    Raises:
        UsageError: there is no login in the settings.
        NotAsked: the login is refused.
        SourceError: there is no token.
    """
    name, secret = name_and_secret(settings.tracss_login)
    if not name:
        raise UsageError("TraCSS needs SKYSIEVE_TRACSS_LOGIN: the client id, a colon, the client secret.")
    login = (name, secret)
    hidden = Access(secrets=every_form([secret], login))
    with secrets_hidden(hidden), open_client(web.limits, web) as client:
        token = _token(client, login, web.limits, web)
        access = Access(
            headers={"Authorization": f"Bearer {token}"}, secrets=every_form([token, secret], login)
        )
        with secrets_hidden(access):
            yield Session(client, access, web)


def _token(client: httpx.Client, login: tuple[str, str], limits: Limits, web: Web) -> str:
    form = {"grant_type": "client_credentials", "scope": SCOPE}
    asked = client.build_request("POST", LOGIN_URL, data=form)
    request = next(httpx.BasicAuth(*login).auth_flow(asked))
    try:
        answer = ask(client, request, limits._replace(max_bytes=_TOKEN_BYTES), web)
    except Stopped as stop:
        if stop.status in (httpx.codes.BAD_REQUEST, *NO_ACCESS):
            raise NotAsked(f"TraCSS refused the login: check SKYSIEVE_TRACSS_LOGIN. {stop}") from stop
        raise
    given = parsed(answer.text, LOGIN_URL)
    token = given.get("access_token") if isinstance(given, dict) else None
    if not isinstance(token, str) or not token:
        raise NotAsked(f"{LOGIN_URL} gave no token.")
    return token


def parsed(text: bytes, url: str) -> Any:
    """Return the JSON of an answer. Raises SourceError, which shows how it begins."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] == b"<":
            problem = "a web page"
        elif isinstance(error, json.JSONDecodeError):
            problem = f"no valid JSON, or cut off ({error.msg} at character {error.pos:,}): {beginning(text)}"
        else:
            problem = f"no valid JSON ({type(error).__name__}): {beginning(text)}"
        raise SourceError(f"{url} answered with {problem}") from error


def beginning(text: bytes) -> str:
    """Return how an answer begins, for an error."""
    return shown(text[:_SHOWN_BYTES].decode("utf-8", "replace"), _SHOWN_BYTES)
