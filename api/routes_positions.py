"""Where the objects are now."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Depends, Query, Request, Response

from api.live_positions import Question, tag
from api.position_models import PositionList, PositionParameters
from api.positions import TrackedObjects
from api.problems import WITH_CREDENTIAL, BadParameter, documented
from api.security import require_api_key
from api.service import Clock, CurrentService, CurrentSnapshot
from storage.records import naive_utc


def each_once_but_numbers(request: Request) -> None:
    """Refuse a parameter given twice, except `norad_id`: one of the two would be ignored in silence."""
    for name in request.query_params:
        if name != "norad_id" and len(request.query_params.getlist(name)) > 1:
            raise BadParameter(name, f"{name} is given more than once.")


router = APIRouter(
    tags=["positions"],
    dependencies=[Depends(require_api_key)],
    responses=documented(HTTPStatus.NOT_FOUND, *WITH_CREDENTIAL),
)


@router.get(
    "/positions",
    response_model=PositionList,
    responses={304: {"description": "The answer is the one whose ETag came in `If-None-Match`."}},
    dependencies=[Depends(each_once_but_numbers)],
    summary="Where the objects are now",
)
def list_positions(
    request: Request,
    snapshot: CurrentSnapshot,
    service: CurrentService,
    parameters: Annotated[PositionParameters, Query()],
) -> Response:
    """Return where the objects of the newest run are, and the worst that is coming to each.

    Positions are those of SGP4: good to some kilometres near the epoch, worse away from it. An answer keeps
    its ETag within the same second, and in a historic store until the next run.
    """
    live = service.positions
    objects = live.objects(snapshot)
    question = _question(objects, parameters, service.now)
    headers = {
        "ETag": f'W/"{tag(objects, question)}"',
        "Cache-Control": "private, no-cache",  # keep it, and ask each time whether it still holds
        "Vary": "Accept-Encoding",
    }
    if headers["ETag"].removeprefix("W/") in _known_tags(request):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    compressed = _takes_gzip(request)
    if compressed:
        headers["Content-Encoding"] = "gzip"
    body = live.body(objects, question, compressed=compressed)
    return Response(body, headers=headers, media_type="application/json")


def _question(objects: TrackedObjects, parameters: PositionParameters, now: Clock) -> Question:
    if parameters.at is not None:
        instant = parameters.at
    elif objects.run.historic:
        instant = objects.run.window_start
    else:
        instant = now().replace(microsecond=0)
    numbers = parameters.norad_id
    return Question(
        instant=np.datetime64(naive_utc(instant), "us"),
        limit=parameters.limit,
        norad_ids=None if numbers is None else tuple(sorted(set(numbers))),
    )


def _known_tags(request: Request) -> Iterator[str]:
    for text in request.headers.getlist("If-None-Match"):
        yield from (part.strip().removeprefix("W/") for part in text.split(","))


def _takes_gzip(request: Request) -> bool:
    for part in request.headers.get("Accept-Encoding", "").split(","):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
