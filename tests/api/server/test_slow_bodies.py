"""A body that comes at the least rate has the time it needs; one that drips has not."""

from typing import Any

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.http.metrics import Metrics
from api.server.connections import Connections, Limits, Proxies
from api.server.protocol import LEAST_BYTES_PER_S, bounded_protocol

LIMITS = Limits(connections=4, per_network=4, request_s=20, send_s=30, unsent_bytes=10**9)


@pytest.mark.parametrize(
    ("rate_bytes_s", "ended"), [(1, True), (LEAST_BYTES_PER_S // 2, True), (LEAST_BYTES_PER_S, False)]
)
def test_a_body_is_ended_that_comes_more_slowly_than_the_least_rate(
    monkeypatch: pytest.MonkeyPatch, rate_bytes_s: int, ended: bool
) -> None:
    now_s = 0.0
    register = Connections(LIMITS, Proxies(()), Metrics(), lambda: now_s)
    protocol = bounded_protocol(register)
    monkeypatch.setattr(H11Protocol, "data_received", lambda _self, _data: None)
    one: Any = protocol.__new__(protocol)
    one._register, one._quiet_since_s, one._arriving_since_s = register, 0.0, 0.0
    one.conn = type("Arriving", (), {"their_state": _state()})()
    for second in range(1, 60):
        now_s = float(second)
        one.data_received(b"x" * rate_bytes_s)
    assert (now_s - one.arriving_since_s() > LIMITS.request_s) is ended


def _state() -> object:
    import h11

    return h11.SEND_BODY
