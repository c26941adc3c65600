"""Headers for browsers and caches on every answer, errors and crashes included."""

from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A route may set these itself; its value then counts.
ANSWER_HEADERS = MappingProxyType(
    {
        "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }
)
# The request headers that decide whose answer it is.
_OF_CREDENTIALS = ("Authorization", "X-API-Key", "Cookie")


class Policed:
    """Completes the headers of each answer: no shared caching, no framing, no guessing of the type."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def send_completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": list(message["headers"])}
                complete(MutableHeaders(scope=message))
            await send(message)

        await self.app(scope, receive, send_completed)


def complete(headers: MutableHeaders) -> None:
    """Add the headers that the route has not set."""
    for name, value in ANSWER_HEADERS.items():
        headers.setdefault(name, value)
    if not headers["Cache-Control"].startswith("public"):
        named = [name.strip() for text in headers.getlist("Vary") for name in text.split(",")]
        known = {name.lower() for name in named}
        missing = [name for name in _OF_CREDENTIALS if name.lower() not in known]
        headers["Vary"] = ", ".join([*named, *missing])
