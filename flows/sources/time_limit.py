"""A time limit for conversations with a server, however slowly it answers."""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self


class TimeLimit:
    """Shuts a connection when a time is over; use it as a context manager around the conversation.

    The timeouts of an HTTP client hold for each wait by itself, so a server that sends one byte at a time,
    in the header too, could go on for hours. Give `follow` to the request as its extension "trace".
    """

    def __init__(self, seconds: float) -> None:
        self.over = False
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self.end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self._timer.join()

    def follow(self, event: str, details: Mapping[str, Any]) -> None:
        """Note the connection that a request uses."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.watch(details["return_value"].get_extra_info("socket"))

    def watch(self, connection: socket.socket | None) -> None:
        """Note the connection to shut."""
        with self._lock:
            self._socket = connection
            if self.over:
                self._shut()

    def end(self) -> None:
        """Shut the connection, now."""
        with self._lock:
            self.over = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            # Wakes a thread that waits on it, as if the other side had closed. The method of the base class
            # leaves the state of an encrypted connection alone, which belongs to the waiting thread.
            with suppress(OSError):  # it is already closed
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
