"""Deliver one message: one attempt, and what comes of it."""

import logging
import random
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from flows.alerts.channels.answered import Answered
from flows.alerts.channels.mail import letter
from flows.alerts.channels.posting import Wire, post
from flows.alerts.channels.slack import slack_text
from flows.alerts.channels.smtp import MailServer, hand_in
from flows.alerts.channels.webhook import signed_headers
from flows.alerts.channels.words import told
from flows.alerts.retries import GONE, Jitter, next_attempt, pause_until
from flows.sources.time_limit import TimeLimit
from storage.state.alerts.addresses import shown_address
from storage.state.alerts.gone import end_endpoint
from storage.state.alerts.outbox import Message, Outcome, body_text, note_attempt
from storage.state.records import Alert
from storage.times import time_text

log = logging.getLogger("skysieve")


class Means(NamedTuple):
    """What messages are delivered with, replaceable in tests."""

    store: Path
    wire: Wire
    mail: MailServer | None
    now: Callable[[], datetime]
    jitter: Jitter = random.random


def deliver(
    message: Message, alert: Alert, means: Means, limit: TimeLimit, given_up: Callable[[], bool]
) -> None:
    """Try to deliver a message, and record what came of it.

    Nothing is recorded if this process was asked to stop meanwhile, and the receiver has not taken it: the
    next one tries again, with the same id.

    Raises:
        ServiceStateError: it cannot be recorded.
    """
    began_s = time.monotonic()
    answered = _sent(message, alert, means, limit)
    if given_up() and not answered.was_taken:
        return
    now = means.now()
    tried = Outcome(answered.status, answered.error, round(time.monotonic() - began_s, 3))
    if answered.was_taken:
        note_attempt(means.store, message.id, now, tried, "delivered")
        log.info("%s: delivered", _what(message, alert))
        return
    then = next_attempt(message.attempts + 1, answered, now, means.jitter)
    if answered.status == GONE and alert.channel != "email":
        # What waits is delivered if the alert is switched on again.
        note_attempt(means.store, message.id, now, tried, then or now)
        end_endpoint(means.store, alert, answered.error, now)
        log.warning("%s: %s The alert is switched off.", _what(message, alert), answered.error)
        return
    note_attempt(
        means.store, message.id, now, tried, then or "failed", pause_until=pause_until(answered, then, now)
    )
    next_time = (
        "it is not tried again" if then is None else f"the next attempt is at {time_text(then, 'seconds')}"
    )
    log.warning(
        "%s: %s It was attempt %d; %s.",
        _what(message, alert),
        answered.error,
        message.attempts + 1,
        next_time,
    )


def _sent(message: Message, alert: Alert, means: Means, limit: TimeLimit) -> Answered:
    try:
        with limit:
            if alert.channel == "webhook":
                text = body_text(message.body)
                headers = signed_headers(message.id, text, alert.secrets, means.now())
                return post(alert.address, text.encode(), headers, means.wire, limit)
            if alert.channel == "slack":
                text = slack_text(told(message.body))
                return post(alert.address, text.encode(), {}, means.wire, limit)
            return _mailed(message, alert, means, limit)
    except Exception as error:
        # A bug in one message must not stop the others; it is tried again, by a later release perhaps.
        log.exception("%s could not be sent", _what(message, alert))
        return Answered(None, f"It could not be sent: {type(error).__name__}.")


def _mailed(message: Message, alert: Alert, means: Means, limit: TimeLimit) -> Answered:
    if means.mail is None:
        return Answered(None, "No mail server is set: SKYSIEVE_SMTP_HOST.")
    made = letter(message, told(message.body), means.mail.sender, alert.address)
    return hand_in(made, alert.address, means.mail, means.wire.tls, limit, means.wire.total_s / 2)


def _what(message: Message, alert: Alert) -> str:
    return f"alert {alert.id}: {message.id} ({message.kind}) to {shown_address(alert.channel, alert.address)}"
