"""HTTP/1.1 of uvicorn, with an eye on how long a connection takes and how much it holds."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from api.http.middleware.compressing import HELD_BYTES
from api.http.middleware.proxy import network_of
from api.server.connections import Connections

if TYPE_CHECKING:  # uvicorn keeps them to itself
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope

PART_BYTES = 65_536
_REQUEST_UNDER_WAY = (h11.IDLE, h11.SEND_BODY)


def bounded_protocol(connections: Connections) -> type[H11Protocol]:
    """Return the protocol whose connections stand in a register."""

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
    """One connection: a client of the service, slow or quick."""

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
        """Begin, unless there is no room."""
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
        """Read on, and note whether a request is there as a whole."""
        self._quiet_since_s = self._register.now_s()
        if self._arriving_since_s is None:
            self._arriving_since_s = self._quiet_since_s
        super().data_received(data)
        if self.conn.their_state not in _REQUEST_UNDER_WAY:
            self._arriving_since_s = None

    def pause_writing(self) -> None:
        """Wait for the client."""
        super().pause_writing()
        if self._blocked_since_s is None:
            self._blocked_since_s = self._register.now_s()

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        super().resume_writing()
        self._blocked_since_s = None

    def idle_since_s(self) -> float | None:
        """Return since when it has no request under way and nothing to send; None: it has."""
        under_way = self.cycle is not None and not self.cycle.response_complete
        return None if under_way or self.transport.get_write_buffer_size() else self._quiet_since_s

    def never_asked(self) -> bool:
        """Return whether no request has come by it yet."""
        return self.cycle is None

    def arriving_since_s(self) -> float | None:
        """Return since when a request is awaited or arrives; None: it is there, or none is due."""
        return self._arriving_since_s

    def blocked_since_s(self, now_s: float) -> float | None:
        """Return since when the client takes none of what is to be sent; None: nothing waits.

        What is less than the transport pauses for is seen at the first look.
        """
        if not self.transport.get_write_buffer_size():
            self._blocked_since_s = None
        elif self._blocked_since_s is None:
            self._blocked_since_s = now_s
        return self._blocked_since_s

    def abort(self) -> None:
        """End it at once, and drop what was not sent."""
        self.transport.abort()

    async def _answer(self, scope: "Scope", receive: "ASGIReceiveCallable", send: "ASGISendCallable") -> None:
        """Let the application answer, and send what it sends in parts: each waits for the client."""

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
