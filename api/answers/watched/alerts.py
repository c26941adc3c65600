"""Alerts: lists of them, made, switched, removed, and their secrets."""

from datetime import datetime
from pathlib import Path
from typing import Any

from api.errors import BadParameter, LimitReached, NotFound, NotPossibleNow
from api.models.watched.alerts import AlertRequest
from screening.errors import UsageError
from storage.state.alerts.addresses import target
from storage.state.alerts.kept import (
    NewAlert,
    NoSuchAlert,
    SameAlert,
    TooManyAlerts,
    alert,
    create_alert,
    remove_alert,
    rotate_secret,
    switch_off,
    switch_on,
)
from storage.state.alerts.listed import listed, record_of
from storage.state.fleets import NoSuchFleet, fleet
from storage.state.records import Alert, Credential


def page_of(store: Path, fleet_id: int | None, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
    """Return a page of the alerts, or those of a fleet, and how many there are."""
    found = [one for one in listed(store) if fleet_id in (None, one["fleet_id"])]
    return found[offset : offset + limit], len(found)


def shown(store: Path, alert_id: int) -> dict[str, Any]:
    """Return an alert. Raises NotFound."""
    return record_of(store, alert_of(store, alert_id))


def alert_of(store: Path, alert_id: int) -> Alert:
    """Return the alert with an id. Raises NotFound."""
    try:
        return alert(store, alert_id)
    except NoSuchAlert as error:
        raise _not_found(alert_id) from error


def made(
    store: Path, asked: AlertRequest, by: Credential, now: datetime, *, allow_private: bool
) -> dict[str, Any]:
    """Make an alert and return it with its secret.

    Raises:
        BadParameter: the fleet or the address is not allowed.
        LimitReached: the credential has as many as it may have.
        NotPossibleNow: it has this one already.
    """
    try:
        found = fleet(store, asked.fleet_id)
    except NoSuchFleet as error:
        raise BadParameter("fleet_id", f"There is no fleet {asked.fleet_id}.") from error
    try:
        aim = target(asked.address, asked.channel, allow_private=allow_private)
    except UsageError as error:
        raise BadParameter("address", str(error)) from error
    timing = asked.model_dump(include={"digest_hours", "daily"})
    try:
        new = NewAlert(found.id, aim, by.name, by.id, **asked.limits()._asdict(), **timing)
        one = create_alert(store, new, now)
    except TooManyAlerts as error:
        raise LimitReached(str(error)) from error
    except SameAlert as error:
        raise NotPossibleNow(str(error)) from error
    except UsageError as error:
        raise BadParameter("body", str(error)) from error
    return {**record_of(store, one), "secret": one.secrets[0] if one.secrets else None}


def switched(store: Path, alert_id: int, by: Credential, now: datetime, *, on: bool) -> dict[str, Any]:
    """Switch an alert on or off and return it. Raises NotFound."""
    try:
        if on:
            switch_on(store, alert_id, now)
        else:
            switch_off(store, alert_id, f"by {by.name}", now)
    except NoSuchAlert as error:
        raise _not_found(alert_id) from error
    return shown(store, alert_id)


def removed(store: Path, alert_id: int, now: datetime) -> None:
    """Remove an alert. Raises NotFound."""
    try:
        remove_alert(store, alert_id, now)
    except NoSuchAlert as error:
        raise _not_found(alert_id) from error


def rotated(store: Path, alert_id: int) -> dict[str, Any]:
    """Give a webhook a new secret and return it. Raises NotFound, or BadParameter if it is no webhook."""
    try:
        return {"id": alert_id, "secret": rotate_secret(store, alert_id)}
    except NoSuchAlert as error:
        raise _not_found(alert_id) from error
    except UsageError as error:
        raise BadParameter("id", str(error)) from error


def _not_found(alert_id: int) -> NotFound:
    return NotFound(f"There is no alert {alert_id}; `GET /alerts` lists those there are.")
