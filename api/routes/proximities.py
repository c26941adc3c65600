"""The co-orbiting pairs of the newest run."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from api.access.credentials import require_bearer
from api.answers.rows import PROXIMITY_FIELDS, records
from api.http.json_answers import json_response
from api.http.parameters import ProximityParameters, each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentSnapshot
from api.models.responses import ProximityList

router = APIRouter(
    tags=["runs"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "/proximities",
    response_model=ProximityList,
    dependencies=[Depends(each_once)],
    summary="List co-orbiting pairs",
)
def list_proximities(
    snapshot: CurrentSnapshot, parameters: Annotated[ProximityParameters, Query()]
) -> Response:
    """Return the pairs of the newest run that stay within 10 km for a day.

    They are docked, fly in formation, or are one element set under two numbers, and raise no alarm.
    """
    rows, total = snapshot.proximities(parameters.norad_id, parameters.limit, parameters.offset)
    return json_response(ProximityList(records(PROXIMITY_FIELDS, rows), total))
