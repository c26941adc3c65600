"""Webhooks by Standard Webhooks 1.0.0: the headers that name and sign a message."""

from collections.abc import Sequence
from datetime import datetime

from standardwebhooks import Webhook

from storage.times import naive_utc


def signed_headers(message_id: str, body: str, secrets: Sequence[str], attempted: datetime) -> dict[str, str]:
    """Return the headers of one attempt.

    Args:
        message_id: id of the message, the same for all attempts.
        body: what is sent.
        secrets: `whsec_...`; each signs, so that a receiver may change from one to the next.
        attempted: the time of this attempt; receivers refuse old ones.
    """
    at = naive_utc(attempted)  # what the library takes for UTC
    signatures = [Webhook(secret).sign(message_id, at, body) for secret in secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int((at - _EPOCH).total_seconds())),
        "webhook-signature": " ".join(signatures),
    }


_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - naive, like the times it is subtracted from
