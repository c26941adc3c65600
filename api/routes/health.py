"""Health checks: whether the service is alive, its run and its element sets recent. Open to all."""

from datetime import timedelta
from http import HTTPStatus

from fastapi import APIRouter, Depends, Response

from api.errors import NotReady
from api.http.json_answers import json_response
from api.http.parameters import no_parameters
from api.http.problems import documented
from api.live.service import CurrentService
from api.models.responses import Health, Readiness
from storage.reading.catalogue_age import AGE_UNKNOWN, catalogue_age
from storage.rows.run_record import Run

router = APIRouter(tags=["health"], dependencies=[Depends(no_parameters)])


@router.get("/health", response_model=Health, summary="Alive?")
async def get_health(service: CurrentService) -> Response:
    """Confirm that the service is alive, and return how old the newest element sets are that it knows."""
    try:
        sets = catalogue_age(service.events.current().run, service.settings, service.now())
    except NotReady:
        sets = AGE_UNKNOWN
    age_s = None if sets.age is None else sets.age.total_seconds()
    return json_response(Health("ok", sets.state, sets.epoch, age_s))


# Clocks of one installation may differ by this much.
CLOCK_SLACK = timedelta(minutes=5)


@router.get(
    "/ready",
    response_model=Readiness,
    responses=documented(HTTPStatus.SERVICE_UNAVAILABLE),
    summary="Ready?",
)
async def get_ready(service: CurrentService) -> Response:
    """Return which run is served if it was finished less than two refresh intervals ago; 503 otherwise."""
    run = service.events.current().run
    age = _age(run, service)
    allowed = service.settings.stale_after
    if age >= allowed:
        raise NotReady(
            f"The newest run, {run.run_id}, finished {age.total_seconds() / 3600:.1f} hours ago; to be "
            "ready, "
            f"it must have finished less than {allowed.total_seconds() / 3600:g} hours ago. `skysieve "
            "status` has details."
        )
    if age < -CLOCK_SLACK:
        raise NotReady(
            f"The newest run, {run.run_id}, finished {-age.total_seconds() / 3600:.1f} hours from now: "
            "a clock is or was wrong; the next run will show which."
        )
    return json_response(Readiness("ready", run.run_id, run.finished, age.total_seconds()))


def _age(run: Run, service: CurrentService) -> timedelta:
    return service.now() - run.finished
