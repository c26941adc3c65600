"""What is shared in the forms of the field: paths of objects, events as conjunction data messages."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from api.access.credentials import require_bearer
from api.costly.fair_queue import GoOn, in_turn
from api.costly.streamed import in_parts
from api.errors import BadParameter, NotFound
from api.http.downloads import Download, download
from api.http.event_parameters import EventId, MessageParameters, MessagesParameters
from api.http.json_answers import JSON
from api.http.negotiation import UNCHANGED, wanted_type
from api.http.parameters import each_once, each_once_but_lists
from api.http.problems import WITH_CREDENTIAL, documented
from api.http.trajectory_parameters import ObjectId, PathParameters
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.routes.conjunctions import query_of
from screening.errors import InputError, UsageError
from screening.vocabulary import MessageForm
from storage.disk.zipped import zip_parts
from storage.in_memory.event_table import EventQuery
from storage.in_memory.seen_from import NotOfTheEvent
from storage.in_memory.snapshot import Snapshot
from storage.times import datetime64_us, parse_time
from storage.trajectories.refusals import NotKnown
from storage.vocabulary import PathForm

# Imports numba, which an idle service does not need.
if TYPE_CHECKING:
    from screening.manoeuvre.impulse import Impulse

_TYPES: dict[PathForm, str] = {
    "oem-kvn": "text/plain",
    "oem-xml": "application/xml",
    "opm-kvn": "text/plain",
    "csv": "text/csv",
}
_TEXT = {"schema": {"type": "string"}}
_BINARY = {"schema": {"type": "string", "format": "binary"}}

_MESSAGE_TYPES: dict[str, MessageForm] = {"text/plain": "kvn", "application/xml": "xml", JSON: "json"}
_ZIP = "application/zip"
_ANY_JSON = {JSON: {"schema": {"type": "object"}}}

paths = APIRouter(
    tags=["objects"],
    dependencies=[Depends(require_bearer), Depends(each_once_but_lists)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


messages = APIRouter(
    tags=["conjunctions"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@paths.get(
    "/objects/{id}/ephemeris",
    response_class=Response,
    responses={200: {"description": "The path.", "content": dict.fromkeys(_TYPES.values(), _TEXT)}},
    summary="The path of an object",
)
async def get_ephemeris(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    norad_id: ObjectId,
    parameters: Annotated[PathParameters, Query()],
) -> Response:
    """Return an object's path as the newest run had it, with its covariance, to share.

    On its operator's ephemeris where the run used one, else by SGP4 from the run's element set with our law
    of errors; comments (in CSV the last column) say which. A path on a file whose terms do not allow passing
    it on is 403.
    """

    def made(_go_on: GoOn) -> Response:
        return _made(service, snapshot, norad_id, parameters)

    return await in_turn(request, service.costly, made)


def _made(service: Service, snapshot: Snapshot, norad_id: int, wanted: PathParameters) -> Response:
    # Imports numba, which an idle service does not need.
    from storage.in_memory.object_paths import (
        PathQuestion,
        check_mass,
        check_states,
        path_file,
        written_path,
    )

    burns = _burns(wanted)
    try:
        check_states(wanted.hours, wanted.step)
    except UsageError as error:
        raise BadParameter("step", str(error)) from error
    try:
        check_mass(burns if wanted.format == "opm-kvn" else (), wanted.mass)
    except UsageError as error:
        raise BadParameter("mass", str(error)) from error
    question = PathQuestion(norad_id, wanted.start, wanted.hours, wanted.step, burns)
    try:
        made = written_path(snapshot, question, service.now(), wanted.format, wanted.frame, wanted.mass)
    except NotKnown as error:
        raise NotFound(str(error)) from error
    except UsageError as error:
        raise BadParameter("start", str(error)) from error
    name = path_file(norad_id, burns, snapshot.run.run_id, wanted.format)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(made.text, headers=headers, media_type=_TYPES[wanted.format])


def _burns(wanted: PathParameters) -> "list[Impulse]":
    from screening.manoeuvre.impulse import Impulse, checked, when_and_parts

    try:
        parts = map(when_and_parts, wanted.burn)
        return checked([Impulse(datetime64_us(parse_time(when)), dv) for when, dv in parts])
    except (InputError, ValueError) as error:
        raise BadParameter("burn", str(error)) from error


@messages.get(
    "/conjunctions/cdm",
    response_class=Response,
    responses={200: {"description": "The messages.", "content": {_ZIP: _BINARY}}},
    dependencies=[Depends(each_once_but_lists)],
    summary="Many events as conjunction data messages",
)
async def get_messages(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    parameters: Annotated[MessagesParameters, Query()],
) -> Response:
    """Return the stored events that match as a zip file with a message each, named by the event's id.

    The conditions are those of `GET /conjunctions`; the file is in their order, the most dangerous first.
    """
    query = await query_of(snapshot, parameters)
    name = f'attachment; filename="messages-{snapshot.run.run_id}.zip"'
    parts = _zipped(snapshot, query, parameters)
    return await in_parts(request, service.costly, parts, _ZIP, {"Content-Disposition": name})


@messages.get(
    "/conjunctions/{id}/cdm",
    response_class=Response,
    responses={
        200: {
            "description": "The message.",
            "content": {"text/plain": _TEXT, "application/xml": _TEXT, **_ANY_JSON},
        },
        **UNCHANGED,
        **documented(HTTPStatus.NOT_FOUND),
    },
    dependencies=[Depends(each_once)],
    summary="One event as a conjunction data message",
)
async def get_message(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[MessageParameters, Query()],
) -> Response:
    """Return one event as a conjunction data message, version 1.0 (CCSDS 508.0-B-1), to share.

    As KVN, XML or JSON: `format`, else `Accept`. All carry the same numbers. An event that the newest run no
    longer has is given as its last run found it.
    """
    form = (
        parameters.format
        or _MESSAGE_TYPES[wanted_type(request.headers.getlist("Accept"), tuple(_MESSAGE_TYPES))]
    )
    known = request.headers.getlist("If-None-Match")

    def made(_go_on: GoOn) -> Response:
        return _message(snapshot, event_id, form, parameters, known)

    return await in_turn(request, service.costly, made)


def _message(
    snapshot: Snapshot, event_id: int, form: MessageForm, asked: MessageParameters, known: Sequence[str]
) -> Response:
    # Imports numba, which an idle service does not need.
    from screening.risk.messages.written.event import NoMessage
    from storage.in_memory.messages import Wanted, message_on

    try:
        one = message_on(snapshot, event_id, Wanted(form, asked.frame, asked.method, asked.seen_from))
    except NoMessage as error:
        raise NotFound(str(error)) from error
    except NotOfTheEvent as error:
        raise BadParameter("from", str(error)) from error
    except InputError as error:
        raise BadParameter("method", str(error)) from error
    if one is None:
        raise NotFound(f"There is no event {event_id} in the store.")
    (media_type,) = (name for name, of in _MESSAGE_TYPES.items() if of == form)
    return download(known, one.text, lambda: Download(one.name, media_type, one.text))


def _zipped(snapshot: Snapshot, query: EventQuery, asked: MessagesParameters) -> Iterator[bytes]:
    """Yield the parts of a zip file; the first is empty, since it is made at once and the others in turn."""
    yield b""
    # Imports numba, which an idle service does not need.
    from storage.in_memory.messages import Wanted, messages_on

    wanted = Wanted(asked.format, asked.frame, asked.method)
    yield from zip_parts(messages_on(snapshot, query, wanted).files)
