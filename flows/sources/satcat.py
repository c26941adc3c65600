"""CelesTrak's satellite catalogue: types and operational status of objects, once a day."""

import csv
import io
import logging
from datetime import datetime, timedelta

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.names import celestrak_origin
from flows.sources.newest_text import Reading, fetch_remote
from screening.errors import InputError, SkysieveError
from storage.disk.downloads import last_good, read_history
from storage.state.database import begin_attempt, end_attempt
from storage.state.tables import ServiceStateError
from storage.times import aware_utc

SATCAT_INTERVAL = timedelta(days=1)
STAGE = "satcat"
_COLUMNS = {"NORAD_CAT_ID", "OBJECT_TYPE", "OPS_STATUS_CODE"}

log = logging.getLogger("skysieve")


def fetch_satcat(settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> bytes | None:
    """Return the newest SATCAT, CSV as CelesTrak publishes it; None if there is none. A naive `now` is UTC.

    The server is asked if the stored one was not checked within a day. A failure is recorded as an attempt
    that was skipped, and logged; it raises nothing, since no run depends on it.
    """
    now = aware_utc(now)
    origin = celestrak_origin("satcat", "/pub/satcat.csv", settings)
    try:
        stored = last_good(settings.store, read_history(settings.store, origin.url))
        if stored is not None and abs(now - stored[0].checked_at) < SATCAT_INTERVAL:
            return stored[1]
        fetched = fetch_remote(origin, _read, settings, now, web)
    except SkysieveError as error:
        _record(settings, now, str(error), None)
        return None
    if fetched.decision in ("last_good", "too_soon"):
        _record(settings, now, fetched.reason, fetched.decision)
    return fetched.content


def _read(text: bytes) -> Reading[bytes]:
    """Check that a text is a SATCAT; a record counts as usable if it has a number."""
    rows = csv.DictReader(io.StringIO(text.decode("utf-8", "replace"), newline=""))
    missing = _COLUMNS - set(rows.fieldnames or ())
    if missing:
        raise InputError(f"It is not a SATCAT: the columns {', '.join(sorted(missing))} are missing.")
    try:
        usable = count = 0
        for row in rows:
            count += 1
            usable += (row["NORAD_CAT_ID"] or "").strip().isdecimal()
    except csv.Error as error:
        raise InputError(f"It is not a SATCAT: {error}.") from error
    if usable == 0:
        raise InputError("The SATCAT has no records.")
    return Reading(text, usable, usable / count)


def _record(settings: FlowSettings, now: datetime, reason: str, decision: str | None) -> None:
    log.warning("SATCAT: %s", reason)
    try:
        attempt = begin_attempt(settings.store, now, STAGE, STAGE)
        end_attempt(settings.store, attempt, now, "skipped", decision=decision, reason=reason)
    except ServiceStateError as error:
        log.warning("SATCAT: %s", error)
