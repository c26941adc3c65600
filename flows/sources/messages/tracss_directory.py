"""TraCSS's directory of operators: which objects are registered there, and whom to contact."""

import hashlib
from dataclasses import replace
from datetime import datetime

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.errors import NotAsked, SourceError, Stopped
from flows.sources.etiquette import etiquette_of, may_download
from flows.sources.messages import tracss_login
from flows.sources.messages.tracss import remember_stop
from flows.sources.messages.tracss_login import logged_in
from flows.sources.newest_text import Reading, why_refused
from flows.sources.visits import LOCK_WAIT_S
from screening.errors import InputError
from storage.disk.downloads import AcceptedText, catalogues_locked, keep, read_history, write_history
from storage.messages.origins import CONTACTS, registered


def fetch_contacts(settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> None:
    """Bring the directory in the store up to date; it is asked for once an hour at most.

    Raises:
        TooSoon: the last time is too recent.
        NotAsked: the login may not read it, which is no stop for messages.
        SourceError: there is no answer, or it is of no use; the last good one stays.
    """
    url = f"{tracss_login.TRACSS_URL}{CONTACTS}"
    with catalogues_locked(settings.store, web.limits.total_s + LOCK_WAIT_S):
        known = read_history(settings.store, url)
        may_download(etiquette_of("tracss", url), known, bool(known.texts), (), now)
        asking = replace(known, requested_at=now)
        write_history(settings.store, asking)
        try:
            with logged_in(settings, web) as session:
                text = session.ask(CONTACTS).text
        except NotAsked as error:
            raise NotAsked(f"TraCSS's directory of operators was not read: {error}") from error
        except Stopped as stop:
            remember_stop(settings.store, url, stop, now)
            raise
        objects = _objects(text, url)
        last = known.texts[0] if known.texts else None
        if refusal := why_refused(Reading(None, objects, 1.0), last):
            raise SourceError(f"The text of {url} is refused: {refusal}.")
        accepted = AcceptedText(hashlib.sha256(text).hexdigest(), now, now, objects, 1.0)
        keep(settings.store, replace(asking, transferred_at=now), accepted, text)


def _objects(text: bytes, url: str) -> int:
    try:
        count = len(registered(text))
    except InputError as error:
        raise SourceError(f"{url} sent an unusable text: {error}.") from error
    if not count:
        raise SourceError(f"{url} names no operator with a satellite.")
    return count
