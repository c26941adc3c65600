"""Alerts: who is told, where, of what; created, listed, switched off and on, removed.

Each belongs to a fleet and to who made it: a credential, or the command line. Secrets of webhooks are kept as
they are, for every message is signed with them; the file is private to its owner.
"""

import base64
import secrets as random_bytes
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from screening.errors import NoSuch, NotPossible, TooMany, UsageError
from screening.vocabulary import PROBABILITY_LEVELS, ProbabilityLevel, range_text
from storage.rows.limits import checked_near
from storage.state.alerts.addresses import Target, shown_address
from storage.state.alerts.outbox import cancel, end_pause, put
from storage.state.credentials import RefusedCredential, list_credentials, still_valid
from storage.state.database import query_state, read_records, service_state
from storage.state.records import ALERTS, Alert
from storage.state.sealed_rows import sealed, verify_rows
from storage.times import parse_time, time_text
from storage.vocabulary import (
    DIGEST_RANGE_HOURS,
    MOST_ALERTS_OF_A_CREDENTIAL,
    NEAR_M,
)

MOST_SECRETS = 2  # the newest, and the one before it
_SECRET_BYTES = 32  # Standard Webhooks: 24 to 64
_MESSAGES = (
    "SELECT alert_id, count(*) FILTER (WHERE state = 'waiting'), "
    "max(finished) FILTER (WHERE state = 'delivered') FROM outbox GROUP BY alert_id"
)
_HIDDEN = ("credential_id", "secrets")


class NewAlert(NamedTuple):
    """An alert to be created."""

    fleet_id: int
    target: Target
    made_by: str
    credential_id: int | None = None
    level: ProbabilityLevel = "high"
    near_m: float | None = NEAR_M
    min_probability: float | None = None
    digest_hours: float | None = None
    daily: bool = False
    manoeuvres: bool = False
    acknowledgements: bool | None = None  # None: only a webhook's


class NoSuchAlert(NoSuch):
    """There is no alert with that id."""


class TooManyAlerts(TooMany):
    """A credential has as many alerts as it may have."""


class SameAlert(NotPossible):
    """There is an alert of the same maker that tells the same, of the same fleet, to the same address."""


def alerts(store: Path) -> tuple[Alert, ...]:
    """Return all alerts, oldest first."""
    return tuple(read_records(store, ALERTS, "ORDER BY id"))


def alerts_within(state: sqlite3.Connection) -> tuple[Alert, ...]:
    """Return all alerts in the caller's transaction, after verifying them."""
    verify_rows(state, "alerts")
    return tuple(map(ALERTS.read, state.execute(f"{ALERTS.select} ORDER BY id")))


def alert(store: Path, alert_id: int) -> Alert:
    """Return one alert. Raises NoSuchAlert."""
    for one in read_records(store, ALERTS, "WHERE id = ?", (_id(alert_id),)):
        return one
    raise _no_such(alert_id)


def listed(store: Path) -> list[dict[str, Any]]:
    """Return all alerts as records, oldest first."""
    return _records(store, alerts(store))


def record_of(store: Path, alert: Alert) -> dict[str, Any]:
    """Return one alert as a record."""
    return _records(store, [alert])[0]


def create_alert(store: Path, new: NewAlert, now: datetime) -> Alert:
    """Create an alert and return it, with the secret of a webhook.

    Raises:
        UsageError: a value is out of range, or there is no such fleet.
        TooManyAlerts: its credential has as many as it may have.
        SameAlert: it has this one already.
    """
    _check(new)
    made = (new_secret(),) if new.target.channel == "webhook" else ()
    values = new._asdict() | new.target._asdict()
    del values["target"]
    if new.acknowledgements is None:
        values["acknowledgements"] = new.target.channel == "webhook"
    with service_state(store) as state, sealed(state, "alerts"):
        if not state.execute("SELECT 1 FROM fleets WHERE id = ?", (_id(new.fleet_id),)).fetchone():
            raise UsageError(f"There is no fleet {new.fleet_id}: `skysieve fleets list` shows them.")
        _refuse_same(state, values)
        _leave_room(state, new.credential_id)
        number = ALERTS.insert(state, values | {"created": now, "secrets": made, "off_reason": ""})
    return alert(store, number)


def remove_alert(store: Path, alert_id: int, now: datetime) -> None:
    """Remove an alert with what it knows; what waits is cancelled. Raises NoSuchAlert."""
    with service_state(store) as state, sealed(state, "alerts"):
        cancel(state, _id(alert_id), now)
        for table in ("alert_encounters", "alert_progress"):
            state.execute(f"DELETE FROM {table} WHERE alert_id = ?", (_id(alert_id),))  # noqa: S608
        if not state.execute("DELETE FROM alerts WHERE id = ?", (_id(alert_id),)).rowcount:
            raise _no_such(alert_id)


def switch_off(store: Path, alert_id: int, reason: str, now: datetime) -> None:
    """Stop the deliveries of an alert; the first reason stays. Raises NoSuchAlert.

    What happens meanwhile goes out in one message when it is on again.
    """
    with service_state(store) as state:
        _switch_off(state, alert_id, reason, now)


def end_endpoint(store: Path, gone: Alert, reason: str, now: datetime) -> None:
    """Switch an alert off whose receiver is gone, and tell its maker's other receivers, in one transaction.

    An alert that was removed meanwhile is left alone.
    """
    endpoint = {
        "alert_id": gone.id,
        "channel": gone.channel,
        "address": shown_address(gone.channel, gone.address),
        "reason": reason,
    }
    with service_state(store) as state:
        present = alerts_within(state)
        if gone.id not in {one.id for one in present}:
            return
        whose = dict(state.execute("SELECT id, organisation_id FROM fleets").fetchall())
        (name,) = state.execute("SELECT name FROM fleets WHERE id = ?", (gone.fleet_id,)).fetchone()
        for one in present:
            if (
                one.credential_id == gone.credential_id
                and whose.get(one.fleet_id) == whose[gone.fleet_id]  # the command line makes alerts of all
                and one.off_since is None
                and one.address != gone.address
            ):
                data = {
                    "alert_id": one.id,
                    "fleet": {"id": gone.fleet_id, "name": name},
                    "endpoint": endpoint,
                }
                body = {"type": "endpoint.off", "timestamp": time_text(now, "seconds"), "data": data}
                put(state, one.id, "endpoint.off", body, now, now)
        _switch_off(state, gone.id, reason, now)


def stop(store: Path, alert_id: int, reason: str, now: datetime) -> int:
    """Switch an alert off and cancel what waits, in one transaction; return how many messages.

    The reason replaces that of one that was off. Raises NoSuchAlert.
    """
    with service_state(store) as state:
        since = time_text(now, "seconds")
        _change(state, alert_id, "off_reason = ?, off_since = coalesce(off_since, ?)", reason, since)
        return cancel(state, alert_id, now)


def switch_on(store: Path, alert_id: int, now: datetime) -> None:
    """Go on with the deliveries of an alert; what waits is due at once. Raises NoSuchAlert."""
    with service_state(store) as state:
        _change(state, alert_id, "off_since = NULL, off_reason = ''")
        end_pause(state, alert_id, now)


def without_credential(store: Path, now: datetime) -> dict[int, str]:
    """Return the ids of the alerts whose credential is revoked or has expired, each with the reason."""
    found, known = {}, {one.id: one for one in list_credentials(store)}
    for one in alerts(store):
        if one.credential_id is not None:
            try:
                still_valid(known[one.credential_id], now)
            except RefusedCredential as error:
                found[one.id] = str(error)
    return found


def rotate_secret(store: Path, alert_id: int) -> str:
    """Give a webhook a new secret and return it; the one before signs too, until the next rotation.

    Raises:
        NoSuchAlert: there is no such alert.
        UsageError: it is no webhook: nothing is signed.
    """
    before = alert(store, alert_id)
    if before.channel != "webhook":
        raise UsageError(f"Alert {alert_id} goes to {before.channel}: only messages to webhooks are signed.")
    made = new_secret()
    with service_state(store) as state:
        # The older one is read in the same statement: two rotations at once lose no secret that was shown.
        first = "substr(secrets, 1, instr(secrets || ' ', ' ') - 1)"
        _change(state, alert_id, f"secrets = ? || ' ' || {first}", made)
    return made


def new_secret() -> str:
    """Return a new secret in the form of Standard Webhooks."""
    return "whsec_" + base64.b64encode(random_bytes.token_bytes(_SECRET_BYTES)).decode()


def _records(store: Path, shown: Sequence[Alert]) -> list[dict[str, Any]]:
    names = dict(query_state(store, "SELECT id, name FROM fleets", tables=["fleets"]))
    messages = {number: rest for number, *rest in query_state(store, _MESSAGES)}
    records = []
    for one in shown:
        waiting, delivered = messages.get(one.id, (0, None))
        records.append(
            {
                "id": one.id,
                "fleet_id": one.fleet_id,
                "fleet": names.get(one.fleet_id, ""),
                **{name: value for name, value in one._asdict().items() if name not in _HIDDEN},
                "address": shown_address(one.channel, one.address),
                "waiting": waiting,
                "last_delivered": delivered and parse_time(delivered),
            }
        )
    return records


def _check(new: NewAlert) -> None:
    if new.level not in PROBABILITY_LEVELS:
        raise UsageError(f"{new.level!r} is not a level: expected {', '.join(PROBABILITY_LEVELS)}.")
    if new.near_m is not None:
        checked_near(new.near_m)
    least = new.min_probability
    if least is not None and not 0 < least <= 1:  # NaN is refused too
        raise UsageError(f"The smallest probability {least:g} is out of range: expected above 0, at most 1.")
    hours = new.digest_hours
    if hours is not None and not DIGEST_RANGE_HOURS[0] <= hours <= DIGEST_RANGE_HOURS[1]:
        raise UsageError(
            f"{hours:g} is out of range for the digest interval in hours: expected "
            f"{range_text(DIGEST_RANGE_HOURS)}."
        )


def _refuse_same(state: sqlite3.Connection, values: Mapping[str, object]) -> None:
    same = {name: value for name, value in values.items() if name != "made_by"}
    conditions = " AND ".join(f"{name} IS ?" for name in same)
    for (number,) in state.execute(f"SELECT id FROM alerts WHERE {conditions}", (*same.values(),)):  # noqa: S608
        raise SameAlert(f"Alert {number} already sends that address the same about that fleet.")


def _leave_room(state: sqlite3.Connection, credential_id: int | None) -> None:
    sql = "SELECT count(*) FROM alerts WHERE credential_id = ?"
    (made,) = state.execute(sql, (credential_id,)).fetchone()
    if made >= MOST_ALERTS_OF_A_CREDENTIAL:
        raise TooManyAlerts(
            f"Credential {credential_id} has {made} alerts, and no credential may have more than "
            f"{MOST_ALERTS_OF_A_CREDENTIAL}: remove one first."
        )


def _switch_off(state: sqlite3.Connection, alert_id: int, reason: str, now: datetime) -> None:
    keep_first = "off_reason = CASE WHEN off_since IS NULL THEN ? ELSE off_reason END"
    since = time_text(now, "seconds")
    _change(state, alert_id, f"{keep_first}, off_since = coalesce(off_since, ?)", reason, since)


def _change(state: sqlite3.Connection, alert_id: int, assignments: str, *values: object) -> None:
    with sealed(state, "alerts"):
        sql = f"UPDATE alerts SET {assignments}, crc32 = NULL WHERE id = ?"  # noqa: S608
        if not state.execute(sql, (*values, _id(alert_id))).rowcount:
            raise _no_such(alert_id)


def _no_such(alert_id: int) -> NoSuchAlert:
    sentence = f"There is no alert {alert_id}"
    return NoSuchAlert(f"{sentence}: `skysieve alerts list` shows them.", sentence)


def _id(number: int) -> int:
    return number if 0 <= number < 2**63 else -1  # SQLite takes no larger ones
