"""Limit requests per minute: those of each credential, and failed ones of each address."""

import logging
import math
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from api.errors import TooManyRequests
from api.live.lasting_faults import Throttle
from storage.state.rate_counters import SPAN_S, RateCounters, Taken
from storage.state.records import Credential
from storage.state.tables import ServiceStateError

LOG = logging.getLogger("skysieve.api")

_FILE_AGAIN_AFTER_S = 10.0


class Quota(NamedTuple):
    """The quota that a credential, or an address, has left."""

    policy: str
    per_minute: int
    taken: Taken

    def headers(self) -> dict[str, str]:
        """Return the header fields for the client, those of draft-ietf-httpapi-ratelimit-headers-10."""
        fields = {
            "RateLimit-Policy": f'"{self.policy}";q={self.per_minute};w={SPAN_S}',
            "RateLimit": f'"{self.policy}";r={self.taken.remaining};t={self._more_in_s()}',
        }
        return fields if self.taken.allowed else {**fields, "Retry-After": str(self._more_in_s())}

    def refusal(self, whose: str) -> TooManyRequests:
        """Return the error for an exhausted quota."""
        return TooManyRequests(
            f"{whose} may do this {self.per_minute} times a minute; try again in {self._more_in_s()} s."
        )

    def _more_in_s(self) -> int:
        return max(math.ceil(self.taken.more_in_s), 1)


class RateLimits:
    """Counts requests in the store, or while its file cannot be written, those of this process in memory."""

    def __init__(
        self,
        store: Path,
        per_minute: int,
        now: Callable[[], datetime],
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_minute = per_minute
        self._now = now
        self._monotonic_s = monotonic_s
        self._in_store = RateCounters.of_store(store)
        self._in_memory = RateCounters.in_memory()
        self._store_again_at_s = -float("inf")
        self._faults = Throttle(monotonic_s)

    def request(self, credential: Credential) -> Quota:
        """Count a request of a credential if its own limit, or else the service's, allows it."""
        per_minute = credential.per_minute or self._per_minute
        return Quota("credential", per_minute, self._take(f"credential {credential.id}", per_minute))

    def feed(self, feed_id: int) -> Quota:
        """Count a request with the key of a feed if the service's limit allows it."""
        return Quota("feed", self._per_minute, self._take(f"feed {feed_id}", self._per_minute))

    def link(self, link_id: int) -> Quota:
        """Count a request with the key of a link to an event if the service's limit allows it."""
        return Quota("link", self._per_minute, self._take(f"link {link_id}", self._per_minute))

    def visitor(self, address: str) -> Quota:
        """Count a request from an address to a demonstration if the service's limit allows it."""
        return Quota("visitor", self._per_minute, self._take(f"visitor {address}", self._per_minute))

    def failure(self, address: str) -> Quota:
        """Count a request from an address that brought no valid credential."""
        return Quota("failed", self._per_minute, self._take(f"failed {address}", self._per_minute))

    def forget(self) -> None:
        """Remove requests that no longer count."""
        self._in_memory.forget(self._now())
        try:
            self._in_store.forget(self._now())
        except ServiceStateError as error:
            self._tell(error)

    def close(self) -> None:
        """Close the files."""
        self._in_store.close()
        self._in_memory.close()

    def _take(self, key: str, limit: int) -> Taken:
        if self._monotonic_s() >= self._store_again_at_s:
            try:
                return self._in_store.take(key, limit, self._now)
            except ServiceStateError as error:
                self._store_again_at_s = self._monotonic_s() + _FILE_AGAIN_AFTER_S
                self._tell(error)
        return self._in_memory.take(key, limit, self._now)

    def _tell(self, error: ServiceStateError) -> None:
        if self._faults.due(str(error)):
            LOG.warning("requests are counted in memory, for this process only: %s", error)
