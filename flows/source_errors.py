"""Errors of sources.

    SkysieveError
    +-- SourceError      a source gave nothing that can be used
        +-- Unreachable  no server was reached: no network, unknown name, connection refused
        +-- Stopped      the server answered with a status that means: do not go on
        +-- TooSoon      nothing was asked, or taken, because the last time is too recent
"""

from screening.errors import SkysieveError


class SourceError(SkysieveError):
    """A source gave nothing that can be used, and no earlier text of it can stand in."""


class Unreachable(SourceError):
    """No server was reached, so none was asked for anything."""


class Stopped(SourceError):
    """A server answered with another status than 200."""


class TooSoon(SourceError):
    """The rules of a service leave no room yet."""
