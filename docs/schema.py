"""Write the tables of docs/schema.md from the schema of the store.

Run from the repository: python docs/schema.py. What a column means is in storage/schema.py,
message_schema.py and fleet_schema.py; since when there is one is told by the stores that earlier releases
left in tests/storage/stores; its SQL type by DuckDB.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from storage.analyst_file.tables_and_views import VIEWS  # noqa: E402
from storage.fleet_schema import FLEET_MEMBERS  # noqa: E402
from storage.schema import TABLES, Table  # noqa: E402
from tests.benchmarks.documents import Rows, table, with_tables  # noqa: E402
from tests.earlier_stores import RELEASES, columns_of, unpacked  # noqa: E402

DOCUMENT = REPOSITORY / "docs" / "schema.md"
MARK = "generated"
ALL = {**TABLES, **VIEWS}
# Tables whose rows views show, of all runs or with those of analyses.
SAME_COLUMNS = {
    "conjunction_history": "conjunctions",
    "analyses": "conjunctions",
    "events": "conjunctions",
}

Since = dict[str, dict[str, str]]


def document() -> str:
    """Return docs/schema.md with its tables as the schema has them now."""
    return with_tables(DOCUMENT.read_text(encoding="utf-8"), blocks(), MARK)


def blocks() -> dict[str, str]:
    """Return what stands between the markers, by name."""
    since = since_when()
    return {
        "names": table(_names(since)),
        "tables": "\n".join(_section(name, since) for name in TABLES),
        "views": "\n".join(_section(name, since) for name in VIEWS),
        "members": table(_rows("fleet_members", FLEET_MEMBERS, since)),
    }


def sql_types(of: Table) -> dict[str, str]:
    """Return the SQL types that DuckDB gives the columns of a table."""
    with duckdb.connect() as connection:
        found = connection.from_arrow(of.arrow.empty_table())
        return dict(zip(found.columns, map(str, found.types), strict=True))


def since_when() -> Since:
    """Return the first release that had each column, by table; new ones have the release to come."""
    with TemporaryDirectory() as folder:
        had = {release: columns_of(unpacked(release, Path(folder))) for release in RELEASES}
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    to_come = project["version"].partition(".dev")[0]
    return {
        name: {
            column.name: next((r for r in RELEASES if column.name in had[r].get(name, ())), to_come)
            for column in of.columns
        }
        for name, of in {**ALL, "fleet_members": FLEET_MEMBERS}.items()
    }


def _names(since: Since) -> Rows:
    yield "name", "kind", "rows", "columns", "since"
    for name, of in ALL.items():
        kind = "table" if name in TABLES else "view"
        oldest = next((r for r in RELEASES if r in since[name].values()), since[name][of.columns[0].name])
        yield f"[`{name}`](#{name})", kind, of.comment, len(of.columns), oldest


def _section(name: str, since: Since) -> str:
    of, like = ALL[name], SAME_COLUMNS.get(name)
    lines = f"### `{name}`\n\n{of.comment}\n\n"
    if like is None:
        return lines + table(_rows(name, of, since))
    assert of.columns == ALL[like].columns, f"{name} and {like} no longer have the same columns"
    return lines + f"The columns of [`{like}`](#{like}).\n"


def _rows(name: str, of: Table, since: Since) -> Iterator[tuple[object, ...]]:
    yield "column", "type", "NULL", "meaning", "since"
    types = sql_types(of)
    for column in of.columns:
        meaning = column.comment.replace("|", "\\|")
        null = "yes" if column.nullable else ""
        yield f"`{column.name}`", types[column.name], null, meaning, since[name][column.name]


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
