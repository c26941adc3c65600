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


def with_tables(document: str, tables: Mapping[str, str], mark: str = "measured") -> str:
    """Return a document with tables between their markers; LookupError if it lacks one."""
    for name, text in tables.items():
        begin, end = f"<!-- {mark}: {name} -->\n", "<!-- end -->"
        head, found, rest = document.partition(begin)
        if not found:
            raise LookupError(f"no line {begin.strip()}")
        document = head + begin + text + end + rest.partition(end)[2]
    return document


def write_tables(path: Path, tables: Mapping[str, str]) -> None:
    """Write tables between their markers, and print them; a document without the markers ends the program."""
    for text in tables.values():
        print(text)
    try:
        document = with_tables(path.read_text(), tables)
    except LookupError as error:
        sys.exit(f"{path} has {error.args[0]}.")
    path.write_text(document)
