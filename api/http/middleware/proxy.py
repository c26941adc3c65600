"""What a proxy in front of the service changes: the path, and the client's address."""

from ipaddress import IPv6Address, ip_address, ip_network

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.request_notes import exchange_of

# Whoever has one address with these 64 bits has them all.
_IPV6_NETWORK_BITS = 64


class BelowPath:
    """Gives the application its path at the proxy, whether the proxy forwards the path or strips it."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self.app = app
        self.root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with the path as the client sent it."""
        if scope["type"] == "http":
            path = scope["path"]
            if not f"{path}/".startswith(f"{self.root_path}/"):
                path = self.root_path + path
            scope = {**scope, "root_path": self.root_path, "path": path}
        await self.app(scope, receive, send)


def client_network(request: Request) -> str:
    """Return where a request comes from: an IPv4 address, or the first 64 bits of an IPv6 address.

    Behind a proxy on this machine, or one that FORWARDED_ALLOW_IPS names, it is the proxy's client: uvicorn
    takes the last address that the proxy put into X-Forwarded-For.
    """
    return network_of(request.client.host if request.client else "")


def note_refusal(request: Request, *, brought: bool = True) -> None:
    """Note for the audit log that what a request has `brought` as a credential is none."""
    exchange = exchange_of(request)
    exchange.refused, exchange.address = brought, client_network(request)


def network_of(host: str) -> str:
    """Return the network that an address stands for: itself, or its first 64 bits if it is IPv6."""
    try:
        address = ip_address(host)
    except ValueError:  # anything that is not an address counts together
        return "unknown"
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped  # an IPv4 client on a socket for both versions
    return str(ip_network((address, _IPV6_NETWORK_BITS), strict=False) if address.version == 6 else address)
