"""Check the form of addresses that alerts go to, and show them without their secrets.

Nothing is looked up here: whether a name leads to a public address is checked at each delivery.
"""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit, urlunsplit

import idna

from screening.errors import UsageError
from storage.addresses import HIDDEN, without_secrets
from storage.state.alerts.special_addresses import is_special
from storage.vocabulary import CHANNELS, Channel

LONGEST_URL = 2000
LONGEST_MAIL = 254  # RFC 5321, a path of 256 octets with its brackets
_LONGEST_LOCAL_PART = 64
_LONGEST_HOST = 253
_MOST_SHOWN = 80  # letters of a refused address
_SLACK = "slack:"
_SLACKS_HOST = "hooks.slack.com"
_BEGINNING = re.compile(r"\s*(slack:)?([a-z]+:)?/*[^/\\?#\s]*", re.IGNORECASE)  # to the end of the host
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL_PART = re.compile(rf"{_ATOM}(\.{_ATOM})*")  # RFC 5322, dot-atom
_URL_LETTERS = re.compile(r"[!-~]+")
_FORMS = "expected https://host/path, slack:https://host/path or name@host"
_WHERE_ALLOWED = "is allowed only where SKYSIEVE_ALERTS_ALLOW_PRIVATE is set"
# Names of this machine and of its own network (RFC 6761, RFC 6762, RFC 8375, ICANN's resolution of 2024).
_PRIVATE_NAMES = ("localhost", "local", "internal", "home.arpa")
# IPv4 addresses inside IPv6 ones: translated (RFC 6052) and 6to4 (RFC 3056), with the bits below them.
_HOLDS_IPV4 = ((ipaddress.IPv6Network("64:ff9b::/96"), 0), (ipaddress.IPv6Network("2002::/16"), 80))

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Target(NamedTuple):
    """Where an alert goes, in canonical form."""

    channel: Channel
    address: str


def target(text: str, channel: Channel | None = None, *, allow_private: bool = False) -> Target:
    """Return the channel and the address that a text names; hosts come back in ASCII (punycode).

    Args:
        text: `https://host/path`, `slack:https://host/path`, or `name@host` for e-mail.
        channel: the channel, if not what the text says.
        allow_private: take http, private addresses and names of this machine, too.

    Raises:
        UsageError: it is none of these; the message says what is wrong.
    """
    if channel is not None and channel not in CHANNELS:
        raise UsageError(f"{channel!r} is not a channel: expected {', '.join(CHANNELS)}.")
    given, found = text.strip(), channel
    text = _shown(text, is_slack=channel == "slack")  # in refusals, from here on
    if given.startswith(_SLACK) and channel in (None, "slack"):
        given, found = given.removeprefix(_SLACK), "slack"
    found = found or ("webhook" if "://" in given else "email")
    if found == "email":
        return Target(found, _mail(given, text))
    url = _url(given, text, allow_private)
    if found == "slack" and urlsplit(url).path == "/":
        raise _refused(text, "it has no path, which is what names the hook: expected slack:https://host/path")
    return Target(found, url)


def shown_address(channel: Channel, address: str) -> str:
    """Return an address as lists and logs show it: of a hook the host alone: many paths are keys."""
    if channel == "email":
        return address
    parts = urlsplit(without_secrets(address))
    path = "/" if (parts.path, parts.query) == ("/", "") else f"/{HIDDEN}"
    return urlunsplit(SplitResult(parts.scheme, parts.netloc, path, "", ""))


def is_public(address: Address) -> bool:
    """Tell whether an address is one of the public Internet, and so is what it may hold inside."""
    if isinstance(address, ipaddress.IPv6Address):
        inside = address.ipv4_mapped or _translated(address)
        if inside is not None:
            return is_public(inside)
    return not is_special(address)


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    for network, bits_below in _HOLDS_IPV4:
        if address in network:
            return ipaddress.IPv4Address(int(address) >> bits_below & 0xFFFFFFFF)
    return None


def _shown(text: str, *, is_slack: bool) -> str:
    """Return a text that may be no address without its secrets; of Slack's, whose path is one, the host."""
    shown = without_secrets(text)
    if is_slack or _SLACK in shown or _SLACKS_HOST in shown.lower():
        found = _BEGINNING.match(shown)
        beginning = found[0] if found else ""
        return shown if beginning == shown else f"{beginning}/{HIDDEN}"
    return shown


def _refused(text: str, why: str) -> UsageError:
    shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
    return UsageError(f"{shown!r} is not allowed as the address of an alert: {why}.")


def _mail(given: str, text: str) -> str:
    local_part, at, host = given.rpartition("@")
    if not at:
        raise _refused(text, _FORMS)
    if len(given) > LONGEST_MAIL or len(local_part) > _LONGEST_LOCAL_PART:
        raise _refused(
            text,
            f"an e-mail address has at most {LONGEST_MAIL} characters, {_LONGEST_LOCAL_PART} of them before "
            "the @",
        )
    if not _LOCAL_PART.fullmatch(local_part):
        raise _refused(
            text, "expected one e-mail address, name@host, without a display name, quotes, blanks or commas"
        )
    host = _host_name(host, text)
    if "." not in host or host.rpartition(".")[2].isdigit():
        raise _refused(text, "expected a full host name after the @, such as example.org")
    return f"{local_part}@{host}"


def _url(given: str, text: str, allow_private: bool) -> str:
    if len(given) > LONGEST_URL:
        raise _refused(text, f"at most {LONGEST_URL:,} characters are allowed")
    schemes = ("https", "http") if allow_private else ("https",)
    scheme, separator, _ = given.partition("://")
    if separator and scheme.lower() == "http" and not allow_private:
        raise _refused(text, f"{_FORMS}; http {_WHERE_ALLOWED}")
    if not separator or scheme.lower() not in schemes:
        raise _refused(text, _FORMS)
    try:
        parts = urlsplit(given)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise _refused(text, f"it is not a valid URL ({error})") from error
    if port == 0 or not host:
        raise _refused(text, "a host and a port from 1 to 65535 are needed")
    host = _host(host, text, allow_private)
    userinfo, at, _ = parts.netloc.rpartition("@")
    rest = f"{userinfo}{at}{parts.path}{parts.query}"
    if "#" in given or "\\" in given or (rest and not _URL_LETTERS.fullmatch(rest)):
        raise _refused(
            text,
            "blanks, control characters, \\, # and letters beyond ASCII are not allowed; write them as %XX",
        )
    netloc = f"{userinfo}{at}{host}" + (f":{port}" if port else "")
    return urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))


def _host(host: str, text: str, allow_private: bool) -> str:
    literal = _literal(host, text)
    if literal is not None:
        if not allow_private and not is_public(literal):
            raise _refused(text, f"{literal}, not an address of the public Internet, {_WHERE_ALLOWED}")
        return f"[{literal}]" if literal.version == 6 else str(literal)
    name = _host_name(host, text)
    if name.replace(".", "").isdigit() or re.fullmatch(r"[0-9]+|0x[0-9a-f]*", name.rpartition(".")[2]):
        literal = _literal(name, text)  # digits of another script
        if literal is None:  # 127.1, 0x7f000001: some programs read it as an address
            raise _refused(text, f"{name} is neither a name nor an IP address")
        return _host(str(literal), text, allow_private)
    if not allow_private and any(name == one or name.endswith(f".{one}") for one in _PRIVATE_NAMES):
        raise _refused(text, f"{name}, not a name of the public Internet, {_WHERE_ALLOWED}")
    return name


def _literal(host: str, text: str) -> Address | None:
    if "%" in host:
        raise _refused(text, "zones of IPv6 addresses are not allowed")
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        if ":" in host:
            raise _refused(text, "it is not a valid IPv6 address") from None
        return None


def _host_name(host: str, text: str) -> str:
    try:
        name = idna.encode(host.removesuffix("."), uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        # Names with underscores are no IDNA, but exist.
        name = host.removesuffix(".").lower()
    if len(name) > _LONGEST_HOST or not all(map(_LABEL.fullmatch, name.split("."))):
        raise _refused(text, "its host is not a valid name")
    return name
