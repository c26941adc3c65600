"""Objects of the newest run, the orbit of one, their manoeuvres, and the catalogue's rejected records."""

import hashlib
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from api.access.credentials import require_bearer
from api.answers.rows import OBJECT_FIELDS, REJECTION_FIELDS, owned, records
from api.costly.fair_queue import GoOn, at_once_or_in_turn, in_turn
from api.errors import BadParameter, NotFound
from api.http.json_answers import json_response
from api.http.negotiation import UNCHANGED, is_known
from api.http.parameters import (
    ManoeuvresOfOneParameters,
    ManoeuvresParameters,
    ObjectParameters,
    each_once,
    each_once_but_lists,
    no_parameters,
)
from api.http.problems import WITH_CREDENTIAL, documented
from api.http.trajectory_parameters import ObjectId, OrbitParameters
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.models.detected import DetectedManoeuvres
from api.models.positions import ObjectOrbit
from api.models.responses import ObjectList, RejectionList
from screening.errors import UsageError
from screening.risk.views.object_errors import ObjectErrors
from storage.in_memory.snapshot import Snapshot
from storage.manoeuvres.lists import COLUMNS, Wanted, listed
from storage.trajectories.refusals import NotKnown

MAX_REJECTIONS = 1000  # a catalogue in a wrong format has all of them rejected

router = APIRouter(
    tags=["objects"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "/objects",
    response_model=ObjectList,
    responses={
        **UNCHANGED,
        **documented(HTTPStatus.NOT_FOUND),
    },
    dependencies=[Depends(each_once_but_lists)],
    summary="List objects",
)
async def list_objects(
    request: Request,
    snapshot: CurrentSnapshot,
    service: CurrentService,
    parameters: Annotated[ObjectParameters, Query()],
) -> Response:
    """Return the objects of the newest run, in the order of their numbers; with `fields`, only those fields.

    The answer stays the same, and keeps its ETag, until the next run.
    """
    # With the names of the fields, which another release may add to.
    asked = repr((parameters.fields or OBJECT_FIELDS, parameters.norad_id, parameters.owner))
    tag = f'W/"{snapshot.run.run_id}-{hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if is_known(request.headers.getlist("If-None-Match"), headers["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    queue = service.costly if parameters.norad_id is None else None
    answer = await at_once_or_in_turn(request, queue, lambda _: _listed(snapshot, parameters))
    answer.headers.update(headers)
    return answer


def _listed(snapshot: Snapshot, parameters: ObjectParameters) -> Response:
    """Return the JSON of objects: 130 ms of CPU time for 27,000 with all fields."""
    fields = tuple(parameters.fields or OBJECT_FIELDS)
    numbers = None if parameters.norad_id is None else sorted(set(parameters.norad_id))
    if numbers is not None:
        known = {row[0] for row in snapshot.objects(("norad_id",), numbers)}
        missing = ", ".join(str(number) for number in numbers if number not in known)
        if missing:
            raise NotFound(f"No object {missing} in the run {snapshot.run.run_id}.")
    if parameters.owner is not None:
        theirs = owned(snapshot, parameters.owner)
        numbers = theirs if numbers is None else sorted({*numbers} & {*theirs})
    rows = snapshot.objects(fields, numbers)
    return json_response(ObjectList(snapshot.run.run_id, len(rows), records(fields, rows)))


@router.get(
    "/objects/{id}/orbit",
    response_model=ObjectOrbit,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="The orbit of an object",
)
async def get_orbit(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    norad_id: ObjectId,
    parameters: Annotated[OrbitParameters, Query()],
) -> Response:
    """Return one revolution of an object around an instant, to draw.

    On its operator's ephemeris if the run used one that leads there and may be shared, else by SGP4 from
    the run's element set. Points to which there is no path are null.
    """

    def made(_go_on: GoOn) -> Response:
        # Imports numba, which an idle service does not need.
        from api.answers.drawn.orbit import orbit_at

        try:
            return json_response(orbit_at(snapshot, norad_id, parameters.at, service.now()))
        except NotKnown as error:
            raise NotFound(str(error)) from error
        except UsageError as error:
            raise BadParameter("at", str(error)) from error

    return await in_turn(request, service.costly, made)


@router.get(
    "/objects/{id}/errors",
    response_model=ObjectErrors,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="How far off the element set of an object is",
)
async def get_errors(request: Request, service: CurrentService, norad_id: ObjectId) -> Response:
    """Return how far off the element set of an object may be by its age, and what its own sets differ by.

    As `skysieve objects show ID --errors` tells it, of the newest run.
    """

    def made(_go_on: GoOn) -> Response:
        # Imports numba, which an idle service does not need.
        from storage.reading.object_errors import object_errors

        try:
            return json_response(object_errors(service.settings.store, norad_id))
        except UsageError as error:
            raise NotFound(str(error)) from error

    return await in_turn(request, service.costly, made)


@router.get(
    "/manoeuvres",
    response_model=DetectedManoeuvres,
    dependencies=[Depends(each_once_but_lists)],
    summary="List manoeuvres",
)
def list_manoeuvres(
    service: CurrentService, parameters: Annotated[ManoeuvresParameters, Query()]
) -> Response:
    """Return the manoeuvres that element sets show, of all objects, the newest first.

    Each run finds those of its new sets, `skysieve manoeuvres --scan` those of an imported history.
    """
    return json_response(_manoeuvres(service, parameters, parameters.norad_id))


@router.get(
    "/objects/{id}/manoeuvres",
    response_model=DetectedManoeuvres,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="The manoeuvres of an object",
)
def get_manoeuvres(
    service: CurrentService,
    snapshot: CurrentSnapshot,
    norad_id: ObjectId,
    parameters: Annotated[ManoeuvresOfOneParameters, Query()],
) -> Response:
    """Return the manoeuvres that the element sets of an object show, the newest first.

    Also of an object that the newest run no longer has.
    """
    found = _manoeuvres(service, parameters, [norad_id])
    if not found.total and not snapshot.objects(("norad_id",), [norad_id]):
        raise NotFound(f"No object {norad_id} in the run {snapshot.run.run_id}, and no manoeuvre of one.")
    return json_response(found)


def _manoeuvres(
    service: Service, wanted: ManoeuvresOfOneParameters, norad_ids: Sequence[int] | None
) -> DetectedManoeuvres:
    if wanted.since and wanted.until and wanted.until < wanted.since:
        raise BadParameter("until", f"until {wanted.until} is before since {wanted.since}.")
    store, chosen = service.settings.store, Wanted(norad_ids, wanted.since, wanted.until)
    rows, total = listed(store, chosen, wanted.limit, wanted.offset)
    return DetectedManoeuvres(records(COLUMNS, rows), total)


@router.get(
    "/runs/current/rejections",
    response_model=RejectionList,
    dependencies=[Depends(no_parameters)],
    summary="List rejected records",
)
def list_rejections(snapshot: CurrentSnapshot) -> Response:
    """Return the rejected records of the newest run's catalogue and the reasons; the first 1,000."""
    rows = snapshot.rejections(MAX_REJECTIONS)
    return json_response(RejectionList(records(REJECTION_FIELDS, rows), snapshot.run.rejected))
