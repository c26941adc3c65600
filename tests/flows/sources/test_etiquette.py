"""What services ask of programs: how often they are asked, and that a stop is a stop.

The public hosts are played by a transport that counts; no test reaches them.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import numpy as np
import pytest

from flows.settings import FlowSettings
from flows.sources.catalogues import Source, fetch_catalogue
from flows.sources.download import Web
from flows.sources.errors import SourceError, Stopped, TooSoon, Unreachable
from flows.sources.fact_texts import fetch_facts
from tests.flows.made_up_catalogue import catalogue_csv, listing_json, radii_csv, satcat_csv
from tests.flows.misbehaving_server import Exchange, MisbehavingServer, tagged, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
pytestmark = pytest.mark.timeout(60)


def fetch(settings: FlowSettings, now: datetime, source: str = "celestrak") -> Source:
    return fetch_catalogue(source, settings, now, Web(lambda _seconds: None))


def test_the_same_tag_means_unchanged(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = tagged(catalogue_csv(1000), '"one"')
    first = fetch(settings, NOW)
    for hours in (1, 3, 9):  # within two hours it may be asked as well
        again = fetch(settings, NOW + hours * HOUR)
        assert (again.name, again.sha256, again.decision) == (first.name, first.sha256, "unchanged")
        np.testing.assert_array_equal(again.content.elements, first.content.elements)
    assert "if-none-match" not in server.requests[0].headers
    assert [request.headers["if-none-match"] for request in server.requests[1:]] == ['"one"'] * 3


def test_a_date_serves_where_there_is_no_tag(server: MisbehavingServer, settings: FlowSettings) -> None:
    date = "Sat, 21 Nov 2026 05:00:00 GMT"

    def answer(exchange: Exchange) -> None:
        if exchange.request.headers.get("if-modified-since") == date:
            exchange.send_head("304 Not Modified")
        else:
            text(catalogue_csv(1000), last_modified=date)(exchange)

    server.answer = answer
    assert [fetch(settings, NOW).decision for _ in range(2)] == ["downloaded", "unchanged"]


def test_a_new_tag_brings_a_new_text_after_two_hours(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = tagged(catalogue_csv(1000), '"one"')
    first = fetch(settings, NOW)
    server.answer = tagged(catalogue_csv(1001), '"two"')
    early = fetch(settings, NOW + 2 * HOUR - MINUTE)
    assert (early.decision, early.sha256) == ("too_soon", first.sha256)
    assert "at 2026-11-21T08:00:00Z" in early.reason
    later = fetch(settings, NOW + 2 * HOUR)
    assert (later.decision, len(later.content.elements)) == ("downloaded", 1001)
    assert server.requests[-1].headers["if-none-match"] == '"one"'


def test_a_text_that_comes_too_soon_stays_unread(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(catalogue_csv(1000))
    fetch(settings, NOW)
    sent: list[int] = []

    def answer(exchange: Exchange) -> None:
        exchange.send_head("200 OK", content_length=200_000_000)
        for _ in range(2000):
            exchange.send(bytes(100_000))  # fails once the client has gone
            sent.append(100_000)

    server.answer = answer
    assert fetch(settings, NOW + HOUR).decision == "too_soon"
    server.close()
    assert sum(sent) < 100_000_000  # what the buffers of two sockets may hold is far less


def test_a_refused_text_was_a_download_too(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(catalogue_csv(1000))
    fetch(settings, NOW)
    server.answer = text(catalogue_csv(10))
    assert fetch(settings, NOW + 3 * HOUR).decision == "last_good"
    server.answer = text(catalogue_csv(1000))
    assert fetch(settings, NOW + 4 * HOUR).decision == "too_soon"
    assert fetch(settings, NOW + 5 * HOUR).decision == "downloaded"


def test_an_address_of_ones_own_has_no_interval(server: MisbehavingServer, settings: FlowSettings) -> None:
    for objects in (1000, 1001):
        server.answer = text(catalogue_csv(objects))
        assert fetch(settings, NOW, f"{server.url}/gp.csv").decision == "downloaded"


def test_a_clock_that_was_years_ahead_does_not_stop_downloads(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = text(catalogue_csv(1000))
    fetch(settings, NOW + timedelta(days=4000))
    assert fetch(settings, NOW).decision == "downloaded"


def reply(status: int, content: bytes = b"", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, stream=httpx.ByteStream(content), headers=named)


class PublicHost:
    """celestrak.org, as far as the program can tell."""

    def __init__(self, store: Path) -> None:
        self.asked: list[str] = []
        self.settings = FlowSettings(store=store)
        self.answer: Callable[[httpx.Request], httpx.Response] = lambda _: reply(404)

    def says(self, status: int, content: bytes = b"") -> None:
        self.answer = lambda _: reply(status, content)

    def fails(self, failure: BaseException) -> None:
        def fail(request: httpx.Request) -> httpx.Response:
            raise failure

        self.answer = fail

    def fetch(self, now: datetime, source: str = "celestrak") -> Source:
        return fetch_catalogue(source, self.settings, now, self.web())

    def web(self) -> Web:
        def handle(request: httpx.Request) -> httpx.Response:
            assert request.url.host in ("celestrak.org", "api.github.com", "raw.githubusercontent.com")
            self.asked.append(request.url.path)
            return self.answer(request)

        return Web(lambda _seconds: None, httpx.MockTransport(handle))


@pytest.fixture
def public(store: Path) -> PublicHost:
    return PublicHost(store)


def test_the_public_host_is_asked_every_two_hours_at_most(public: PublicHost) -> None:
    public.says(200, catalogue_csv(1000))
    first = public.fetch(NOW)
    for minutes in (0, 1, 119):
        again = public.fetch(NOW + minutes * MINUTE)
        assert (again.decision, again.sha256) == ("too_soon", first.sha256)
    assert "celestrak.org was asked at 2026-11-21T06:00:00Z" in again.reason
    assert public.asked == ["/pub/on-orbit.csv"]
    assert public.fetch(NOW + 2 * HOUR).decision == "downloaded"
    assert len(public.asked) == 2


@pytest.mark.parametrize("address", ["https://celestrak.org/pub/on-orbit.csv", "http://CELESTRAK.ORG/x.csv"])
def test_its_address_in_full_has_the_same_rules(public: PublicHost, address: str) -> None:
    public.says(200, catalogue_csv(1000))
    assert [public.fetch(NOW, address).decision for _ in range(2)] == ["downloaded", "too_soon"]
    assert len(public.asked) == 1


@pytest.mark.parametrize("content", [b"<html>", catalogue_csv(100, unusable=50)])
def test_a_text_of_no_use_counts_as_well(public: PublicHost, content: bytes) -> None:
    public.says(200, content)
    with pytest.raises(SourceError):
        public.fetch(NOW)
    with pytest.raises(TooSoon):
        public.fetch(NOW + HOUR)
    assert len(public.asked) == 1


def test_a_process_killed_meanwhile_has_asked(public: PublicHost) -> None:
    public.fails(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        public.fetch(NOW)
    with pytest.raises(TooSoon):
        public.fetch(NOW + HOUR)


@pytest.mark.parametrize(
    "failure",
    [httpx.ConnectError("no route"), httpx.ConnectTimeout("late"), httpx.ProxyError("403 Forbidden")],
)
def test_without_a_connection_nobody_was_asked(public: PublicHost, failure: httpx.TransportError) -> None:
    """Who starts without a network must not wait two hours once it is there."""
    public.fails(failure)
    with pytest.raises(Unreachable):
        public.fetch(NOW)
    public.says(200, catalogue_csv(1000))
    assert public.fetch(NOW + MINUTE).decision == "downloaded"


@pytest.mark.parametrize("status", [301, 403, 404, 500])
def test_a_stop_holds_for_the_whole_host(public: PublicHost, status: int) -> None:
    public.says(status)
    with pytest.raises(Stopped, match=str(status)):
        public.fetch(NOW)
    for source in ("celestrak", "celestrak:stations", "https://celestrak.org/other.csv"):
        with pytest.raises(TooSoon, match=f"said stop.*{status}"):
            public.fetch(NOW + HOUR, source)
    with pytest.raises(TooSoon, match="said stop"):
        fetch_facts("satcat", public.settings, NOW + HOUR, public.web())
    assert len(public.asked) == 1
    public.says(200, catalogue_csv(1000))
    assert public.fetch(NOW + 2 * HOUR, "celestrak:stations").decision == "downloaded"


@pytest.mark.parametrize(
    ("retry_after", "hours"),
    [("60", 2.0), ("43200", 12.0), ("Sat, 21 Nov 2026 20:00:00 GMT", 14.0), ("99999999", 7 * 24.0)],
)
def test_who_wishes_to_be_left_alone_for_longer_is(
    public: PublicHost, retry_after: str, hours: float
) -> None:
    """The header is seconds or a date: RFC 9110, 10.2.3."""
    public.answer = lambda _: reply(429, retry_after=retry_after)
    with pytest.raises(Stopped, match="429"):
        public.fetch(NOW)
    with pytest.raises(TooSoon, match="said stop"):
        public.fetch(NOW + hours * HOUR - MINUTE, "celestrak:stations")
    assert len(public.asked) == 1
    public.says(200, catalogue_csv(1000))
    assert public.fetch(NOW + hours * HOUR).decision == "downloaded"


def test_catalogue_and_satcat_are_two_requests(public: PublicHost) -> None:
    public.answer = lambda request: reply(
        200, satcat_csv(10) if "satcat" in request.url.path else catalogue_csv(10)
    )
    public.fetch(NOW)
    assert fetch_facts("satcat", public.settings, NOW, public.web()).content == satcat_csv(10)
    assert public.asked == ["/pub/on-orbit.csv", "/pub/satcat.csv"]


def test_github_is_asked_once_a_day_at_most(public: PublicHost) -> None:
    public.says(403)
    with pytest.raises(Stopped, match="403"):
        fetch_facts("radii", public.settings, NOW, public.web())
    for hours in (1, 23):
        with pytest.raises(TooSoon, match=r"api\.github\.com said stop"):
            fetch_facts("radii", public.settings, NOW + hours * HOUR, public.web())
    assert len(public.asked) == 1
    name = "HBR_Mass_Estimates_20261101_ForDistribution.csv"
    public.answer = lambda request: reply(
        200, radii_csv(10) if request.url.path.endswith(name) else listing_json(name)
    )
    assert fetch_facts("radii", public.settings, NOW + 24 * HOUR, public.web()).content == radii_csv(10)
    assert public.asked[1:] == [
        "/repos/nasa/CARA_Analysis_Tools/contents/DataFiles/HBRMassEstimates",
        f"/nasa/CARA_Analysis_Tools/master/DataFiles/HBRMassEstimates/{name}",
    ]
