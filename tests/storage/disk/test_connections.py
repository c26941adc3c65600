"""Connections that share the process's database in memory do not see each other's tables, and outlive it."""

import os
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pyarrow as pa

from storage.disk import connections
from storage.disk.connections import file_reader


def test_temporary_tables_and_registered_ones_are_a_connections_own() -> None:
    with file_reader() as one, file_reader() as other:
        for connection, number in ((one, 1), (other, 2)):
            connection.register("given", pa.table({"n": [number]}))
            connection.execute("CREATE TEMP TABLE kept AS SELECT n * 10 AS n FROM given")
        assert one.execute("SELECT given.n, kept.n FROM given, kept").fetchall() == [(1, 10)]
        assert other.execute("SELECT given.n, kept.n FROM given, kept").fetchall() == [(2, 20)]


def test_many_threads_read_at_once() -> None:
    def total(number: int) -> int:
        with file_reader() as connection:
            connection.register("given", pa.table({"n": list(range(number))}))
            ((found,),) = connection.execute("SELECT sum(n) FROM given").fetchall()
            return int(found)

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(total, range(1, 101))) == [n * (n - 1) // 2 for n in range(1, 101)]


def test_a_database_that_can_no_longer_be_used_is_replaced() -> None:
    with file_reader() as connection:
        connection.execute("SELECT 1")
    connections._shared(os.getpid()).close()  # as after a fatal error in a query
    with file_reader() as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_one_that_is_closed_leaves_the_others_open() -> None:
    with file_reader() as one:
        with file_reader() as other:
            other.execute("SELECT 1")
        assert one.execute("SELECT 1").fetchall() == [(1,)]
        try:
            other.execute("SELECT 1")
        except duckdb.Error as error:
            assert "closed" in str(error)
        else:
            raise AssertionError("a closed connection answered")
