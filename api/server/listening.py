"""The socket of the service, and the limit of open files for its connections."""

import errno
import logging
import os
import resource
import socket
import time
from contextlib import suppress

from api.live.lasting_faults import Throttle
from screening.errors import SkysieveError

LOG = logging.getLogger("skysieve.api")

_BACKLOG = 2048
# How much of an unread answer the kernel buffers; by default up to 4 MB.
_SEND_BUFFER_BYTES = 262_144
_OTHER_FILES = 512  # for the store, databases and logs: DuckDB opens up to 100 files per statement
_OUT_OF_RESOURCES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_PAUSE_S = 0.05


class CannotListen(SkysieveError):
    """The address cannot be listened on; the text says why."""


class Listening(socket.socket):
    """A listening socket that still works when no more files can be opened.

    asyncio would retry thousands of times a second and log each. Here one file is kept in reserve: it is
    closed in order to accept the connection and close it.
    """

    def __init__(self, family: int) -> None:
        # The protocol must be named: otherwise asyncio does not see that it is TCP and leaves Nagle's
        # algorithm on, which delays every small answer by 40 ms.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._reserve: int | None = os.open(os.devnull, os.O_RDONLY)
        self._faults = Throttle()

    def accept(self) -> tuple[socket.socket, object]:
        """Accept the next connection. Raises BlockingIOError if there is none, or none that can be kept."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _OUT_OF_RESOURCES:
                raise
            self._refuse(error)
            raise BlockingIOError(error.errno, error.strerror) from error

    def close(self) -> None:
        """Close the socket and the file in reserve."""
        self._give_up_reserve()
        super().close()

    def _refuse(self, error: OSError) -> None:
        if self._faults.due(str(error.errno)):
            LOG.error("connections are refused: %s", os.strerror(error.errno or 0).lower())
        self._give_up_reserve()
        try:
            super().accept()[0].close()
        except OSError:
            time.sleep(_PAUSE_S)  # the connection stays in the queue and would be offered again at once
        with suppress(OSError):  # another thread took the file: the next connection waits in the queue
            self._reserve = os.open(os.devnull, os.O_RDONLY)

    def _give_up_reserve(self) -> None:
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None


def listening_socket(host: str, port: int) -> Listening:
    """Return a listening socket; clients that connect wait until the service is up.

    Raises:
        CannotListen: the port is taken, or the address does not belong to this machine or may not be used.
    """
    listening = Listening(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise CannotListen(
            f"Cannot listen on {host}:{port}: {reason}. Choose another address with --host and --port "
            "(SKYSIEVE_HOST, SKYSIEVE_PORT)."
        ) from error
    return listening


def files_for(connections: int) -> int:
    """Raise this process's limit of open files for this many connections.

    Returns how many connections fit: with a low hard limit, half as many as it has files.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = max(soft, connections + _OTHER_FILES)
    limit = max(soft, min(hard, connections + _OTHER_FILES))
    if limit > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    allowed = min(connections, max(limit - _OTHER_FILES, limit // 2))
    if allowed < connections:
        LOG.warning(
            "at most %d connections at once instead of %d: the limit of open files is %d",
            allowed,
            connections,
            limit,
        )
    return allowed
