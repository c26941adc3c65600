"""Read a catalogue file; what was read is described as that of any other source.

Does not import what a download needs, which takes longer to load than a file to read.
"""

import hashlib
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from screening.errors import InputError
from screening.orbits.elements import Catalogue
from screening.orbits.texts.catalogue import parse_catalogue
from storage.vocabulary import Decision

Content = TypeVar("Content")


class Fetched(NamedTuple, Generic[Content]):
    """What was read from a text, and how that text came to be the one that is used."""

    name: str
    sha256: str  # of the text
    content: Content
    decision: Decision
    reason: str = ""


Source = Fetched[Catalogue]


def read_file(path: Path) -> Source:
    """Return the element sets of a file; it is taken if it holds any.

    Raises InputError if it cannot be read, or holds no element sets.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"The catalogue {path.absolute()} cannot be read ({error.strerror}). Expected a file with "
            "element sets, OMM (CSV, JSON, XML, KVN) or TLE."
        ) from error
    catalogue = parse_catalogue(text, source_name=str(path))
    return Source(str(path), hashlib.sha256(text).hexdigest(), catalogue, "file")
