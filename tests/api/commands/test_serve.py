"""`skysieve serve`."""

import os
import re
import socket
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from api.server.listening import CannotListen, listening_socket
from storage.state.credentials import create_credential, list_credentials
from tests.api.running import COMMAND, environment, running
from tests.made_up_run import make_run, publish


@pytest.mark.processes
def test_serve_without_a_terminal_shows_no_secret(store: Path) -> None:
    publish(store, make_run())
    with running(store) as service:
        assert httpx.get(f"{service.url}/health").json()["status"] == "ok"
        made = f"skysieve tokens create --kind bearer --name NAME --store {store.absolute()}"
        assert made.encode() in service.log
        log = service.log
    assert service.process.returncode in (0, -15)  # uvicorn passes the signal on after it has stopped
    assert b"skysieve_" not in log
    assert list_credentials(store) == []


@pytest.mark.processes
def test_serve_on_a_terminal_makes_the_first_credentials_once(store: Path) -> None:
    publish(store, make_run())
    texts = []
    for _ in range(2):
        reading, writing = os.openpty()
        try:
            with running(store, stdout=writing) as service:
                os.set_blocking(reading, False)
                try:
                    texts.append(os.read(reading, 10_000).decode())
                except BlockingIOError:
                    texts.append("")
                token, key = re.findall(r"skysieve_\S+", texts[0])
                bearer = {"Authorization": f"Bearer {token}"}
                assert httpx.get(f"{service.url}/runs/current", headers=bearer).status_code == 200
                # The API key is known, and of the wrong kind here.
                headers = {"X-API-Key": key}
                assert httpx.get(f"{service.url}/runs/current", headers=headers).status_code == 403
        finally:
            os.close(reading)
            os.close(writing)
    assert "not shown again" in texts[0]
    assert texts[1] == ""
    assert [credential.kind for credential in list_credentials(store)] == ["bearer", "api-key"]


@pytest.mark.processes
def test_serve_stops_at_once_and_stores_the_last_use(store: Path) -> None:
    publish(store, make_run())
    secret = create_credential(store, "bearer", "desk", datetime.now(UTC)).secret
    with running(store) as service:
        bearer = {"Authorization": f"Bearer {secret}"}
        assert httpx.get(f"{service.url}/runs/current", headers=bearer).status_code == 200
    (credential,) = list_credentials(store)
    assert credential.last_used is not None


def test_small_answers_are_not_held_back() -> None:
    # asyncio turns Nagle's algorithm off only on sockets that say they are TCP: answers took 44 ms, not 3.
    with listening_socket("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_addresses_of_others(host: str) -> None:
    with pytest.raises(CannotListen, match=host):
        listening_socket(host, 0)


@pytest.mark.processes
def test_a_port_that_is_taken(store: Path) -> None:
    with running(store) as first:
        port = first.url.rsplit(":", 1)[1]
        second = subprocess.run(
            [*COMMAND, "serve", "--store", str(store), "--port", port],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    assert second.returncode == 1
    assert f"error: Cannot listen on 127.0.0.1:{port}: address already in use." in second.stderr
    assert list_credentials(store) == []
