"""The report on one event, to print or to send."""

import io
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from api.access.credentials import require_bearer
from api.costly.fair_queue import GoOn, in_turn
from api.http.downloads import Download, download
from api.http.event_parameters import EventId, OneEventParameters
from api.http.negotiation import UNCHANGED, wanted_type
from api.http.parameters import each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot, Service
from storage.in_memory.snapshot import Snapshot

# Imports matplotlib, which an idle service does not need.
if TYPE_CHECKING:
    from api.report.contents import Report

Form = Literal["pdf", "html", "png"]

_TYPES: dict[str, Form] = {"application/pdf": "pdf", "text/html": "html", "image/png": "png"}
_BINARY = {"schema": {"type": "string", "format": "binary"}}

router = APIRouter(
    tags=["conjunctions"],
    dependencies=[Depends(require_bearer), Depends(each_once)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


class ReportParameters(OneEventParameters):
    """Parameters of `GET /conjunctions/{id}/report`."""

    format: Form | None = Field(default=None, description="Default: by `Accept`, otherwise `pdf`.")


@router.get(
    "/conjunctions/{id}/report",
    response_class=Response,
    responses={
        200: {
            "description": "The report.",
            "content": {
                "application/pdf": _BINARY,
                "text/html": {"schema": {"type": "string"}},
                "image/png": _BINARY,
            },
        },
        **UNCHANGED,
    },
    summary="Report on one event",
)
async def get_report(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[ReportParameters, Query()],
) -> Response:
    """Return the pictures and numbers of one event as a report to print or to send.

    As PDF, a page for a browser that needs nothing else (HTML), or one picture (PNG): `format`, else
    `Accept`. `skysieve report` writes the same.
    """
    form = parameters.format or _TYPES[wanted_type(request.headers.getlist("Accept"), tuple(_TYPES))]
    known = request.headers.getlist("If-None-Match")

    def made(go_on: GoOn) -> Response:
        return _made(service, snapshot, event_id, form, known, go_on, parameters)

    return await in_turn(request, service.costly, made, "analysis")


def _made(
    service: Service,
    snapshot: Snapshot,
    event_id: int,
    form: Form,
    known: Sequence[str],
    go_on: GoOn,
    asked: ReportParameters,
) -> Response:
    # Imports matplotlib, see above.
    from api.report.contents import report_on
    from api.report.write import write_event_to

    messages = service.messages.rows(snapshot.organisation_id)
    report = report_on(
        snapshot,
        event_id,
        service.settings,
        service.now(),
        messages=messages,
        restricted=asked.restricted,
        seen_from=asked.seen_from,
    )

    def drawn() -> Download:
        go_on()
        stream = io.BytesIO()
        write_event_to(stream, report, f".{form}")
        (media_type,) = (one for one, of in _TYPES.items() if of == form)
        return Download(f"event-{event_id}-{report.event.run_id}.{form}", media_type, stream.getvalue())

    return download(known, _told(report, form), drawn)


def _told(report: "Report", form: Form) -> str:
    """Return a text that changes with the content of a report, but not with its time."""
    told = (
        form,
        report.run.run_id,
        report.event,
        report.history,
        report.objects,
        report.notices,
        report.geometry.missing,
        [one and one.id for one in report.trajectories],
        report.received,
        report.whom,
        report.intents,
    )
    return repr(told)
