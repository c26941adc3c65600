"""Many texts as one zip file, made a part at a time."""

import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

_PART_BYTES = 256 * 1024


class NamedText(NamedTuple):
    """A text with the name of its file."""

    name: str
    made: datetime  # UTC, from 1980 on
    text: str


class _Written:
    """A file that is only written: what was written since the last look is taken away."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def write(self, data: bytes) -> int:
        """Add bytes; zipfile calls it."""
        self._parts.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: there is nothing behind it."""

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        parts, self._parts, self.size = self._parts, [], 0
        return b"".join(parts)


def zip_parts(files: Iterable[NamedText]) -> Iterator[bytes]:
    """Yield the bytes of a zip file with these files, each with its date.

    The same texts make the same bytes. Beside the part itself only the list of names is in memory.
    """
    written = _Written()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for one in files:
            about = zipfile.ZipInfo(one.name, one.made.timetuple()[:6])
            about.external_attr = 0o644 << 16
            archive.writestr(about, one.text.encode(), zipfile.ZIP_DEFLATED)
            if written.size >= _PART_BYTES:
                yield written.taken()
    yield written.taken()
