"""The lock for one publisher at a time, which dies with its holder."""

import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitedLongEnough
from contextlib import contextmanager
from pathlib import Path

from screening.errors import StoreError

LOCK_NAME = "publisher.lock"

# Errors of file systems without locks (NFS without a lock service, some network mounts).
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def store_lock(store: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock of a store; wait up to `timeout_s` seconds for another holder to finish.

    The lock belongs to the open file (flock): when the holder dies, it is free at once.

    Raises:
        StoreError: the holder did not finish in time, or the disk has no locks.
    """
    path = store / LOCK_NAME
    try:
        descriptor = _lock_within(path, timeout_s)
    except WaitedLongEnough:
        raise StoreError(
            f"The store {store} is being written by process {_holder(path)}, which did not finish within "
            f"{timeout_s:g} s. Wait for it or end it: the lock is released as soon as it is gone."
        ) from None
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        raise StoreError(
            f"The store {store} cannot be locked ({error.strerror}): it must be on a local disk, so that "
            "two runs never write to it at once."
        ) from error
    try:
        _sign(descriptor)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def lock_if_free(store: Path, name: str = LOCK_NAME) -> Iterator[bool]:
    """Try to hold a lock of a store; yield False if another process holds it or it cannot be written."""
    try:
        descriptor = _open(store / name)
    except OSError as error:
        if error.errno not in _NOT_OURS:
            raise
        yield False
        return
    try:
        free = _try_lock(descriptor)
        if free:
            _sign(descriptor)
        yield free
    finally:
        os.close(descriptor)


def _lock_within(path: Path, timeout_s: float) -> int:
    """Return an open descriptor that holds the lock; TimeoutError if it does not get it in time."""
    descriptor = _open(path)
    locked = False
    try:
        locked = _try_lock(descriptor)
    finally:
        if not locked:
            os.close(descriptor)
    if locked:
        return descriptor
    # flock has no time limit of its own: a thread waits in it, and hands the lock over or releases it.
    handed_over: Future[int] = Future()
    threading.Thread(target=_wait_for_lock, args=(path, handed_over), daemon=True).start()
    try:
        return handed_over.result(timeout_s)
    except WaitedLongEnough:
        if handed_over.cancel():
            raise
        return handed_over.result()  # the lock came at the last moment
    except BaseException:
        handed_over.cancel()  # interrupted: nobody will use the lock
        raise


def _wait_for_lock(path: Path, handed_over: "Future[int]") -> None:
    try:
        descriptor = _open(path)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as error:
        handed_over.set_exception(error)
        return
    if handed_over.set_running_or_notify_cancel():
        handed_over.set_result(descriptor)
    else:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(descriptor: int) -> None:
    """Write the holder's process id into the lock file, for the message to a process that waits in vain."""
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)


def _holder(path: Path) -> str:
    return path.read_text() or "(unknown)"
