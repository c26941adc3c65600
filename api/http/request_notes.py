"""Notes about one request while it is answered, for the answer's headers and the log."""

import re
from dataclasses import dataclass, field
from uuid import uuid4

from fastapi import Request
from starlette.types import Scope

REQUEST_ID = "X-Request-ID"
_HEADER = REQUEST_ID.lower().encode()
_SANE = re.compile(rb"[A-Za-z0-9._:-]{1,100}")


@dataclass(slots=True)
class Exchange:
    """One request."""

    request_id: str
    credential: int | None = None  # id of its valid credential
    organisation: int | None = None  # whose that is; None: nobody's, as long as none is recognised
    who: str = ""  # its name
    refused: bool = False  # a credential, a key or a sign-in that it has brought
    address: str = ""  # of the client, as proxies before us tell it
    headers: dict[str, str] = field(default_factory=dict)  # for its answer, whatever its status


def begin_exchange(scope: Scope) -> Exchange:
    """Begin the notes on a new request, with the id that the client gave it if that is well-formed."""
    given = next((value for name, value in scope["headers"] if name == _HEADER), b"")
    exchange = Exchange(given.decode() if _SANE.fullmatch(given) else uuid4().hex)
    scope.setdefault("state", {})["exchange"] = exchange
    return exchange


def exchange_of(request: Request) -> Exchange:
    """Return the notes on a request."""
    exchange = request.scope["state"]["exchange"]
    assert isinstance(exchange, Exchange)
    return exchange
