"""Searches of fleets that have been made or changed, in the background, in the objects of the newest run.

They take turns with analyses on demand, one of a credential at a time, and have as long. What prevents one is
logged and said with the fleet: the next run searches it with all others.
"""

import logging
from collections import deque
from functools import partial
from threading import Lock

from api.answers.basis import AnalysedRun
from api.costly.fair_queue import FairQueue, GoOn
from api.errors import Busy, ClientGone
from api.live.newest_snapshot import LiveSnapshot
from api.settings import ApiSettings
from screening.errors import SkysieveError

LOG = logging.getLogger("skysieve.api")


class _Search:
    """One search of a fleet, which is read when the search begins."""

    def __init__(self, fleet_id: int) -> None:
        self.fleet_id = fleet_id
        self.begun = False


class FleetSearches:
    """The searches of one service; any number of threads may begin one."""

    def __init__(
        self, settings: ApiSettings, events: LiveSnapshot, analysed_run: AnalysedRun, costly: FairQueue
    ) -> None:
        self._settings = settings
        self._events = events
        self._analysed_run = analysed_run
        self._costly = costly
        self._lock = Lock()
        self._of_credentials: dict[
            int | None, deque[_Search]
        ] = {}  # the first of each has its turn, or waits
        self._newest: dict[int, _Search] = {}  # by fleet, of those that have not ended
        self._problems: dict[int, str] = {}  # by fleet

    def begin(self, fleet_id: int, whose: int | None) -> None:
        """Search a fleet that has been saved, in the turn of a credential; one under way is given up."""
        with self._lock:
            self._problems.pop(fleet_id, None)
            last = self._newest.get(fleet_id)
            if last is not None and not last.begun:
                return
            self._newest[fleet_id] = search = _Search(fleet_id)
            queue = self._of_credentials.setdefault(whose, deque())
            queue.append(search)
            if len(queue) == 1:
                self._costly.begin("analysis", whose, partial(self._next, whose))

    def state(self, fleet_id: int) -> tuple[bool, str | None]:
        """Return whether a fleet is being searched, and what has prevented that; None: nothing."""
        with self._lock:
            return fleet_id in self._newest, self._problems.get(fleet_id)

    def stop(self) -> None:
        """Let all searches end without a result."""
        with self._lock:
            self._of_credentials.clear()
            self._newest.clear()

    def _next(self, whose: int | None, go_on: GoOn) -> None:
        """Make the first search of a credential on this thread, and let the next one wait for its turn."""
        with self._lock:
            queue = self._of_credentials.get(whose)
            if not queue:
                return  # the service ends
            search = queue[0]
            search.begun = True
        problem = self._problem_of(search, go_on)
        with self._lock:
            queue.popleft()
            if queue:
                self._costly.begin("analysis", whose, partial(self._next, whose))
            else:
                self._of_credentials.pop(whose, None)
            if self._newest.get(search.fleet_id) is not search:
                return
            del self._newest[search.fleet_id]
            if problem:
                self._problems[search.fleet_id] = f"{problem} The next run searches it."
                LOG.warning("fleet %d is not searched before the next run: %s", search.fleet_id, problem)

    def _problem_of(self, search: _Search, go_on: GoOn) -> str:
        """Make a search, and return why not all of it could be; empty: all was."""

        def still_newest() -> None:
            if self._newest.get(search.fleet_id) is not search:
                raise ClientGone
            go_on()

        try:
            return self._searched(search.fleet_id, still_newest)
        except ClientGone:
            return ""
        except Busy:
            return f"The search takes longer than the {self._costly.longest_s:g} s allowed."
        except SkysieveError as error:
            return str(error)
        except Exception:
            LOG.exception("the search of fleet %d failed", search.fleet_id)
            return "The search failed; the service's log says why."

    def _searched(self, fleet_id: int, go_on: GoOn) -> str:
        # Imported late: it imports numba, which an idle service does not need.
        from storage.analyses.around_fleets.look import look_around_saved
        from storage.analyses.around_fleets.wanted import OfRun, stored_run

        def newest_run() -> OfRun:
            self._events.refresh()
            basis = self._analysed_run.basis(self._events.current())
            return stored_run(basis.run, basis.elements, basis.flown_by)

        store, most = self._settings.store, self._settings.max_events
        looked = look_around_saved(store, fleet_id, newest_run, most, go_on)
        self._events.refresh()  # here, so that what was found is listed once the search has ended
        return " ".join(looked.problems) if looked else ""
