"""Fetch the decays that Space-Track announces, class `tip`: what is new, once an hour at most."""

from dataclasses import replace
from datetime import datetime, timedelta

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.etiquette import etiquette_of, may_download
from flows.sources.messages.space_track import count_rows
from flows.sources.names import announced_origin
from flows.sources.visits import LOCK_WAIT_S, Visit, asked, secrets_hidden
from screening.decay.tip import NEEDED
from storage.disk.downloads import catalogues_locked, histories, read_history, write_history

LONGEST = timedelta(days=30)  # ago: what was announced before has come
OVERLAP = timedelta(days=2)  # a message may become visible late; each is stored once


def fetch_announced(settings: FlowSettings, now: datetime, web: Web = DEFAULT_WEB) -> bytes:
    """Return the messages since the last visit, a list in JSON; nothing if there are none.

    Raises:
        UsageError: there is no login.
        TooSoon: the last visit is too recent, a limit is reached, or the service has said stop.
        SourceError: there is no answer, or it is not what is expected; nothing of it is of use.
        StoreError: the store cannot be used.
    """
    url = announced_origin(LONGEST, settings).url
    with catalogues_locked(settings.store, web.limits.total_s + LOCK_WAIT_S):
        known, others = read_history(settings.store, url), histories(settings.store)
        may_download(etiquette_of("tip", url), known, has_good=True, others=others, now=now)
        since = LONGEST if known.answered_at is None else now - known.answered_at + OVERLAP
        origin = announced_origin(min(since, LONGEST), settings)
        asking, answer = asked(Visit(origin, settings, now, web), known)
        with secrets_hidden(origin.access):
            messages = count_rows(answer.text, url, NEEDED)
        write_history(settings.store, replace(asking, answered_at=now))
    return answer.text if messages else b""
