"""The newest run: its record, and its co-orbiting pairs."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from api.access.credentials import require_bearer
from api.answers.rows import PROXIMITY_FIELDS, RUN_FIELDS, records
from api.http.json_answers import json_response
from api.http.parameters import ProximityParameters, each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentSnapshot
from api.models.responses import ProximityList, Run

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
    return json_response({"proximities": records(PROXIMITY_FIELDS, rows), "total": total})


@router.get(
    "/runs/current",
    response_model=Run,
    dependencies=[Depends(no_parameters)],
    summary="The newest run",
)
def get_current_run(snapshot: CurrentSnapshot) -> Response:
    """Return the record of the newest run: its window, source and counts, and whether it is historic."""
    return json_response({name: getattr(snapshot.run, name) for name in RUN_FIELDS})
