"""Check the key in the address of a feed or of a link, and its limit: who has it sends no header."""

from collections.abc import Callable
from typing import TypeVar

from fastapi import Request

from api.errors import Gone, NotFound
from api.http.middleware.proxy import client_network, note_refusal
from api.http.request_notes import exchange_of
from api.live.rate_limits import Quota
from api.live.service import Service
from screening.errors import NoSuch
from storage.state.feeds import recognise_feed
from storage.state.operators.links import LinkEnded, recognise_link
from storage.state.records import Feed, Link

Opened = TypeVar("Opened", Feed, Link)


def require_feed(request: Request, service: Service, fleet_id: int, key: str) -> Feed:
    """Return the feed of a fleet that a key opens, if its limit allows one more request.

    Raises:
        NotFound: it opens none; the answer does not reveal whether there is such a fleet.
        TooManyRequests: the feed was read too often, or wrong keys came from this address too often.
    """
    store, now = service.settings.store, service.now()
    return _opened(
        request, service, lambda: recognise_feed(store, fleet_id, key, now), service.limits.feed, "Feed"
    )


def require_link(request: Request, service: Service, event_id: int, key: str) -> Link:
    """Return the link to an event that a key opens, if its limit allows one more request.

    Raises:
        Gone: it did, and has ended.
        NotFound: it opens none; the answer does not reveal whether there is such an event.
        TooManyRequests: the link was read too often, or wrong keys came from this address too often.
    """
    store, now = service.settings.store, service.now()
    return _opened(
        request, service, lambda: recognise_link(store, event_id, key, now), service.limits.link, "Link"
    )


def _opened(
    request: Request,
    service: Service,
    recognise: Callable[[], Opened],
    limit: Callable[[int], Quota],
    what: str,
) -> Opened:
    exchange = exchange_of(request)
    try:
        found = recognise()
    except LinkEnded as error:
        raise Gone(str(error)) from error
    except NoSuch as error:
        service.metrics.failed_authentications.inc()
        note_refusal(request)
        quota = service.limits.failure(client_network(request))
        if quota.taken.allowed:
            raise NotFound(str(error)) from error
        exchange.headers.update(quota.headers())
        raise quota.refusal("An address whose requests have no valid key") from error
    exchange.credential = found.credential_id
    quota = limit(found.id)
    exchange.headers.update(quota.headers())
    if not quota.taken.allowed:
        raise quota.refusal(f"{what} {found.id}")
    return found
