"""The state that requests of one application share, and the thread that keeps it up to date."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from api.answers.basis import AnalysedRun
from api.answers.plans.screened import ScreenedPlans
from api.answers.watched.fleets import FleetObjects
from api.costly.fair_queue import FairQueue
from api.errors import NotReady
from api.http.metrics import Metrics
from api.http.request_notes import exchange_of
from api.live.fleet_searches import FleetSearches
from api.live.known_credentials import KnownCredentials
from api.live.lasting_faults import Throttle
from api.live.made_once import MadeOnce, catalogue_of, counted_at, is_compared, overview_of, verification_of
from api.live.newest_snapshot import LiveSnapshot
from api.live.positions import LivePositions
from api.live.rate_limits import RateLimits
from api.live.received_messages import ReceivedMessages
from api.live.refused_credentials import RefusedCredentials
from api.live.store_figures import StoreFigures
from api.live.uploads import Uploads
from api.settings import ApiSettings, provider_settings
from screening.kernel_files import keep_kernels_in
from storage.in_memory.snapshot import Snapshot
from storage.machine.allocator import give_back

if TYPE_CHECKING:
    from api.live.people import People

LOG = logging.getLogger("skysieve.api")

LOOK_EVERY_S = 0.5  # for checks of the store for a new run
TIDY_EVERY = 120  # looks
# Of costly answers. A client that waits longer than 10 s for its turn is better told to come again.
WAIT_S = 10.0
LONGEST_S = 60.0
WAITING_PER_CREDENTIAL, WAITING_IN_ALL = 16, 128

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)


class Service:
    """The served events and the known credentials of one store."""

    def __init__(self, settings: ApiSettings, now: Clock, *, demo: bool = False) -> None:
        keep_kernels_in(settings.kernel_cache)
        self.settings = settings
        self.now = now
        self.demo = demo  # anyone may read, and nobody change anything
        self.events = LiveSnapshot(settings.store)
        self.credentials = KnownCredentials(settings.store)
        self.people = None if demo else _people(settings, self.credentials, now)
        self.refused = RefusedCredentials(settings.store)
        self.limits = RateLimits(settings.store, settings.rate_limit_per_minute, now)
        self.positions = LivePositions()
        self.overviews = MadeOnce(overview_of)
        self.verifications = MadeOnce(verification_of, counted_at)
        self.catalogues = MadeOnce(catalogue_of, is_compared)
        self.analysed_run = AnalysedRun()
        self.screened_plans = ScreenedPlans()
        self.fleet_objects = FleetObjects()
        self.costly = FairQueue(
            {"analysis": settings.analyses_at_once, "answer": settings.analyses_at_once},
            wait_s=WAIT_S,
            longest_s=LONGEST_S,
            waiting_of_one=WAITING_PER_CREDENTIAL,
            waiting_in_all=WAITING_IN_ALL,
        )
        self.fleet_searches = FleetSearches(settings, self.events, self.analysed_run, self.costly)
        self.uploads = Uploads(settings, now)
        self.messages = ReceivedMessages(settings.store)
        self.metrics = Metrics()
        self.metrics.registry.register(StoreFigures(settings, self.events, self.costly, now))
        self._faults = Throttle()
        self.asked = False  # for any credential, or for the page
        self._prepared_run = ""
        self._ended = Event()
        self._starting = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Load the store's events and keep them up to date from now on; a second call does nothing."""
        with self._starting:
            if self._thread is None:
                self.events.refresh()
                self._thread = Thread(target=self._keep_up, name="store watcher", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """End the thread, and store the last uses of credentials."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self.credentials.write_uses()
        self.refused.write()
        self.limits.close()
        self.fleet_searches.stop()
        self.costly.close()

    def _keep_up(self) -> None:
        looks = 0
        ended = False
        while not ended:
            looks += 1
            try:
                read = self.events.refresh()
                self._prepare()
                self.refused.write(self.now())
                if looks % TIDY_EVERY == 0:
                    self.credentials.write_uses()
                    self.limits.forget()
                if read or looks % TIDY_EVERY == 0:
                    give_back()
            except Exception as error:
                # A bug must not end the thread, or the service would silently continue with an old run.
                if self._faults.due(repr(error)):
                    LOG.exception("following the store failed")
            ended = self._ended.wait(LOOK_EVERY_S)

    def _prepare(self) -> None:
        """Prepare what the first requests on a new run would have to wait for.

        It takes 160 MB, which a service without requests does not need. What analyses add is prepared when it
        is asked for.
        """
        if not self.asked:
            return
        from api.answers.geometry import load_kernels

        try:
            snapshot = self.events.current()
        except NotReady:
            return
        served = self.events.served()
        if not served or snapshot.run.run_id == self._prepared_run:
            return
        for seen in served:
            self.positions.objects(seen)
        if not self._prepared_run:
            load_kernels(snapshot)
        self._prepared_run = snapshot.run.run_id


def _people(settings: ApiSettings, credentials: KnownCredentials, now: Clock) -> "People | None":
    """Return who signs people in, None without a provider; only then its libraries are imported."""
    provider = provider_settings(settings.oidc.get_secret_value())
    if provider is None:
        return None
    from api.live.people import People

    return People(provider, settings.store, credentials, now)


def service_of(request: Request) -> Service:
    """Return the service behind a request, started."""
    service = request.app.state.service
    assert isinstance(service, Service)
    service.start()
    return service


async def _service(request: Request) -> Service:
    return service_of(request)


async def _snapshot(request: Request) -> Snapshot:
    """Return what the organisation of the request's credential sees."""
    return service_of(request).events.current(await _organisation(request))


async def _organisation(request: Request) -> int:
    """Return whose the credential of a request is; the routes ask for that before."""
    whose = exchange_of(request).organisation
    assert whose is not None, "a credential comes before what is its organisation's"
    return whose


# `async`, so that they run at once instead of on a thread of their own: they mostly just look something up.
CurrentService = Annotated[Service, Depends(_service)]
CurrentSnapshot = Annotated[Snapshot, Depends(_snapshot)]
OrganisationId = Annotated[int, Depends(_organisation)]
