"""Work in a process of its own: its result, its errors, and its end when nobody waits for it."""

import os
import threading
from pathlib import Path

import psutil
import pytest

from storage.disk.checksums import DamagedFile
from storage.machine.own_process import in_own_process

pytestmark = pytest.mark.processes


def go_on() -> None:
    pass


def wait_for_ever(begun: Path) -> None:
    begun.write_text(str(os.getpid()))
    threading.Event().wait()


def damaged(path: Path) -> None:
    raise DamagedFile(path, "its checksum is another", "Restore it.")


class Left(Exception):
    pass


def test_its_result_is_made_elsewhere() -> None:
    assert in_own_process(os.getpid, go_on=go_on) != os.getpid()


def test_its_error_is_raised_here() -> None:
    with pytest.raises(DamagedFile, match="its checksum is another") as raised:
        in_own_process(damaged, Path("here"), go_on=go_on)
    assert (raised.value.path, raised.value.what) == (Path("here"), "its checksum is another")


def test_it_is_killed_when_nobody_waits(tmp_path: Path) -> None:
    begun = tmp_path / "begun"

    def leave() -> None:
        if begun.exists() and begun.read_text():
            raise Left

    with pytest.raises(Left):
        in_own_process(wait_for_ever, begun, go_on=leave)
    assert not psutil.pid_exists(int(begun.read_text()))


def test_its_sudden_end_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="_exit ended with 9"):
        in_own_process(os._exit, 9, go_on=go_on)
