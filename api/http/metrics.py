"""Metrics of requests, for Prometheus. Labels come from fixed lists, whatever clients send."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# In seconds; a page of events takes 3 ms, all positions 100 ms, an analysis up to seconds.
_BUCKETS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.063, 0.125, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "skysieve_http_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "skysieve_http_request_seconds",
            "Time from the arrival of a request to the last byte of its answer, s.",
            ["route", "status"],
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self.failed_authentications = Counter(
            "skysieve_failed_authentications",
            "Requests without a valid credential where one is required.",
            registry=self.registry,
        )

        self.connections = Gauge("skysieve_connections", "Open connections.", registry=self.registry)
        self.connections_cut = Counter(
            "skysieve_connections_cut",
            "Connections closed or refused by the service.",
            ["reason"],
            registry=self.registry,
        )

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._requests.labels(method if method in _METHODS else "other", route, status).inc()
        self._seconds.labels(route, status).observe(seconds)
