"""uvicorn's HTTP/1.1, with limits on the time and memory of each connection."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from api.http.middleware.compressing import HELD_BYTES
from api.http.middleware.proxy import network_of
from api.server.connections import Connections

if TYPE_CHECKING:  # uvicorn does not export them
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope

PART_BYTES = 65_536
LEAST_BYTES_PER_S = 100_000  # of a body; each that many bytes give its request a second more
_REQUEST_UNDER_WAY = (h11.IDLE, h11.SEND_BODY)


def bounded_protocol(connections: Connections) -> type[H11Protocol]:
    """Return a protocol that registers its connections."""

    class Bounded(BoundedProtocol):
        def __init__(
            self,
            config: Config,
            server_state: ServerState,
            app_state: dict[str, Any],
            _loop: asyncio.AbstractEventLoop | None = None,
        ) -> None:
            super().__init__(config, server_state, app_state, _loop, connections)

    return Bounded


class BoundedProtocol(H11Protocol):
    """One connection of a client."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        loop: asyncio.AbstractEventLoop | None,
        connections: Connections,
    ) -> None:
        super().__init__(config, server_state, app_state, loop)
        self.network = "unknown"
        self._register = connections
        self._quiet_since_s = self._begun_s = connections.now_s()
        self._arriving_since_s: float | None = self._begun_s
        self._blocked_since_s: float | None = None
        self._application, self.app = self.app, self._answer

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection, or close it if there is no room."""
        super().connection_made(transport)
        if self.client is not None:
            self.network = network_of(self.client[0])
        if not self._register.admit(self):
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave."""
        self._register.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data, and note whether a request has arrived completely."""
        self._quiet_since_s = self._register.now_s()
        if self._arriving_since_s is None:
            self._arriving_since_s = self._quiet_since_s
        more_s = len(data) / LEAST_BYTES_PER_S
        self._arriving_since_s = min(self._arriving_since_s + more_s, self._quiet_since_s)
        super().data_received(data)
        if self.conn.their_state not in _REQUEST_UNDER_WAY:
            self._arriving_since_s = None

    def pause_writing(self) -> None:
        """Stop sending until the client has read."""
        super().pause_writing()
        if self._blocked_since_s is None:
            self._blocked_since_s = self._register.now_s()

    def resume_writing(self) -> None:
        """Continue sending: the client has read."""
        super().resume_writing()
        self._blocked_since_s = None

    def idle_since_s(self) -> float | None:
        """Return since when nothing has been under way or waiting to be sent; None if something is."""
        under_way = self.cycle is not None and not self.cycle.response_complete
        return None if under_way or self.transport.get_write_buffer_size() else self._quiet_since_s

    def never_asked(self) -> bool:
        """Return whether no request has arrived on it yet."""
        return self.cycle is None

    def arriving_since_s(self) -> float | None:
        """Return since when a request is awaited or arriving; None: it has arrived, or none is due."""
        return self._arriving_since_s

    def blocked_since_s(self, now_s: float) -> float | None:
        """Return since when the client has read nothing of what is to be sent; None: nothing waits.

        Less data than the transport pauses for is noticed at the first check.
        """
        if not self.transport.get_write_buffer_size():
            self._blocked_since_s = None
        elif self._blocked_since_s is None:
            self._blocked_since_s = now_s
        return self._blocked_since_s

    def abort(self) -> None:
        """Close it at once, and drop what was not sent."""
        self.transport.abort()

    async def _answer(self, scope: "Scope", receive: "ASGIReceiveCallable", send: "ASGISendCallable") -> None:
        """Let the application answer, and send the answer in parts, each of which waits for the client."""

        async def send_in_parts(message: "ASGISendEvent") -> None:
            body = message.get("body", b"") if message["type"] == "http.response.body" else b""
            held_bytes = max(len(body), cast("int", message.get(HELD_BYTES, 0)))
            if message["type"] != "http.response.body" or held_bytes <= PART_BYTES:
                await send(message)
                return
            with self._register.unsent(self, held_bytes):
                for begin in range(0, max(len(body), 1), PART_BYTES):
                    more = message.get("more_body", False) or begin + PART_BYTES < len(body)
                    part = body[begin : begin + PART_BYTES]
                    await send({"type": "http.response.body", "body": part, "more_body": more})

        await self._application(scope, receive, send_in_parts)
