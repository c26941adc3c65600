"""The examples of docs/alerts.md run: the first message, a receiver in Python, openssl and curl."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import httpx
import pytest
from standardwebhooks import Webhook

from flows.alerts.send import DELAYS
from flows.cluster.ports import free_port
from storage.state.alerts.alerts import alert
from storage.state.alerts.deliveries import messages_of
from storage.state.alerts.outbox import body_text
from tests.flows import misbehaving_server as bad
from tests.flows.alerts.alerting import body_for
from tests.flows.misbehaving_server import MisbehavingServer

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # of the published example
PRINTED = "printed.txt"
EXAMPLE = "https://hooks.example.org/skysieve"


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "alerts.md").read_text()


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def run(script: str, folder: Path, **variables: str) -> str:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
        **variables,
    }
    done = subprocess.run(
        ["sh", "-ec", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.processes
def test_the_first_message_arrives(page: str, tmp_path: Path) -> None:
    first, *_ = blocks(page, "sh")
    with MisbehavingServer() as receiver:
        receiver.answer = bad.text(b"ok")
        script = first.replace(EXAMPLE, receiver.url)
        assert script != first
        said = run(script, tmp_path, SKYSIEVE_STORE=str(tmp_path), SKYSIEVE_ALERTS_ALLOW_PRIVATE="1")
        (request,) = receiver.requests
    (secret,) = alert(tmp_path, 1).secrets
    assert secret in said
    assert Webhook(secret).verify(request.body, request.headers)["type"] == "test"
    assert "delivered" in said.splitlines()[-1]
    assert messages_of(tmp_path, 1, 10)[0][0].message.state == "delivered"


@contextmanager
def receiving(program: str, folder: Path) -> Iterator[str]:
    """Run the receiver of the page, and yield its address once it answers."""
    port = free_port()
    environment = os.environ | {"SECRET": SECRET, "PORT": str(port)}
    file = folder / "receiver.py"
    file.write_text(program)
    url, pause = f"http://127.0.0.1:{port}", Event()
    with (
        (folder / PRINTED).open("wb") as printed,
        subprocess.Popen([sys.executable, str(file)], env=environment, stdout=printed) as process,
    ):
        try:
            while not _answers(url):
                assert process.poll() is None
                pause.wait(0.05)
            yield url
        finally:
            process.kill()


def _answers(url: str) -> bool:
    try:
        httpx.get(url)
    except httpx.TransportError:
        return False
    return True


@pytest.mark.processes
def test_openssl_signs_as_published_and_the_receiver_takes_what_curl_sends(page: str, tmp_path: Path) -> None:
    for needed in ("openssl", "curl"):
        if shutil.which(needed) is None:
            pytest.skip(f"needs {needed}")
    (program,) = blocks(page, "python")
    _, sign, send = blocks(page, "sh")
    published = {"SECRET": SECRET, "ID": "msg_p5jXN8AQM9LWM0D4loKWxJek", "TIMESTAMP": "1614265330"}
    (tmp_path / "body.json").write_text('{"test": 2432232314}')
    assert run(sign, tmp_path, **published) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=\n"
    (tmp_path / "body.json").write_text(body_text(body_for(1)))
    now = {**published, "TIMESTAMP": str(int(datetime.now(UTC).timestamp()))}
    with receiving(program, tmp_path) as url:
        run(f"{sign}\n{send}", tmp_path, RECEIVER=url, **now)
        for wrong in (published, {**now, "SECRET": SECRET.replace("Mf", "Ma")}):
            with pytest.raises(AssertionError):
                run(f"{sign}\n{send}", tmp_path, RECEIVER=url, **wrong)
        (tmp_path / "body.json").write_text('{"type": "test", "data": {}}')
        run(f"{sign}\n{send}", tmp_path, RECEIVER=url, **{**now, "ID": "msg_test"})
        printed = (tmp_path / PRINTED).read_text().splitlines()
    assert (printed[0], printed[-1]) == ("conjunctions", "test")
    assert len(printed) == 2 + len(body_for(1)["data"]["events"])


def test_the_delays_are_those_of_the_program(page: str) -> None:
    (told,) = re.findall(r"retried\s+after (5 s, .*?),\s+each up to a\s+tenth", page, re.DOTALL)
    units = {"s": 1, "min": 60, "h": 3600}
    seconds = [int(number) * units[unit] for number, unit in re.findall(r"(\d+)\s+(s|min|h)\b", told)]
    assert seconds == [delay.total_seconds() for delay in DELAYS]


def test_the_settings_it_names_exist(page: str, repository: Path) -> None:
    known = set(
        re.findall(r"^\| `(SKYSIEVE_\w+)`", (repository / "docs" / "settings.md").read_text(), re.MULTILINE)
    )
    assert set(re.findall(r"SKYSIEVE_[A-Z_]+[A-Z]", page)) <= known
