"""The log of the service: JSON lines for programs, plain lines on a terminal."""

import logging
import sys
from datetime import UTC, datetime

import orjson

from storage.times import time_text

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
