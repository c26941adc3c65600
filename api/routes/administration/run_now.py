"""A run at once: asked of the schedule, and how far it has come."""

from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Depends, Response

from api.access.credentials import require_bearer_or_page
from api.http.json_answers import json_response
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService
from api.models.administration import RunAttempt, RunProgress
from screening.answers import same_fields
from storage.state.database import AskedRun, ask_for_run, asked_run, newest_attempts

_SHOWN = 5

router = APIRouter(
    tags=["administration"],
    dependencies=[Depends(require_bearer_or_page), Depends(no_parameters)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.post("/runs", status_code=HTTPStatus.ACCEPTED, response_model=RunProgress, summary="Run now")
def run_now(service: CurrentService) -> Response:
    """Ask the schedule for a run at once; one that waits already is the one that is asked for.

    A schedule begins it within seconds, after a run that is under way. Without one it waits.
    """
    store = service.settings.store
    return json_response(_progress(store, ask_for_run(store, service.now())), status=HTTPStatus.ACCEPTED)


@router.get("/runs", response_model=RunProgress, summary="How runs come on")
def get_runs(service: CurrentService) -> Response:
    """Return the run that was last asked for, and the newest attempts to make one."""
    store = service.settings.store
    return json_response(_progress(store, asked_run(store)))


def _progress(store: Path, asked: AskedRun | None) -> RunProgress:
    attempts = [RunAttempt(**same_fields(RunAttempt, one)) for one in newest_attempts(store, _SHOWN)]
    return RunProgress(asked and asked.at, asked and asked.begun, attempts)
