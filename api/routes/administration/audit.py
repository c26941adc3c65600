"""The audit log of an organisation, for its administrators."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from api.access.credentials import require_bearer
from api.http.json_answers import json_response
from api.http.parameters import MAX_OFFSET, UtcTime, each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, OrganisationId
from api.models.administration import AuditedChange, AuditLog
from screening.answers import same_fields
from storage.state.whose.audit import KEPT_ENTRIES, entries

router = APIRouter(
    tags=["administration"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


class AuditParameters(BaseModel):
    """Parameters of `GET /audit`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    since: UtcTime | None = Field(
        default=None, description="Only from then on, ISO 8601.", examples=["2026-11-21T06:00:00Z"]
    )
    limit: int = Field(default=100, ge=1, le=KEPT_ENTRIES, description="Maximum number of entries.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Entries to leave out first.")


@router.get("/audit", response_model=AuditLog, dependencies=[Depends(each_once)], summary="The audit log")
async def get_audit(
    service: CurrentService, whose: OrganisationId, parameters: Annotated[AuditParameters, Query()]
) -> Response:
    """Return what the organisation's credentials have changed, and what was refused to them."""

    def found() -> AuditLog:
        rows = entries(service.settings.store, since=parameters.since, organisation_id=whose)
        page = rows[parameters.offset : parameters.offset + parameters.limit]
        return AuditLog([AuditedChange(**same_fields(AuditedChange, one)) for one in page], len(rows))

    return json_response(await run_in_threadpool(found))
