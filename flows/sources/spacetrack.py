"""Query Space-Track: GP data and public conjunction messages after a login, within the service's limits."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import httpx

from flows.settings import FlowSettings, name_and_secret
from flows.sources.download import CONNECTION_ATTEMPTS, Answer, Limits, Web, ask
from flows.sources.errors import NotAsked, TooSoon
from screening.errors import UsageError
from storage.state.database import RequestLimit, claim_request, when_free
from storage.state.tables import ServiceStateError
from storage.times import time_text

Data = Literal["spacetrack", "cdm_public", "tip"]  # GP data, public conjunction messages, announced decays

SPACETRACK_URL = "https://www.space-track.org"
# Of all requests, logins included; GP data have no number a day, but an interval (etiquette).
REQUEST_LIMITS = (RequestLimit(30, timedelta(minutes=1)), RequestLimit(300, timedelta(hours=1)))
MESSAGE_LIMITS = (RequestLimit(3, timedelta(days=1)),)
MOST_MESSAGES = 100_000  # of one answer, as many as a text may have: the oldest, the others come next time
_LOGIN_MAX_BYTES = 65536
_LOGGED_IN = (b"", b'""')  # a refused login has status 200 as well, and says {"Login":"Failed"}


def query_url() -> str:
    """Return the address of the query for the newest element set of every object in orbit.

    As the service's documentation recommends: not decayed, epoch within 30 days. CSV has a tenth of JSON's
    size.
    """
    query = "class/gp/decay_date/null-val/epoch/%3Enow-30/orderby/norad_cat_id/format/csv"
    return f"{SPACETRACK_URL}/basicspacedata/query/{query}"


def messages_url(within: timedelta | None) -> str:
    """Return the address of the query for public conjunction messages, class `cdm_public`, oldest first.

    They are those created `within` a time up to now; None: those of all approaches that are still to come.
    The service's own clock counts, as in its documentation.
    """
    which = "TCA/%3Enow" if within is None else f"CREATED/%3Enow-{within / timedelta(days=1):.3f}"
    return (
        f"{SPACETRACK_URL}/basicspacedata/query/class/cdm_public/{which}/orderby/CREATED%20asc"
        f"/limit/{MOST_MESSAGES}/format/json/emptyresult/show"
    )


def announced_url(within: timedelta) -> str:
    """Return the address of the query for announced decays, class `tip`, `within` a time up to now."""
    which = f"MSG_EPOCH/%3Enow-{within / timedelta(days=1):.3f}/orderby/MSG_EPOCH%20asc"
    return f"{SPACETRACK_URL}/basicspacedata/query/class/tip/{which}/format/json/emptyresult/show"


def ask_spacetrack(
    client: httpx.Client,
    url: str,
    data: Data,
    settings: FlowSettings,
    limits: Limits,
    web: Web,
    now: datetime,
) -> Answer:
    """Log in, and return the answer to a query; every request counts towards the limits of the service.

    Raises UsageError if there is no login, TooSoon if a limit is reached, NotAsked if the login is
    refused or requests cannot be counted, and what `ask` raises.
    """
    user, password = name_and_secret(settings.spacetrack_login)
    if not user:
        raise UsageError("Space-Track needs SKYSIEVE_SPACETRACK_LOGIN, as `user:password`.")

    def count() -> None:
        _within("30 requests a minute and 300 an hour", claim_request, settings.store, now, REQUEST_LIMITS)

    def within_limits_of_messages(counted: _Counted) -> None:
        if data == "cdm_public":
            _within("3 queries a day for public messages", counted, settings.store, now, MESSAGE_LIMITS, data)

    within_limits_of_messages(when_free)  # before a login for nothing
    login_url = f"{SPACETRACK_URL}/ajaxauth/login"
    login = client.build_request("POST", login_url, data={"identity": user, "password": password})
    told = ask(client, login, limits._replace(max_bytes=_LOGIN_MAX_BYTES), web, before_each=count)
    if told.text.strip() not in _LOGGED_IN:
        raise NotAsked(f"{login_url} refused the login of {user!r}: check SKYSIEVE_SPACETRACK_LOGIN.")
    within_limits_of_messages(claim_request)
    # What breaks off may have been counted there: a query of three a day is not repeated at once.
    attempts = 1 if data == "cdm_public" else CONNECTION_ATTEMPTS
    query = client.build_request("GET", url)
    return ask(client, query, limits, web, attempts=attempts, before_each=count)


_Counted = Callable[[Path, str, datetime, Sequence[RequestLimit]], datetime | None]


def _within(
    allowed: str,
    counted: _Counted,
    store: Path,
    now: datetime,
    limits: Sequence[RequestLimit],
    name: Data = "spacetrack",
) -> None:
    try:
        free_at = counted(store, name, now, limits)
    except ServiceStateError as error:
        raise NotAsked(f"Space-Track was not queried, since requests cannot be counted: {error}") from error
    if free_at is not None:
        raise TooSoon(f"Space-Track allows {allowed}; the next may be sent at {time_text(free_at)}.")
