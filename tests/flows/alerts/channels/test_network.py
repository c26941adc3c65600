"""Nothing is sent to addresses that are not public, however they are written or change."""

import threading
from collections.abc import Sequence
from typing import Any

import httpcore
import pytest

from flows.alerts.channels.network import CheckedNetwork, RefusedAddress

PUBLIC, PUBLIC_6 = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"
# One of each kind: IANA's registries of special addresses, RFC 6052, 3056, 4291, 6598.
NOT_PUBLIC = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]


class Recorded(httpcore.SyncBackend):
    """Notes where it is asked to connect to, and does not."""

    def __init__(self, refusing: Sequence[str] = ()) -> None:
        self.connected: list[str] = []
        self._refusing = refusing

    def connect_tcp(self, host: str, *_: Any, **__: Any) -> httpcore.NetworkStream:
        self.connected.append(host)
        if host in self._refusing:
            raise httpcore.ConnectError("refused")
        return httpcore.NetworkStream()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Recorded:
    made = Recorded()
    monkeypatch.setattr(httpcore, "SyncBackend", lambda: made)
    return made


def connect(addresses: Sequence[str], *, allow_private: bool = False) -> None:
    made = CheckedNetwork(lambda *_: addresses, 5.0, allow_private=allow_private)
    made.connect_tcp("receiver.example", 443, 1.0)


@pytest.mark.parametrize("address", NOT_PUBLIC)
@pytest.mark.parametrize("others", [[], [PUBLIC], [PUBLIC_6]], ids=["alone", "after 4", "after 6"])
def test_an_address_that_is_not_public_is_refused_alone_and_among_others(
    network: Recorded, address: str, others: list[str]
) -> None:
    with pytest.raises(RefusedAddress, match=r"receiver\.example leads to .*SKYSIEVE_ALERTS_ALLOW_PRIVATE"):
        connect([*others, address])
    assert network.connected == []
    connect([address], allow_private=True)
    assert network.connected == [address]


@pytest.mark.parametrize(
    "address", [PUBLIC, PUBLIC_6, f"::ffff:{PUBLIC}", "64:ff9b::5db8:d822", "2002:5db8:d822::1"]
)
def test_public_addresses_are_connected_to(network: Recorded, address: str) -> None:
    connect([address])
    assert network.connected == [address]


def test_the_next_address_is_tried_where_one_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Recorded([PUBLIC_6])
    monkeypatch.setattr(httpcore, "SyncBackend", lambda: network)
    connect([PUBLIC_6, PUBLIC])
    assert network.connected == [PUBLIC_6, PUBLIC]


def test_an_answer_that_changes_after_the_check_changes_nothing(network: Recorded) -> None:
    answers = [[PUBLIC], ["127.0.0.1"], ["169.254.169.254"]]
    made = CheckedNetwork(lambda *_: answers.pop(0), 5.0, allow_private=False)
    made.connect_tcp("rebinding.example", 443)
    assert network.connected == [PUBLIC]
    assert len(answers) == 2  # it was asked once


def test_a_name_without_address_and_a_resolver_that_fails_are_told(network: Recorded) -> None:
    def failing(*_: object) -> list[str]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(RefusedAddress, match="has no address"):
        connect([])
    with pytest.raises(RefusedAddress, match=r"cannot be looked up: .*Name or service not known"):
        CheckedNetwork(failing, 5.0, allow_private=False).connect_tcp("nowhere.example", 443)


def test_a_resolver_that_hangs_does_not_hold_a_delivery() -> None:
    ended = threading.Event()

    def hanging(*_: object) -> list[str]:
        ended.wait()
        return [PUBLIC]

    try:
        with pytest.raises(RefusedAddress, match="could not be looked up in time"):
            CheckedNetwork(hanging, 0.05, allow_private=False).connect_tcp("slow.example", 443)
    finally:
        ended.set()


def test_an_address_does_not_lead_to_itself(network: Recorded) -> None:
    made = CheckedNetwork(lambda *_: ["127.0.0.1"], 5.0, allow_private=False)
    with pytest.raises(RefusedAddress, match=r"^127\.0\.0\.1 is not public, so nothing is sent there"):
        made.connect_tcp("127.0.0.1", 443, 1.0)
    assert network.connected == []
