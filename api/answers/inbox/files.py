"""A file of any kind: messages are taken; of an ephemeris it is said what it would replace."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from api.answers.inbox.encounters import called
from api.answers.messages import taken
from api.answers.trajectories import for_http, read_here
from api.errors import BadParameter, NoneTaken
from api.models.messages import MessagesTaken
from screening.errors import InputError
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.texts.ephemerides.read import is_ephemeris
from storage.machine.own_process import in_own_process
from storage.messages.kept import received
from storage.rows.words.numbers import minute, number
from storage.state.records import Credential
from storage.times import utc_datetime
from storage.trajectories.report import finding_words
from storage.trajectories.trajectory_file import About, Facts

MOST_TOLD = 5  # of many messages
_NEITHER = "This is neither a conjunction data message nor an ephemeris (OEM, OCM, Starlink's text, SP3)."


def looked_at(
    store: Path,
    data: bytes,
    source: str,
    norad_id: int | None,
    now: datetime,
    by: Credential,
    go_on: Callable[[], None],
) -> dict[str, Any]:
    """Take messages into the store, or read an ephemeris without keeping it; return it as an InboxFile.

    `by` hands it in. `source`: the name of the file; `norad_id`: of an ephemeris that does not say whose.
    `go_on` as in `taken`.

    Raises BadParameter, NoneTaken: it can be neither.
    """
    if not is_ephemeris(data):
        done = _taken(store, data, source, now, by, go_on)
        return {
            "kind": "messages",
            "words": _of_messages(store, done, by),
            "taken": done,
            "norad_id": None,
            "may_count": False,
        }
    try:
        if read_here(data):
            return _of_ephemeris(store, data, source, norad_id, now, by)
        return in_own_process(_of_ephemeris, store, data, source, norad_id, now, by, go_on=go_on)
    except InputError as error:
        raise BadParameter("body", for_http(str(error))) from error


def _taken(
    store: Path, data: bytes, source: str, now: datetime, by: Credential, go_on: Callable[[], None]
) -> MessagesTaken:
    try:
        return taken(store, data, source, now, by.organisation_id, go_on)
    except NoneTaken as error:
        first = error.refused[0]
        if len(error.refused) > 1 or first.line > 1 or first.keyword:
            raise
        raise NoneTaken(f"{_NEITHER} {error}", error.refused) from error


def _of_messages(store: Path, done: MessagesTaken, by: Credential) -> list[str]:
    words = []
    if done.new:
        rows = received(store, by.organisation_id)
        ids = set(done.ids[-MOST_TOLD:])
        words += [_told(row) for row in rows.to_pylist() if row["id"] in ids]
        if done.new > MOST_TOLD:
            words.append(f"and {done.new - MOST_TOLD:,} more messages.")
    if done.known:
        words.append(f"{_counted(done.known)} the store had already: kept once.")
    if done.conflicting:
        words.append(f"{_counted(done.conflicting)} with the sender and id of another: both are kept.")
    return words


def _counted(count: int) -> str:
    return f"{count:,} {'message' if count == 1 else 'messages'}"


def _told(row: dict[str, Any]) -> str:
    pair = " and ".join(called(row, who) for who in ("primary", "secondary"))
    known = "a run has this encounter" if row["event_id"] is not None else "no run has this encounter"
    kept = "; restricted: never exported" if row["restricted"] else ""
    sender = row["originator"] or "an unnamed sender"
    return f"Message from {sender}: {pair}, TCA {row['tca']:%Y-%m-%d %H:%M:%S} Z; {known}{kept}."


def _of_ephemeris(
    store: Path, data: bytes, source: str, norad_id: int | None, now: datetime, by: Credential
) -> dict[str, Any]:
    # Reading takes numba and the catalogue, which an idle service does not need.
    from storage.reading.newest_objects import NewestRun
    from storage.trajectories.incoming import Named, read_one
    from storage.trajectories.kept import trajectories

    catalogue, named = NewestRun(store), Named(norad_id or 0)
    refused = ""
    try:
        ephemeris, about = read_one(data, source, "definitive", named, now, catalogue)
    except InputError as error:
        ephemeris, about = read_one(data, source, "hypothetical", named, now, catalogue)
        refused = for_http(str(error))
    words = [_what(ephemeris), *_replaces(ephemeris, about, trajectories(store, by.organisation_id), refused)]
    if about.restricted:
        words.append("Restricted: the terms of its source forbid sharing it.")
    return {
        "kind": "trajectory",
        "words": words + [f"{note[:1].upper()}{note[1:]}." for note in [*about.notes, *_found_in(about)]],
        "taken": None,
        "norad_id": ephemeris.norad_id,
        "may_count": not refused and by.may_state_path_of(ephemeris.norad_id),
    }


def _found_in(about: About) -> list[str]:
    """Return what the check found, but for notes."""
    findings = [] if about.report is None else about.report.findings
    return [finding_words(one) for one in findings if one.severity != "note"]


def _span(ephemeris: Ephemeris) -> tuple[np.datetime64, np.datetime64]:
    return (
        min(one.usable_from for one in ephemeris.segments),
        max(one.usable_to for one in ephemeris.segments),
    )


def _what(ephemeris: Ephemeris) -> str:
    states = sum(len(one.epochs) for one in ephemeris.segments)
    covariances = sum(len(one.covariance_epochs) for one in ephemeris.segments)
    begins, ends = (minute(utc_datetime(one)) for one in _span(ephemeris))
    errors = (
        f"{covariances:,} covariances" if covariances else "no covariance, so its events have no probability"
    )
    name = f"{ephemeris.name} ({ephemeris.norad_id})" if ephemeris.name else str(ephemeris.norad_id)
    return f"Ephemeris of {name}, {begins} to {ends}: {states:,} states, {errors}."


def _replaces(ephemeris: Ephemeris, about: About, kept: Sequence[Facts], refused: str) -> list[str]:
    """Say what it would replace if it counted, or why it cannot."""
    if refused:
        return [f"It cannot count: {refused}"]
    begins, ends = _span(ephemeris)
    until = minute(utc_datetime(ends))
    if utc_datetime(ends) < about.added:
        return [f"It ended on {until}: if it counts, only runs of that time use it."]
    words = [f"Once it counts, runs use it until {until}: no element set of that time is known."]
    if about.check is not None:
        away_km = number(about.check.distances[0].km)
        old = f"the element set of {about.check.element_epoch}, {away_km} km away at its beginning"
        words = [f"Once it counts, runs use it until {until} in place of {old}."]
    words += [
        f"It would come before {one.about.source}, of {minute(one.about.added)}, where both have states."
        for one in kept
        if one.norad_id == ephemeris.norad_id
        and one.about.kind == "definitive"
        and one.usable_from <= ends
        and one.usable_to >= begins
    ]
    return words
