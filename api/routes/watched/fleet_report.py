"""The report on a fleet, to print or to send: its digest as PDF or HTML."""

import hashlib
import io
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from api.access.credentials import require_bearer
from api.answers.watched.fleets import fleet_of
from api.costly.fair_queue import GoOn, in_turn
from api.http.negotiation import is_known, wanted_type
from api.http.parameters import each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.routes.watched.fleets import FleetId
from storage.in_memory.snapshot import Snapshot
from storage.state.fleets import Fleet

Form = Literal["pdf", "html"]

_TYPES: dict[str, Form] = {"application/pdf": "pdf", "text/html": "html"}
_MOST = 100  # events: a second for four

router = APIRouter(
    tags=["fleets"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


class FleetReportParameters(BaseModel):
    """Parameters of `GET /fleets/{id}/report`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Form | None = Field(default=None, description="Default: as `Accept` says, else `pdf`.")
    limit: int = Field(default=20, ge=1, le=_MOST, description="Most events, most dangerous first.")


@router.get(
    "/fleets/{id}/report",
    response_class=Response,
    responses={
        200: {
            "description": "The report.",
            "content": {
                "application/pdf": {"schema": {"type": "string", "format": "binary"}},
                "text/html": {"schema": {"type": "string"}},
            },
        },
        304: {"description": "The answer is the one whose ETag came in `If-None-Match`."},
    },
    dependencies=[Depends(each_once)],
    summary="Report on a fleet",
)
async def get_fleet_report(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    fleet_id: FleetId,
    parameters: Annotated[FleetReportParameters, Query()],
) -> Response:
    """Return the events inside the volumes of a fleet as a report to print or to send.

    First the fleet's contact, the list of its events as seen from its satellites, and the satellites with
    nothing coming; then each event with two pictures and in words, two a page. Events whose TCA has passed
    are left out, but in a historic store. `skysieve report --fleet` writes the same.
    """
    form = parameters.format or _TYPES[wanted_type(request.headers.getlist("Accept"), tuple(_TYPES))]
    known = request.headers.getlist("If-None-Match")

    def made(go_on: GoOn) -> Response:
        fleet = fleet_of(service.settings.store, fleet_id)
        return _made(service, snapshot, fleet, form, parameters.limit, known, go_on)

    return await in_turn(request, service.costly, made, "analysis")


def _made(
    service: Service,
    snapshot: Snapshot,
    fleet: Fleet,
    form: Form,
    limit: int,
    known: Sequence[str],
    go_on: GoOn,
) -> Response:
    # Imports matplotlib, which an idle service does not need.
    from api.report.contents import Report, report_on
    from api.report.fleet_digest import fleet_digest_of
    from api.report.write import write_digest_to
    from storage.messages.kept import received

    now = service.now()
    digest = fleet_digest_of(snapshot, fleet, limit, service.settings, now)
    messages = received(snapshot.store)
    content = repr((form, digest._replace(made_at=snapshot.run.finished), messages.num_rows))
    headers = {
        "ETag": f'W/"{hashlib.sha256(content.encode()).hexdigest()[:32]}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Accept",
    }
    if is_known(known, headers["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)

    def reports() -> Iterator[Report]:
        for event in digest.events:
            go_on()
            yield report_on(snapshot, event.id, service.settings, now, messages=messages)

    stream = io.BytesIO()
    write_digest_to(stream, digest, reports(), f".{form}")
    headers["Content-Disposition"] = f'attachment; filename="fleet-{fleet.id}-{snapshot.run.run_id}.{form}"'
    (media_type,) = (name for name, of in _TYPES.items() if of == form)
    return Response(stream.getvalue(), headers=headers, media_type=media_type)
