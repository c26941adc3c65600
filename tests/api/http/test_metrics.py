"""`GET /metrics`, read by the parser of prometheus_client."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse

from storage.reading.read_only_sql import query
from storage.state.database import begin_attempt, end_attempt
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.waiting import wait_until
from tests.made_up_run import make_run, publish

Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
def client(store: Path) -> Iterator[Client]:
    publish(store, make_run())
    with serving(store) as client:
        yield client


def figures(client: Client) -> Figures:
    """Return every figure by name and labels."""
    answer = client.without_credential().get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    families = list(parse(answer.text))
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def figure(found: Figures, name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


@pytest.mark.slow
def test_requests_and_how_long_they_took(client: Client) -> None:
    for path in ("/conjunctions", "/v1/conjunctions", "/conjunctions/1", "/conjunctions/2", "/a", "/b"):
        client.get(path)
    client.request("BREW", "/conjunctions/3")
    found = figures(client)
    requests = "skysieve_http_requests_total"
    assert figure(found, requests, method="GET", route="/conjunctions", status="200") == 2
    assert figure(found, requests, method="GET", route="/conjunctions/{id}", status="404") == 2
    assert figure(found, requests, method="other", route="/conjunctions/{id}", status="405") == 1
    assert figure(found, requests, method="GET", route="none", status="404") == 2
    seconds = "skysieve_http_request_seconds"
    assert figure(found, f"{seconds}_count", route="/conjunctions", status="200") == 2
    assert figure(found, f"{seconds}_sum", route="/conjunctions", status="200") > 0
    assert figure(found, f"{seconds}_bucket", route="/conjunctions", status="200", le="+Inf") == 2


def test_what_clients_send_makes_no_labels(client: Client) -> None:
    client.get("/health")
    before = set(figures(client))
    for number in range(20):
        client.request(
            f"METHOD{number}", f"/nothing/{number}?a={number}", headers={"X-Request-ID": f"{number}"}
        )
        client.get("/health", headers={"Host": f"host{number}", "Origin": f"https://{number}.example"})
    new = set(figures(client)) - before
    assert {labels for name, labels in new if name == "skysieve_http_requests_total"} == {
        frozenset({"method": "other", "route": "none", "status": "404"}.items()),
        frozenset({"method": "GET", "route": "none", "status": "421"}.items()),  # a name that is not ours
        frozenset({"method": "GET", "route": "/metrics", "status": "200"}.items()),
    }


def test_what_is_served(client: Client, store: Path) -> None:
    found = figures(client)
    assert figure(found, "skysieve_run_age_seconds") == 3596.0
    assert figure(found, "skysieve_catalogue_objects") == 30
    for column, name, total in (
        ("probability_level", "skysieve_events", 60),
        ("near_level", "skysieve_near_events", None),
    ):
        _, rows = query(store, f"SELECT {column}, count(*) FROM events WHERE {column} IS NOT NULL GROUP BY 1")
        counts = dict(rows)
        assert {level: figure(found, name, **{column: level}) for level in counts} == counts
        assert total in (None, sum(counts.values()))
    for state in ("running", "waiting"):
        assert figure(found, "skysieve_analyses", state=state) == 0
    assert figure(found, "process_resident_memory_bytes") > 1e6


@pytest.mark.slow
def test_the_age_of_the_element_sets(client: Client, store: Path) -> None:
    """Two days on the last good text were invisible: each run was published, and `run_age` small."""
    assert not any(name == "skysieve_newest_epoch_age_seconds" for name, _ in figures(client))
    made = make_run(hours_later=0.5)
    old = replace(made.run, catalogue_epoch=made.run.started - timedelta(hours=30), historic=True)
    publish(store, made._replace(run=old))
    wait_until(lambda: figure(figures(client), "skysieve_run_historic") == 1)
    assert figure(figures(client), "skysieve_newest_epoch_age_seconds") == 30.5 * 3600


def test_what_was_decided_about_catalogues(client: Client, store: Path) -> None:
    now = datetime.now(UTC)
    for outcome, decision in (
        ("published", "last_good"),
        ("failed", "last_good"),
        ("published", "downloaded"),
        ("skipped", "last_good"),  # SATCAT, no run
    ):
        number = begin_attempt(store, now, "celestrak", "fetch")
        end_attempt(store, number, now, outcome, decision=decision)  # type: ignore[arg-type]
    found = figures(client)
    assert figure(found, "skysieve_catalogue_decisions", decision="last_good") == 2
    assert figure(found, "skysieve_catalogue_decisions", decision="downloaded") == 1
    assert figure(found, "skysieve_catalogue_decisions", decision="too_soon") == 0


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("hours", "state"), [(23.0, "current"), (25.0, "old"), (None, "unknown"), (9000.0, "old")]
)
def test_health_says_how_old_they_are(store: Path, hours: float | None, state: str) -> None:
    made = make_run()
    epoch = None if hours is None else made.run.started - timedelta(hours=hours - 1)
    publish(store, made._replace(run=replace(made.run, catalogue_epoch=epoch)))
    with serving(store) as client:
        answer = client.without_credential().get("/health")
        warned = client.get("/metrics").status_code
    assert (answer.status_code, warned) == (200, 200)
    body = answer.json()
    assert (body["status"], body["element_sets"]) == ("ok", state)
    assert body["newest_epoch_age_s"] == (None if hours is None else hours * 3600)


@pytest.mark.slow
def test_a_new_run(client: Client, store: Path) -> None:
    publish(store, make_run(conjunctions=90, objects=40, hours_later=1))
    wait_until(lambda: figure(figures(client), "skysieve_catalogue_objects") == 40)
    found = figures(client)
    assert figure(found, "skysieve_run_age_seconds") == -4.0  # finished 4 s after the clock of this service
    assert sum(value for (name, _), value in found.items() if name == "skysieve_events") == 90


def test_failed_attempts(client: Client, store: Path) -> None:
    now = datetime.now(UTC)
    for outcome in ("failed", "failed", "published"):
        end_attempt(store, begin_attempt(store, now, "celestrak", "fetch"), now, outcome)  # type: ignore[arg-type]
    begin_attempt(store, now, "celestrak", "fetch")
    stranger = client.without_credential()
    for path in ("/conjunctions", "/positions", "/health"):
        stranger.get(path)
    found = figures(client)
    assert figure(found, "skysieve_run_attempts", outcome="failed") == 2
    assert figure(found, "skysieve_run_attempts", outcome="published") == 1
    assert figure(found, "skysieve_run_attempts", outcome="skipped") == 0
    assert figure(found, "skysieve_failed_authentications_total") == 2


def test_before_the_first_run_the_other_metrics_are_there(store: Path) -> None:
    with serving(store) as client:
        names = {name for name, _ in figures(client)}
    assert "skysieve_analyses" in names
    assert not names & {"skysieve_run_age_seconds", "skysieve_catalogue_objects", "skysieve_events"}


@pytest.mark.slow
def test_a_state_that_cannot_be_read_hides_no_other_figure(
    client: Client, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for path in store.glob("service.sqlite*"):
        path.unlink()
    (store / "service.sqlite").write_bytes(b"no database" * 1000)
    for _ in range(2):
        found = figures(client)
    assert figure(found, "skysieve_catalogue_objects") == 30
    assert not any(name == "skysieve_run_attempts" for name, _ in found)
    assert caplog.text.count("left out of /metrics") == 1


def test_as_openmetrics(client: Client) -> None:
    headers = {"Accept": "application/openmetrics-text; version=1.0.0"}
    answer = client.get("/metrics", headers=headers)
    assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
    assert "skysieve_catalogue_objects" in {family.name for family in parse_openmetrics(answer.text)}
