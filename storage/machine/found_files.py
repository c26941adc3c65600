"""Find the files of paths that a user gives."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from screening.errors import InputError


def files_below(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of paths, of folders those in them and below in the order of their names.

    Hidden ones in folders are left out. Raises InputError for a path that does not exist.
    """
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.is_file())
            yield from (one for one in inside if not is_hidden(one.relative_to(path)))
        elif path.exists():
            yield path
        else:
            raise InputError(f"{path.absolute()} does not exist.")


def is_hidden(path: Path) -> bool:
    """Return whether a part of a path begins with a point."""
    return any(part.startswith(".") for part in path.parts)
