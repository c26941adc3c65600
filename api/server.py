"""The service as a process: its socket, its log, its end."""

import logging
import socket

import uvicorn

from api.app import create_app
from api.logs import log_config
from api.settings import ApiSettings
from screening.errors import SkysieveError

LOG = logging.getLogger("skysieve.api")

_GRACE_S = 5  # for requests under way when the service is stopped; `skysieve up` waits for 7
# For an idle connection. Clients drop theirs earlier (httpx after 5 s, nginx after 60), so that none sends a
# request just when it is closed here, as happened with 5 s on both sides.
_KEEP_ALIVE_S = 75
_BACKLOG = 2048


class CannotListen(SkysieveError):
    """The address cannot be listened on; the text says why."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens; whoever connects waits until the service is up.

    Raises:
        CannotListen: the port is taken, the address is not one of this machine, or may not be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol must be named: where it is not, asyncio does not see that it is TCP and leaves Nagle's
    # algorithm on, and every small answer waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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


def run_server(settings: ApiSettings, listening: socket.socket) -> None:
    """Serve until the process is asked to stop."""
    config = uvicorn.Config(
        create_app(settings),
        log_config=log_config(),
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
        timeout_keep_alive=_KEEP_ALIVE_S,
    )
    host, port = listening.getsockname()[:2]
    LOG.info("listening on http://%s:%d", f"[{host}]" if ":" in host else host, port)
    uvicorn.Server(config).run(sockets=[listening])
