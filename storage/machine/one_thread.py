"""A thread beside the main one that no interrupt leaves behind."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def one_thread(name: str) -> Iterator[ThreadPoolExecutor]:
    """Yield an executor with one thread; when the block ends, however it does, its work is done.

    The thread is started before anything is submitted: an executor does not wait for a thread during whose
    start an interrupt came, and what it does then goes on by itself.
    """
    with ThreadPoolExecutor(1, thread_name_prefix=name) as executor:
        executor.submit(lambda: None).result()
        yield executor
