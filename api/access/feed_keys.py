"""Check the key in the address of a feed, and its limit: calendar programs can send no header."""

from fastapi import Request

from api.errors import NotFound
from api.http.middleware.proxy import client_network
from api.http.request_notes import exchange_of
from api.live.service import Service
from storage.state.feeds import NoSuchFeed, recognise_feed
from storage.state.records import Feed


def require_feed(request: Request, service: Service, fleet_id: int, key: str) -> Feed:
    """Return the feed of a fleet that a key opens, if its limit allows one more request.

    Raises:
        NotFound: it opens none; the answer does not reveal whether there is such a fleet.
        TooManyRequests: the feed was read too often, or wrong keys came from this address too often.
    """
    exchange = exchange_of(request)
    try:
        feed = recognise_feed(service.settings.store, fleet_id, key, service.now())
    except NoSuchFeed as error:
        service.metrics.failed_authentications.inc()
        quota = service.limits.failure(client_network(request))
        if quota.taken.allowed:
            raise NotFound(str(error)) from error
        exchange.headers.update(quota.headers())
        raise quota.refusal("An address whose requests have no valid key") from error
    exchange.credential = feed.credential_id
    quota = service.limits.feed(feed.id)
    exchange.headers.update(quota.headers())
    if not quota.taken.allowed:
        raise quota.refusal(f"Feed {feed.id}")
    return feed
