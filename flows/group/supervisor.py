"""Run processes as one group: a part that ends is restarted, and none outlives the group.

Each part is a child of this process, in a session of its own. It is killed by the kernel when this process
ends, however that happens (PR_SET_PDEATHSIG), and with it goes whatever it started.
"""

import ctypes
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from flows.cluster.ports import loopback
from screening.errors import SkysieveError

GRACE_S = 7.0  # from being asked to stop until being killed
LONGEST_DELAY_S = 60.0
ATTEMPTS = 5  # for a part that never came up
_UP_AFTER_S = 20.0  # for a part without a port
_LOOK_EVERY_S = 0.2  # while something is awaited
_PR_SET_PDEATHSIG = 1
_WRONG_USAGE = 2  # exit code of wrong usage: a restart would end the same
_STOPPING = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_WAITED_FOR = _STOPPING | {signal.SIGCHLD}

Say = Callable[[str], None]


class Part(NamedTuple):
    """One process of the group."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    port: int | None = None  # of this machine, where it answers once it is up
    quiet: bool = False  # drop what it prints; its errors are shown


class CannotStart(SkysieveError):
    """A part of the group ends again and again without ever coming up."""


def supervise(parts: Sequence[Part], say: Say) -> None:
    """Run the parts until this process is asked to stop (SIGTERM, SIGINT, SIGHUP), then end all within 10 s.

    `say` gets a line for every part that ends. Call it from the main thread; it blocks the signals and waits
    for them.

    Raises:
        CannotStart: a part never came up; the others have been ended.
    """
    # A blocked signal arrives even if it is ignored, as under `nohup`.
    stopping = {number for number in _STOPPING if signal.getsignal(number) is not signal.SIG_IGN}
    former = signal.pthread_sigmask(signal.SIG_BLOCK, _WAITED_FOR)
    group = [_Supervised(part, former, say) for part in parts]
    try:
        _keep_running(group, stopping)
    finally:
        _end_all(group)
        while signal.sigtimedwait(_WAITED_FOR, 0):
            pass  # signals that came meanwhile are answered by ending
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


class _Supervised:
    """A part and its current process."""

    def __init__(self, part: Part, signal_mask: set[signal.Signals | int], say: Say) -> None:
        self.part = part
        self.is_up = False
        self._ever_up = False
        self._signal_mask = signal_mask
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._since = 0.0
        self._failures = 0
        self._not_before = 0.0

    def look(self) -> bool:
        """Check the process, and start it if it is time; return whether it is up."""
        now = time.monotonic()
        if self._process is not None and self._process.poll() is not None:
            self._ended(self._process.returncode, now)
        if self._process is None and now >= self._not_before:
            self._start(now)
        if self._process is not None and not self.is_up and self._comes_up(now):
            self.is_up = self._ever_up = True
            if self._failures:
                self._say(f"{self.part.name} is up again")
        if self.is_up and now - self._since > LONGEST_DELAY_S:
            self._failures = 0
        return self.is_up

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process and to everything it started."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def wait(self, seconds: float) -> None:
        """Wait until the process has ended, no longer than the given time."""
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(max(seconds, 0))

    def _start(self, now: float) -> None:
        parent, mask = os.getpid(), self._signal_mask
        prctl = ctypes.CDLL(None).prctl

        def in_child() -> None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)  # the parent ended before prctl took effect

        self._process = subprocess.Popen(  # noqa: S603 - our own commands
            self.part.command,
            env=self.part.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if self.part.quiet else None,
            start_new_session=True,
            preexec_fn=in_child,
        )
        self._since = now

    def _ended(self, code: int, now: float) -> None:
        self.send(signal.SIGKILL)  # processes that it may have left behind
        self._process, self.is_up = None, False
        self._failures += 1
        how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        if not self._ever_up and (code == _WRONG_USAGE or self._failures >= ATTEMPTS):
            raise CannotStart(
                f"{self.part.name} cannot start: it ended with {how}. Its own messages are above; its "
                f"command is: {' '.join(self.part.command)}"
            )
        delay_s = min(2.0 ** (self._failures - 1), LONGEST_DELAY_S)
        self._not_before = now + delay_s
        self._say(f"{self.part.name} ended with {how}; it restarts in {delay_s:g} s")

    def _comes_up(self, now: float) -> bool:
        if self.part.port is None:
            return now - self._since > _UP_AFTER_S
        with suppress(OSError), socket.create_connection((loopback(), self.part.port), 0.2):
            return True
        return False


def _keep_running(group: Collection[_Supervised], stopping: Collection[int]) -> None:
    while True:
        settled = [supervised.look() for supervised in group]
        pause_s = LONGEST_DELAY_S if all(settled) else _LOOK_EVERY_S
        came = signal.sigtimedwait(_WAITED_FOR, pause_s)
        if came is not None and came.si_signo in stopping:
            return


def _end_all(members: Collection[_Supervised]) -> None:
    for supervised in members:
        supervised.send(signal.SIGTERM)
    end = time.monotonic() + GRACE_S
    for supervised in members:
        supervised.wait(end - time.monotonic())
    for supervised in members:
        supervised.send(signal.SIGKILL)
        supervised.wait(1.0)
