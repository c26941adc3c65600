"""Receivers on loopback, each with an alert and a message that waits for it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.flows.alerts.alerting import Alerted, alert_to, told_to
from tests.flows.misbehaving_server import Answer, MisbehavingServer


@pytest.fixture
def servers() -> Iterator[Callable[..., MisbehavingServer]]:
    with ExitStack() as until_done:

        def serve(answer: Answer, **options: object) -> MisbehavingServer:
            server = MisbehavingServer(**options)  # type: ignore[arg-type]
            server.answer = answer
            until_done.callback(server.close)
            return server

        yield serve


@pytest.fixture
def alerted(servers: Callable[..., MisbehavingServer], tmp_path: Path) -> Callable[..., Alerted]:
    def make(name: str, answer: Answer, **options: object) -> Alerted:
        server = servers(answer, **options)
        scheme = server.url.partition(":")[0]
        made = alert_to(tmp_path, f"{scheme}://r-{name}.test:{server.port}/hook")
        return Alerted(made, told_to(tmp_path, made), server)

    return make
