"""Apply the usage rules of the services.

CelesTrak (celestrak.org/usage-policy.php, 2026-05): its data change every two hours at most; download once
per update; stop at any status but 200, since the addresses of those who go on are blocked. Space-Track
(space-track.org/documentation): a query for GP data once an hour at most, one for all public conjunction
messages three times a day, for announced decays once an hour, 30 requests a minute and 300 an hour in all.
GitHub, where NASA CARA publishes its table of radii once a month: 60 queries of its interface an hour without
a login (docs.github.com, rate limits); once a day is asked at most, as is GCAT, which states no limit.
Starlink renews its ephemerides a few times a day, NASA that of the ISS a few times a week, and neither states
a limit: the list of files, and the file of the ISS, are asked for once an hour at most. So is TraCSS, which
states no limit either.

The public hosts get no request at all before the time is over. A server that stands in for one, such as a
mirror in the house, may be asked whether anything has changed, but nothing is downloaded from it; for
messages it is asked as rarely as the service itself.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from flows.sources.errors import TooSoon
from flows.sources.names import Kind
from storage.disk.downloads import SourceHistory
from storage.times import aware_utc, time_text

CELESTRAK_INTERVAL = timedelta(hours=2)
SPACETRACK_INTERVAL = timedelta(hours=1)
MESSAGES_INTERVAL = timedelta(hours=8)
TRACSS_INTERVAL = timedelta(hours=1)
CARA_INTERVAL = timedelta(days=1)
GCAT_INTERVAL = timedelta(days=1)
EPHEMERIS_INTERVAL = timedelta(hours=1)
_LONGEST_WAIT_S = timedelta(days=7).total_seconds()


class Etiquette(NamedTuple):
    """How often a server may be asked."""

    interval: timedelta  # between two downloads
    public: bool  # the service itself: every request counts
    may_ask_within: bool  # whether something has changed
    left_alone: timedelta | None = None  # after a stop; None: the interval


def etiquette_of(kind: Kind, url: str) -> Etiquette:
    """Return the rules for an address; a plain URL of CelesTrak's gets CelesTrak's rules."""
    if kind == "spacetrack":
        return Etiquette(SPACETRACK_INTERVAL, _is_at(url, "space-track.org"), may_ask_within=False)
    if kind == "cdm_public":
        return Etiquette(MESSAGES_INTERVAL, True, may_ask_within=False, left_alone=SPACETRACK_INTERVAL)
    if kind == "tip":
        return Etiquette(SPACETRACK_INTERVAL, True, may_ask_within=False)
    if kind == "tracss":
        return Etiquette(TRACSS_INTERVAL, True, may_ask_within=False)
    if kind == "cara":
        public = _is_at(url, "github.com") or _is_at(url, "githubusercontent.com")
        return Etiquette(CARA_INTERVAL, public, may_ask_within=not public)
    if kind == "gcat":
        public = _is_at(url, "planet4589.org")
        return Etiquette(GCAT_INTERVAL, public, may_ask_within=not public)
    if kind in ("starlink", "iss"):
        public = _is_at(url, "starlink.com") or _is_at(url, "amazonaws.com")
        return Etiquette(EPHEMERIS_INTERVAL, public, may_ask_within=not public)
    public = _is_at(url, "celestrak.org")
    if kind == "celestrak" or public:
        return Etiquette(CELESTRAK_INTERVAL, public, may_ask_within=not public)
    return Etiquette(timedelta(0), public=False, may_ask_within=True)


def may_download(
    rules: Etiquette, known: SourceHistory, has_good: bool, others: Iterable[SourceHistory], now: datetime
) -> bool:
    """Return whether a text may be downloaded now, or only checked for changes.

    `others` are the histories of all sources: a public host that said stop is left alone whichever source it
    was asked for. From a server that stands in, a text may be taken again if there is none to fall back on.
    Raises TooSoon if the server must not be asked at all.
    """
    check_not_stopped(rules, known, others, now)
    counted = known.transferred_at if has_good else None
    if rules.public:
        counted = known.requested_at
    if not _recent(counted, rules.interval, now):
        return True
    if not rules.may_ask_within:
        raise _too_soon(known.url, "was asked", counted, rules.interval)
    return False


def check_not_stopped(
    rules: Etiquette, known: SourceHistory, others: Iterable[SourceHistory], now: datetime
) -> None:
    """Raise TooSoon if a public host has said stop, and the time it is left alone is not over.

    That is a time of the rules, or as long as the host wished, if that is longer.
    """
    for other in others if rules.public else ():
        if other.stopped_at is None or not _same_host(other.url, known.url):
            continue
        left_alone = max(rules.left_alone or rules.interval, timedelta(seconds=other.stopped_for_s))
        if _recent(other.stopped_at, left_alone, now):
            raise _too_soon(known.url, f"said stop ({other.stopped_by})", other.stopped_at, left_alone)


def wished_wait_s(retry_after: str, now: datetime) -> float:
    """Return the seconds that a header Retry-After asks for, seconds or a date (RFC 9110, 10.2.3).

    0 for one that cannot be read; a week at most, since a mistaken one would go unnoticed.
    """
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return min(float(text), _LONGEST_WAIT_S)
    try:
        wait_s = (aware_utc(parsedate_to_datetime(text)) - now).total_seconds()
    except (ValueError, OverflowError):
        return 0.0
    return min(max(wait_s, 0.0), _LONGEST_WAIT_S)


def too_soon_to_take(known: SourceHistory, rules: Etiquette) -> TooSoon:
    """Build the error for a text that has changed, but is not accepted yet."""
    return _too_soon(known.url, "has new data, but was downloaded from", known.transferred_at, rules.interval)


def _too_soon(url: str, what: str, last: datetime | None, interval: timedelta) -> TooSoon:
    assert last is not None, "only past requests can be too recent"
    return TooSoon(
        f"{urlsplit(url).hostname} {what} at {time_text(last)}; the next request is allowed "
        f"{interval / timedelta(hours=1):g} h later, at {time_text(last + interval)}."
    )


def _recent(instant: datetime | None, interval: timedelta, now: datetime) -> bool:
    """Return whether a time is less than an interval ago; one far in the future is from a wrong clock."""
    return instant is not None and abs(now - instant) < interval


def _same_host(one: str, other: str) -> bool:
    return urlsplit(one).hostname == urlsplit(other).hostname


def _is_at(url: str, domain: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == domain or host.endswith(f".{domain}")
