"""Errors as the client sees them, all as `application/problem+json` (RFC 9457)."""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match

from api.errors import (
    BadParameter,
    Busy,
    ClientGone,
    Gone,
    Headers,
    NoneTaken,
    NotAFile,
    NotAllowed,
    NotAName,
    NotAuthenticated,
    NotFound,
    NotJson,
    NotOurName,
    NotReady,
    Refusal,
    TooLong,
    TooManyFields,
    TooManyRequests,
    WrongCredential,
)
from api.http.request_notes import exchange_of
from api.models.responses import FieldProblem, Problem
from screening.errors import InputError, NoSuch, NotPossible, StoreError, TooMany
from storage.state.alerts.alerts import NoSuchAlert
from storage.state.alerts.deliveries import NoSuchMessage
from storage.trajectories.refusals import NotItsPath, Restricted
from storage.trajectories.report import TrajectoryReport

MEDIA_TYPE = "application/problem+json"
CLIENT_GONE = 499  # for log and metrics: no such status is ever sent
LOG = logging.getLogger("skysieve.api")


class Kind(NamedTuple):
    """Status, type and title of an error."""

    status: HTTPStatus
    type: str  # stable, for programs; the title is for people
    title: str


_NOT_FOUND = Kind(HTTPStatus.NOT_FOUND, "not-found", "Not found")

# The first class that matches decides.
PROBLEMS: dict[type[Exception], Kind] = {
    NotAuthenticated: Kind(HTTPStatus.UNAUTHORIZED, "not-authenticated", "A valid credential is needed"),
    NotAllowed: Kind(HTTPStatus.FORBIDDEN, "not-allowed", "The role of the credential does not permit this"),
    WrongCredential: Kind(HTTPStatus.FORBIDDEN, "wrong-credential", "The credential is of the wrong kind"),
    NotFound: _NOT_FOUND,
    NoSuch: _NOT_FOUND,
    TooMany: Kind(HTTPStatus.CONFLICT, "limit-reached", "Limit reached"),
    NotPossible: Kind(HTTPStatus.CONFLICT, "not-possible-now", "Not possible in the present state"),
    Gone: Kind(HTTPStatus.GONE, "gone", "No longer kept"),
    NotJson: Kind(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json", "The body is not JSON"),
    NotAFile: Kind(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-a-file", "The body is not sent as a file"),
    NoneTaken: Kind(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", "The request is not valid"),
    NotItsPath: Kind(HTTPStatus.CONFLICT, "not-its-path", "Not the path of its object"),
    Restricted: Kind(HTTPStatus.FORBIDDEN, "restricted", "The terms of the source forbid it"),
    BadParameter: Kind(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", "The request is not valid"),
    NotAName: Kind(HTTPStatus.BAD_REQUEST, "invalid-host", "The header Host is not valid"),
    NotOurName: Kind(HTTPStatus.MISDIRECTED_REQUEST, "unknown-host", "Unknown host"),
    TooLong: Kind(HTTPStatus.REQUEST_URI_TOO_LONG, "request-too-long", "The request is too long"),
    TooManyFields: Kind(
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        "too-many-fields",
        "The request has too many header fields",
    ),
    TooManyRequests: Kind(HTTPStatus.TOO_MANY_REQUESTS, "too-many-requests", "Too many requests"),
    NotReady: Kind(HTTPStatus.SERVICE_UNAVAILABLE, "not-ready", "The service cannot answer yet"),
    Busy: Kind(HTTPStatus.SERVICE_UNAVAILABLE, "busy", "The service is busy"),
    StoreError: Kind(HTTPStatus.SERVICE_UNAVAILABLE, "store-unusable", "The store cannot be read"),
    InputError: Kind(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", "The request is not valid"),
}
# What follows the sentence of an error that names advice for the command line.
_ADVICE = {
    NoSuchAlert: "; `GET /alerts` lists them.",
    NoSuchMessage: " that could be delivered.",
}
_INVALID = PROBLEMS[BadParameter]
_TOO_LONG = Kind(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body-too-long", "The body is too long")
# An answer repeats no more of what a client sent than helps to find it.
_MOST_TOLD = 10  # wrong fields
_MOST_OF_A_NAME = 100
_MOST_OF_A_PATH = 200
# Faults inside the store are for the operator: the log has them, with the paths.
_STORE_TEXT = "The store cannot be read at the moment; the service's log says why."


def answer_problems(app: FastAPI) -> None:
    """Make an application answer every error as a problem."""
    for error in PROBLEMS:
        app.add_exception_handler(error, _domain_error)
    for gone in (ClientGone, ClientDisconnect):  # the latter by Starlette, while a body arrives
        app.add_exception_handler(gone, _nobody_there)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)


# Statuses of any request that requires a credential.
WITH_CREDENTIAL = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.REQUEST_URI_TOO_LONG,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)


def documented(*statuses: HTTPStatus) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says about errors with these statuses."""
    content = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    return {status.value: {"description": _descriptions()[status], **content} for status in statuses}


def describe_problems(app: FastAPI) -> None:
    """Put the schema of errors, which no route returns, into the application's OpenAPI document."""
    make = app.openapi

    def with_problems() -> dict[str, Any]:
        document = make()  # already built
        shape = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        parts = shape.pop("$defs")
        document["components"]["schemas"].update({"Problem": shape, **parts})
        return document

    app.openapi = with_problems  # type: ignore[method-assign]


def _descriptions() -> dict[HTTPStatus, str]:
    first_titles = {kind.status: kind.title for kind in (*reversed(PROBLEMS.values()), _TOO_LONG)}
    return {status: f"{title}." for status, title in first_titles.items()}


def _problem(
    request: Request,
    kind: Kind,
    detail: str,
    *,
    errors: Sequence[FieldProblem] = (),
    headers: Headers | None = None,
    report: TrajectoryReport | None = None,
) -> Response:
    problem = Problem(
        type=f"urn:skysieve:problem:{kind.type}" if kind.type else "about:blank",
        title=kind.title,
        status=kind.status.value,
        detail=detail,
        instance=request.url.path[:_MOST_OF_A_PATH],
        request_id=exchange_of(request).request_id,
        errors=list(errors) or None,
    )
    with_report = {} if report is None else {"report": report}
    body = orjson.dumps(problem.model_dump(exclude_none=True) | with_report)
    return Response(body, kind.status, dict(headers or {}), MEDIA_TYPE)


async def _domain_error(request: Request, error: Exception) -> Response:
    return refusal_answer(request, error)


def refusal_answer(request: Request, error: Exception) -> Response:
    """Return the answer to a refused request; the error is of a class in PROBLEMS."""
    kind = next(kind for type_, kind in PROBLEMS.items() if isinstance(error, type_))
    if isinstance(error, StoreError):
        request_id = exchange_of(request).request_id
        LOG.error("request %s: %s", request_id, error, extra={"fields": {"request_id": request_id}})
        return _problem(request, kind, _STORE_TEXT)
    fields = _fields(error)
    headers = error.headers if isinstance(error, Refusal) else None
    report = error.report if isinstance(error, NotItsPath) else None
    return _problem(request, kind, _text(error), errors=fields, headers=headers, report=report)


def _text(error: Exception) -> str:
    if isinstance(error, NoSuch) and type(error) in _ADVICE:
        return f"{error.sentence}{_ADVICE[type(error)]}"
    return str(error)


def _fields(error: Exception) -> list[FieldProblem]:
    if isinstance(error, BadParameter):
        return [FieldProblem(field=error.field, message=str(error))]
    if isinstance(error, NoneTaken):
        return [
            FieldProblem(
                field="body",
                message=one.text,
                line=one.line or None,
                keyword=one.keyword or None,
            )
            for one in error.refused[:_MOST_TOLD]
        ]
    return []


async def _nobody_there(_request: Request, _error: Exception) -> Response:
    return Response(status_code=CLIENT_GONE)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    fields = [_field_problem(item, request) for item in found[:_MOST_TOLD]]
    told = [f"{field.field}: {field.message}" for field in fields]
    if len(found) > _MOST_TOLD:
        told.append(f"and {len(found) - _MOST_TOLD} more")
    return _problem(request, _INVALID, "; ".join(told), errors=fields)


def _field_problem(item: Mapping[str, Any], request: Request) -> FieldProblem:
    # The location begins with "query", "path", "body" or "header", which is not part of the name.
    place = [str(part)[:_MOST_OF_A_NAME] for part in item["loc"]]
    if len(place) == 3 and place[2] == "0" and len(request.query_params.getlist(place[1])) == 1:
        place.pop()  # one value of a repeatable parameter
    name = ".".join(place[1:]) or place[0]
    unknown = "unknown field" if item["loc"][0] == "body" else "unknown parameter"
    message = unknown if item["type"] == "extra_forbidden" else str(item["msg"]).removeprefix("Value error, ")
    return FieldProblem(field=name, message=message)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    detail = {
        HTTPStatus.NOT_FOUND: f"There is no {request.url.path}; /openapi.json lists all paths.",
        HTTPStatus.METHOD_NOT_ALLOWED: f"{request.url.path} does not support {request.method}.",
    }.get(status, str(error.detail))
    kind = _TOO_LONG if status == _TOO_LONG.status else Kind(status, "", status.phrase)
    headers = error.headers
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers = {"Allow": ", ".join(_taken_methods(request))}
    return _problem(request, kind, detail, headers=headers)


def _taken_methods(request: Request) -> list[str]:
    """Return the methods that the path of a request supports, over all its routes.

    A documented literal path never matches as a parameter: /conjunctions/analyze is not an event.
    """
    path = request.scope["path"].removeprefix(request.scope.get("root_path", "")).removeprefix("/v1")
    documented = request.app.openapi()["paths"].get(path)
    if documented is not None:
        return sorted(method.upper() for method in documented)
    return [
        method
        for method in ("DELETE", "GET", "PATCH", "POST")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]


def crash_answer(request: Request) -> Response:
    """Return the answer to a request that ran into a bug: only its id; the log has the rest."""
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    request_id = exchange_of(request).request_id
    text = f"The service failed; its log has the details under the request id {request_id}."
    return _problem(request, Kind(status, "", status.phrase), text)
