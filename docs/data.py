"""Write the tables of docs/data.md: what its queries find in a run of the catalogue of 2024-11-01.

Run from the repository: python docs/data.py. Reads ../shared/data/gp_onorbit_20241101.csv.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from flows.sources.catalogues import read_file  # noqa: E402
from storage.reading.read_only_sql import query  # noqa: E402
from tests.benchmarks.documents import Rows, table, with_tables  # noqa: E402
from tests.runs import make_run  # noqa: E402

DOCUMENT = REPOSITORY / "docs" / "data.md"
CATALOGUE = REPOSITORY.parent / "shared" / "data" / "gp_onorbit_20241101.csv"

_MEASURED = re.compile(r"```sql\n([^`]*)```\n\n<!-- measured: (\w+) -->")


def document(catalogue: Path, folder: Path) -> str:
    """Return docs/data.md with what its queries find in a run of a catalogue, published in a new folder."""
    text = DOCUMENT.read_text(encoding="utf-8")
    make_run(read_file(catalogue), folder)
    return with_tables(text, {name: table(_answer(folder, sql)) for sql, name in _MEASURED.findall(text)})


def _answer(store: Path, sql: str) -> Rows:
    columns, rows = query(store, sql)
    yield tuple(name.replace("_", " ") for name in columns)
    for row in rows:
        yield tuple(f"{value:,}" if isinstance(value, int | float) else value for value in row)


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        DOCUMENT.write_text(document(CATALOGUE, Path(made)), encoding="utf-8")
