"""Alerts: who is told, where, of what; created, listed, switched off and on, removed.

Each belongs to a fleet and to who made it: a credential, or the command line. Secrets of webhooks are kept as
they are, for every message is signed with them; the file is private to its owner.
"""

import base64
import secrets as random_bytes
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, cast

from screening.errors import UsageError
from screening.vocabulary import PROBABILITY_LEVELS, ProbabilityLevel, range_text
from storage.rows.limits import Limits, checked_near
from storage.state.alerts.addresses import Target
from storage.state.alerts.outbox import cancel, end_pause
from storage.state.credentials import RefusedCredential, list_credentials, still_valid
from storage.state.database import query_state, service_state
from storage.state.sealed_rows import sealed, verify_rows
from storage.times import parse_time, time_text
from storage.vocabulary import (
    DIGEST_RANGE_HOURS,
    MOST_ALERTS_OF_A_CREDENTIAL,
    NEAR_M,
    Channel,
)

MOST_SECRETS = 2  # the newest, and the one before it
_SECRET_BYTES = 32  # Standard Webhooks: 24 to 64
_COLUMNS = (
    "id, fleet_id, channel, address, level, near_m, min_probability, digest_hours, daily, created, made_by, "
    "credential_id, secrets, off_since, off_reason"
)


class Alert(NamedTuple):
    """Who is told of what. Times are UTC with their zone."""

    id: int
    fleet_id: int
    channel: Channel
    address: str
    level: ProbabilityLevel  # with near_m and min_probability, what is told: see Limits
    near_m: float | None
    min_probability: float | None
    digest_hours: float | None  # None: told after each run
    daily: bool
    created: datetime
    made_by: str
    credential_id: int | None  # None: made at the command line
    secrets: tuple[str, ...]  # whsec_..., newest first; of webhooks only
    off_since: datetime | None
    off_reason: str

    @property
    def limits(self) -> Limits:
        """Of which encounters it tells."""
        return Limits(self.level, self.near_m, self.min_probability)


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


class NoSuchAlert(UsageError):
    """There is no alert with that id."""


class TooManyAlerts(UsageError):
    """A credential has as many alerts as it may have."""


class SameAlert(UsageError):
    """There is an alert of the same maker that tells the same, of the same fleet, to the same address."""


def alerts(store: Path) -> tuple[Alert, ...]:
    """Return all alerts, oldest first."""
    sql = f"SELECT {_COLUMNS} FROM alerts ORDER BY id"  # noqa: S608
    return tuple(_alert(row) for row in query_state(store, sql, tables=["alerts"]))


def alerts_within(state: sqlite3.Connection) -> tuple[Alert, ...]:
    """Return all alerts in the caller's transaction, after verifying them."""
    verify_rows(state, "alerts")
    return tuple(_alert(row) for row in state.execute(f"SELECT {_COLUMNS} FROM alerts ORDER BY id"))  # noqa: S608


def alert(store: Path, alert_id: int) -> Alert:
    """Return one alert. Raises NoSuchAlert."""
    sql = f"SELECT {_COLUMNS} FROM alerts WHERE id = ?"  # noqa: S608
    for row in query_state(store, sql, (_id(alert_id),), tables=["alerts"]):
        return _alert(row)
    raise _no_such(alert_id)


def create_alert(store: Path, new: NewAlert, now: datetime) -> Alert:
    """Create an alert and return it, with the secret of a webhook.

    Raises:
        UsageError: a value is out of range, or there is no such fleet.
        TooManyAlerts: its credential has as many as it may have.
        SameAlert: it has this one already.
    """
    _check(new)
    made = new_secret() if new.target.channel == "webhook" else ""
    with service_state(store) as state, sealed(state, "alerts"):
        if not state.execute("SELECT 1 FROM fleets WHERE id = ?", (_id(new.fleet_id),)).fetchone():
            raise UsageError(f"There is no fleet {new.fleet_id}: `skysieve fleets list` shows them.")
        _refuse_same(state, new)
        _leave_room(state, new.credential_id)
        number = state.execute(
            "INSERT INTO alerts (fleet_id, channel, address, level, near_m, min_probability, digest_hours, "
            "daily, created, made_by, credential_id, secrets, off_since, off_reason) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, '')",
            (
                new.fleet_id,
                *new.target,
                new.level,
                new.near_m,
                new.min_probability,
                new.digest_hours,
                int(new.daily),
                time_text(now, "seconds"),
                new.made_by,
                new.credential_id,
                made,
            ),
        ).lastrowid
    assert number is not None, "an INSERT has a row id"
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

    What happens meanwhile is gathered in the one message that waits.
    """
    with service_state(store) as state:
        switch_off_within(state, alert_id, reason, now)


def switch_off_within(state: sqlite3.Connection, alert_id: int, reason: str, now: datetime) -> None:
    """Do as `switch_off` in the caller's transaction."""
    assignments = (
        "off_reason = CASE WHEN off_since IS NULL THEN ? ELSE off_reason END, "
        "off_since = coalesce(off_since, ?)"
    )
    _change_within(state, alert_id, assignments, reason, time_text(now, "seconds"))


def stop(store: Path, alert_id: int, reason: str, now: datetime) -> int:
    """Switch an alert off and cancel what waits, in one transaction; return how many messages.

    The reason replaces that of one that was off. Raises NoSuchAlert.
    """
    with service_state(store) as state, sealed(state, "alerts"):
        changed = state.execute(
            "UPDATE alerts SET off_reason = ?, off_since = coalesce(off_since, ?), crc32 = NULL WHERE id = ?",
            (reason, time_text(now, "seconds"), _id(alert_id)),
        ).rowcount
        if not changed:
            raise _no_such(alert_id)
        return cancel(state, alert_id, now)


def switch_on(store: Path, alert_id: int, now: datetime) -> None:
    """Go on with the deliveries of an alert; what waits is due at once. Raises NoSuchAlert."""
    _change(store, alert_id, "off_since = NULL, off_reason = ''")
    with service_state(store) as state:
        end_pause(state, alert_id)
        state.execute(
            "UPDATE outbox SET due = ? WHERE alert_id = ? AND state = 'waiting' AND due > ? AND attempts > 0",
            (time_text(now, "microseconds"), alert_id, time_text(now, "microseconds")),
        )


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
    # The older one is read in the same statement: two rotations at once never lose a secret that was shown.
    _change(store, alert_id, "secrets = ? || ' ' || substr(secrets, 1, instr(secrets || ' ', ' ') - 1)", made)
    return made


def new_secret() -> str:
    """Return a new secret in the form of Standard Webhooks."""
    return "whsec_" + base64.b64encode(random_bytes.token_bytes(_SECRET_BYTES)).decode()


def _check(new: NewAlert) -> None:
    if new.level not in PROBABILITY_LEVELS:
        raise UsageError(f"{new.level!r} is no level: expected {', '.join(PROBABILITY_LEVELS)}.")
    if new.near_m is not None:
        checked_near(new.near_m)
    least = new.min_probability
    if least is not None and not 0 < least <= 1:  # NaN is refused too
        raise UsageError(f"The smallest probability {least:g} is out of range: expected above 0, at most 1.")
    hours = new.digest_hours
    if hours is not None and not DIGEST_RANGE_HOURS[0] <= hours <= DIGEST_RANGE_HOURS[1]:
        raise UsageError(
            f"{hours:g} is out of range for the hours of a digest: expected {range_text(DIGEST_RANGE_HOURS)}."
        )


def _refuse_same(state: sqlite3.Connection, new: NewAlert) -> None:
    sql = (
        "SELECT id FROM alerts WHERE (fleet_id, channel, address, level, daily) = (?, ?, ?, ?, ?) "
        "AND near_m IS ? AND min_probability IS ? AND digest_hours IS ? AND credential_id IS ?"
    )
    same = (new.fleet_id, *new.target, new.level, int(new.daily))
    rest = (new.near_m, new.min_probability, new.digest_hours, new.credential_id)
    for (number,) in state.execute(sql, (*same, *rest)):
        raise SameAlert(f"Alert {number} already tells that address the same of that fleet.")


def _leave_room(state: sqlite3.Connection, credential_id: int | None) -> None:
    sql = "SELECT count(*) FROM alerts WHERE credential_id = ?"
    (made,) = state.execute(sql, (credential_id,)).fetchone()
    if made >= MOST_ALERTS_OF_A_CREDENTIAL:
        raise TooManyAlerts(
            f"Credential {credential_id} has {made} alerts, and no credential may have more than "
            f"{MOST_ALERTS_OF_A_CREDENTIAL}: remove one first."
        )


def _change(store: Path, alert_id: int, assignments: str, *values: object) -> None:
    with service_state(store) as state:
        _change_within(state, alert_id, assignments, *values)


def _change_within(state: sqlite3.Connection, alert_id: int, assignments: str, *values: object) -> None:
    with sealed(state, "alerts"):
        changed = state.execute(
            f"UPDATE alerts SET {assignments}, crc32 = NULL WHERE id = ?",  # noqa: S608
            (*values, _id(alert_id)),
        ).rowcount
        if not changed:
            raise _no_such(alert_id)


def _no_such(alert_id: int) -> NoSuchAlert:
    return NoSuchAlert(f"There is no alert {alert_id}: `skysieve alerts list` shows them.")


def _id(number: int) -> int:
    return number if 0 <= number < 2**63 else -1  # SQLite takes no larger ones


def _alert(row: tuple[object, ...]) -> Alert:
    found = Alert(*row)  # type: ignore[arg-type]
    off = cast("str | None", row[13])
    return found._replace(
        daily=bool(row[8]),
        created=parse_time(str(row[9])),
        secrets=tuple(str(row[12]).split()),
        off_since=None if off is None else parse_time(off),
    )
