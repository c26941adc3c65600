"""Receivers that get nothing: unverified by TLS, not public, not there."""

import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from tests.flows import misbehaving_server as bad
from tests.flows.alerts.alerting import (
    Alerted,
    Clock,
    alert_to,
    delivered,
    local_names,
    means_of,
    story,
    told_to,
)
from tests.flows.misbehaving_server import MisbehavingServer

FIRST_S = 5.0  # until the second attempt


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def serving_tls(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


@pytest.mark.slow
def test_tls_is_verified(alerted: Callable[..., Alerted], authority: trustme.CA, tmp_path: Path) -> None:
    def certificate(name: str, **more: datetime) -> ssl.SSLContext:
        return serving_tls(authority.issue_cert(name, **more))

    yesterday = datetime.now(UTC) - timedelta(days=1)
    served = {
        "trusted": certificate("r-trusted.test"),
        "expired": certificate("r-expired.test", not_after=yesterday),
        "misnamed": certificate("r-another.test"),
        "self-signed": serving_tls(trustme.CA().issue_cert("r-self-signed.test")),
    }
    receivers = {name: alerted(name, bad.text(b"ok"), tls=tls) for name, tls in served.items()}
    plain = alerted("plain", bad.text(b"ok"))
    over_tls = alert_to(tmp_path, f"https://r-plain.test:{plain.server.port}/")
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    wrong = told_to(tmp_path, over_tls)
    delivered(means_of(tmp_path, Clock(), tls=trusting))
    found = {name: story(tmp_path, one.message_id) for name, one in receivers.items()}
    assert found["trusted"][0] == "delivered"
    for name, why in (
        ("expired", "certificate has expired"),
        ("misnamed", "certificate is not valid for 'r-misnamed.test'"),
        ("self-signed", "unable to get local issuer certificate"),
    ):
        state, ((status, error),), again_s = found[name]
        assert (state, status, again_s) == ("waiting", None, FIRST_S)
        assert why in error
        assert receivers[name].server.requests == []
    assert story(tmp_path, wrong)[0] == "waiting"


def test_private_addresses_get_nothing_unless_they_are_allowed(
    alerted: Callable[..., Alerted], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = alerted("inside", bad.text(b"ok"))
    clock = Clock()
    delivered(means_of(tmp_path, clock, allow_private=False))
    state, ((status, error),), again_s = story(tmp_path, found.message_id)
    assert (state, status, again_s) == ("waiting", None, FIRST_S)
    assert "r-inside.test leads to an address that is not public" in error
    # Deliveries showed the address: whoever may make an alert could look up the names of the private network.
    assert "127.0.0.1" not in error
    assert "r-inside.test resolves to 127.0.0.1, which is not a public address" in caplog.text
    assert found.server.requests == []
    clock.now += timedelta(seconds=5)
    delivered(means_of(tmp_path, clock))
    assert story(tmp_path, found.message_id)[0] == "delivered"


def test_what_cannot_be_reached_is_tried_again(
    servers: Callable[..., MisbehavingServer], tmp_path: Path
) -> None:
    closed = servers(bad.text(b""), listening=False)
    nobody = told_to(tmp_path, alert_to(tmp_path, closed.url))
    nowhere = told_to(tmp_path, alert_to(tmp_path, "http://nowhere.test/"))
    delivered(means_of(tmp_path, Clock(), resolve=local_names({"nowhere.test": []})))
    for message_id, why in ((nobody, "refused"), (nowhere, "nowhere.test has no address")):
        state, ((status, error),), again_s = story(tmp_path, message_id)
        assert (state, status, again_s) == ("waiting", None, FIRST_S)
        assert why in error
