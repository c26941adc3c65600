"""The small stores that earlier releases have written, unpacked."""

import tarfile
from pathlib import Path

import duckdb

from storage.disk.checksums import opened_json, sealed_json

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


def as_if_made_at(store: Path) -> Path:
    """Make an unpacked store one that has always been where it is: its views are those of its release."""
    current = store / "current.json"
    stored = opened_json(current.read_bytes())
    current.write_text(sealed_json(stored | {"folder": str(store)}))
    with duckdb.connect(str(store / "skysieve.duckdb")) as connection:
        for (made,) in connection.execute("SELECT sql FROM duckdb_views() WHERE NOT internal").fetchall():
            assert made.startswith("CREATE VIEW ")
            here = made.replace(str(stored["folder"]), str(store))
            connection.execute(here.replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1))
    return store


def columns_of(store: Path) -> dict[str, dict[str, str]]:
    """Return the types of the columns of each table and view of a store, as its release has written them."""
    found: dict[str, dict[str, str]] = {}
    with duckdb.connect(str(store / "skysieve.duckdb"), read_only=True) as connection:
        for table, column, kind in connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
        ).fetchall():
            found.setdefault(table, {})[column] = kind
    return found
