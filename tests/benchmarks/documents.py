"""Tables of documents that a command writes, between `<!-- measured: NAME -->` and `<!-- end -->`."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

Rows = Iterator[tuple[object, ...]]


def table(rows: Rows) -> str:
    """Return rows, the first of them the heads, as Markdown."""
    heads, *lines = ([str(cell) for cell in row] for row in rows)
    ruled = [heads, ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in ruled) + "\n"


def write_tables(path: Path, tables: Mapping[str, str]) -> None:
    """Write tables between their markers, and print them; a document without the markers ends the program."""
    document = path.read_text()
    for name, text in tables.items():
        print(text)
        begin, end = f"<!-- measured: {name} -->\n", "<!-- end -->"
        head, found, rest = document.partition(begin)
        if not found:
            sys.exit(f"{path} has no line {begin.strip()}.")
        document = head + begin + text + end + rest.partition(end)[2]
    path.write_text(document)
