"""Connections to DuckDB, as the store opens them."""

import os
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import cache
from threading import Lock, Thread
from typing import TypeVar

import duckdb

T = TypeVar("T")

_AGAIN_S = 0.1
_INTERRUPTED = "Query interrupted"
_opening = Lock()


def in_memory(**config: str) -> duckdb.DuckDBPyConnection:
    """Open a separate in-memory database, to attach or read files with.

    DuckDB's progress bar is off: after two seconds it would appear on standard output, amid data for scripts.
    """
    connection = duckdb.connect(config=dict(config))
    connection.execute("SET enable_progress_bar = false")
    return connection


def file_reader() -> duckdb.DuckDBPyConnection:
    """Open a connection to read files with, for queries and temporary tables alone: nothing may be attached.

    All of a process share one database in memory: a connection takes 0.5 ms, a database of its own 25.
    """
    with _opening:
        try:
            return _of_shared()
        except duckdb.Error:  # a fatal error in any query closes a database for good
            _shared.cache_clear()
            return _of_shared()


def _of_shared() -> duckdb.DuckDBPyConnection:
    connection = _shared(os.getpid()).cursor()
    connection.execute("SET enable_progress_bar = false")
    return connection


@cache
def _shared(_process_id: int) -> duckdb.DuckDBPyConnection:
    """Return the database of a process: a forked one has no threads for that of its parent."""
    return duckdb.connect()


def is_interrupt(error: Exception) -> bool:
    """Return whether Ctrl-C came during a query: DuckDB then raises its own error, not KeyboardInterrupt.

    While it calls Python, to read a table of numpy or Arrow, it wraps the interrupt in one of its errors.
    """
    text = str(error)
    return text == _INTERRUPTED or (isinstance(error, duckdb.Error) and "KeyboardInterrupt" in text)


def interruptible(connection: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """Do work with a connection that Ctrl-C ends: DuckDB itself may go on until it has its answer."""
    answer: Future[T] = Future()

    def worked() -> None:
        if not answer.set_running_or_notify_cancel():
            return
        try:
            answer.set_result(work())
        except BaseException as error:
            answer.set_exception(error)

    try:
        Thread(target=worked, name="query").start()
        return answer.result()
    except KeyboardInterrupt:
        # The answer is waited for, not the thread: Python 3.11 takes one for ended whose join is interrupted.
        while not (answer.cancel() or answer.done()):
            connection.interrupt()  # has no effect before the query has begun
            wait([answer], _AGAIN_S)
        raise
