"""What the text that names a source stands for."""

import re
from pathlib import Path
from typing import Literal, NamedTuple

import httpx

from flows.settings import FlowSettings
from flows.spacetrack import query_url
from screening.errors import UsageError

Kind = Literal["celestrak", "spacetrack", "url", "file", "synthetic"]

ALLOWED = (
    "celestrak (the whole catalogue), celestrak:GROUP (such as celestrak:stations), spacetrack, synthetic, "
    "the path of a file, or an address that begins with http:// or https://"
)

_GROUP = re.compile(r"celestrak:([A-Za-z0-9][A-Za-z0-9_-]*)")


class Origin(NamedTuple):
    """Where a catalogue comes from: an address, a path, or neither if it is synthetic."""

    kind: Kind
    name: str  # as runs record it; never holds a password
    url: str = ""
    path: Path | None = None
    login: tuple[str, str] | None = None  # for the server at the address, if the address named one


def find_origin(text: str, settings: FlowSettings) -> Origin:
    """Return what a text names.

    A service goes before a file of the same name, which `./celestrak` reaches. CelesTrak's pages:
    `pub/on-orbit.csv` holds all objects in orbit, `NORAD/elements/gp.php` answers queries by group.
    Raises UsageError if the text names none of what is allowed.
    """
    base = settings.celestrak_url
    if text == "celestrak":
        return Origin("celestrak", text, f"{base}/pub/on-orbit.csv")
    if group := _GROUP.fullmatch(text):
        return Origin("celestrak", text, f"{base}/NORAD/elements/gp.php?GROUP={group[1]}&FORMAT=csv")
    if text == "spacetrack":
        return Origin("spacetrack", text, query_url(settings))
    if text == "synthetic":
        return Origin("synthetic", text)
    if text.lower().startswith(("http://", "https://")):
        return _web_origin(text)
    if _is_file(text):
        return Origin("file", text, path=Path(text))
    raise UsageError(f"The source {text!r} is none of those allowed, and no file: {ALLOWED}.")


def _web_origin(text: str) -> Origin:
    try:
        url = httpx.URL(text)
        url.host.encode("idna")  # as the look-up of its address will
    except (httpx.InvalidURL, UnicodeError) as error:
        raise UsageError(f"The source {text!r} is no address ({error}). Allowed are {ALLOWED}.") from error
    if not url.host:
        raise UsageError(f"The source {text!r} names no server. Allowed are {ALLOWED}.")
    bare = str(url.copy_with(userinfo=b"", fragment=None))
    return Origin("url", bare, bare, login=(url.username, url.password) if url.userinfo else None)


def _is_file(text: str) -> bool:
    """Tell whether there is something to read, such as a pipe; not what cannot be a path at all."""
    path = Path(text)
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):  # too long a name, a NUL in it
        return False
