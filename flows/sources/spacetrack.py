"""Query Space-Track: GP data after a login, within the service's limits."""

from datetime import datetime, timedelta
from pathlib import Path

import httpx

from flows.settings import FlowSettings
from flows.sources.download import Answer, Limits, Web, ask
from flows.sources.errors import NotAsked, TooSoon
from screening.errors import UsageError
from storage.state.database import RequestLimit, claim_request
from storage.state.tables import ServiceStateError
from storage.times import time_text

REQUEST_LIMITS = (RequestLimit(30, timedelta(minutes=1)), RequestLimit(300, timedelta(hours=1)))
_LOGIN_MAX_BYTES = 65536
_LOGGED_IN = (b"", b'""')  # a refused login has status 200 as well, and says {"Login":"Failed"}


def query_path() -> str:
    """Return the path of the query for the newest element set of every object in orbit.

    As the service's documentation recommends: not decayed, epoch within 30 days. CSV has a tenth of JSON's
    size.
    """
    return (
        "/basicspacedata/query/class/gp/decay_date/null-val/epoch/%3Enow-30/orderby/norad_cat_id/format/csv"
    )


def ask_spacetrack(
    client: httpx.Client, url: str, settings: FlowSettings, limits: Limits, web: Web, now: datetime
) -> Answer:
    """Log in, and return the answer to a query; every request counts towards the limits of the service.

    Raises UsageError if user or password are not set, TooSoon if a limit is reached, NotAsked if the login is
    refused or requests cannot be counted, and what `ask` raises.
    """
    user, password = settings.spacetrack_user, settings.spacetrack_password.get_secret_value()
    if not (user and password):
        raise UsageError(
            "The source spacetrack needs SKYSIEVE_SPACETRACK_USER and SKYSIEVE_SPACETRACK_PASSWORD; "
            f"{'the password' if user else 'the user'} is not set."
        )

    def count() -> None:
        _count_request(settings.store, now)

    login_url = f"{settings.spacetrack_url}/ajaxauth/login"
    login = client.build_request("POST", login_url, data={"identity": user, "password": password})
    told = ask(client, login, limits._replace(max_bytes=_LOGIN_MAX_BYTES), web, before_each=count)
    if told.text.strip() not in _LOGGED_IN:
        raise NotAsked(
            f"{login_url} refused the login of {user!r}: check SKYSIEVE_SPACETRACK_USER and "
            "SKYSIEVE_SPACETRACK_PASSWORD."
        )
    return ask(client, client.build_request("GET", url), limits, web, before_each=count)


def _count_request(store: Path, now: datetime) -> None:
    try:
        free_at = claim_request(store, "spacetrack", now, REQUEST_LIMITS)
    except ServiceStateError as error:
        raise NotAsked(f"Space-Track is not asked, since requests cannot be counted: {error}") from error
    if free_at is not None:
        raise TooSoon(
            "Space-Track allows 30 requests a minute and 300 an hour; the next may be sent at "
            f"{time_text(free_at)}."
        )
