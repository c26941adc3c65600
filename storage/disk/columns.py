"""Columns that tables of earlier releases lack: read as NULL."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from storage.schema import Table


def with_every_column(query: str, table: "Table") -> str:
    """Return a query for the rows of `query` with every column of a table, NULL where they lack it.

    A run of an earlier release keeps its tables as that release wrote them.
    """
    missing = ", ".join(f"NULL::{sql_type(c.type)} AS {c.name}" for c in table.columns if c.nullable)
    return f"{query} UNION ALL BY NAME SELECT {missing} WHERE false" if missing else query


def sql_type(kind: "pa.DataType") -> str:
    """Return DuckDB's name of the type of a column that may be NULL."""
    import pyarrow as pa

    if pa.types.is_boolean(kind):
        return "BOOLEAN"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP"
    if pa.types.is_floating(kind):
        return "DOUBLE"
    if pa.types.is_integer(kind):
        return "INTEGER" if kind.bit_width == 32 else "BIGINT"
    return "VARCHAR"
