"""What the parts of a cluster listen on: other machines get no answer in plain HTTP, from whichever port."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from ipaddress import ip_address
from pathlib import Path
from threading import Event

import httpx
import pytest
import yaml

from flows.cluster.fan_out import cluster
from flows.cluster.ports import free_port
from tests.flows.hosts import THIS_MACHINE, Host, hosts

pytestmark = pytest.mark.processes

REPOSITORY = Path(__file__).resolve().parents[1]
SERVICES = yaml.safe_load((REPOSITORY / "deploy" / "docker" / "compose.yaml").read_text())["services"]
LISTENING = """
import psutil, sys
ours = [psutil.Process(int(sys.argv[1]))]
ours += ours[0].children(recursive=True)
print({tuple(c.laddr) for p in ours for c in p.net_connections("tcp") if c.status == "LISTEN"} or "set()")
"""


def listening(process: int, host: Host = THIS_MACHINE) -> set[tuple[str, int]]:
    """Return the addresses and ports that a process and those below it listen on."""
    words = [*host.inside, sys.executable, "-c", LISTENING, str(process)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    found: set[tuple[str, int]] = ast.literal_eval(done.stdout)
    return found


def wait_for(look: Callable[[], set[int]], number: int) -> set[int]:
    """Wait until there are so many ports."""
    pause = Event()
    for _ in range(300):
        if len(found := look()) >= number:
            return found
        pause.wait(0.2)
    raise AssertionError(f"{number} ports expected, {found} are there")


@pytest.fixture
def host() -> Iterator[Host]:
    """Return another machine, or this one by an address that its programs do not use."""
    with ExitStack() as until_done:
        try:
            (found,) = until_done.enter_context(hosts(1))
        except pytest.skip.Exception:
            found = Host(address="127.0.0.2")
        yield found


def command(part: str, certificates: Path, port: int) -> list[str]:
    """Return a command of compose.yaml for a process beside the others."""
    text = "\n".join(SERVICES[part]["command"]).replace("/certificates", str(certificates))
    text = text.replace("--port=8786", f"--port={port}").replace("scheduler:8786", f"127.0.0.1:{port}")
    program, *options = text.split("\n")
    return [str(Path(sys.executable).parent / program), *options]


def test_scheduler_and_worker_answer_no_plain_http_from_another_address(tmp_path: Path, host: Host) -> None:
    script = REPOSITORY / "deploy" / "tls" / "make_certificates.sh"
    subprocess.run([str(script), str(tmp_path), "scheduler", "worker"], check=True, capture_output=True)
    port = free_port()
    found: set[int] = set()
    # Dask's protocol and HTTP; a worker has a process above it, with Dask's protocol too.
    with ExitStack() as until_done:
        for part, ports in (("scheduler", 2), ("worker", 3)):
            words = [*host.inside, *command(part, tmp_path, port)]
            process = until_done.enter_context(
                subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.DEVNULL)
            )
            until_done.callback(process.terminate)
            found |= wait_for(lambda top=process.pid: {n for _, n in listening(top, host)}, ports)  # type: ignore[misc]
        assert port in found
        answers = {}
        for number in sorted(found):
            try:
                answers[number] = httpx.get(f"http://{host.address}:{number}/health", timeout=10).text
            except httpx.TransportError:
                continue
    assert answers == {}


def test_a_run_on_this_machine_listens_nowhere() -> None:
    own = os.getpid()
    before = listening(own)
    with cluster("", 1) as workers:
        assert list(workers.results(pow, [3], 2)) == [9]
        assert listening(own) == before


def test_the_cluster_of_up_is_for_its_own_machine() -> None:
    port = free_port()
    words = [sys.executable, "-m", "flows.group.local_dask", str(port), "1"]
    with subprocess.Popen(words, cwd=REPOSITORY) as process:
        try:
            wait_for(lambda: {number for _, number in listening(process.pid)}, 1)
            with cluster(f"tcp://127.0.0.1:{port}", 1):
                used = wait_for(lambda: {number for _, number in listening(process.pid)}, 4)
                assert port in used
                assert all(ip_address(address).is_loopback for address, _ in listening(process.pid))
            assert all(ip_address(address).is_loopback for address, _ in listening(process.pid))
        finally:
            process.terminate()
