"""The socket of the service, and the open files that its connections need."""

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
# What the kernel keeps of an answer that a client does not read; left to itself it keeps up to 4 MB.
_SEND_BUFFER_BYTES = 262_144
_OTHER_FILES = 512  # the store, databases, logs: DuckDB opens up to 100 files a statement
_OUT_OF_RESOURCES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_PAUSE_S = 0.05


class CannotListen(SkysieveError):
    """The address cannot be listened on; the text says why."""


class Listening(socket.socket):
    """A socket that listens, also where no file can be opened any more.

    asyncio would try again thousands of times a second, and log each. Here one file is kept in reserve: it is
    given up to take the connection from the queue, and to close it.
    """

    def __init__(self, family: int) -> None:
        # The protocol must be named: where it is not, asyncio does not see that it is TCP and leaves Nagle's
        # algorithm on, and every small answer waits 40 ms.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._reserve: int | None = os.open(os.devnull, os.O_RDONLY)
        self._faults = Throttle()

    def accept(self) -> tuple[socket.socket, object]:
        """Return the next connection; BlockingIOError: there is none, or none that can be kept."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _OUT_OF_RESOURCES:
                raise
            self._refuse(error)
            raise BlockingIOError(error.errno, error.strerror) from error

    def close(self) -> None:
        """Close it, and the file in reserve."""
        self._give_up_reserve()
        super().close()

    def _refuse(self, error: OSError) -> None:
        if self._faults.due(str(error.errno)):
            LOG.error("connections are refused: %s", os.strerror(error.errno or 0).lower())
        self._give_up_reserve()
        try:
            super().accept()[0].close()
        except OSError:
            time.sleep(_PAUSE_S)  # the connection stays in the queue, and would be offered again at once
        with suppress(OSError):  # another thread has taken it: the next connection waits in the queue
            self._reserve = os.open(os.devnull, os.O_RDONLY)

    def _give_up_reserve(self) -> None:
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None


def listening_socket(host: str, port: int) -> Listening:
    """Return a socket that listens; whoever connects waits until the service is up.

    Raises:
        CannotListen: the port is taken, the address is not one of this machine, or may not be used.
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
            f"Nobody can be served at {host}:{port}: {reason}. --host and --port (SKYSIEVE_HOST, "
            "SKYSIEVE_PORT) name another address."
        ) from error
    return listening


def files_for(connections: int) -> int:
    """Raise this process's limit of open files to what so many connections need.

    Returns how many connections it is enough for: where the hard limit is low, for half of it.
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
            "at most %d connections at once, not %d: a process may open %d files here",
            allowed,
            connections,
            limit,
        )
    return allowed
