"""Machines with a network between them, whose links can be cut: network namespaces on a bridge."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import pytest


class Host(NamedTuple):
    """One machine: what to put before the commands that run on it, and its address."""

    inside: tuple[str, ...] = ()
    address: str = "127.0.0.1"
    link: str = ""  # its end on the bridge

    def cut(self) -> None:
        """Cut the link: nothing arrives any more, and nobody is told."""
        _ip("link", "set", self.link, "down")

    def mend(self) -> None:
        """Let everything through again."""
        _ip("link", "set", self.link, "up")


THIS_MACHINE = Host()


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """Make machines that reach each other and this one, or skip the test."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("needs root and iproute2, for network namespaces")
    bridge = f"sk{os.getpid()}"
    # Of the addresses for tests of networks (RFC 2544); tests of another process may run beside these.
    network = f"198.{18 + os.getpid() // 256 % 2}.{os.getpid() % 256}"
    with ExitStack() as until_done:
        try:
            _ip("netns", "add", f"{bridge}-probe")
            until_done.callback(_ip, "netns", "delete", f"{bridge}-probe")
            # With an address of its own: it would take over that of a port, until the port's link is cut.
            _ip("link", "add", bridge, "address", "02:00:00:00:00:01", "type", "bridge")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"this machine allows no network namespaces: {error.stderr}")
        until_done.callback(_ip, "link", "delete", bridge)
        _ip("address", "add", f"{network}.1/24", "dev", bridge)
        _ip("link", "set", bridge, "up")
        made = []
        for number in range(count):
            name = f"{bridge}-{number}"
            _ip("netns", "add", name)
            until_done.callback(_ip, "netns", "delete", name)
            made.append(_linked(name, bridge, f"{network}.{10 + number}"))
            # The namespace takes its end with it, but some time later, when the name may be wanted again.
            until_done.callback(_ip, "link", "delete", name)
        yield made


def _linked(name: str, bridge: str, address: str) -> Host:
    """Put a namespace on the bridge."""
    _ip("link", "add", name, "type", "veth", "peer", "name", "up0", "netns", name)
    _ip("link", "set", name, "master", bridge, "up")
    _ip("-netns", name, "address", "add", f"{address}/24", "dev", "up0")
    for link in ("lo", "up0"):
        _ip("-netns", name, "link", "set", link, "up")
    return Host(("ip", "netns", "exec", name), address, name)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)
