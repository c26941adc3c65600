"""Alerts: lists of them, made, switched, removed, and their secrets."""

from datetime import datetime
from pathlib import Path
from typing import Any

from api.errors import BadParameter
from api.models.watched.alerts import AlertRequest
from screening.errors import NoSuch, NotPossible, TooMany, UsageError
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import (
    NewAlert,
    alert,
    create_alert,
    listed,
    record_of,
    rotate_secret,
    switch_off,
    switch_on,
)
from storage.state.fleets import NoSuchFleet, fleet
from storage.state.records import Credential


def page_of(store: Path, fleet_id: int | None, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
    """Return a page of the alerts, or those of a fleet, and how many there are."""
    found = [one for one in listed(store) if fleet_id in (None, one["fleet_id"])]
    return found[offset : offset + limit], len(found)


def shown(store: Path, alert_id: int) -> dict[str, Any]:
    """Return an alert. Raises NoSuchAlert."""
    return record_of(store, alert(store, alert_id))


def made(
    store: Path, asked: AlertRequest, by: Credential, now: datetime, *, allow_private: bool
) -> dict[str, Any]:
    """Make an alert and return it with its secret.

    Raises:
        BadParameter: the fleet or the address is not allowed.
        TooManyAlerts: the credential has as many as it may have.
        SameAlert: it has this one already.
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
    except (TooMany, NotPossible):
        raise
    except UsageError as error:
        raise BadParameter("body", str(error)) from error
    return {**record_of(store, one), "secret": one.secrets[0] if one.secrets else None}


def switched(store: Path, alert_id: int, by: Credential, now: datetime, *, on: bool) -> dict[str, Any]:
    """Switch an alert on or off and return it. Raises NoSuchAlert."""
    if on:
        switch_on(store, alert_id, now)
    else:
        switch_off(store, alert_id, f"by {by.name}", now)
    return shown(store, alert_id)


def rotated(store: Path, alert_id: int) -> dict[str, Any]:
    """Give a webhook a new secret and return it. Raises NoSuchAlert, or BadParameter if it is no webhook."""
    try:
        return {"id": alert_id, "secret": rotate_secret(store, alert_id)}
    except NoSuch:
        raise
    except UsageError as error:
        raise BadParameter("id", str(error)) from error
