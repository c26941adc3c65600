"""What is noted about one request while it is answered, for the answer's header and for the log."""

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
    credential: int | None = None  # id of the valid one that it brought
    headers: dict[str, str] = field(default_factory=dict)  # for its answer, whichever that is


def begin_exchange(scope: Scope) -> Exchange:
    """Return the notes on a new request, which has the id that the client gave it, if that is a sane one."""
    given = next((value for name, value in scope["headers"] if name == _HEADER), b"")
    exchange = Exchange(given.decode() if _SANE.fullmatch(given) else uuid4().hex)
    scope.setdefault("state", {})["exchange"] = exchange
    return exchange


def exchange_of(request: Request) -> Exchange:
    """Return the notes on a request."""
    exchange = request.scope["state"]["exchange"]
    assert isinstance(exchange, Exchange)
    return exchange
