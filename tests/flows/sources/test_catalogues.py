"""What becomes of an answer: it is taken, or refused for the last good one."""

import gzip
import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.settings import FlowSettings
from flows.sources.catalogues import Source, fetch_catalogue
from flows.sources.download import Limits, Web
from flows.sources.errors import SourceError, Unreachable
from flows.sources.newest_text import Reading, why_refused
from storage.disk.downloads import (
    CATALOGUES,
    AcceptedText,
    catalogues_locked,
    history_path,
    keep,
    read_history,
)
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import (
    DRIPPING_BODY,
    DRIPPING_HEAD,
    Exchange,
    MisbehavingServer,
    chunks_cut,
    compressed,
    endless,
    of_length,
    reset,
    silent,
    silent_after_head,
    status,
    tagged,
    text,
    zeros_compressed,
)

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
LATER = NOW + timedelta(hours=6)
LIMITS = Limits(max_bytes=1_000_000)
NO_WAIT = Web(wait=lambda _seconds: None, limits=LIMITS)
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(store=store, celestrak_url=server.url)


def fetch(
    settings: FlowSettings, now: datetime = NOW, source: str = "celestrak", web: Web = NO_WAIT
) -> Source:
    return fetch_catalogue(source, settings, now, web)


def test_a_download_is_kept(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(catalogue_csv(1000, unusable=3), etag='"one"')
    fetched = fetch(settings)
    assert fetched.decision == "downloaded"
    assert len(fetched.content.elements) == 1000
    assert server.paths() == ["/pub/on-orbit.csv"]
    (stored,) = read_history(settings.store, f"{server.url}/pub/on-orbit.csv").texts
    assert stored.sha256 == fetched.sha256 == hashlib.sha256(catalogue_csv(1000, unusable=3)).hexdigest()
    assert stored.downloaded_at == NOW
    assert (stored.objects, stored.parsed_share, stored.etag) == (1000, 1000 / 1003, '"one"')


# What a server does, and what the reason must say about it.
FAILURES: dict[str, tuple[Callable[[Exchange], None], str]] = {
    "301": (status("301 Moved Permanently", location="https://elsewhere/gp.csv"), "https://elsewhere/gp.csv"),
    "403": (status("403 Forbidden", b"GP data has not updated"), "403 Forbidden: GP data has not updated"),
    "429": (status("429 Too Many Requests"), "429"),
    "500": (status("500 Internal Server Error"), "500"),
    "web page": (text(b"<!DOCTYPE html><html><body>Sorry</body></html>"), "web page"),
    "empty": (text(b""), "empty"),
    "words": (text(b"No GP data found"), "No GP data found"),
    "too short": (of_length(10**5, b"a" * 10), "cut off"),
    "cut chunks": (chunks_cut(catalogue_csv(1000)), "cut off"),
    "reset": (reset, "cut off"),
    "announced": (silent_after_head(2_000_000_000), "2,000,000,000"),
    "endless": (endless, "too much"),
    "bomb": (compressed(zeros_compressed(20_000_000)), "too much"),
    "bomb in a file": (text(zeros_compressed(20_000_000)), "1000000"),
    "silent": (silent, "sent nothing for 0.3 s"),
    "dripping head": (DRIPPING_HEAD, "0.6 s"),
    "dripping body": (DRIPPING_BODY, "0.6 s"),
    "10 of 1000": (text(catalogue_csv(10)), "10 objects"),
    "unusable": (
        text(catalogue_csv(1000, unusable=200)),
        "83.3% of its records can be used, less than 90%: 200 of 1,200 records were rejected; the first",
    ),
}


# Of the failures that a limit of time ends; elsewhere such limits could fail a busy machine.
SHORT_LIMITS = {
    "silent": LIMITS._replace(silence_s=0.3),
    "dripping head": LIMITS._replace(total_s=0.6),
    "dripping body": LIMITS._replace(total_s=0.6),
}


def hasty(failure: str) -> Web:
    return NO_WAIT._replace(limits=SHORT_LIMITS.get(failure, LIMITS))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("failure", FAILURES)
def test_whatever_goes_wrong_the_last_good_one_is_used(
    server: MisbehavingServer, settings: FlowSettings, failure: str
) -> None:
    server.answer = text(catalogue_csv(1000))
    good = fetch(settings)
    server.answer, told = FAILURES[failure]
    fetched = fetch(settings, LATER, web=hasty(failure))
    assert (fetched.decision, fetched.sha256) == ("last_good", good.sha256)
    assert len(fetched.content.elements) == 1000
    assert told in fetched.reason
    assert server.url in fetched.reason
    assert "2026-11-21T06:00:00Z is used" in fetched.reason
    assert "\n" not in fetched.reason
    server.answer = text(catalogue_csv(1001))
    assert fetch(settings, LATER + timedelta(hours=6)).decision == "downloaded"


@pytest.mark.parametrize("failure", [name for name in FAILURES if name != "10 of 1000"])
def test_without_a_good_one_it_is_an_error(
    server: MisbehavingServer, settings: FlowSettings, failure: str
) -> None:
    server.answer, told = FAILURES[failure]
    with pytest.raises(SourceError) as failed:
        fetch(settings, web=hasty(failure))
    assert told in str(failed.value)
    assert server.url in str(failed.value)
    server.answer = text(catalogue_csv(1000))
    assert fetch(settings, NOW).decision == "downloaded"


def test_no_network_is_an_error_of_its_own(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.close()
    with pytest.raises(Unreachable):
        fetch(settings)


def test_no_network_leaves_the_last_good_one(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(catalogue_csv(1000))
    fetch(settings)
    server.close()
    fetched = fetch(settings, LATER)
    assert (fetched.decision, len(fetched.content.elements)) == ("last_good", 1000)
    assert "127.0.0.1 cannot be reached" in fetched.reason


@pytest.mark.parametrize(
    ("objects", "share", "last", "refused"),
    [
        (1000, 1.0, None, None),
        (900, 1.0, 1000, None),
        (899, 1.0, 1000, "899 objects"),
        (26_834, 0.9, 26_834, None),
        (26_834, 0.8999, 26_834, "90.0% of its records"),
        (1, 1.0, 1, None),
        (0, 0.0, None, "0.0%"),
    ],
)
def test_a_tenth_may_be_missing(objects: int, share: float, last: int | None, refused: str | None) -> None:
    reading: Reading[None] = Reading(None, objects, share)
    reason = why_refused(reading, None if last is None else AcceptedText("", NOW, NOW, last, 1.0))
    assert (reason is None) == (refused is None)
    assert (refused or "") in (reason or "")


def test_only_what_was_accepted_sets_the_measure(server: MisbehavingServer, settings: FlowSettings) -> None:
    """A catalogue that shrinks bit by bit is compared with its last good size, a refused one with nothing."""
    for hours, (objects, decision) in enumerate(
        [
            (1000, "downloaded"),
            (800, "last_good"),
            (790, "last_good"),
            (900, "downloaded"),
            (810, "downloaded"),
        ]
    ):
        server.answer = text(catalogue_csv(objects))
        assert fetch(settings, NOW + hours * timedelta(hours=6)).decision == decision


def test_a_person_can_accept_a_smaller_catalogue(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(catalogue_csv(1000))
    fetch(settings)
    server.answer = text(catalogue_csv(10))
    path = history_path(settings.store, f"{server.url}/pub/on-orbit.csv")
    assert str(path) in fetch(settings, LATER).reason
    path.unlink()
    assert fetch(settings, LATER).decision == "downloaded"


def test_groups_and_addresses_have_their_own_history(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    for objects, source in [(1000, "celestrak"), (10, "celestrak:stations"), (100, f"{server.url}/mine.csv")]:
        server.answer = text(catalogue_csv(objects))
        fetched = fetch(settings, source=source)
        assert (fetched.name, fetched.decision) == (source, "downloaded")
    assert server.paths()[1] == "/NORAD/elements/gp.php?GROUP=stations&FORMAT=csv"


def test_the_password_of_an_address_goes_to_its_server_only(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = text(catalogue_csv(10))
    address = f"{server.url}/gp.csv"
    fetched = fetch(settings, source=address.replace("//", "//me:secret@"))
    assert fetched.name == address
    assert "authorization" in server.requests[0].headers
    kept = (settings.store / CATALOGUES).glob("*.json")
    assert all("secret" not in path.read_text() + path.name for path in kept)


def test_a_compressed_file_on_a_server_is_a_catalogue(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    packed = gzip.compress(catalogue_csv(1000))
    server.answer = text(packed)
    fetched = fetch(settings, source=f"{server.url}/gp.csv.gz")
    assert len(fetched.content.elements) == 1000
    assert fetched.sha256 == hashlib.sha256(packed).hexdigest()


def test_a_damaged_copy_is_downloaded_again(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = tagged(catalogue_csv(1000), '"one"')
    good = fetch(settings)
    (settings.store / CATALOGUES / f"{good.sha256}.gz").write_bytes(b"damaged")
    assert fetch(settings).decision == "downloaded"  # a condition would bring 304, and nothing to use
    assert fetch(settings).decision == "unchanged"


def as_an_earlier_release_accepted(settings: FlowSettings, server: MisbehavingServer, text: bytes) -> None:
    """Store a text that this release refuses as the newest accepted one."""
    known = read_history(settings.store, f"{server.url}/pub/on-orbit.csv")
    accepted = AcceptedText(hashlib.sha256(text).hexdigest(), NOW, NOW, 1500, 1.0, etag='"one"')
    with catalogues_locked(settings.store, 1):
        keep(settings.store, known, accepted, text)


def test_a_stored_text_that_can_no_longer_be_read_counts_as_none(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    as_an_earlier_release_accepted(settings, server, catalogue_csv(1500)[:-40])
    server.answer = status("500 Internal Server Error")
    with pytest.raises(SourceError, match=r"500.*of 2026-11-21T06:00:00Z can no longer be read: .*cut off"):
        fetch(settings)
    server.answer = tagged(catalogue_csv(1000), '"one"')  # a condition would bring 304
    fetched = fetch(settings, LATER)
    assert (fetched.decision, len(fetched.content.elements)) == ("downloaded", 1000)
    assert "can no longer be read" in fetched.reason
    again = fetch(settings, LATER + timedelta(hours=6))
    assert (again.decision, again.sha256) == ("unchanged", fetched.sha256)
    assert "can no longer be read" not in again.reason


def test_an_older_text_stands_in_for_one_that_can_no_longer_be_read(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = text(catalogue_csv(1000))
    good = fetch(settings)
    as_an_earlier_release_accepted(settings, server, catalogue_csv(1500)[:-40])
    server.answer = status("500 Internal Server Error")
    fetched = fetch(settings, LATER)
    assert (fetched.decision, fetched.sha256) == ("last_good", good.sha256)
    assert "can no longer be read" in fetched.reason


def test_two_at_once_download_once(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = tagged(catalogue_csv(1000), '"one"')
    with ThreadPoolExecutor(4) as pool:
        decisions = [one.decision for one in pool.map(lambda _: fetch(settings), range(4))]
    assert sorted(decisions) == ["downloaded", "unchanged", "unchanged", "unchanged"]


def test_the_history_is_for_people_too(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(catalogue_csv(1000), last_modified="Sat, 21 Nov 2026 05:00:00 GMT")
    fetch(settings)
    (path,) = (settings.store / CATALOGUES).glob("*.json")
    stored = json.loads(path.read_text())
    assert stored["url"] == f"{server.url}/pub/on-orbit.csv"
    assert stored["texts"][0]["downloaded_at"] == "2026-11-21T06:00:00Z"
