"""Which events of an audit change files: dying between two that only read is dying before the next."""

import os

_CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.truncate"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def changes_files(event: str, arguments: tuple[object, ...], below: str) -> bool:
    """Return whether an event of the audit changes, or begins to change, something below a folder."""
    if event == "open":
        path, _, flags = arguments
        return isinstance(flags, int) and bool(flags & _WRITING) and str(path).startswith(below)
    return event in _CHANGES and str(arguments[0]).startswith(below)
