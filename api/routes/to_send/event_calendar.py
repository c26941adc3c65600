"""One event as an entry of a calendar."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from api.access.credentials import require_bearer
from api.answers.event_calendar import event_calendar
from api.costly.fair_queue import GoOn, in_turn
from api.http.downloads import Download, download
from api.http.event_parameters import EventId, OneEventParameters
from api.http.negotiation import UNCHANGED
from api.http.parameters import each_once
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot

_WEEK_MINUTES = 7 * 24 * 60

router = APIRouter(
    tags=["conjunctions"],
    dependencies=[Depends(require_bearer), Depends(each_once)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)


class EventCalendarParameters(OneEventParameters):
    """Parameters of `GET /conjunctions/{id}/calendar.ics`."""

    alarm_minutes: int | None = Field(
        default=None,
        ge=0,
        le=_WEEK_MINUTES,
        description="Reminder of the calendar program, in minutes before the TCA. Default: none.",
        examples=[60],
    )


@router.get(
    "/conjunctions/{id}/calendar.ics",
    response_class=Response,
    responses={
        200: {
            "description": "The calendar.",
            "content": {"text/calendar": {"schema": {"type": "string"}}},
        },
        **UNCHANGED,
    },
    summary="One event for a calendar",
)
async def get_event_calendar(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[EventCalendarParameters, Query()],
) -> Response:
    """Return one event as a calendar with one entry (iCalendar, RFC 5545), which begins at its TCA.

    It lasts five minutes, or as long as a slow encounter is inside the threshold. Its UID stays; SEQUENCE
    grows with each new computation. An event that the newest run should have and has not is cancelled.
    """
    known = request.headers.getlist("If-None-Match")

    def made(_go_on: GoOn) -> Response:
        body = event_calendar(
            snapshot,
            event_id,
            service.messages.rows(snapshot.organisation_id),
            service.settings.public_url,
            alarm_minutes=parameters.alarm_minutes,
            restricted=parameters.restricted,
            seen_from=parameters.seen_from,
        )
        file = Download(f"event-{event_id}.ics", "text/calendar; charset=utf-8", body)
        return download(known, body.decode(), lambda: file, by_accept=False)

    return await in_turn(request, service.costly, made)
