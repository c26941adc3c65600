"""Connections to addresses that were checked: what a name leads to at the check is what is connected to.

A name is resolved once for each delivery. If any of its addresses is not public, nothing is connected to;
otherwise the addresses themselves are, so that an answer that changes in between changes nothing. TLS and the
header Host keep the name.
"""

import ipaddress
import logging
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TookTooLong
from threading import Thread

import httpcore

from screening.errors import SkysieveError
from storage.state.alerts.addresses import is_public

Resolve = Callable[[str, int], Sequence[str]]

_MOST_ADDRESSES = 8  # tried of one name

log = logging.getLogger("skysieve")


class RefusedAddress(SkysieveError):
    """A receiver that nothing is sent to, or whose name has no address."""


def resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a host, in the order in which the system would try them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class CheckedNetwork(httpcore.NetworkBackend):
    """Connects to public addresses only, unless private ones are allowed; for one delivery."""

    def __init__(self, resolve: Resolve, within_s: float, *, allow_private: bool) -> None:
        self._resolve = resolve
        self._ends_at_s = time.monotonic() + within_s
        self._allow_private = allow_private
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of a host that answers.

        Raises:
            RefusedAddress: it has none, or not only public ones.
            httpcore.ConnectError, httpcore.ConnectTimeout: none answers.
        """
        failed: Exception | None = None
        for address in self._addresses(host, port):
            try:
                return self._network.connect_tcp(
                    address, port, self._left_s(timeout), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed or RefusedAddress(f"{host} has no address.")

    def _addresses(self, host: str, port: int) -> list[str]:
        addresses = list(self._looked_up(host, port))
        if not self._allow_private:
            for address in addresses:
                if not is_public(ipaddress.ip_address(address)):
                    # For the operator: who made the alert could ask for the names of the private network.
                    log.warning("%s resolves to %s, which is not a public address.", host, address)
                    leads = host if host == address else f"{host} leads to an address that"
                    raise RefusedAddress(
                        f"{leads} is not public, so nothing is sent there (SKYSIEVE_ALERTS_ALLOW_PRIVATE)."
                    )
        return addresses[:_MOST_ADDRESSES]

    def _looked_up(self, host: str, port: int) -> Sequence[str]:
        """Resolve in a thread of its own: the system's resolver has no limit of time that could be set."""
        found: Future[Sequence[str]] = Future()

        def look_up() -> None:
            try:
                found.set_result(self._resolve(host, port))
            except BaseException as error:
                found.set_exception(error)

        Thread(target=look_up, name=f"look up {host}", daemon=True).start()
        try:
            return found.result(self._left_s(None))
        except TookTooLong:
            raise RefusedAddress(f"The address of {host} could not be looked up in time.") from None
        except (OSError, UnicodeError) as error:
            raise RefusedAddress(f"The address of {host} cannot be looked up: {error}.") from error

    def _left_s(self, timeout_s: float | None) -> float:
        left = max(self._ends_at_s - time.monotonic(), 0.001)
        return left if timeout_s is None else min(timeout_s, left)
