"""Metrics of the store and of analyses, for Prometheus, computed at each scrape."""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import get_args

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from api.costly.fair_queue import FairQueue
from api.errors import NotReady
from api.live.lasting_faults import Throttle
from api.live.newest_snapshot import LiveSnapshot
from screening.errors import StoreError
from screening.risk.tiers import MISS_LIMITS_M
from screening.vocabulary import NEAR_LEVELS, PROBABILITY_LEVELS
from storage.in_memory.event_table import EventQuery
from storage.in_memory.snapshot import Snapshot
from storage.reading.catalogue_age import catalogue_age
from storage.settings import StoreSettings
from storage.state.alerts.deliveries import figures
from storage.state.database import Outcome, count_attempts, count_decisions
from storage.vocabulary import DECISIONS

LOG = logging.getLogger("skysieve.api")


class StoreFigures:
    """A collector in the sense of prometheus_client."""

    def __init__(
        self, settings: StoreSettings, events: LiveSnapshot, costly: FairQueue, now: Callable[[], datetime]
    ) -> None:
        self._settings = settings
        self._store = settings.store
        self._events = events
        self._costly = costly
        self._now = now
        self._faults = Throttle()

    def collect(self) -> Iterator[Metric]:
        """Return the current metrics; those unknown at the moment are left out."""
        analyses = GaugeMetricFamily("skysieve_analyses", "Analyses on demand, by state.", labels=["state"])
        analyses.add_metric(["running"], self._costly.running("analysis"))
        analyses.add_metric(["waiting"], self._costly.waiting("analysis"))
        yield analyses
        answers = GaugeMetricFamily(
            "skysieve_costly_answers", "Other costly answers, by state.", labels=["state"]
        )
        answers.add_metric(["running"], self._costly.running("answer"))
        answers.add_metric(["waiting"], self._costly.waiting("answer"))
        yield answers
        yield from self._attempts()
        yield from self._deliveries()
        try:
            snapshot = self._events.current()
        except NotReady:
            return
        yield from self._run(snapshot)

    def _attempts(self) -> Iterator[Metric]:
        try:
            counts = count_attempts(self._store)
            decisions = count_decisions(self._store)
        except StoreError as error:
            if self._faults.due(str(error)):
                LOG.warning("the attempts are left out of /metrics: %s", error)
            return
        attempts = GaugeMetricFamily(
            "skysieve_run_attempts", "Recorded attempts to make a run.", labels=["outcome"]
        )
        for outcome in get_args(Outcome):
            attempts.add_metric([outcome], counts.get(outcome, 0))
        yield attempts
        decided = GaugeMetricFamily(
            "skysieve_catalogue_decisions",
            "Recorded runs by the decision about their catalogue.",
            labels=["decision"],
        )
        for decision in DECISIONS:
            decided.add_metric([decision], decisions.get(decision, 0))
        yield decided

    def _deliveries(self) -> Iterator[Metric]:
        now = self._now()
        try:
            counted = figures(self._store, now)
        except StoreError as error:
            if self._faults.due(str(error)):
                LOG.warning("the messages of alerts are left out of /metrics: %s", error)
            return
        for name, meaning, value in (
            ("messages_waiting", "Messages of alerts that wait to be delivered.", counted.waiting),
            (
                "oldest_message_seconds",
                "Age of the oldest of these that is due or was tried, s; 0: none.",
                _since_s(counted.oldest, now),
            ),
            (
                "untried_message_seconds",
                "Time since the earliest due message that was never tried, s; 0: none.",
                _since_s(counted.untried, now),
            ),
            ("messages_failed", "Messages of alerts given up within the last day.", counted.failed),
            ("alerts_off", "Alerts that are switched off.", counted.off),
        ):
            yield GaugeMetricFamily(f"skysieve_{name}", meaning, value=value)

    def _run(self, snapshot: Snapshot) -> Iterator[Metric]:
        run = snapshot.run
        age = self._now() - run.finished
        yield GaugeMetricFamily(
            "skysieve_run_age_seconds",
            "Time since the served run was finished, s.",
            value=age.total_seconds(),
        )
        sets = catalogue_age(run, self._settings, self._now())
        if sets.age is not None:
            yield GaugeMetricFamily(
                "skysieve_newest_epoch_age_seconds",
                "Age of the newest element sets of the served run, s.",
                value=sets.age.total_seconds(),
            )
        yield GaugeMetricFamily(
            "skysieve_run_historic",
            "1: the window of the served run lies in the time of an old catalogue; else 0.",
            value=float(run.historic),
        )
        yield GaugeMetricFamily(
            "skysieve_catalogue_objects", "Objects of the served run's catalogue.", value=run.objects
        )
        events = GaugeMetricFamily(
            "skysieve_events",
            "Events served, by their probability: of the run, and of the analyses since.",
            labels=["probability_level"],
        )
        for level in PROBABILITY_LEVELS:
            count = snapshot.events(EventQuery(probability_levels=[level], limit=1)).total
            events.add_metric([level], count)
        yield events
        near = GaugeMetricFamily(
            "skysieve_near_events",
            "Of these, those under 100 m (critical), 500 m (high), 1,000 m (medium).",
            labels=["near_level"],
        )
        under = 0
        for level, miss_m in zip(NEAR_LEVELS, MISS_LIMITS_M, strict=True):
            nearer = snapshot.events(EventQuery(max_miss_m=miss_m, limit=1)).total
            near.add_metric([level], nearer - under)
            under = nearer
        yield near


def _since_s(time: datetime | None, now: datetime) -> float:
    return 0.0 if time is None else (now - time).total_seconds()
