"""The small stores that earlier releases have written, unpacked."""

import tarfile
from pathlib import Path

import duckdb

_STORES = Path(__file__).parent / "storage" / "stores"
# Of every release that left one, the oldest first.
RELEASES = tuple(
    sorted(
        (
            path.name.removeprefix("skysieve-store-").removesuffix(".tar.xz")
            for path in _STORES.glob("*.tar.xz")
        ),
        key=lambda release: tuple(int(part) for part in release.split(".")),
    )
)


def unpacked(release: str, folder: Path) -> Path:
    """Unpack the store that a release has written into a folder; return its path."""
    name = f"skysieve-store-{release}"
    with tarfile.open(_STORES / f"{name}.tar.xz") as archive:
        # Python 3.11.2, of Debian 12, knows no argument `filter`, and takes this for an ordinary attribute.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    return folder / name


def columns_of(store: Path) -> dict[str, dict[str, str]]:
    """Return the types of the columns of each table and view of a store, as its release has written them."""
    found: dict[str, dict[str, str]] = {}
    with duckdb.connect(str(store / "skysieve.duckdb"), read_only=True) as connection:
        for table, column, kind in connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
        ).fetchall():
            found.setdefault(table, {})[column] = kind
    return found
