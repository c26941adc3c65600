"""The service as a process of its own whose log may grow: a browser asks more than a pipe holds."""

import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from tests.api.running import COMMAND, environment

_LISTENING = re.compile(rb"http://[0-9.]+:[0-9]+")
_START_S = 120.0  # the first time on a machine, kernels are compiled


@contextmanager
def service(store: Path, arguments: Sequence[str] = (), **settings: str) -> Iterator[str]:
    """Serve a store on a free port, yield the address; the log must have no traceback at the end."""
    command = [*COMMAND, "serve", "--store", str(store), "--port", "0", *arguments]
    log: list[bytes] = []
    listening = Event()
    with subprocess.Popen(
        command, env=environment(**settings), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        lines = process.stderr

        def read() -> None:
            for line in lines:
                log.append(line)
                if b"listening on" in line:
                    listening.set()
            listening.set()

        reader = Thread(target=read)
        reader.start()
        try:
            assert listening.wait(_START_S), b"".join(log).decode()
            found = _LISTENING.search(b"".join(log))
            assert found is not None, b"".join(log).decode()
            yield found[0].decode()
        finally:
            process.send_signal(signal.SIGTERM)
            reader.join()
            process.wait()
    raised = [line.decode() for line in log if b"Traceback" in line]
    assert not raised, raised
