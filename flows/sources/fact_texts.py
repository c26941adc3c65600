"""Texts with facts about objects, once a week: CelesTrak's SATCAT, NASA CARA's table of radii, GCAT."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.files import Fetched
from flows.sources.names import Origin, cara_listing, cara_table, celestrak_origin, gcat_origin
from flows.sources.newest_text import Reader, Reading, fetch_remote
from screening.errors import InputError
from screening.orbits.texts.unreadable import rejections_text
from storage.disk.downloads import last_good, read_history
from storage.state.fact_files import Kind, parse_facts
from storage.times import time_text

FACTS_INTERVAL = timedelta(days=7)
MOST_LISTING_BYTES = 1_000_000  # CARA's has 40 kB
_TABLE = re.compile(r"HBR_Mass_Estimates_([0-9]{8})_ForDistribution\.csv")


_ORIGINS: dict[Kind, Callable[[FlowSettings], Origin]] = {
    "satcat": lambda settings: celestrak_origin("satcat", "/pub/satcat.csv", settings),
    "radii": lambda _settings: cara_table(),
    "bodies": lambda _settings: gcat_origin(),
}


def fetch_facts(kind: Kind, settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> Fetched[bytes]:
    """Return the newest text of a kind, as it is published.

    No server is asked if the stored text was checked within a week. If a server gives nothing usable, it is
    the last good text, and the reason says why.

    Raises:
        SourceError: there is no usable text, neither on the server nor in the store.
        StoreError: the store cannot be used.
    """
    origin = _ORIGINS[kind](settings)
    stored = last_good(settings.store, read_history(settings.store, origin.url))
    if stored is not None and abs(now - stored[0].checked_at) < FACTS_INTERVAL:
        checked = stored[0].checked_at
        reason = f"Checked at {time_text(checked)}; queried again from {time_text(checked + FACTS_INTERVAL)}."
        return Fetched(origin.name, stored[0].sha256, stored[1], "unchanged", reason)
    if kind == "radii":
        listed = fetch_remote(cara_listing(), _newest_table, settings, now, web)
        if stored is not None and listed.decision in ("last_good", "too_soon"):
            return Fetched(origin.name, stored[0].sha256, stored[1], listed.decision, listed.reason)
        origin = cara_table(listed.content)
    return fetch_remote(origin, _reader(kind, origin), settings, now, web)


def _newest_table(text: bytes) -> Reading[str]:
    """Find the name of the newest table in a listing, JSON as GitHub gives of a folder."""
    if len(text) > MOST_LISTING_BYTES:
        raise InputError(f"The list has {len(text):,} bytes; at most {MOST_LISTING_BYTES:,} are allowed.")
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"It is not JSON ({type(error).__name__}).") from error
    names = (
        [entry.get("name") for entry in entries if isinstance(entry, dict)]
        if isinstance(entries, list)
        else []
    )
    tables = [name for name in names if isinstance(name, str) and _TABLE.fullmatch(name)]
    if not tables:
        raise InputError("It lists no file HBR_Mass_Estimates_YYYYMM01_ForDistribution.csv.")
    return Reading(max(tables), 1, 1.0)  # older tables may go


def _reader(kind: Kind, origin: Origin) -> Reader[bytes]:
    def read(text: bytes) -> Reading[bytes]:
        found = parse_facts(text, origin.name)
        if found.kind != kind or not found.facts:
            raise InputError(
                f"{origin.name} should contain {kind} facts, but has {len(found.facts)} {found.kind} facts."
            )
        usable = len(found.facts) + found.blank
        why = rejections_text(found.rejected, found.more_rejected, usable)
        share = usable / (usable + len(found.rejected) + found.more_rejected)
        return Reading(text, usable, share, rejected=why)

    return read
