"""The folder of a site: files that readers see whole or not at all, written only where they have changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from filecmp import cmp
from pathlib import Path

from screening.errors import InputError, UsageError
from storage.disk.lock import lock_if_free

MARKER = ".skysieve-site"  # of a folder that is ours, and the lock of who writes into it
ROOMS = ("assets", "data", "events", "objects")  # all that is in these folders is ours
_STAGED = ".new"


class Folder:
    """A folder into which one site is written."""

    def __init__(self, path: Path) -> None:
        """Take a folder that has been checked."""
        self.path = path
        self.written, self.unchanged, self.removed, self.bytes = 0, 0, 0, 0
        self._names: set[str] = set()

    def put(self, name: str, content: str | bytes) -> None:
        """Write a file; `name`: with its folder, from the root."""
        with self.staged(name) as path:
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    @contextmanager
    def staged(self, name: str) -> Iterator[Path]:
        """Yield a path at which to write a file, which takes its place when the block ends, if it differs."""
        target = self.path / name
        target.parent.mkdir(exist_ok=True)
        staged = target.with_name(f".{target.name}{_STAGED}")
        staged.unlink(missing_ok=True)
        try:
            yield staged
            self.bytes += staged.stat().st_size
            self._names.add(name)
            if target.is_file() and cmp(staged, target, shallow=False):
                self.unchanged += 1
            else:
                staged.replace(target)
                self.written += 1
        finally:
            staged.unlink(missing_ok=True)

    def remove_old(self, pages: set[str]) -> None:
        """Remove what this build has not written: from our folders, and of the `pages` beside them.

        What a build that was killed left staged goes too. Other files beside our folders stay.
        """
        ours = [f"{room}/{path.name}" for room in ROOMS for path in (self.path / room).glob("*")]
        left = [path.name for path in self.path.glob(f".*{_STAGED}")]
        for name in {*ours, *left, *pages} - self._names:
            if (self.path / name).is_file():
                (self.path / name).unlink()
                self.removed += 1


@contextmanager
def opened(path: Path) -> Iterator[Folder]:
    """Yield a folder to write a site into: a new one, an empty one, or one with our marker.

    Raises:
        UsageError: it holds other files, or another process writes into it.
        InputError: it cannot be written; another build mends what this one has left.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not (path / MARKER).is_file():
            if next(path.iterdir(), None) is not None:
                raise UsageError(
                    f"{path} holds other files, and is not a site of skysieve ({MARKER} is missing): name a "
                    "new or an empty folder."
                )
            (path / MARKER).touch()
        with lock_if_free(path, MARKER) as free:
            if not free:
                raise UsageError(f"Another process writes into {path}, or this one may not.")
            yield Folder(path)
    except OSError as error:
        raise InputError(
            f"The site in {path} cannot be written ({error.strerror or error}). Its pages are whole, but "
            "some may be older than others; when the cause is gone, `skysieve site` again mends it."
        ) from error
