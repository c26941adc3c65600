"""Answers that are files to save, not sent again to a client that has them (RFC 9110, 13.1.2)."""

import hashlib
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import NamedTuple

from fastapi import Response

from api.http.negotiation import is_known


class Download(NamedTuple):
    """A file: its name without characters that a header would have to escape, its media type, its content."""

    name: str
    media_type: str
    body: bytes | str


def download(
    if_none_match: Sequence[str], told: str, made: Callable[[], Download], *, by_accept: bool = True
) -> Response:
    """Return a file with an ETag, or 304 without having made it if the client has it.

    Args:
        if_none_match: the values of the request's `If-None-Match` fields.
        told: changes with the content of the file.
        made: makes the file.
        by_accept: `Accept` chooses its form.
    """
    headers = {
        "ETag": f'W/"{hashlib.sha256(told.encode()).hexdigest()[:32]}"',
        "Cache-Control": "private, no-cache",
        **({"Vary": "Accept"} if by_accept else {}),
    }
    if is_known(if_none_match, headers["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    name, media_type, body = made()
    headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(body, headers=headers, media_type=media_type)
