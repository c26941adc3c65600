"""What changed for a fleet, and its feeds: a calendar and an Atom feed at addresses with their own key."""

import hashlib
from functools import partial
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import ConfigDict, Field

from api.access.address_keys import require_feed
from api.access.credentials import require_bearer_or_page
from api.answers.watched.changed import fleet_changes
from api.answers.watched.feed import MEDIA_TYPES, Wanted, written_feed
from api.costly.fair_queue import GoOn, in_turn
from api.errors import NotFound
from api.http.json_answers import json_response
from api.http.negotiation import UNCHANGED, is_known
from api.http.parameters import each_once, no_parameters
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, Service
from api.models.watched.chosen_limits import ChosenLimits
from api.models.watched.feeds import ChangesOfFleet, FeedList, ListedFeed, MadeFeed
from screening.answers import same_fields
from screening.vocabulary import ProbabilityLevel, RiskLevel
from storage.rows.run_record import Run
from storage.rows.words.event import HISTORIC, SYNTHETIC
from storage.state.credentials import list_credentials
from storage.state.feeds import (
    NO_FEED,
    NoSuchFeed,
    addresses,
    create_feed,
    feeds,
    has_ended,
    revoke_feed,
)
from storage.state.fleets import NoSuchFleet, fleet
from storage.state.records import Credential
from storage.vocabulary import NEAR_M, NEAR_RANGE_M

_WEEK_MINUTES = 7 * 24 * 60

# The credential comes first: FastAPI resolves dependencies in their order.
router = APIRouter(
    tags=["feeds"],
    dependencies=[Depends(require_bearer_or_page)],
    responses=documented(*WITH_CREDENTIAL, HTTPStatus.NOT_FOUND),
)
# Without a credential: the key in the address is one.
public = APIRouter(
    tags=["feeds"],
    responses={
        **UNCHANGED,
        **documented(
            HTTPStatus.NOT_FOUND,
            HTTPStatus.UNPROCESSABLE_ENTITY,
            HTTPStatus.TOO_MANY_REQUESTS,
            HTTPStatus.SERVICE_UNAVAILABLE,
        ),
    },
)
FleetId = Annotated[int, Path(alias="id", ge=1, le=2**53, description="Id of a fleet.", examples=[1])]
FeedId = Annotated[int, Path(ge=1, le=2**53, description="Id of a feed.", examples=[4])]


class FeedParameters(ChosenLimits):
    """Parameters of the feeds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str = Field(default="", description="The key that `POST /fleets/{id}/feeds` put into the address.")
    level: ProbabilityLevel = Field(
        default="high",
        description="Encounters of this level by the probability and more dangerous ones, and those with an "
        "unknown probability; `low`: all.",
    )
    near_m: Annotated[float, Field(ge=NEAR_RANGE_M[0], le=NEAR_RANGE_M[1])] | Literal["none"] = Field(
        default=NEAR_M,
        description="Also encounters with a miss under this many metres, whatever their probability; `none`: "
        "distance does not count.",
    )
    risk: RiskLevel | None = Field(
        default=None,
        json_schema_extra={"deprecated": True},  # the field itself would warn wherever it is read
        description="Instead of `level` and `near_m`, as in addresses from earlier releases: this level "
        "with its distance (`critical` 100 m, `high` 500 m, `medium` 1,000 m, `low` all).",
    )


class CalendarParameters(FeedParameters):
    """Parameters of the calendar."""

    alarm_minutes: int | None = Field(
        default=None,
        ge=0,
        le=_WEEK_MINUTES,
        description="Reminder of calendar programs, in minutes before each TCA. Default: none.",
        examples=[60],
    )


@router.post(
    "/fleets/{id}/feeds",
    status_code=HTTPStatus.CREATED,
    response_model=MadeFeed,
    responses=documented(HTTPStatus.CONFLICT),
    dependencies=[Depends(no_parameters)],
    summary="Make addresses of feeds",
)
def add_feed(
    request: Request,
    service: CurrentService,
    fleet_id: FleetId,
    credential: Annotated[Credential, Depends(require_bearer_or_page)],
) -> Response:
    """Make a new key for the calendar and the Atom feed of a fleet, and return both addresses once.

    They need no other credential, and end when they are revoked, or with the credential that made them.
    """
    store = service.settings.store
    try:
        made = create_feed(store, fleet_id, credential.name, credential.id, service.now())
    except NoSuchFleet as error:
        raise _no_fleet(fleet_id) from error
    base = service.settings.public_url or str(request.base_url)
    shown = MadeFeed(**same_fields(MadeFeed, made) | addresses(base, fleet_id, made.key))
    return json_response(shown, status=HTTPStatus.CREATED)


@router.get(
    "/fleets/{id}/feeds",
    response_model=FeedList,
    dependencies=[Depends(no_parameters)],
    summary="List feeds",
)
def list_feeds(service: CurrentService, fleet_id: FleetId) -> Response:
    """Return who made feeds of a fleet and when, also those that have ended; without their keys."""
    store = service.settings.store
    _existing(service, fleet_id)
    credentials = list_credentials(store)
    found = [
        ListedFeed(**same_fields(ListedFeed, feed), ended=has_ended(feed, credentials, service.now()))
        for feed in feeds(store, fleet_id)
    ]
    return json_response(FeedList(found, len(found)))


@router.delete(
    "/fleets/{id}/feeds/{feed_id}",
    status_code=HTTPStatus.NO_CONTENT,
    dependencies=[Depends(no_parameters)],
    summary="Revoke a feed",
)
def remove_feed(service: CurrentService, fleet_id: FleetId, feed_id: FeedId) -> Response:
    """Let both addresses of a feed end for good."""
    try:
        revoke_feed(service.settings.store, feed_id, service.now(), fleet_id)
    except NoSuchFeed as error:
        raise NotFound(f"Fleet {fleet_id} has no feed {feed_id}.") from error
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.get(
    "/fleets/{id}/changes",
    response_model=ChangesOfFleet,
    dependencies=[Depends(no_parameters)],
    summary="What changed for a fleet",
)
async def get_changes(request: Request, service: CurrentService, fleet_id: FleetId) -> Response:
    """Return which events inside the volumes of a fleet are new, raised or gone since the run before."""

    def work(_go_on: GoOn) -> Response:
        _existing(service, fleet_id)
        return json_response(fleet_changes(service.settings.store, fleet_id))

    return await in_turn(request, service.costly, work)


@public.get(
    "/fleets/{id}/calendar.ics",
    response_class=Response,
    responses={200: {"content": {"text/calendar": {"schema": {"type": "string"}}}}},
    dependencies=[Depends(each_once)],
    summary="Calendar of a fleet",
)
async def get_calendar(
    request: Request,
    service: CurrentService,
    fleet_id: FleetId,
    parameters: Annotated[CalendarParameters, Query()],
) -> Response:
    """Return the encounters of a fleet as a calendar to subscribe to (iCalendar, RFC 5545), one entry each.

    An entry begins at the TCA and lasts five minutes, or as long as a slow encounter is inside the threshold.
    It keeps its UID; its SEQUENCE grows with each change. One that a newer run no longer has is cancelled,
    and stays so for three days. A wrong key is 404, as is a fleet that does not exist.
    """
    wanted = Wanted(fleet_id, "calendar", parameters.limits(), parameters.alarm_minutes)
    return await _feed(request, service, wanted, parameters.key)


@public.get(
    "/fleets/{id}/feed.atom",
    response_class=Response,
    responses={200: {"content": {"application/atom+xml": {"schema": {"type": "string"}}}}},
    dependencies=[Depends(each_once)],
    summary="Atom feed of a fleet",
)
async def get_atom_feed(
    request: Request,
    service: CurrentService,
    fleet_id: FleetId,
    parameters: Annotated[FeedParameters, Query()],
) -> Response:
    """Return the encounters of a fleet as an Atom feed (RFC 4287), one entry each, the last changed first.

    It has the same encounters as the calendar. A wrong key is 404, as is a fleet that does not exist.
    """
    return await _feed(request, service, Wanted(fleet_id, "atom", parameters.limits()), parameters.key)


async def _feed(request: Request, service: Service, wanted: Wanted, key: str) -> Response:
    await run_in_threadpool(require_feed, request, service, wanted.fleet_id, key)
    snapshot = service.events.current()
    work = partial(_written, service, snapshot.run, wanted)
    body = await in_turn(request, service.costly, work)
    tag = hashlib.blake2b(body, digest_size=12).hexdigest()
    headers = {"ETag": f'"{tag}"', "Cache-Control": "private, no-cache"}
    if is_known(request.headers.getlist("If-None-Match"), headers["ETag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, headers=headers, media_type=f"{MEDIA_TYPES[wanted.form]}; charset=utf-8")


def _written(service: Service, run: Run, wanted: Wanted, _go_on: GoOn) -> bytes:
    """Return the text of a feed; the first time after a start, it reads the runs of three days."""
    notes = [text for true, text in ((run.synthetic, SYNTHETIC), (run.historic, HISTORIC)) if true]
    settings = service.settings
    try:
        return written_feed(settings.store, wanted, service.now(), " ".join(notes), settings.public_url)
    except NoSuchFleet as error:  # removed since the key was checked
        raise NotFound(NO_FEED) from error


def _existing(service: Service, fleet_id: int) -> None:
    try:
        fleet(service.settings.store, fleet_id)
    except NoSuchFleet as error:
        raise _no_fleet(fleet_id) from error


def _no_fleet(fleet_id: int) -> NotFound:
    return NotFound(f"There is no fleet {fleet_id}.")
