"""Limits on the size of a request, checked before anything is parsed."""

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import Refusal, TooLong, TooManyFields
from api.http.problems import refusal_answer

MAX_PATH_BYTES = 1_024
MAX_QUERY_BYTES = 16_384
MAX_PARAMETERS = 50
MAX_FIELDS = 100


class Door:
    """Refuses a request that is too long, at once and with a short answer.

    Checks of single parameters may then be slow: parameters are few and of bounded length.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        refusal = _refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            await refusal_answer(Request(scope), refusal)(scope, receive, send)


def _refusal(scope: Scope) -> Refusal | None:
    query: bytes = scope["query_string"]
    if len(query) > MAX_QUERY_BYTES:
        return TooLong(f"The query has {len(query):,} bytes; at most {MAX_QUERY_BYTES:,} bytes are allowed.")
    parameters = query.count(b"&") + 1
    if parameters > MAX_PARAMETERS:
        return TooLong(
            f"The query has {parameters:,} parameters; at most {MAX_PARAMETERS} are allowed. Put many "
            "numbers into one, with commas: norad_id=25544,20580."
        )
    if len(scope["path"]) > MAX_PATH_BYTES:
        return TooLong(f"The path is too long; at most {MAX_PATH_BYTES:,} bytes are allowed.")
    if len(scope["headers"]) > MAX_FIELDS:
        return TooManyFields(
            f"The request has {len(scope['headers']):,} header fields; at most {MAX_FIELDS} header fields "
            "are allowed."
        )
    return None
