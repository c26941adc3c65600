"""Errors of the service: requests that cannot be answered, and why.

SkysieveError
+-- Refusal                 the request cannot be answered
    +-- NotAuthenticated    no credential, or one that opens nothing
    +-- WrongCredential     a good credential of the wrong kind
    +-- NotFound            there is no such thing
    +-- Gone                there was, and it is no longer kept
    +-- NotJson             a body of another kind
    +-- BadParameter        a parameter is not allowed; it is named
    +-- NotAName            no valid header Host
    +-- NotOurName          for a host that is not this one
    +-- TooLong             more of a path or a query than is read
    +-- TooManyFields       more header fields than are read
    +-- TooManyRequests     more than are allowed a minute
    +-- NotReady            there is nothing to answer from yet
    +-- Busy                too much to do
    +-- ClientGone          nobody waits for an answer any more
"""

from collections.abc import Mapping
from types import MappingProxyType

from screening.errors import SkysieveError

Headers = Mapping[str, str]


class Refusal(SkysieveError):
    """A request that cannot be answered; the text is for the client."""

    headers: Headers = MappingProxyType({})


class NotAuthenticated(Refusal):
    """No credential, or one that opens nothing."""

    def __init__(self, text: str, challenge: str) -> None:
        super().__init__(text)
        self.headers = {"WWW-Authenticate": challenge}


class WrongCredential(Refusal):
    """A good credential of the wrong kind."""


class NotFound(Refusal):
    """There is no such thing."""


class Gone(Refusal):
    """What was asked for existed, and is no longer kept."""


class NotJson(Refusal):
    """A body that is no JSON."""


class BadParameter(Refusal):
    """A parameter is not allowed."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


class NotAName(Refusal):
    """A request that does not say once, in a valid way, which host it is for."""


class NotOurName(Refusal):
    """A request for a host that is not this one."""


class TooLong(Refusal):
    """More of a path or a query than is read."""


class TooManyFields(Refusal):
    """More header fields than are read."""


class TooManyRequests(Refusal):
    """More requests than are allowed a minute; the headers noted for the answer say when to go on."""


class NotReady(Refusal):
    """There is nothing to answer from yet."""


class Busy(Refusal):
    """Too much to do."""

    def __init__(self, text: str, retry_after_s: int) -> None:
        super().__init__(text)
        self.headers = {"Retry-After": str(retry_after_s)}


class ClientGone(Refusal):
    """Nobody waits for an answer any more."""
