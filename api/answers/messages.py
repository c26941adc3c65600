"""Received messages: taken, listed, shown."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from api.errors import BadParameter, NoneTaken, NotFound
from api.models.messages import MessageRefusal, MessagesTaken
from screening.answers import same_fields
from screening.errors import InputError
from storage.messages.lists import Wanted, places, record, records
from storage.times import utc_rows
from storage.trajectories.refusals import Restricted

UPLOADED = "upload"  # the source of messages whose sender does not say one
MOST_REFUSALS = 1_000  # of those that are told


class Page(NamedTuple):
    """Some of the messages that match."""

    messages: list[dict[str, Any]]
    total: int
    more: bool


def taken(
    store: Path,
    data: bytes,
    source: str | None,
    received: datetime,
    organisation_id: int,
    go_on: Callable[[], None],
) -> MessagesTaken:
    """Store the messages of a text or an archive as an organisation's, and return what became of them.

    `go_on` is called often, also within long messages, and may raise to end it: then nothing is stored.

    Raises:
        NoneTaken: none of them can be read.
        BadParameter: it is an archive that unpacks to more than is taken.
    """
    # Scoring needs numba: an idle service is smaller without.
    from storage.messages.files import files_of
    from storage.messages.incoming import take_files

    try:
        files = files_of(data, source or UPLOADED)
        done = take_files(store, files, received, organisation_id, go_on=go_on)
    except InputError as error:
        raise BadParameter("body", str(error)) from error
    if done.refused and not done.new + done.known:
        more = f" None of the {len(done.refused):,} can be read." if len(done.refused) > 1 else ""
        raise NoneTaken(done.refused[0].text + more, done.refused)
    refused = [
        MessageRefusal(one.number, one.text, one.line or None, one.keyword or None)
        for one in done.refused[:MOST_REFUSALS]
    ]
    return MessagesTaken(
        **same_fields(MessagesTaken, done) | {"refused": refused}, refused_in_all=len(done.refused)
    )


def listed(rows: pa.Table, wanted: Wanted, after: str | None, limit: int) -> Page:
    """Return a page of messages, the newest first, that follows the one with an id.

    Raises BadParameter if that is no longer there.
    """
    found = places(rows, wanted)
    first = 0 if after is None else _behind(rows, found, after)
    page = records(rows, found[first : first + limit])
    return Page(page, len(found), first + limit < len(found))


def _behind(rows: pa.Table, found: np.ndarray[tuple[int], np.dtype[np.intp]], after: str) -> int:
    """Return which of the found places follows that of a message, which itself may match no longer."""
    place = rows["id"].index(after).as_py()
    if place < 0:
        raise BadParameter(
            "cursor", "The last message of the previous page was removed: start the list again."
        )
    return int(np.searchsorted(-found, -place, "right"))


def shown(rows: pa.Table, wanted: str, *, restricted: bool) -> dict[str, Any]:
    """Return what is known about a message.

    Raises:
        NotFound: there is none.
        Restricted: its source forbids handing it on, and that was not asked for.
    """
    place = rows["id"].index(wanted).as_py()
    if place < 0:
        raise NotFound(f"There is no message {wanted}; `GET /messages` lists all of them.")
    row = utc_rows(rows.slice(place, 1))[0]
    if row["restricted"] and not restricted:
        raise Restricted(
            f"The terms of the source of message {wanted} do not allow sharing it; `restricted=true` "
            "returns it for your own use."
        )
    return record(row)
