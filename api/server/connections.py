"""The open connections of the service: how many there may be, how long each may take, what they may hold."""

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
    """What connections may do."""

    connections: int
    per_network: int
    request_s: float  # from the first byte of a request, or the connection, to the request's last byte
    send_s: float  # that a client may take none of an answer
    unsent_bytes: int  # of all answers together


class Connection(Protocol):
    """One connection, as the register sees it."""

    network: str  # whose it is

    def idle_since_s(self) -> float | None:
        """Return since when it has no request under way and nothing to send; None: it has."""

    def never_asked(self) -> bool:
        """Return whether no request has come by it yet."""

    def arriving_since_s(self) -> float | None:
        """Return since when a request is awaited or arrives; None: it is there, or none is due."""

    def blocked_since_s(self, now_s: float) -> float | None:
        """Return since when the client takes none of what is to be sent; None: nothing waits."""

    def abort(self) -> None:
        """End it at once, and drop what was not sent."""


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
        self._cut: Counter[Reason] = Counter()  # since it was told last
        self._told_at_s = -float("inf")
        metrics.connections.set_function(lambda: self._count)

    def now_s(self) -> float:
        """Return the time of the clock that all times here are of."""
        return self._monotonic_s()

    def admit(self, connection: Connection) -> bool:
        """Take in a new connection, if need be in place of one that is idle; False: there is no room."""
        mine = self._open.get(connection.network, set())
        if len(mine) >= self._limits.per_network and not self._proxies.has(connection.network):
            room = self._make_room(mine)
        elif self._count >= self._limits.connections:
            # Whoever has the most gives way first: one address cannot push out the others.
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
        """End the connections whose time is over; called once a second."""
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
        """Hold so many bytes of an answer until they are sent.

        Where all together would be more than is allowed, those whose clients have not read for longest end.
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
        # Some at once, so that to look for them costs little for each connection of a flood.
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
            LOG.warning("connections ended here: %s; %d are open", what, self._count)
            self._cut.clear()
            self._told_at_s = now_s


class Proxies:
    """Whose connections may be those of many clients: addresses and networks, or `*`."""

    def __init__(self, named: str | Sequence[str]) -> None:
        parts = [part.strip() for part in (named.split(",") if isinstance(named, str) else named)]
        self._all = "*" in parts
        self._networks = [network for part in parts if (network := _network(part)) is not None]

    def has(self, address: str) -> bool:
        """Return whether an address, or the network that stands for one, is a proxy's."""
        network = _network(address)
        return self._all or any(
            network is not None and network.version == proxy.version and network.network_address in proxy
            for proxy in self._networks
        )


def _network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:  # the path of a socket, "unknown"
        return None
