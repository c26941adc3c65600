"""Check the addresses on which our processes listen, before any of them starts."""

import socket
from contextlib import suppress
from functools import cache

from screening.errors import SkysieveError


class CannotListen(SkysieveError):
    """A required address cannot be listened on."""


@cache
def loopback() -> str:
    """Return this machine's loopback address: 127.0.0.1, or ::1 if there is only IPv6."""
    for host in ("127.0.0.1", "::1"):
        if _why_taken(host, 0) is None:
            return host
    raise CannotListen("This machine has neither 127.0.0.1 nor ::1 to listen on.")


def in_address(host: str) -> str:
    """Return a host in the form that goes before the port in an address."""
    return f"[{host}]" if ":" in host else host


def free_port() -> int:
    """Return a free port of this machine."""
    with _socket_for(loopback()) as probe, suppress(OSError):
        probe.bind((loopback(), 0))
        found: int = probe.getsockname()[1]
        return found
    raise CannotListen(f"This machine has no free port on {loopback()}.")


def refuse_taken(host: str, port: int, variables: str) -> None:
    """Make sure that a process will be able to listen where environment variables say.

    Raises:
        CannotListen: the port is taken, or the address does not belong to this machine.
    """
    reason = _why_taken(host, port)
    if reason is not None:
        raise CannotListen(
            f"Cannot listen on {in_address(host)}:{port}: {reason}. Set {variables} to "
            "another address. Nothing was started."
        )


def _why_taken(host: str, port: int) -> str | None:
    try:
        with _socket_for(host) as probe:
            probe.bind((host, port))
            probe.listen()
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return None


def _socket_for(host: str) -> socket.socket:
    probe = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return probe
