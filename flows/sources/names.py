"""Resolve the text that names a source."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

import httpx

from flows.settings import FlowSettings, name_and_secret
from flows.sources.spacetrack import Data, announced_url, messages_url, query_url
from screening.errors import UsageError
from storage.addresses import HIDDEN, without_secrets

Kind = Literal[
    "celestrak",
    "spacetrack",
    "cdm_public",
    "tip",
    "tracss",
    "cara",
    "gcat",
    "starlink",
    "iss",
    "url",
    "file",
    "synthetic",
]

ALLOWED = (
    "celestrak (the whole catalogue), celestrak:GROUP (such as celestrak:stations), spacetrack, synthetic, "
    "the path of a file, or an address that begins with http:// or https://"
)

STARLINK_URL = "https://api.starlink.com/public-files/ephemerides"
ISS_URL = "https://nasa-public-data.s3.amazonaws.com/iss-coords/current/ISS_OEM/ISS.OEM_J2K_EPH.txt"
GCAT_URL = "https://planet4589.org/space/gcat/tsv/cat/satcat.tsv"
# The listing, as the JSON that GitHub returns for a folder, and the folder itself.
CARA_LISTING_URL = "https://api.github.com/repos/nasa/CARA_Analysis_Tools/contents/DataFiles/HBRMassEstimates"
CARA_FILES_URL = (
    "https://raw.githubusercontent.com/nasa/CARA_Analysis_Tools/master/DataFiles/HBRMassEstimates"
)

_GROUP = re.compile(r"celestrak:([A-Za-z0-9][A-Za-z0-9_-]*)")


@dataclass(frozen=True)
class Access:
    """The request to a server with its secrets, which are never stored or shown, not even by the repr."""

    url: str = field(default="", repr=False)  # with keys in its query
    login: tuple[str, str] | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def hide(self, text: str) -> str:
        """Return a text without these secrets, which a server may have repeated, and those in addresses."""
        for secret in self.secrets:
            text = text.replace(secret, HIDDEN)
        return without_secrets(text)


class Origin(NamedTuple):
    """The source of a catalogue: an address, a path, or neither if it is synthetic.

    Secrets are only in `access`: the other fields are stored and shown.
    """

    kind: Kind
    name: str  # as runs record it
    url: str = ""
    path: Path | None = None
    access: Access = Access()


def find_origin(text: str, settings: FlowSettings) -> Origin:
    """Return the source that a text names.

    A service goes before a file of the same name, which `./celestrak` reaches. CelesTrak's pages:
    `pub/on-orbit.csv` holds all objects in orbit, `NORAD/elements/gp.php` answers queries by group.
    Raises UsageError if the text names no allowed source.
    """
    if text == "celestrak":
        return celestrak_origin(text, "/pub/on-orbit.csv", settings)
    if group := _GROUP.fullmatch(text):
        return celestrak_origin(text, f"/NORAD/elements/gp.php?GROUP={group[1]}&FORMAT=csv", settings)
    if text == "spacetrack":
        return _spacetrack_origin("spacetrack", query_url(), settings)
    if text == "synthetic":
        return Origin("synthetic", text)
    if text.lower().startswith(("http://", "https://")):
        return _web_origin(text, settings)
    if _is_file(text):
        return Origin("file", text, path=Path(text))
    raise UsageError(
        f"The source {without_secrets(text)!r} is neither an existing file nor one of the allowed sources: "
        f"{ALLOWED}."
    )


def messages_origin(within: timedelta | None, settings: FlowSettings) -> Origin:
    """Return Space-Track's public conjunction messages, those that `messages_url` selects.

    All selections have one address in the store, so that each query counts for the next.
    """
    selected = _spacetrack_origin("cdm_public", messages_url(within), settings)
    return selected._replace(url=_spacetrack_origin("cdm_public", messages_url(None), settings).url)


def announced_origin(within: timedelta, settings: FlowSettings) -> Origin:
    """Return Space-Track's announced decays of a time up to now; all times have one address in the store."""
    selected = _spacetrack_origin("tip", announced_url(within), settings)
    return selected._replace(url=_spacetrack_origin("tip", announced_url(timedelta(0)), settings).url)


def _spacetrack_origin(kind: Data, address: str, settings: FlowSettings) -> Origin:
    _, password = name_and_secret(settings.spacetrack_login)
    url, access = _opened(address, None, "", (password,))
    return Origin(kind, kind, url, access=access)


def celestrak_origin(name: str, path: str, settings: FlowSettings) -> Origin:
    """Return the source at a path of CelesTrak, or of a server that stands in for it and may need a login."""
    url, access = _opened(f"{settings.celestrak_url}{path}", None, "")
    return Origin("celestrak", name, url, access=access)


def supgp_origin(file: str, settings: FlowSettings) -> Origin:
    """Return one of CelesTrak's files of supplemental element sets, which has several of some objects."""
    path = f"/NORAD/elements/supplemental/sup-gp.php?FILE={file}&FORMAT=csv"
    return celestrak_origin(f"supgp:{file}", path, settings)


def starlink_origin(name: str) -> Origin:
    """Return a file in the folder of Starlink's ephemerides."""
    url, access = _opened(f"{STARLINK_URL}/{name}", None, "")
    return Origin("starlink", name, url, access=access)


def iss_origin() -> Origin:
    """Return NASA's ephemeris of the ISS."""
    url, access = _opened(ISS_URL, None, "")
    return Origin("iss", "iss", url, access=access)


def cara_listing() -> Origin:
    """Return the listing of the folder in which NASA CARA publishes its tables of radii."""
    url, access = _opened(CARA_LISTING_URL, None, "")
    return Origin("cara", "CARA's list of tables", url, access=access)


def cara_table(name: str = "") -> Origin:
    """Return one of NASA CARA's tables. All share one history, so that each is compared with the last."""
    url, _ = _opened(f"{CARA_FILES_URL}/HBR_Mass_Estimates_YYYYMM01_ForDistribution.csv", None, "")
    _, access = _opened(f"{CARA_FILES_URL}/{name}", None, "")
    return Origin("cara", name or "CARA's table", url, access=access)


def gcat_origin() -> Origin:
    """Return the whole satellite catalogue of GCAT."""
    url, access = _opened(GCAT_URL, None, "")
    return Origin("gcat", "GCAT's satcat.tsv", url, access=access)


def trajectory_origin(address: str) -> Origin:
    """Return the source of ephemerides at an address; only a login in it is used, no key of the settings.

    Raises UsageError if it is not an address.
    """
    bare, access = _opened(_checked(address), None, "")
    return Origin("url", bare, bare, access=access)


def _web_origin(text: str, settings: FlowSettings) -> Origin:
    login = name_and_secret(settings.source_login)
    key = settings.source_key.get_secret_value()
    bare, access = _opened(_checked(text), login if any(login) else None, key)
    return Origin("url", bare, bare, access=access)


def _checked(address: str) -> str:
    """Return an address that can be asked. Raises UsageError for any other text."""
    shown = without_secrets(address)
    try:
        url = httpx.URL(address)
        url.host.encode("idna")  # as the look-up of its address will
    except (httpx.InvalidURL, UnicodeError):
        # The library's message may repeat a password.
        raise UsageError(f"The source {shown!r} is not a valid address. Allowed: {ALLOWED}.") from None
    if not url.host:
        raise UsageError(f"The source {shown!r} names no server. Allowed: {ALLOWED}.")
    return address


def _opened(
    address: str, login: tuple[str, str] | None, key: str, more_secrets: tuple[str, ...] = ()
) -> tuple[str, Access]:
    """Return an address without secrets, and the request for it; a login in it overrides `login`."""
    url = httpx.URL(address)
    if url.userinfo:
        login = (url.username, url.password)
    bare = url.copy_with(userinfo=b"", fragment=None)
    name, is_header, value = key.partition(": ")
    headers = {name: value} if is_header else {}
    asked = bare
    if key and not is_header:
        name, _, value = key.partition("=")
        asked = bare.copy_merge_params({name: value})
    shown = without_secrets(str(bare))
    in_query = [text for name, text in bare.params.multi_items() if f"{name}={HIDDEN}" in unquote(shown)]
    secrets = every_form([value, *in_query, *more_secrets], login)
    return shown, Access(str(asked), login, headers, secrets)


def every_form(secrets: list[str], login: tuple[str, str] | None) -> tuple[str, ...]:
    """Return all forms in which a server may repeat texts, longest first, but none of one or two letters."""
    if login is not None:
        user, password = login
        secrets = [*secrets, password or user, base64.b64encode(f"{user}:{password}".encode()).decode()]
    forms = {form for text in secrets for form in (text, quote(text, safe=""), quote(text))}
    return tuple(sorted((form for form in forms if len(form) > 2), key=len, reverse=True))


def _is_file(text: str) -> bool:
    """Return whether a text is the path of a file, pipes included; False if it cannot be a path."""
    path = Path(text)
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):  # too long a name, or one with a NUL
        return False
