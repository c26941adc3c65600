"""Where the objects are now."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.access.credentials import require_api_key
from api.answers.positions.at_a_time import TrackedObjects, WhereAt, answered_span
from api.answers.positions.bodies import BINARY, COMPACT
from api.costly.fair_queue import GoOn, in_turn
from api.errors import BadParameter, Busy, ClientGone, NotReady
from api.http.codings import CODINGS
from api.http.json_answers import JSON
from api.http.negotiation import UNCHANGED, is_known, wanted_coding, wanted_type
from api.http.parameters import PositionParameters, each_once_but_lists
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.positions import Form, Kind, costly, tag_of
from api.live.service import Clock, CurrentService, CurrentSnapshot, Service
from api.models.positions import PositionList
from storage.times import datetime64_us, time_text
from storage.vocabulary import LONGEST_FROM_WINDOW

_KINDS: dict[str, Kind] = {JSON: "json", BINARY: "binary", COMPACT: "compact"}
_SUFFIXES: dict[Kind, str] = {"json": "", "binary": "b", "compact": "c"}

_BYTES = {"type": "string", "format": "binary"}

router = APIRouter(
    tags=["positions"],
    dependencies=[Depends(require_api_key)],
    responses=documented(HTTPStatus.NOT_FOUND, *WITH_CREDENTIAL),
)


@router.get(
    "/positions",
    response_model=PositionList,
    responses={
        200: {"content": {kind: {"schema": _BYTES} for kind in (BINARY, COMPACT)}},
        **UNCHANGED,
    },
    dependencies=[Depends(each_once_but_lists)],
    summary="Where the objects are now",
)
async def list_positions(
    request: Request,
    snapshot: CurrentSnapshot,
    service: CurrentService,
    parameters: Annotated[PositionParameters, Query()],
) -> Response:
    """Return where the objects of the newest run are, and the highest risk that each faces.

    Positions come from SGP4: good to some kilometres near the epoch, worse away from it. An answer keeps its
    ETag within the same second, and in a historic store until the next run. With `Accept:
    application/octet-stream` the answer is arrays of numbers, with velocities; with
    `application/vnd.skysieve.positions` these are shorter, for pictures.
    """
    live = service.positions
    objects = await run_in_threadpool(live.objects, snapshot)  # the first time for a run this takes 0.2 s
    wanted = _wanted(objects, parameters, service.now)
    tag = tag_of(objects, wanted)
    media_type = wanted_type(request.headers.getlist("Accept"), tuple(_KINDS))
    kind = _KINDS[media_type]
    headers = {
        "ETag": f'W/"{tag}{_SUFFIXES[kind]}"',
        "Cache-Control": "private, no-cache",  # cache it, and revalidate each time
        "Vary": "Accept",
    }
    if is_known(request.headers.getlist("If-None-Match"), headers["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    # Arrays of floats become 7 % smaller, for more CPU time than it takes to make them.
    coded = kind != "binary"
    coding = wanted_coding(request.headers.getlist("Accept-Encoding"), CODINGS) if coded else None
    if coding is not None:  # cached compressed, for all requests of the same second
        headers["Content-Encoding"] = coding
    form = Form(kind, coding)
    make = partial(live.body, objects, wanted, tag, form)
    if costly(objects, wanted):
        body = await _costly_body(request, service, live.made(tag, form), make)
    else:
        body = await run_in_threadpool(make)
    return Response(body, headers=headers, media_type=media_type)


async def _costly_body(
    request: Request, service: Service, made: "Future[bytes] | None", make: Callable[[GoOn], bytes]
) -> bytes:
    if made is not None:
        with suppress(ClientGone, Busy):  # it is its maker that gave up
            # Not stopped when this client goes: others wait for it too.
            return await asyncio.shield(asyncio.wrap_future(made))
    return await in_turn(request, service.costly, make)


def _wanted(objects: TrackedObjects, parameters: PositionParameters, now: Clock) -> WhereAt:
    if parameters.at is not None:
        instant = parameters.at
    elif objects.run.historic:
        instant = objects.run.window_start
    else:
        instant = now().replace(microsecond=0)
    _require_near_window(objects, instant, asked=parameters.at is not None)
    numbers = parameters.norad_id
    return WhereAt(
        instant=datetime64_us(instant),
        limit=parameters.limit,
        norad_ids=None if numbers is None else tuple(sorted(set(numbers))),
    )


def _require_near_window(objects: TrackedObjects, instant: datetime, *, asked: bool) -> None:
    earliest, latest = answered_span(objects.run)
    if earliest <= instant <= latest:
        return
    it, first, last = (time_text(time, "seconds") for time in (instant, earliest, latest))
    allowed = (
        f"positions are given from {first} to {last}, {LONGEST_FROM_WINDOW.days} days around the window of "
        f"the run {objects.run.run_id}"
    )
    if asked:
        raise BadParameter("at", f"at is {it}; {allowed}.")
    raise NotReady(f"It is {it}; {allowed}. The next run makes it ready.")
