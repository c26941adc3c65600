"""Write the table of bodies that comes with the package: `make bodies GCAT=path or address`."""

import sys
from pathlib import Path

from screening.errors import InputError, SkysieveError
from storage.bodies.gcat import read_gcat
from storage.bodies.table import SHIPPED, as_table


def make(source: str, target: Path = SHIPPED) -> str:
    """Read GCAT from a file or an address, write the table, and return what was written.

    Raises:
        SkysieveError: the text has no bodies, or the server does not give it; the table stays as it is.
        OSError: it cannot be read, or the table not written.
    """
    import pyarrow.parquet as pq

    found = read_gcat(_read(source))
    written = target.with_suffix(".new")  # a kill while it is written leaves the old table
    pq.write_table(as_table(found.bodies), written, compression="zstd", compression_level=19)
    written.replace(target)
    size_kb = target.stat().st_size / 1000
    return (
        f"{len(found.bodies):,} bodies in {size_kb:,.0f} kB; {found.blank:,} rows without size, "
        f"{found.rejections.count:,} rejected"
    )


def _read(source: str) -> bytes:
    if not source.startswith("https://"):
        return Path(source).read_bytes()
    import httpx

    try:
        return httpx.get(source, timeout=120, follow_redirects=True).raise_for_status().content
    except httpx.HTTPError as error:
        raise InputError(f"{source} cannot be fetched: {error}.") from error


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{make(sys.argv[1])}\n")
    except (SkysieveError, OSError) as error:
        sys.exit(f"error: {error}")
