"""Do work in a process of its own, which can be killed, and whose native code holds no other interpreter.

It costs a second of CPU time before the work begins, for Python and its libraries.
"""

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from screening.kernel_files import chosen_folder, keep_kernels_in

_LOOK_EVERY_S = 0.1

Result = TypeVar("Result")


def in_own_process(work: Callable[..., Result], *given: object, go_on: Callable[[], None]) -> Result:
    """Return what `work(*given)` returns, or raise what it raises; all of it must be picklable.

    `go_on` is called ten times a second; when it raises, the process is killed at once.

    Raises RuntimeError if the process ends without a result.
    """
    spawning = multiprocessing.get_context("spawn")  # a fork would copy the locks of other threads
    ours, theirs = spawning.Pipe(duplex=False)
    process = spawning.Process(target=_do, args=(theirs, chosen_folder(), work, given), daemon=True)
    try:
        with theirs:
            process.start()
        while not ours.poll(_LOOK_EVERY_S):
            go_on()
        result, error = ours.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"The process for {work.__name__} ended with {process.exitcode}.") from None
    finally:
        ours.close()
        if process.pid is not None:
            process.kill()
            process.join()
    if error is not None:
        raise error
    done: Result = result
    return done


def _do(
    answers: Connection, kernels: Path | None, work: Callable[..., Any], given: tuple[object, ...]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for it gets the interrupt
    if kernels is not None:
        keep_kernels_in(kernels.parent)
    done: tuple[Any, Exception | None]
    try:
        done = work(*given), None
    except Exception as error:  # it goes to the caller
        done = None, error
    answers.send(done)
