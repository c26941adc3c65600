"""Check the host name by which the service is addressed.

A page can make its own name resolve to this machine once it is loaded (DNS rebinding). Its scripts then call
this service, and the browser takes the answers for those of their own host: only the header Host shows the
foreign name. Addresses cannot be rebound, nor the names that always mean this machine.
"""

import re
import socket
from collections.abc import Iterator
from ipaddress import ip_address

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import NotAName, NotOurName
from api.http.problems import refusal_answer
from api.settings import ApiSettings

_LONGEST_NAME = 253
_HOST = re.compile(rb"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::[0-9]{1,5})?")
_LOOPBACK = "localhost"


class OwnNames:
    """Refuses all requests addressed to another host."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            await refusal_answer(Request(scope), refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> NotOurName | NotAName | None:
        given = [value for name, value in scope["headers"] if name == b"host"]
        if not given and scope["http_version"] == "1.0":
            return None  # from a probe: browsers always send Host
        found = _HOST.fullmatch(given[0]) if len(given) == 1 else None
        if found is None or len(given[0]) > _LONGEST_NAME:
            return NotAName("The request must have one header Host, with a name or an address.")
        name = (found["address"] or found["name"]).decode().lower().removesuffix(".")
        if name in self.names or name.endswith(f".{_LOOPBACK}") or _is_address(name):
            return None
        return NotOurName(
            f"This service does not answer to the name {name}. If it should, its operator adds the name to "
            "SKYSIEVE_HOSTS; its address always works."
        )


def own_names(settings: ApiSettings) -> frozenset[str]:
    """Return the names by which the service may be addressed, besides addresses."""
    return frozenset({_LOOPBACK, *settings.hosts, settings.host.lower(), *_names_of_this_machine()})


def _names_of_this_machine() -> Iterator[str]:
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    yield from (name, short, f"{short}.local")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
