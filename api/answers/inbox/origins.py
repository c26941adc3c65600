"""Who was asked for messages about an event, when, and what it means that there is none."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from api.answers.stored_events import StoredEvent
from api.models.messages import MessageOrigin
from storage.messages.origins import Origin, Registered, asked_words, origins
from storage.rows.words.event import name_of
from storage.rows.words.numbers import minute

_SELECTION = "its public messages are a selection, so that says little"


def message_origins(
    store: Path, received: pa.Table, event: StoredEvent, *, restricted: bool
) -> list[MessageOrigin]:
    """Return each service that messages come from: when it was asked, what it has, and that in words.

    `received`: all messages of the store. Whom TraCSS's directory names is told only if `restricted`.
    """
    found = origins(store)
    about = received.filter(pc.equal(received["encounter_id"], event.id))
    made = []
    for origin in (found.space_track, found.tracss):
        count = int(pc.sum(pc.equal(about["source"], origin.source)).as_py() or 0)
        words = [_asked(origin, count)]
        if origin is found.tracss and found.directory is not None:
            words += _registered(found.directory, event, restricted=restricted)
        made.append(
            MessageOrigin(
                name=origin.name,
                asked_at=origin.asked_at,
                answered_at=origin.answered_at,
                since=origin.since,
                messages=count,
                words=" ".join(words),
            )
        )
    return made


def _asked(origin: Origin, count: int) -> str:
    found = f"{count:,} about this encounter" if count else "none about this encounter"
    if not count and origin.since is not None:
        found += f" among the messages to this login since {minute(origin.since)} Z"
    elif not count:
        found += f"; {_SELECTION}"
    return f"{asked_words(origin, found)}."


def _registered(directory: Mapping[int, Registered], event: StoredEvent, *, restricted: bool) -> list[str]:
    """Return which of both objects have an operator there: messages go to operators alone."""
    said = []
    for who, side in (("primary", event.primary), ("secondary", event.secondary)):
        about = directory.get(side.norad_id)
        if about is None:
            continue
        whose = f": {about.organization} ({about.contacts})" if restricted and about.contacts else ""
        said.append(f"{name_of(event.row, who)} is in its directory of operators{whose}.")
    return said or ["Neither object is in its directory of operators: it sends no one messages about them."]
