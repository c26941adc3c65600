"""Assemble the HTTP service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from api.access.audited import audit_of
from api.access.rights import describe_rights
from api.http.json_bodies import BodyLimit
from api.http.middleware.compressing import Compressed
from api.http.middleware.hosts import OwnNames, own_names
from api.http.middleware.observing import Observed
from api.http.middleware.policy import Policed
from api.http.middleware.proxy import BelowPath
from api.http.middleware.request_size import Door
from api.http.parameters import describe_lists
from api.http.problems import answer_problems, describe_problems
from api.http.request_notes import REQUEST_ID
from api.live.service import Clock, Service, utc_now
from api.routes import (
    analyses,
    conjunctions,
    geometry,
    handed_on,
    health,
    messages,
    metrics,
    objects,
    page,
    positions,
    proximities,
    runs,
    trajectories,
)
from api.routes.administration import audit, credentials, run_now
from api.routes.operators import directory, intents, links
from api.routes.received import inbox
from api.routes.sessions import session, sign_in
from api.routes.sky import re_entries
from api.routes.to_send import event_calendar, event_report
from api.routes.trajectories import MAX_FILE_BYTES
from api.routes.watched import (
    acknowledgements,
    alerts,
    deliveries,
    feeds,
    fleet_events,
    fleet_report,
    fleets,
    plans,
)
from api.settings import ApiSettings

VERSION_PREFIX = "/v1"

# One module per resource. Its credential is a dependency of its router.
_ROUTERS = (
    analyses.not_events,
    event_calendar.router,
    event_report.router,
    handed_on.messages,  # before the events, whose ids are numbers
    conjunctions.router,
    analyses.router,
    analyses.questions,
    geometry.router,
    proximities.router,
    runs.router,
    re_entries.router,
    objects.router,
    handed_on.paths,
    trajectories.router,
    fleets.router,
    fleet_events.router,
    fleet_events.standing,
    fleet_report.router,
    feeds.router,
    feeds.public,
    acknowledgements.router,
    plans.router,
    directory.router,
    intents.router,
    links.router,
    links.public,
    alerts.router,
    deliveries.router,
    messages.router,
    inbox.router,
    positions.router,
    credentials.router,
    audit.router,
    run_now.router,
    session.router,
    sign_in.router,
    health.router,
    metrics.router,
)

# What takes files, which are larger than other bodies.
_FILES = [
    prefix + path
    for path in (trajectories.PATH, trajectories.CHECK_PATH, messages.PATH, inbox.PATH)
    for prefix in ("", VERSION_PREFIX)
]

_DESCRIPTION = """\
Close approaches (conjunctions) of the public satellite catalogue, all objects against all, rated.

Every path also exists under `/v1`, where it keeps its meaning. Times are UTC, ISO 8601 with `Z`; a time
without a zone is UTC. Names carry the units: `_m` metres, `_km` kilometres, `_m_s` metres per
second. Unknown parameters are refused. Every error is `application/problem+json` (RFC 9457).
"""


def create_app(settings: ApiSettings, now: Clock = utc_now, *, demo: bool = False) -> FastAPI:
    """Return the application; it loads the store named in the settings when it starts."""
    service = Service(settings, now, demo=demo)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        service.stop()

    app = FastAPI(
        title="skysieve",
        version=_version(),
        description=_DESCRIPTION,
        lifespan=life,
        # FastAPI's pages would load scripts from other hosts into the origin of the session's cookie.
        docs_url=None,
        redoc_url=None,
        # A path with a trailing / gets 404; a redirect would drop the credential.
        redirect_slashes=False,
    )
    app.state.service = service
    for router in _ROUTERS:
        app.include_router(router)
        app.include_router(router, prefix=VERSION_PREFIX, include_in_schema=False)
    page.serve(app, settings)
    answer_problems(app)
    describe_problems(app)
    describe_lists(app)
    describe_rights(app)
    app.add_middleware(BodyLimit, larger=dict.fromkeys(_FILES, MAX_FILE_BYTES))
    app.add_middleware(Door)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "X-API-Key", "Content-Type", REQUEST_ID],
            expose_headers=[REQUEST_ID, "RateLimit", "RateLimit-Policy", "Retry-After"],
        )
    app.add_middleware(OwnNames, names=own_names(settings))
    app.add_middleware(Compressed)
    app.add_middleware(Observed, metrics=service.metrics, audit=audit_of(service))
    app.add_middleware(Policed)
    if settings.root_path:
        app.add_middleware(BelowPath, root_path=settings.root_path)
    return app


def _version() -> str:
    try:
        return metadata.version("skysieve")
    except metadata.PackageNotFoundError:
        return "0"
