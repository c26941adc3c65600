"""Stored events: lists of them, one with its history, and how one developed."""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.access.credentials import require_bearer
from api.answers.event_messages import messages_about
from api.answers.inbox.compared import compared
from api.answers.inbox.origins import message_origins
from api.answers.inbox.side_by_side import side_by_side
from api.answers.manoeuvred import manoeuvred_since
from api.answers.rows import EVENT_FIELDS, owned, records
from api.answers.stored_events import event_with_history, typed
from api.answers.watched.acknowledgements import history as acknowledgements
from api.answers.watched.fleets import fleet_of
from api.answers.watched.inside import as_seen, ids_of
from api.answers.watched.intents import intents
from api.costly.event_csv import CSV, CSV_CONTENT, csv_headers, csv_parts
from api.costly.fair_queue import GoOn, in_turn
from api.costly.streamed import in_parts
from api.errors import BadParameter, Gone
from api.http.cursors import continued, decode, encode
from api.http.event_parameters import EventConditions, EventId, EventParameters, OneEventParameters
from api.http.json_answers import JSON, json_bytes, json_response
from api.http.negotiation import wanted_type
from api.http.parameters import each_once, each_once_but_lists
from api.http.problems import WITH_CREDENTIAL, documented
from api.live.service import CurrentService, CurrentSnapshot
from api.models.messages import ConjunctionWithHistory
from api.models.responses import ConjunctionPage
from api.models.trend import Trend
from storage.in_memory.event_table import EventQuery, EventTable, Key
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.event import SIDES, event_words
from storage.verification.outlook import outlook

# Conditions that are called the same in both.
_SAME_NAMES = {"tca_from", "tca_to", "max_miss_m", "min_probability", "limit", "offset"}
_LONG_PAGE = 1000  # events; 10,000 take 0.14 CPU-s
_PART_ROWS = 250  # of a long page: 0.4 MB

router = APIRouter(
    tags=["conjunctions"],
    dependencies=[Depends(require_bearer)],
    responses=documented(*WITH_CREDENTIAL),
)


@router.get(
    "/conjunctions",
    response_model=ConjunctionPage,
    responses={200: {"content": CSV_CONTENT}, **documented(HTTPStatus.GONE, HTTPStatus.NOT_FOUND)},
    dependencies=[Depends(each_once_but_lists)],
    summary="List stored events",
)
async def list_conjunctions(
    request: Request,
    snapshot: CurrentSnapshot,
    service: CurrentService,
    parameters: Annotated[EventParameters, Query()],
) -> Response:
    """Return the stored events that match, the most dangerous first.

    To read a list page by page, pass `next` as `cursor`. It remains the list of the run it began with, even
    if a new run is published meanwhile, for as long as the store keeps that run; after that the answer is
    410. With `Accept: text/csv` the answer is CSV, and without `limit` has all that match.
    """
    run_id, wanted, after = snapshot.run.run_id, parameters, None
    if parameters.cursor is not None:
        cursor = decode(parameters.cursor)
        run_id, wanted, after = cursor.run, continued(parameters, cursor), cursor.after
    query = await query_of(snapshot, wanted, after)
    table = await run_in_threadpool(events_of_run, snapshot, run_id)
    if wanted.fleet is not None:
        await run_in_threadpool(fleet_of, service.settings.store, wanted.fleet)
        seen = await run_in_threadpool(as_seen, service.settings.store, run_id, wanted.fleet, table)
        table, query = seen.events, query._replace(event_ids=ids_of(seen.inside))
    as_csv = wanted_type(request.headers.getlist("Accept"), (JSON, CSV)) == CSV
    if as_csv and "limit" not in parameters.model_fields_set:
        query = query._replace(limit=None)
    rows = len(table) if query.limit is None else min(query.limit, len(table))
    queue = service.costly if rows > _LONG_PAGE else None
    if as_csv:
        headers = csv_headers(f"conjunctions-{run_id}")
        return await in_parts(request, queue, csv_parts(table, query), CSV, headers)
    parts = _parts(table, query, lambda last: encode(run_id, wanted, last))
    headers = {"Vary": "Accept"}
    if queue is not None:
        return await in_parts(request, queue, parts, JSON, headers)
    body = await run_in_threadpool(b"".join, parts)
    return Response(body, headers=headers, media_type=JSON)


@router.get(
    "/conjunctions/{id}",
    response_model=ConjunctionWithHistory,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="One event with its history",
)
async def get_conjunction(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[OneEventParameters, Query()],
) -> Response:
    """Return one event: its current state, its state in each run, and its received messages.

    Together they show whether it gets worse, and whether others see the same. An event that the newest run no
    longer has is returned as its last run found it.
    """

    def found(_go_on: GoOn) -> Response:
        restricted = parameters.restricted
        # The files of 120 runs: 0.3 s.
        event, history = event_with_history(
            snapshot, event_id, restricted=restricted, seen_from=parameters.seen_from
        )
        as_typed = typed(event)
        received = service.messages.rows(snapshot.organisation_id)
        messages = messages_about(received, as_typed, restricted=restricted)
        ours = None if as_typed.told else as_typed
        told = compared(snapshot.store, messages.told, ours, as_typed.primary.norad_id)
        since = manoeuvred_since(snapshot, as_typed)
        begins = snapshot.run.window_start
        becomes = outlook(snapshot.store, as_typed.probability_level, as_typed.tca, begins)
        words = event_words(as_typed.row, [typed(row).row for row in history], since, becomes)
        return json_response(
            {
                **event,
                **{f"{who}_manoeuvred_at": since[who].at if who in since else None for who in SIDES},
                "words": words,
                "acknowledgements": acknowledgements(snapshot, event_id),
                "intents": intents(snapshot, event_id),
                "history": history,
                "messages": told,
                "side_by_side": side_by_side(snapshot.store, messages.told, ours, as_typed.primary.norad_id),
                "origins": message_origins(snapshot.store, received, as_typed, restricted=restricted),
                "restricted_messages": messages.left_out,
            }
        )

    return await in_turn(request, service.costly, found)


@router.get(
    "/conjunctions/{id}/trend",
    response_model=Trend,
    responses=documented(HTTPStatus.NOT_FOUND),
    dependencies=[Depends(each_once)],
    summary="How one event developed",
)
async def get_trend(
    request: Request,
    service: CurrentService,
    snapshot: CurrentSnapshot,
    event_id: EventId,
    parameters: Annotated[OneEventParameters, Query()],
) -> Response:
    """Return what each run and each received message says of an event, oldest first, and how sure it is.

    All along the axes of the event's primary, whichever object a message names first.
    """

    def made(go_on: GoOn) -> Response:
        # Imports numba, which an idle service does not need.
        from api.answers.drawn.trend import event_trend

        restricted = parameters.restricted
        event, history = event_with_history(
            snapshot, event_id, restricted=restricted, seen_from=parameters.seen_from
        )
        messages = messages_about(
            service.messages.rows(snapshot.organisation_id), typed(event), restricted=restricted
        )
        go_on()
        return json_response(event_trend(snapshot, event, history, messages))

    return await in_turn(request, service.costly, made)


def _parts(table: EventTable, query: EventQuery, cursor: Callable[[Key], str]) -> Iterator[bytes]:
    """Yield a page as JSON; each part is made on demand: 10,000 rows are 17 MB."""
    yield b'{"conjunctions":['
    page = table.parts(query, _PART_ROWS)
    between = b""
    for rows in page.parts:
        yield between + json_bytes(records(EVENT_FIELDS, rows))[1:-1]
        between = b","
    rest = {"total": page.total, "next": None if page.last is None else cursor(page.last)}
    yield b"]," + json_bytes(rest)[1:]


async def query_of(snapshot: Snapshot, wanted: EventConditions, after: Key | None = None) -> EventQuery:
    """Return `event_query`; a thread finds an owner's objects."""
    if wanted.owner is None:
        return event_query(snapshot, wanted, after)
    return await run_in_threadpool(event_query, snapshot, wanted, after)


def event_query(snapshot: Snapshot, wanted: EventConditions, after: Key | None = None) -> EventQuery:
    """Return the question to the events of a snapshot, without those before `after`.

    Raises BadParameter if the run knows no such owner, or the conditions contradict each other.
    """
    if wanted.tca_from and wanted.tca_to and wanted.tca_to < wanted.tca_from:
        raise BadParameter("tca_to", f"tca_to {wanted.tca_to} is before tca_from {wanted.tca_from}.")
    conditions = wanted.model_dump(include=_SAME_NAMES)
    return EventQuery(
        **conditions,
        risk_levels=wanted.risk_level,
        probability_levels=wanted.probability_level,
        norad_ids=wanted.norad_id,
        owned_ids=None if wanted.owner is None else owned(snapshot, wanted.owner),
        collapse_complexes=wanted.complexes == "collapse",
        restricted=wanted.restricted is True,
        order=wanted.order or "risk",
        after=after,
    )


def events_of_run(snapshot: Snapshot, run_id: str) -> EventTable:
    """Return the events of a run. Raises Gone if it is no longer kept."""
    table = snapshot.table(run_id)
    if table is None:
        raise Gone(
            f"The run {run_id}, which the cursor belongs to, has expired: start the list again, "
            "without a cursor."
        )
    return table
