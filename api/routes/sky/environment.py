"""How crowded the sky is, and who causes an operator's work."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from api.access.credentials import require_bearer
from api.answers.rows import owned
from api.answers.sky.environment import environment, environment_series, object_density, work_of
from api.answers.watched.fleets import members
from api.errors import BadParameter
from api.http.json_answers import json_response
from api.http.parameters import EnvironmentParameters, WorkloadParameters, each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.models.sky.environment import Environment, EnvironmentSeries, ObjectDensity, Workload

router = APIRouter(
    prefix="/environment",
    tags=["sky"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "",
    response_model=Environment,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="How crowded the sky is",
)
def get_environment(
    service: CurrentService, snapshot: CurrentSnapshot, parameters: Annotated[EnvironmentParameters, Query()]
) -> Response:
    """Return fast approaches a day by shell, type, owner and constellation, and what they may come to.

    Those within one constellation, which its operator screens, stand apart: shells whose `one` is `within`,
    groups whose `one` and `other` are alike.
    """
    run_id, kind, limit = parameters.run, parameters.kind, parameters.limit
    return json_response(environment(service.settings.store, snapshot, run_id, kind, limit))


@router.get(
    "/series",
    response_model=EnvironmentSeries,
    dependencies=[Depends(no_parameters)],
    summary="How crowded the sky was over all runs",
)
def get_environment_series(service: CurrentService) -> Response:
    """Return approaches a day and what they may come to by run. Counts stay when runs expire."""
    return json_response(environment_series(service.settings.store))


@router.get(
    "/density",
    response_model=ObjectDensity,
    dependencies=[Depends(no_parameters)],
    summary="Objects by altitude and inclination",
)
def get_object_density(snapshot: CurrentSnapshot) -> Response:
    """Return mean numbers of objects by altitude and inclination, each where it spends its time."""
    return json_response(object_density(snapshot))


@router.get(
    "/workload",
    response_model=Workload,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="Who causes an operator's work",
)
def get_workload(
    service: CurrentService, snapshot: CurrentSnapshot, parameters: Annotated[WorkloadParameters, Query()]
) -> Response:
    """Return with whom the objects of a fleet or of an owner have fast approaches closer than 5 km.

    Those among its own objects stand apart. Shares are of the others, by type, owner and constellation.
    """
    store, fleet, owner = service.settings.store, parameters.fleet, parameters.owner
    if (fleet is None) == (owner is None):
        raise BadParameter("fleet", "Give either `fleet` or `owner`.")
    if fleet is not None:
        found = members(store, service.fleet_objects, snapshot, fleet)
        numbers = [one.norad_id for one in found.members]
    else:
        numbers = owned(snapshot, owner or "")
    return json_response(work_of(store, snapshot, numbers))
