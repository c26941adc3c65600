"""How the newest run's catalogue differs from an earlier one."""

from fastapi import APIRouter, Depends, Request, Response

from api.access.credentials import require_bearer
from api.http.negotiation import UNCHANGED
from api.http.parameters import no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.routes.runs import made_once
from storage.sky.catalogue import CatalogueChanges

router = APIRouter(
    tags=["sky"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "/catalogue",
    response_model=CatalogueChanges,
    responses={**UNCHANGED},
    dependencies=[Depends(no_parameters)],
    summary="What changed in the catalogue",
)
async def get_catalogue(request: Request, service: CurrentService, snapshot: CurrentSnapshot) -> Response:
    """Return which objects are new, gone, renumbered or doubled, and whether the source was cut.

    Each run compares its catalogue with that of the last complete run of the week before. Made once a run.
    """
    return await made_once(request, service, service.catalogues, snapshot)
