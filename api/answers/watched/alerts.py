"""Alerts: lists of them, made, switched, their secrets and their messages."""

from datetime import datetime
from pathlib import Path

from api.errors import BadParameter
from api.models.watched.alerts import (
    AlertList,
    AlertRequest,
    DeliveryList,
    ListedAlert,
    ListedAttempt,
    ListedDelivery,
    MadeAlert,
    NewSecret,
)
from api.settings import ApiSettings
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
from storage.state.alerts.deliveries import Delivery, delivery_record, messages_of
from storage.state.alerts.delivering import last_delivering
from storage.state.fleets import NoSuchFleet, fleet, fleets
from storage.state.records import Credential


def page_of(
    settings: ApiSettings, fleet_id: int | None, limit: int, offset: int, organisation_id: int
) -> AlertList:
    """Return a page of the alerts of an organisation, or of a fleet, and whether anything delivers them."""
    store = settings.store
    own = {one.id for one in fleets(store, organisation_id) if fleet_id in (None, one.id)}
    found = [ListedAlert(**one) for one in listed(store) if one["fleet_id"] in own]
    page = found[offset : offset + limit]
    return AlertList(page, len(found), bool(settings.smtp_host), last_delivering(store))


def shown(store: Path, alert_id: int) -> ListedAlert:
    """Return an alert. Raises NoSuchAlert."""
    return ListedAlert(**record_of(store, alert(store, alert_id)))


def made(
    store: Path, asked: AlertRequest, by: Credential, now: datetime, *, allow_private: bool
) -> MadeAlert:
    """Make an alert and return it with its secret.

    Raises:
        BadParameter: the fleet or the address is not allowed.
        TooManyAlerts: the credential has as many as it may have.
        SameAlert: it has this one already.
    """
    try:
        found = fleet(store, asked.fleet_id, by.organisation_id)
    except NoSuchFleet as error:
        raise BadParameter("fleet_id", f"There is no fleet {asked.fleet_id}.") from error
    try:
        aim = target(asked.address, asked.channel, allow_private=allow_private)
    except UsageError as error:
        raise BadParameter("address", str(error)) from error
    timing = asked.model_dump(include={"digest_hours", "daily", "manoeuvres", "acknowledgements"})
    try:
        new = NewAlert(found.id, aim, by.name, by.id, **asked.limits()._asdict(), **timing)
        one = create_alert(store, new, now)
    except (TooMany, NotPossible):
        raise
    except UsageError as error:
        raise BadParameter("body", str(error)) from error
    return MadeAlert(**record_of(store, one), secret=one.secrets[0] if one.secrets else None)


def switched(store: Path, alert_id: int, by: Credential, now: datetime, *, on: bool) -> ListedAlert:
    """Switch an alert on or off and return it. Raises NoSuchAlert."""
    if on:
        switch_on(store, alert_id, now)
    else:
        switch_off(store, alert_id, f"by {by.name}", now)
    return shown(store, alert_id)


def rotated(store: Path, alert_id: int) -> NewSecret:
    """Give a webhook a new secret and return it. Raises NoSuchAlert, or BadParameter if it is no webhook."""
    try:
        return NewSecret(alert_id, rotate_secret(store, alert_id))
    except NoSuch:
        raise
    except UsageError as error:
        raise BadParameter("id", str(error)) from error


def deliveries_of(store: Path, alert_id: int, limit: int, offset: int) -> DeliveryList:
    """Return a page of the messages of an alert, newest first. Raises NoSuchAlert."""
    found, total = messages_of(store, alert_id, limit, offset)
    return DeliveryList(list(map(listed_delivery, found)), total)


def listed_delivery(one: Delivery) -> ListedDelivery:
    """Return a message of an alert with its attempts."""
    return ListedDelivery(
        **delivery_record(one) | {"attempts": [ListedAttempt(*attempt) for attempt in one.tried]}
    )
