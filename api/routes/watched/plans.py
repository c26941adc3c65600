"""Plans: burns that were chosen for an event, followed over later runs."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from api.access.credentials import require_bearer_or_page
from api.answers.manoeuvre_answer import asked_of
from api.answers.plans.listed import By, choose, listed
from api.costly.fair_queue import GoOn, in_turn
from api.http.event_parameters import EventId, OneEventParameters, SeenFromParameters
from api.http.json_answers import json_response
from api.http.json_bodies import documented_body, json_body
from api.http.parameters import each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, OrganisationId
from api.models.watched.plans import EventPlans, ListedPlan, PlanList, PlanRequest
from screening.manoeuvre.steps import Step
from storage.state.alerts.plans import drop_plan, newest_plans
from storage.state.records import Credential

_MOST_LISTED = 1000

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["plans"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL),
)
PlanId = Annotated[int, Path(alias="plan", ge=1, le=2**53, description="Id of a plan.", examples=[4])]


@router.post(
    "/conjunctions/{id}/plans",
    status_code=HTTPStatus.CREATED,
    response_model=ListedPlan,
    responses=documented(
        HTTPStatus.NOT_FOUND,
        HTTPStatus.CONFLICT,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ),
    dependencies=[Depends(require_bearer_or_page), Depends(each_once)],  # the credential first
    openapi_extra=documented_body(PlanRequest),
    summary="Keep burns as a plan",
)
async def keep_plan(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
    parameters: Annotated[SeenFromParameters, Query()],
    asked: Annotated[PlanRequest, Depends(json_body(PlanRequest))],
) -> Response:
    """Check burns on the path of the newest run, as `POST /conjunctions/{id}/manoeuvres` does, and keep them.

    `GET /conjunctions/{id}/plans` then says how they fare with each later run and message. An event has at
    most ten plans.
    """

    def made(go_on: GoOn) -> Response:
        def tell(_step: Step) -> None:
            go_on()

        question = asked_of(event_id, asked, asked.burns)._replace(seen_from=parameters.seen_from)
        by = By(credential.name, credential.id, credential.organisation_id)
        basis = service.analysed_run.basis(snapshot)
        plan = choose(snapshot, basis, question, by, service.now(), tell)
        return json_response(plan, status=HTTPStatus.CREATED)

    return await in_turn(request, service.costly, made, "analysis")


@router.get(
    "/conjunctions/{id}/plans",
    response_model=EventPlans,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="How the plans of an event fare",
)
async def follow_plans(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[OneEventParameters, Query()],
) -> Response:
    """Return each plan with what the runs and messages since make of it, and whether it still holds.

    With the burns: from the states and errors that each run or message has at TCA. The whole path is screened
    against the newest run, once a run.
    """

    def made(_go_on: GoOn) -> Response:
        from api.answers.plans.following import (
            plans_followed,
        )  # imports numba, which an idle service does not need

        return json_response(
            plans_followed(
                snapshot,
                event_id,
                lambda: service.messages.rows(snapshot.organisation_id),
                lambda plan, event: service.screened_plans.of(
                    snapshot, lambda: service.analysed_run.basis(snapshot), plan, event
                ),
                service.now(),
                restricted=parameters.restricted,
            )
        )

    return await in_turn(request, service.costly, made)


@router.delete(
    "/conjunctions/{id}/plans/{plan}",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(no_parameters)],
    summary="Drop a plan",
)
def remove_plan(
    service: CurrentService, whose: OrganisationId, event_id: EventId, plan_id: PlanId
) -> Response:
    """Remove a plan; nothing else changes."""
    drop_plan(service.settings.store, plan_id, event_id, whose)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.get(
    "/plans",
    response_model=PlanList,
    dependencies=[Depends(no_parameters)],
    summary="Plans of all events",
)
def list_plans(service: CurrentService, whose: OrganisationId) -> Response:
    """Return the organisation's plans of all events, as they were chosen."""
    found = newest_plans(service.settings.store, _MOST_LISTED, whose)
    return json_response(PlanList(plans=[listed(one) for one in found]))
