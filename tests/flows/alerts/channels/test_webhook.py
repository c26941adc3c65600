"""Webhooks are signed as Standard Webhooks 1.0.0 says; its own library verifies them."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from flows.alerts.channels.posting import signed_headers
from storage.state.alerts.alerts import new_secret

# Published: https://github.com/standard-webhooks/standard-webhooks, spec, "Signature scheme".
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = datetime.fromtimestamp(1614265330, UTC)
BODY = '{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
TOLERANCE = timedelta(minutes=5)


def test_the_published_example_is_signed_as_published() -> None:
    assert signed_headers(ID, BODY, [SECRET], AT) == {
        "webhook-id": ID,
        "webhook-timestamp": "1614265330",
        "webhook-signature": SIGNATURE,
    }


def test_fractions_of_a_second_are_cut_in_the_header_and_in_the_signature() -> None:
    assert signed_headers(ID, BODY, [SECRET], AT + timedelta(microseconds=999_999)) == signed_headers(
        ID, BODY, [SECRET], AT
    )


def test_two_secrets_give_two_signatures_with_a_blank_between_and_each_verifies() -> None:
    newer, older = new_secret(), new_secret()
    headers = signed_headers(ID, BODY, [newer, older], datetime.now(UTC))
    assert len(headers["webhook-signature"].split(" ")) == 2
    for secret in (newer, older):
        assert Webhook(secret).verify(BODY, headers) == {"test": 2432232314}
    with pytest.raises(WebhookVerificationError):
        Webhook(new_secret()).verify(BODY, headers)


@pytest.mark.parametrize("moved", [-TOLERANCE - timedelta(seconds=5), TOLERANCE + timedelta(seconds=5)])
def test_an_old_or_early_timestamp_is_refused(moved: timedelta) -> None:
    headers = signed_headers(ID, BODY, [SECRET], datetime.now(UTC) + moved)
    with pytest.raises(WebhookVerificationError, match="timestamp"):
        Webhook(SECRET).verify(BODY, headers)


@pytest.mark.parametrize("changed", ["webhook-id", "webhook-timestamp", "body"])
def test_whatever_is_changed_is_refused(changed: str) -> None:
    now = datetime.now(UTC)
    headers = signed_headers(ID, BODY, [SECRET], now)
    body = BODY
    if changed == "webhook-id":
        headers["webhook-id"] += "x"
    elif changed == "webhook-timestamp":
        headers["webhook-timestamp"] = str(int(headers["webhook-timestamp"]) - 1)
    else:
        body = BODY.replace("4}", "5}")
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(body, headers)


def test_secrets_are_random_and_have_24_to_64_bytes() -> None:
    secrets = {new_secret() for _ in range(50)}
    assert len(secrets) == 50
    for secret in secrets:
        assert secret.startswith("whsec_")
        assert 24 <= len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) <= 64
