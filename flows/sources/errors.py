"""Errors of sources.

SkysieveError
+-- SourceError          a source gave nothing usable
    +-- NotAsked         no data were requested, for instance after a refused login
    |   +-- Unreachable  no server was reached: no network, unknown name, connection refused
    |   +-- TooSoon      the rules of the service do not allow it yet
    +-- Stopped          the server answered with a status that means: stop
"""

from screening.errors import SkysieveError


class SourceError(SkysieveError):
    """A source gave nothing usable, and there is no earlier text of it to use."""


class NotAsked(SourceError):
    """A source was not asked for data."""


class Unreachable(NotAsked):
    """No server was reached."""


class TooSoon(NotAsked):
    """Nothing is requested or accepted, because the last time is too recent."""


class Stopped(SourceError):
    """A server answered with a status other than 200."""

    def __init__(self, text: str, status: int = 0, retry_after: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.retry_after = retry_after  # as the server wrote it: seconds, or a date
