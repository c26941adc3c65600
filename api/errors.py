"""Errors of the service: requests that cannot be answered, and why.

SkysieveError
+-- Refusal                 the request cannot be answered
    +-- NotAuthenticated    no credential, or an invalid one
    +-- WrongCredential     a good credential of the wrong kind
    +-- NotFound            the resource does not exist
    +-- Gone                it existed, and is no longer kept
    +-- NotJson             a body that is not JSON
    +-- NotAFile            a body that is not sent as a file
    +-- NoneTaken           messages that cannot be read
    +-- BadParameter        a parameter is not allowed; it is named
    +-- NotAName            no valid header Host
    +-- NotOurName          for a host that is not this one
    +-- TooLong             a path or a query beyond the limit
    +-- TooManyFields       more header fields than allowed
    +-- TooManyRequests     more requests than allowed per minute
    +-- NotReady            the data to answer from do not exist yet
    +-- Busy                too many costly answers at once
    +-- ClientGone          the client has closed the connection
    +-- ProviderDown        who signs people in cannot be asked
    +-- SignInRefused       somebody is not signed in
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from screening.errors import SkysieveError
from storage.messages.refusals import Refused

Headers = Mapping[str, str]


class Refusal(SkysieveError):
    """A request that cannot be answered; the text is for the client."""

    headers: Headers = MappingProxyType({})


class NotAuthenticated(Refusal):
    """A request without a credential, or with an invalid one."""

    def __init__(self, text: str, challenge: str) -> None:
        super().__init__(text)
        self.headers = {"WWW-Authenticate": challenge}


class WrongCredential(Refusal):
    """A good credential of the wrong kind."""


class NotAllowed(Refusal):
    """A good credential whose role does not permit this."""


class NotFound(Refusal):
    """The resource requested does not exist."""


class Gone(Refusal):
    """The resource requested existed, and is no longer kept."""


class NotJson(Refusal):
    """A body that is not JSON."""


class NotAFile(Refusal):
    """A body that is not sent as a file."""


class NoneTaken(Refusal):
    """Messages that cannot be read; `refused` says why for each."""

    def __init__(self, text: str, refused: Sequence[Refused]) -> None:
        super().__init__(text)
        self.refused = refused


class BadParameter(Refusal):
    """A parameter is not allowed."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


class NotAName(Refusal):
    """A request without exactly one valid header Host."""


class NotOurName(Refusal):
    """A request for another host."""


class TooLong(Refusal):
    """A path or a query beyond the limit."""


class TooManyFields(Refusal):
    """More header fields than allowed."""


class TooManyRequests(Refusal):
    """More requests than allowed per minute; the headers noted for the answer say when to continue."""


class NotReady(Refusal):
    """The data to answer from do not exist yet."""


class Busy(Refusal):
    """The service is busy with other costly answers."""

    def __init__(self, text: str, retry_after_s: int) -> None:
        super().__init__(text)
        self.headers = {"Retry-After": str(retry_after_s)}


class ClientGone(Refusal):
    """The client has closed the connection."""


class ProviderDown(Refusal):
    """The provider by which people sign in cannot be reached, or gives no usable answer."""


class SignInRefused(Refusal):
    """The provider refuses somebody, or what it says cannot be trusted, or permits nothing here."""
