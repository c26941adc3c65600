"""The newest run: its record."""

from fastapi import APIRouter, Depends, Response

from api.access.credentials import require_bearer
from api.answers.rows import RUN_FIELDS
from api.http.json_answers import json_response
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentSnapshot
from api.models.responses import Run

router = APIRouter(
    tags=["runs"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "/runs/current",
    response_model=Run,
    dependencies=[Depends(no_parameters)],
    summary="The newest run",
)
def get_current_run(snapshot: CurrentSnapshot) -> Response:
    """Return the record of the newest run: its window, source and counts, and whether it is historic."""
    return json_response({name: getattr(snapshot.run, name) for name in RUN_FIELDS})
