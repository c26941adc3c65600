"""Bodies of requests: JSON of at most 64 KiB, checked strictly; where files are taken, more."""

from collections.abc import Awaitable, Callable, Mapping
from email.message import Message as HeaderMessage
from http import HTTPStatus
from typing import Any, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import NotJson

MAX_BODY_BYTES = 65_536
_ANNOUNCES_BODY = (b"content-length", b"transfer-encoding")

Model = TypeVar("Model", bound=BaseModel)


class BodyLimit:
    """Refuses a body that is too long: at once if Content-Length says so, else when the limit is passed.

    `larger`: what paths that take files take, in bytes.
    """

    def __init__(self, app: ASGIApp, larger: Mapping[str, int]) -> None:
        self.app = app
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "http":
            announced = dict(header for header in scope["headers"] if header[0] in _ANNOUNCES_BODY)
            if announced:
                limit = self._larger.get(_path(scope), MAX_BODY_BYTES)
                receive = _limited(receive, int(announced.get(b"content-length", 0)), limit)
        await self.app(scope, receive, send)


def _path(scope: Scope) -> str:
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def json_body(model: type[Model]) -> Callable[[Request], Awaitable[Model]]:
    """Return a dependency that reads a body and checks it against a strict model.

    FastAPI would read it before the credential is checked.
    """

    async def body(request: Request) -> Model:
        _require_json(request)
        raw = await request.body()
        try:
            return model.model_validate_json(raw, strict=True)
        except ValidationError as error:
            problems = [{**problem, "loc": ("body", *problem["loc"])} for problem in error.errors()]
            raise RequestValidationError(problems) from error

    return body


def documented_body(model: type[BaseModel]) -> dict[str, Any]:
    """Return what OpenAPI says about a body that `json_body` reads."""
    schema = model.model_json_schema()
    content = {"application/json": {"schema": _whole(schema, schema.pop("$defs", {}))}}
    return {"requestBody": {"required": True, "content": content}}


def _whole(schema: Any, parts: Mapping[str, Any]) -> Any:
    """Return a schema with its parts where it refers to them: in a document its references lead nowhere."""
    if isinstance(schema, list):
        return [_whole(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _whole(parts[schema["$ref"].removeprefix("#/$defs/")], parts)
    return {name: _whole(one, parts) for name, one in schema.items()}


def _require_json(request: Request) -> None:
    message = HeaderMessage()
    message["content-type"] = given = request.headers.get("Content-Type", "")
    kind = message.get_content_type() if given else ""
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise NotJson(f"The body must be JSON, with Content-Type: application/json, not {given!r}.")
    coding = request.headers.get("Content-Encoding", "identity")
    if coding.lower() != "identity":
        raise NotJson(f"The body must be plain JSON, not with Content-Encoding: {coding}.")


def _limited(receive: Receive, announced: int, limit: int) -> Receive:
    length = announced

    async def receive_limited() -> Message:
        nonlocal length
        if length > limit:
            raise _too_long(limit)
        message = await receive()
        if message["type"] == "http.request" and not announced:
            length += len(message.get("body", b""))
            if length > limit:
                raise _too_long(limit)
        return message

    return receive_limited


def _too_long(limit: int) -> HTTPException:
    # An HTTPException, which FastAPI lets pass when it reads a body itself.
    text = f"A body may have at most {limit:,} bytes."
    return HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text)
