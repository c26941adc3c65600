"""Read files of published values; a damaged one is an error that names it."""

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue

MAX_BYTES = 100_000_000  # the largest of these files has 4 MB

Made = TypeVar("Made")


def bytes_of(data: Path, name: str) -> bytes:
    """Return the content of a file below the data folder."""
    path = (data / name).absolute()
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(
                f"{path} has {size / 1e6:,.0f} MB; a file of published values may have "
                f"{MAX_BYTES / 1e6:.0f} MB."
            )
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error


def catalogue_of(data: Path, name: str) -> ElementArray:
    """Return the element sets of a catalogue, of which every record must be readable."""
    catalogue = parse_catalogue(bytes_of(data, name))
    if catalogue.rejected:
        raise InputError(
            f"{(data / name).absolute()} has {catalogue.rejected_count:,} records that cannot be read: it is "
            "damaged."
        )
    return catalogue.elements


def text_of(data: Path, name: str) -> str:
    """Return the text of a file, UTF-8; one whose name ends in .gz is unpacked."""
    content = bytes_of(data, name)
    packed = name.endswith(".gz")
    return understood(data, name, lambda: (unpacked(content) if packed else content).decode("utf-8"))


def unpacked(content: bytes) -> bytes:
    """Return what gzip has packed; raises ValueError if it is damaged."""
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(str(error)) from error


def names_in(data: Path, folder: str, pattern: str) -> list[str]:
    """Return the names, below the data folder and sorted, of the files of a folder, of which one is there."""
    names = sorted(f"{folder}/{path.name}" for path in (data / folder).glob(pattern))
    if not names:
        raise InputError(f"{(data / folder).absolute()} has no file {pattern}.")
    return names


def rows_of(data: Path, name: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of a CSV file that has at least these columns, and at least one row."""
    reader = csv.DictReader(text_of(data, name).splitlines())
    rows = understood(data, name, lambda: list(reader))
    lacking = [column for column in columns if column not in (reader.fieldnames or ())]
    if lacking:
        raise InputError(f"{(data / name).absolute()} has no column {', '.join(lacking)}: it is damaged.")
    short = next((row for row in rows if any(row[column] is None for column in columns)), None)
    if short or not rows:
        raise InputError(f"{(data / name).absolute()} ends within a row or has none: it is damaged.")
    return rows


def json_of(data: Path, name: str) -> Any:
    """Return what a JSON file holds."""
    text = text_of(data, name)
    return understood(data, name, lambda: json.loads(text))


def understood(data: Path, name: str, make: Callable[[], Made]) -> Made:
    """Return what `make` makes of a file; what it cannot read is an InputError that names the file.

    For the steps that turn texts into numbers and look up names, and for these alone: in a computation a
    ValueError is a fault of ours.
    """
    try:
        return make()
    except (ValueError, KeyError, IndexError, TypeError, csv.Error) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"{(data / name).absolute()} cannot be understood ({said}): it is damaged."
        ) from error


def numbers(row: Mapping[str, str], columns: Sequence[str]) -> list[float]:
    """Return some columns of a row as numbers."""
    return [float(row[column]) for column in columns]
