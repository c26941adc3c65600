"""The process of the service: its connections, its log, its shutdown."""

import logging
import socket
import sys
from datetime import UTC, datetime

import orjson
import uvicorn

from api.app import create_app
from api.server.connections import Connections, Limits, Proxies
from api.server.listening import files_for
from api.server.protocol import bounded_protocol
from api.settings import ApiSettings
from storage.times import time_text

# The log of the service: JSON lines for programs, plain lines on a terminal.

_LOGGED = {"skysieve": "INFO", "uvicorn": "WARNING"}


class PlainFormatter(logging.Formatter):
    """One line per message: time in UTC, level, text."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802, ARG002
        """Return the time of a record as ISO 8601 with Z."""
        return _time_of(record)


class JsonFormatter(logging.Formatter):
    """One JSON object per message: time in UTC, level, logger, text, the `fields` given, a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        content = {
            "time": _time_of(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            content["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(content, default=str).decode()


def log_config() -> dict[str, object]:
    """Return the configuration for `logging`."""
    formatter = PlainFormatter if sys.stderr.isatty() else JsonFormatter
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "loggers": {
            name: {"handlers": ["stderr"], "level": level, "propagate": False}
            for name, level in _LOGGED.items()
        },
    }


def _time_of(record: logging.LogRecord) -> str:
    return time_text(datetime.fromtimestamp(record.created, UTC), "milliseconds")


LOG = logging.getLogger("skysieve.api")

_GRACE_S = 5  # for requests under way when the service is stopped; `skysieve up` waits for 7
# For an idle connection. Clients close theirs earlier (httpx after 5 s, nginx after 60), so none sends a
# request just when it is closed here, as happened with 5 s on both sides.
_KEEP_ALIVE_S = 75
_MAX_HEAD_BYTES = 32_768  # of a request: its first line, with a query of 16 kB, and its header fields
_TICKS_A_SECOND = 10
# What connections may take. `per_network` is per IPv4 address or IPv6 /64 network; proxies are exempt.
LIMITS = Limits(connections=1000, per_network=100, request_s=20.0, send_s=30.0, unsent_bytes=256_000_000)


class Server(uvicorn.Server):
    """uvicorn's server, which checks its connections once a second."""

    def __init__(self, config: uvicorn.Config, connections: Connections) -> None:
        super().__init__(config)
        self._connections = connections

    async def on_tick(self, counter: int) -> bool:
        """Check the connections once a second; uvicorn calls this ten times a second."""
        if counter % _TICKS_A_SECOND == 0:
            self._connections.sweep()
        return await super().on_tick(counter)


def run_server(settings: ApiSettings, listening: socket.socket, *, demo: bool = False) -> None:
    """Serve until the process is asked to stop."""
    app = create_app(settings, demo=demo)
    config = uvicorn.Config(
        app,
        ws="none",
        h11_max_incomplete_event_size=_MAX_HEAD_BYTES,
        log_config=log_config(),
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
        timeout_keep_alive=_KEEP_ALIVE_S,
    )
    limits = LIMITS._replace(connections=files_for(LIMITS.connections))
    connections = Connections(limits, Proxies(config.forwarded_allow_ips), app.state.service.metrics)
    config.http = bounded_protocol(connections)
    host, port = listening.getsockname()[:2]
    LOG.info("listening on http://%s:%d", f"[{host}]" if ":" in host else host, port)
    Server(config, connections).run(sockets=[listening])
