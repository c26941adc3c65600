"""Serve the flow as a Prefect deployment: start each run when it is due, one at a time."""

import asyncio
import hashlib
import logging
import time
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.filters import (
    DeploymentFilter,
    DeploymentFilterName,
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.exceptions import PrefectException, TerminationSignal
from prefect.runner import Runner
from prefect.settings import PREFECT_API_URL
from prefect.states import Cancelled, Crashed
from prefect.types.entrypoint import EntrypointType

from flows.scheduled.at_rest import EARLY_S, rest
from flows.scheduled.due_times import cron_of, is_due_at_once, why_skipped
from flows.scheduled.flow import refresh
from flows.scheduled.prefect_server import OtherClients, OwnServer, take_current_folder_out
from flows.settings import FlowSettings, hand_down
from screening.errors import SkysieveError, UsageError
from storage.disk.current import newest_start
from storage.state.database import asked_run, begin_asked_run
from storage.times import time_text

DEPLOYMENT = "skysieve"
LOOK_EVERY_S = 2.0  # for runs that are asked for, as the runner for those that are due
UNUSED_S = 20.0  # without a run or another client, after which the process rests
SERVER_TIMEOUT_S = 120.0  # it starts at the same time, on a possibly busy machine
_UNDER_WAY = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]

log = logging.getLogger("skysieve")
log.setLevel(logging.INFO)


class NoServer(SkysieveError):
    """The Prefect server does not answer."""


def serve_schedule(
    settings: FlowSettings, server: OwnServer | None = None, next_due_s: float | None = None
) -> None:
    """Make runs when they are due, until the process is asked to stop.

    `server` is the Prefect server, if this process has it, not yet started: then the process rests between
    runs. A run is made at once if the store has none, or none recent, unless the process has rested for one
    that is still to come: `next_due_s`, since 1970. Runs that an earlier process left running, or that were
    missed meanwhile, are closed first.

    Raises:
        UsageError: no server is named, or the interval cannot be scheduled.
        NoServer: the server does not answer.
    """
    cron = cron_of(settings.refresh_hours)
    hand_down(settings)
    # Prefect's own handler of SIGTERM leaves it behind, and this cannot be avoided.
    warnings.filterwarnings("ignore", "coroutine 'Runner.astop' was never awaited", RuntimeWarning)
    if not PREFECT_API_URL.value():
        raise UsageError(
            "A schedule needs a Prefect server. `skysieve up` starts one and everything else; to use a "
            "running one, name it: PREFECT_API_URL=http://127.0.0.1:4200/api."
        )
    if server is not None:
        server.thread.start()  # after the filter: a thread that catches warnings meanwhile would take it away
    try:
        due = asyncio.run(_serve(settings, cron, server and server.others, next_due_s))
    except (KeyboardInterrupt, TerminationSignal):
        log.info("schedule: stopped")
        return
    if server is not None and due is not None:
        log.info("schedule: at rest until shortly before %s", time_text(due, "seconds"))
        rest(server.listening, due, settings.store)


async def _serve(
    settings: FlowSettings, cron: str, others: OtherClients | None, next_due_s: float | None
) -> datetime | None:
    """Make runs until there is nothing to do for a while; return when the next one is due, None: stopped."""
    interval = timedelta(hours=settings.refresh_hours)
    name = deployment_name(settings.store)
    async with get_client() as client:
        await _until_it_answers(client)
        take_current_folder_out()
        await close_left_over(client, name, datetime.now(UTC), interval)
        # One at a time by the runner, without a limit of the deployment: a killed run would keep its slot.
        runner = Runner(name=name, limit=1, pause_on_shutdown=False, query_seconds=2)
        deployment = await runner.aadd_flow(
            refresh,
            name=name,
            cron=cron,
            parameters={"store": str(settings.store)},  # the source may hold a key: runs read the environment
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        log.info(
            "schedule: a run every %g h (cron %s, UTC) into %s", settings.refresh_hours, cron, settings.store
        )
        waited = next_due_s is None or time.time() >= next_due_s
        if waited and is_due_at_once(datetime.now(UTC), interval, newest_start(settings.store)):
            log.info("schedule: the store has no recent run; making one now")
            await client.create_flow_run_from_deployment(
                deployment, name=f"at-once-{datetime.now(UTC):%H%M%S}"
            )
    beside: list[asyncio.Task[Any]] = [
        asyncio.create_task(runner.start()),
        asyncio.create_task(_begin_asked(settings.store, deployment)),
    ]
    if others is not None:  # another's server is never unused
        beside.append(asyncio.create_task(_until_unused(settings.store, name, others)))
    try:
        ended, _ = await asyncio.wait(beside, return_when=asyncio.FIRST_COMPLETED)
        due: datetime | None = ended.pop().result()
        return due
    finally:
        for task in beside:
            task.cancel()
        await asyncio.wait(beside)  # what the runner has on the disk goes with it


async def _until_unused(store: Path, deployment: str, others: OtherClients) -> datetime:
    """Wait until neither a run nor another client needs the server; return when the next run is due."""
    since_s = time.monotonic()
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            async with get_client() as client:
                if await _used(client, store, deployment):
                    since_s = time.monotonic()
                elif min(time.monotonic() - since_s, others.unused_s()) >= UNUSED_S:
                    due = await _next_due(client, deployment)
                    if due is not None and due.timestamp() - time.time() > 2.0 * EARLY_S:
                        return due
        except (SkysieveError, PrefectException, httpx.HTTPError) as error:
            since_s = time.monotonic()
            log.warning("schedule: it is not known whether the server is in use: %s", error)


async def _used(client: PrefectClient, store: Path, deployment: str) -> bool:
    """Return whether a run is under way, or asked for."""
    asked = await asyncio.to_thread(asked_run, store, waiting=True)
    return asked is not None or bool(await _runs(client, deployment, _UNDER_WAY))


async def _next_due(client: PrefectClient, deployment: str) -> datetime | None:
    """Return when the next run is due; in the past for one that is about to begin."""
    scheduled = await _runs(client, deployment, [StateType.SCHEDULED])
    return min((run.expected_start_time for run in scheduled if run.expected_start_time), default=None)


async def _begin_asked(store: Path, deployment: UUID) -> None:
    """Begin the runs that people ask for, one after the other, until the schedule ends.

    What cannot be read or begun is logged, and tried again.
    """
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            if await asyncio.to_thread(asked_run, store, waiting=True) is None:
                continue
            async with get_client() as client:
                name = f"asked-for-{datetime.now(UTC):%H%M%S}"
                await client.create_flow_run_from_deployment(deployment, name=name)
            await asyncio.to_thread(begin_asked_run, store, datetime.now(UTC))
            log.info("schedule: a run was asked for; making one now")
        except (SkysieveError, PrefectException, httpx.HTTPError) as error:
            log.warning("schedule: the run that was asked for is not begun yet: %s", error)


def deployment_name(store: Path) -> str:
    """Return the name of a store's deployment: one Prefect server may serve several stores."""
    return f"{DEPLOYMENT}-{hashlib.sha256(str(store).encode()).hexdigest()[:8]}"


async def close_left_over(client: PrefectClient, deployment: str, now: datetime, interval: timedelta) -> None:
    """Mark runs that an ended process left running as Crashed, and missed ones as Cancelled."""
    for run in await _runs(client, deployment, _UNDER_WAY):
        log.info("schedule: the run %s was left %s; it crashed", run.name, run.state_name)
        message = "Its process ended without an error, or was killed."
        await client.set_flow_run_state(run.id, Crashed(message=message), force=True)
    for run in await _runs(client, deployment, [StateType.SCHEDULED]):
        due = run.expected_start_time
        reason = due and why_skipped(due, now, interval, None)
        if reason:
            log.info("schedule: the run %s is skipped. %s", run.name, reason)
            await client.set_flow_run_state(run.id, Cancelled(name="Skipped", message=reason), force=True)


async def _runs(client: PrefectClient, deployment: str, states: list[StateType]) -> list[FlowRun]:
    found: list[FlowRun] = []
    while True:
        page = await client.read_flow_runs(
            deployment_filter=DeploymentFilter(name=DeploymentFilterName(any_=[deployment])),
            flow_run_filter=FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=states))),
            offset=len(found),
        )
        if not page:
            return found
        found += page


async def _until_it_answers(client: PrefectClient) -> None:
    last: Exception | str = "no answer"
    try:
        async with asyncio.timeout(SERVER_TIMEOUT_S):
            while (problem := await client.api_healthcheck()) is not None:
                last = problem
                await asyncio.sleep(0.5)
    except TimeoutError:
        raise NoServer(
            f"The Prefect server at {client.api_url} did not answer within {SERVER_TIMEOUT_S:g} s ({last}). "
            "Start it, or name another in PREFECT_API_URL."
        ) from None
