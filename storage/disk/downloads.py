"""The store's folder `catalogues/`: downloaded texts, and the history of each source.

catalogues/<sha256>.gz          a text, under the hash of what it decompresses to
catalogues/<host and path>.json of one source: when it was asked, and the last accepted texts
"""

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from screening.errors import StoreError
from storage.addresses import without_secrets
from storage.disk.checksums import opened_json, sealed_json
from storage.disk.faults import store_faults
from storage.disk.lock import store_lock
from storage.disk.whole_files import put_in_place, synced

CATALOGUES = "catalogues"
KEPT_TEXTS = 3  # of each source
_NEW = ".new"  # suffix of files being written


@dataclass(frozen=True)
class AcceptedText:
    """An accepted text. Times carry their zone."""

    sha256: str
    downloaded_at: datetime
    checked_at: datetime  # when the server last confirmed that this is its newest
    objects: int
    parsed_share: float  # share of its records that could be used
    etag: str = ""
    last_modified: str = ""
    epoch: datetime | None = None  # that dates its element sets; None: none, or from an earlier release


@dataclass(frozen=True)
class SourceHistory:
    """The history of the source at one address."""

    url: str
    requested_at: datetime | None = None  # the last request, successful or not
    transferred_at: datetime | None = None  # the last text that was downloaded, accepted or not
    stopped_at: datetime | None = None  # the last answer that told us to stop
    stopped_by: str = ""
    stopped_for_s: float = 0.0  # how long the server then wished to be left alone; 0: it did not say
    texts: tuple[AcceptedText, ...] = ()  # newest first
    answered_at: datetime | None = None  # of messages: when all that the service had was taken last
    read_to: int | None = None  # of a stream: the number of the message to go on with
    read_since: datetime | None = None  # of a stream: from when on its messages were read


_HISTORY = TypeAdapter(SourceHistory)


@contextmanager
def catalogues_locked(store: Path, timeout_s: float) -> Iterator[None]:
    """Make the folder and hold its lock: one process downloads at a time. Runs are not delayed.

    Raises StoreError if another does not finish within `timeout_s` seconds, or the folder cannot be made.
    """
    folder = store / CATALOGUES
    with ExitStack() as until_done:
        with store_faults(store):
            folder.mkdir(parents=True, exist_ok=True)
            until_done.enter_context(store_lock(folder, timeout_s))
        yield


def history_path(store: Path, url: str) -> Path:
    """Return the file with the history of a source; its name shows which source."""
    parts = urlsplit(url)
    words = re.sub(r"[^A-Za-z0-9.]+", "-", f"{parts.netloc}{parts.path}")[:80].strip("-.")
    return store / CATALOGUES / f"{words}-{hashlib.sha256(url.encode()).hexdigest()[:8]}.json"


def read_history(store: Path, url: str) -> SourceHistory:
    """Return the history of the source at an address, an empty one if there is none.

    Raises:
        StoreError: the file cannot be read, or is damaged.
    """
    path = history_path(store, url)
    with store_faults(store):
        return _read(path) if path.exists() else SourceHistory(url)


def forget_address(store: Path, address: str, url: str) -> None:
    """Move a history that an earlier release stored under an address with keys. Needs the lock."""
    former, path = history_path(store, address), history_path(store, url)
    with store_faults(store):
        if former == path or not former.exists():
            return
        known = _read(former)
        if not path.exists():
            write_history(store, replace(known, url=url, stopped_by=without_secrets(known.stopped_by)))
        former.unlink()


def histories(store: Path) -> list[SourceHistory]:
    """Return the histories of all sources."""
    with store_faults(store):
        return [_read(path) for path in sorted((store / CATALOGUES).glob("*.json"))]


def write_history(store: Path, history: SourceHistory) -> None:
    """Replace the history of a source. Needs the lock."""
    with store_faults(store):
        _write(
            history_path(store, history.url), sealed_json(_HISTORY.dump_python(history, mode="json")).encode()
        )


def keep(store: Path, history: SourceHistory, accepted: AcceptedText, text: bytes) -> None:
    """Store a text as the newest accepted one of its source; remove unneeded texts. Needs the lock."""
    earlier = [one for one in history.texts if one.sha256 != accepted.sha256]
    with store_faults(store):
        path = _text_path(store, accepted.sha256)
        if read_text(store, accepted.sha256) is None:  # missing or damaged
            _write(path, gzip.compress(text, compresslevel=6, mtime=0))
        write_history(store, replace(history, texts=(accepted, *earlier)[:KEPT_TEXTS]))
        _remove_unneeded(store)


def last_good(store: Path, history: SourceHistory) -> tuple[AcceptedText, bytes] | None:
    """Return the newest accepted text of a source that is intact on the disk, None if there is none."""
    return next(good_texts(store, history), None)


def good_texts(store: Path, history: SourceHistory) -> Iterator[tuple[AcceptedText, bytes]]:
    """Yield the accepted texts of a source that are intact on the disk, the newest first."""
    for accepted in history.texts:
        text = read_text(store, accepted.sha256)
        if text is not None:
            yield accepted, text


def read_text(store: Path, sha256: str) -> bytes | None:
    """Return the stored text with a hash, None if it is missing or damaged."""
    with store_faults(store):
        try:
            text = gzip.decompress(_text_path(store, sha256).read_bytes())
        except (FileNotFoundError, gzip.BadGzipFile, EOFError, zlib.error):
            return None
    return text if hashlib.sha256(text).hexdigest() == sha256 else None


def _text_path(store: Path, sha256: str) -> Path:
    return store / CATALOGUES / f"{sha256}.gz"


def _read(path: Path) -> SourceHistory:
    try:
        return _HISTORY.validate_json(json.dumps(opened_json(path.read_bytes())))
    except ValueError as error:  # includes ValidationError
        what = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise StoreError(
            f"{path} is damaged ({what}). Restore it from a backup, or rename it: the next download "
            "rewrites it, but cannot be compared with the last good catalogue."
        ) from error


def _write(path: Path, content: bytes) -> None:
    """Replace a file in one step; it is on the disk when this returns."""
    staged = path.with_name(path.name + _NEW)
    with synced(staged) as file:
        file.write(content)
    put_in_place(staged, path)


def _remove_unneeded(store: Path) -> None:
    needed = {_text_path(store, one.sha256) for history in histories(store) for one in history.texts}
    folder = store / CATALOGUES
    for path in (*folder.glob("*.gz"), *folder.glob(f"*{_NEW}")):
        if path not in needed:
            path.unlink()
