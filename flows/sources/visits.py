"""One visit to a server: it is remembered beforehand, its refusal is remembered, and secrets stay hidden."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import httpx

from flows.settings import FlowSettings
from flows.sources.download import Answer, Web, ask, open_client
from flows.sources.errors import NotAsked, Stopped
from flows.sources.etiquette import wished_wait_s
from flows.sources.names import Access, Origin
from flows.sources.spacetrack import ask_spacetrack
from screening.errors import SkysieveError, UsageError
from storage.disk.downloads import AcceptedText, SourceHistory, write_history

LOCK_WAIT_S = 60.0  # beyond the longest download, for another process to handle its text


class Visit(NamedTuple):
    """Whom to ask, for which source, and when."""

    origin: Origin
    settings: FlowSettings
    now: datetime  # with its zone
    web: Web


def asked(
    visit: Visit, known: SourceHistory, accepted: AcceptedText | None = None, body_wanted: bool = True
) -> tuple[SourceHistory, Answer]:
    """Ask the server, and return its answer and the history that includes it. Needs the catalogues' lock.

    With an `accepted` text, what has not changed since is not sent again.

    Raises:
        NotAsked, UsageError: no data were requested; the history stays as it was.
        Stopped: the server refused, which the history remembers.
        SourceError: the answer is of no use.
        StoreError: the history cannot be written.
    """
    origin, settings, now, web = visit
    limits = web.limits
    access = origin.access
    asking = replace(known, requested_at=now)
    write_history(settings.store, asking)  # beforehand: a process that is killed meanwhile has asked
    try:
        with secrets_hidden(access), open_client(limits, web, access.login) as client:
            if origin.kind in ("spacetrack", "cdm_public", "tip"):
                answer = ask_spacetrack(client, access.url, origin.kind, settings, limits, web, now)
            else:
                headers = _conditions(accepted) | dict(access.headers)
                request = client.build_request("GET", access.url, headers=headers)
                answer = ask(client, request, limits, web, body_wanted=body_wanted)
    except (NotAsked, UsageError):
        write_history(settings.store, known)
        raise
    except Stopped as stop:
        stopped = replace(
            asking, stopped_at=now, stopped_by=str(stop), stopped_for_s=wished_wait_s(stop.retry_after, now)
        )
        write_history(settings.store, stopped)
        raise
    if answer.status == httpx.codes.OK and body_wanted:
        asking = replace(asking, transferred_at=now)
        write_history(settings.store, asking)
    return asking, answer


@contextmanager
def secrets_hidden(access: Access) -> Iterator[None]:
    """Remove secrets from errors raised inside: they name addresses, and servers repeat requests."""
    try:
        yield
    except SkysieveError as error:
        told = access.hide(str(error))
        if told == str(error):
            raise
        error.args = (told,)
        raise error from None  # its cause repeats the secret


def _conditions(accepted: AcceptedText | None) -> dict[str, str]:
    if accepted is None:
        return {}
    conditions = {"If-None-Match": accepted.etag, "If-Modified-Since": accepted.last_modified}
    return {name: value for name, value in conditions.items() if value}
