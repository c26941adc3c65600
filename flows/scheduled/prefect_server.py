"""Prefect's server, guarded: `python -P -m flows.scheduled.prefect_server --host=127.0.0.1 --port=4200`.

It has no login, and anyone who reaches it can run code. So can a page from anywhere, through a browser on the
same machine or network: under a host name of its own that resolves to this machine (a foreign Host), or
across origins (a foreign Origin, which CORS does not keep from WebSockets). Prefect checks neither.
"""

import argparse
from collections.abc import Collection

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from flows.settings import prepare_prefect_server

OF_THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")


def guarded(app: ASGIApp, names: Collection[str]) -> ASGIApp:
    """Return an application that answers only to some host names, and in browsers only to its own pages."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        reason = why_refused(Headers(scope=scope), names) if scope["type"] in ("http", "websocket") else None
        if reason is None:
            await app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(reason=reason)(scope, receive, send)
        else:
            await PlainTextResponse(reason, status_code=403)(scope, receive, send)

    return serve


def why_refused(headers: Headers, names: Collection[str]) -> str | None:
    """Return why a request is refused as foreign, None if it is allowed.

    Clients other than browsers send no Origin; a page of this server sends this server's.
    """
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or _without_port(hosts[0]) not in names:
        return f"This server only answers to {', '.join(names)} only."
    if any(origin.partition("://")[2].lower() != hosts[0].lower() for origin in origins):
        return "Pages of other origins may not use this server."
    return None


def _without_port(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdecimal() else host.lower()


def main() -> None:
    """Serve Prefect until the process is asked to stop."""
    parser = argparse.ArgumentParser(description="Prefect's server, guarded against foreign Host and Origin.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", default=4200, type=int, help="port to listen on")
    parser.add_argument(
        "--name", action="append", default=[], help="host name by which clients may address it"
    )
    chosen = parser.parse_args()
    names = (*OF_THIS_MACHINE, *(name.lower() for name in chosen.name))
    prepare_prefect_server([f"http://{name}:{chosen.port}" for name in names])
    from prefect.server.api.server import create_app  # after its settings are made

    app = guarded(create_app(final=True), names)
    uvicorn.run(app, host=chosen.host, port=chosen.port, log_level="error")


if __name__ == "__main__":
    main()
