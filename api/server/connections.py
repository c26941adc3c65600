"""The open connections of the service, limited in number, time and memory."""

import heapq
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Literal, NamedTuple, Protocol

from api.http.metrics import Metrics

LOG = logging.getLogger("skysieve.api")

TOLD_EVERY_S = 60.0

Reason = Literal["too many", "request too slow", "answer not read", "too much unsent"]


class Limits(NamedTuple):
    """Limits of the connections."""

    connections: int
    per_network: int
    request_s: float  # from the connection, or a request's first byte, to the request's last byte
    send_s: float  # in which a client reads nothing of an answer
    unsent_bytes: int  # of all answers together


class Connection(Protocol):
    """One connection, as the register sees it."""

    network: str  # the client's network

    def idle_since_s(self) -> float | None:
        """Return since when nothing has been under way or waiting to be sent; None if something is."""

    def never_asked(self) -> bool:
        """Return whether no request has arrived on it yet."""

    def arriving_since_s(self) -> float | None:
        """Return since when a request is awaited or arriving; None: it has arrived, or none is due."""

    def blocked_since_s(self, now_s: float) -> float | None:
        """Return since when the client has read nothing of what is to be sent; None: nothing waits."""

    def abort(self) -> None:
        """Close it at once, and drop what was not sent."""


class Connections:
    """All connections of a server; used on its event loop only."""

    def __init__(
        self,
        limits: Limits,
        proxies: "Proxies",
        metrics: Metrics,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._proxies = proxies
        self._metrics = metrics
        self._monotonic_s = monotonic_s
        self._open: defaultdict[str, set[Connection]] = defaultdict(set)
        self._count = 0
        self._unsent: dict[Connection, int] = {}  # bytes
        self._cut: Counter[Reason] = Counter()  # since the last log line
        self._told_at_s = -float("inf")
        metrics.connections.set_function(lambda: self._count)

    def now_s(self) -> float:
        """Return the time by the clock used for all times here."""
        return self._monotonic_s()

    def admit(self, connection: Connection) -> bool:
        """Admit a new connection, closing an idle one if necessary; return False if there is no room."""
        mine = self._open.get(connection.network, set())
        if len(mine) >= self._limits.per_network and not self._proxies.has(connection.network):
            room = self._make_room(mine)
        elif self._count >= self._limits.connections:
            # The address with the most connections gives way first: one address cannot push out the others.
            largest_first = sorted(self._open.values(), key=len, reverse=True)
            room = any(self._make_room(of_one) for of_one in largest_first)
        else:
            room = True
        if room:
            self._open[connection.network].add(connection)
            self._count += 1
        else:
            self._note("too many")
        return room

    def leave(self, connection: Connection) -> None:
        """Forget a connection that is closed; a second call does nothing."""
        mine = self._open.get(connection.network, set())
        if connection in mine:
            mine.remove(connection)
            self._count -= 1
            if not mine:
                del self._open[connection.network]

    def sweep(self) -> None:
        """Close the connections whose time is over; called once a second."""
        now_s = self.now_s()
        for connection in [one for of_one in self._open.values() for one in of_one]:
            arriving_s, blocked_s = connection.arriving_since_s(), connection.blocked_since_s(now_s)
            if arriving_s is not None and now_s - arriving_s > self._limits.request_s:
                self._end(connection, "request too slow")
            elif blocked_s is not None and now_s - blocked_s > self._limits.send_s:
                self._end(connection, "answer not read")
        self._tell(now_s)

    @contextmanager
    def unsent(self, connection: Connection, size: int) -> Iterator[None]:
        """Hold this many bytes of an answer until they are sent.

        If all together exceed the limit, the connections whose clients have not read for longest are closed.
        """
        self._unsent[connection] = size
        try:
            now_s = self.now_s()
            blocked = [(one.blocked_since_s(now_s), one) for one in self._unsent]
            waiting = sorted((since, id(one), one) for since, one in blocked if since is not None)
            while waiting and sum(self._unsent.values()) > self._limits.unsent_bytes:
                self._end(waiting.pop(0)[-1], "too much unsent")
            yield
        finally:
            self._unsent.pop(connection, None)

    def _make_room(self, among: set[Connection]) -> bool:
        idle = [
            (not one.never_asked(), since, id(one), one)
            for one in among
            if (since := one.idle_since_s()) is not None
        ]
        # Several at once, so that looking for them costs little per connection of a flood.
        for *_, one in heapq.nsmallest(1 + len(among) // 20, idle):
            self._end(one, "too many")
        return bool(idle)

    def _end(self, connection: Connection, reason: Reason) -> None:
        connection.abort()
        self.leave(connection)
        self._unsent.pop(connection, None)
        self._note(reason)

    def _note(self, reason: Reason) -> None:
        self._cut[reason] += 1
        self._metrics.connections_cut.labels(reason).inc()

    def _tell(self, now_s: float) -> None:
        if self._cut and now_s - self._told_at_s >= TOLD_EVERY_S:
            what = ", ".join(f"{count} ({reason})" for reason, count in sorted(self._cut.items()))
            LOG.warning("connections closed by the service: %s; %d are open", what, self._count)
            self._cut.clear()
            self._told_at_s = now_s


class Proxies:
    """Proxies, whose connections carry many clients: addresses and networks, or `*`."""

    def __init__(self, named: str | Sequence[str]) -> None:
        parts = [part.strip() for part in (named.split(",") if isinstance(named, str) else named)]
        self._all = "*" in parts
        self._networks = [network for part in parts if (network := _network(part)) is not None]

    def has(self, address: str) -> bool:
        """Return whether an address, or the network that stands for it, belongs to a proxy."""
        network = _network(address)
        return self._all or any(
            network is not None and network.version == proxy.version and network.network_address in proxy
            for proxy in self._networks
        )


def _network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:  # such as the path of a socket, or "unknown"
        return None
