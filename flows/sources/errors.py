"""Errors of sources.

SkysieveError
+-- SourceError          a source gave nothing that can be used
    +-- NotAsked         no data were asked for; a refused login is one of these
    |   +-- Unreachable  no server was reached: no network, unknown name, connection refused
    |   +-- TooSoon      the rules of the service leave no room yet
    +-- Stopped          the server answered with a status that means: do not go on
"""

from screening.errors import SkysieveError


class SourceError(SkysieveError):
    """A source gave nothing that can be used, and no earlier text of it can stand in."""


class NotAsked(SourceError):
    """A source was not asked for data."""


class Unreachable(NotAsked):
    """No server was reached."""


class TooSoon(NotAsked):
    """Nothing is asked, or taken, because the last time is too recent."""


class Stopped(SourceError):
    """A server answered with another status than 200."""
