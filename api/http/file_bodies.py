"""Bodies of requests that are files, sent as they are."""

from collections.abc import Sequence
from email.message import Message

from fastapi import Request

from api.errors import NotAFile


def require_file(request: Request, types: Sequence[str]) -> None:
    """Refuse a body that is not sent as a file of one of these media types. Raises NotAFile."""
    given = request.headers.get("Content-Type", "")
    message = Message()
    message["content-type"] = given
    if not given or message.get_content_type() not in types:
        raise NotAFile(
            f"The body must be the file itself, with a Content-Type of {', '.join(types)}, not {given!r}."
        )
    coding = request.headers.get("Content-Encoding", "identity")
    if coding.lower() != "identity":
        raise NotAFile(
            f"The body must have no Content-Encoding, not {coding}; a gzip file is application/gzip."
        )
