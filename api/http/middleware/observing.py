"""Around every request: its id, its line in the log, its metrics, and the answer to a crash."""

import logging
import time
from collections.abc import Awaitable, Callable

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.metrics import Metrics
from api.http.problems import CLIENT_GONE, crash_answer
from api.http.request_notes import REQUEST_ID, Exchange, begin_exchange

LOG = logging.getLogger("skysieve.api")

# Writes a request into the audit log: its scope, the notes on it, the status, the address of what was made.
Audit = Callable[[Scope, Exchange, int, str], Awaitable[None]]


class Observed:
    """Gives each request an id, adds the noted headers to its answer, and logs and counts it."""

    def __init__(self, app: ASGIApp, metrics: Metrics, audit: Audit) -> None:
        self.app = app
        self.metrics = metrics
        self.audit = audit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; an exception that no handler knows becomes an answer without details."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun_s = time.perf_counter()
        exchange = begin_exchange(scope)
        status = 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                made = next((value for name, value in message["headers"] if name == b"location"), b"")
                await self.audit(scope, exchange, status, made.decode("latin-1"))
                message = {**message, "headers": [*message["headers"], *_headers(exchange)]}
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except Exception:  # the log gets all of it, the client only a request id
            LOG.exception(
                "request %s failed", exchange.request_id, extra={"fields": _fields(scope, exchange)}
            )
            if status:
                raise  # the answer has begun: only cutting it off tells the client that it is incomplete
            await crash_answer(Request(scope))(scope, receive, send_noted)
        finally:
            seconds = time.perf_counter() - begun_s
            _log(scope, exchange, status or CLIENT_GONE, seconds)
            self.metrics.answered(scope["method"], _route(scope), status or CLIENT_GONE, seconds)


def _headers(exchange: Exchange) -> list[tuple[bytes, bytes]]:
    noted = {REQUEST_ID: exchange.request_id, **exchange.headers}
    return [(name.lower().encode(), value.encode()) for name, value in noted.items()]


def _log(scope: Scope, exchange: Exchange, status: int, seconds: float) -> None:
    fields = {**_fields(scope, exchange), "status": status, "duration_ms": round(1e3 * seconds, 2)}
    LOG.info("%(method)s %(route)s %(status)d, %(duration_ms)g ms", fields, extra={"fields": fields})


def _fields(scope: Scope, exchange: Exchange) -> dict[str, object]:
    return {
        "request_id": exchange.request_id,
        "method": scope["method"],
        "route": _route(scope),
        "credential": exchange.credential,
    }


def _route(scope: Scope) -> str:
    """Return the path of the route that answered, as documented: with {id}, without /v1."""
    return str(getattr(scope.get("route"), "path", "none"))
