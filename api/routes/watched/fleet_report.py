"""The report on a fleet, to print or to send: its digest as PDF or HTML."""

import io
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Literal

import pyarrow as pa
from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from api.access.credentials import require_bearer
from api.answers.event_messages import messages_about
from api.answers.watched.fleets import fleet_of
from api.costly.fair_queue import GoOn, in_turn
from api.http.downloads import Download, download
from api.http.negotiation import UNCHANGED, wanted_type
from api.http.parameters import each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, Service
from api.routes.watched.fleets import FleetId
from storage.fleets.whom_to_ask import About, whom_to_ask
from storage.in_memory.snapshot import Snapshot
from storage.state.fleets import Fleet
from storage.state.operators.directory import directory
from storage.state.operators.intents import intended
from storage.verification.record import Verification

# Imports matplotlib, which an idle service does not need.
if TYPE_CHECKING:
    from api.report.contents import Report
    from api.report.digest import Digest

Form = Literal["pdf", "html"]

_TYPES: dict[str, Form] = {"application/pdf": "pdf", "text/html": "html"}
_MOST = 20  # events: half a second of CPU time each as HTML, a third as PDF

router = APIRouter(
    tags=["fleets"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


class FleetReportParameters(BaseModel):
    """Parameters of `GET /fleets/{id}/report`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Form | None = Field(default=None, description="Default: by `Accept`, otherwise `pdf`.")
    limit: int = Field(
        default=_MOST, ge=1, le=_MOST, description="Maximum number of events, most dangerous first."
    )


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
        **UNCHANGED,
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
    # Imports matplotlib, see above.
    from api.report.digest import reports_of
    from api.report.fleet_digest import fleet_digest_of
    from api.report.write import write_digest_to

    now, messages = service.now(), service.messages.rows(snapshot.organisation_id)
    forecasts = TypeAdapter(Verification).validate_json(service.verifications.body(snapshot))
    digest = fleet_digest_of(snapshot, fleet, limit, service.settings, now)._replace(forecasts=forecasts)

    def reports() -> Iterator["Report"]:
        for report in reports_of(digest, snapshot, service.settings, messages):
            go_on()
            yield report

    def drawn() -> Download:
        stream = io.BytesIO()
        write_digest_to(stream, digest, reports(), f".{form}")
        (media_type,) = (name for name, of in _TYPES.items() if of == form)
        return Download(f"fleet-{fleet.id}-{snapshot.run.run_id}.{form}", media_type, stream.getvalue())

    return download(known, _told(snapshot, digest, messages, form), drawn)


def _told(snapshot: Snapshot, digest: "Digest", messages: pa.Table, form: Form) -> str:
    """Return a text that changes with the content of a report, but not with its time."""
    ask = whom_to_ask(snapshot.store, snapshot.organisation_id)
    about = [
        (
            messages_about(messages, event, restricted=False),
            [ask(About(one.norad_id, one.name)) for one in event.sides],
        )
        for event in digest.events
    ]
    said = intended(snapshot.store, [event.id for event in digest.events])
    entries = directory(snapshot.store, snapshot.organisation_id)  # some are asked by the owner
    return repr((form, digest._replace(made_at=snapshot.run.finished), about, entries, said))
