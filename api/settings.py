"""Settings of the HTTP service, read from the environment."""

import re
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from storage.settings import ListenSettings
from storage.vocabulary import LARGEST_PER_MINUTE


def _listed(text: object) -> object:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if isinstance(text, str) else text


def _origin(text: str) -> str:
    parts = urlsplit(text)
    if text != "*" and (parts.scheme not in ("http", "https") or text != f"{parts.scheme}://{parts.netloc}"):
        raise ValueError(f"expected origins such as https://example.org, without a path, not {text!r}")
    return text


def _host_name(text: str) -> str:
    name = text.lower().removesuffix(".")
    if not _HOST_NAME.fullmatch(name):
        raise ValueError(f"expected names such as sky.example.org, without scheme and port, not {text!r}")
    return name


def _root_path(text: str) -> str:
    if text and (not text.startswith("/") or "//" in text):
        raise ValueError("expected a path such as /skysieve, or nothing")
    return text.rstrip("/")


class ProviderSettings(NamedTuple):
    """An OpenID Connect provider, this service's login there, and which claims say what a person may do."""

    issuer: str
    client_id: str
    client_secret: str
    organisation: str = "skysieve_organisation"  # the claim with the name of an organisation
    role: str = "skysieve_role"  # the claim with a role
    scopes: str = ""  # besides openid and profile, separated by commas

    @property
    def host(self) -> str:
        """Return the host of the provider, with a port if it has one."""
        return urlsplit(self.issuer).netloc


def provider_settings(text: str) -> ProviderSettings | None:
    """Read the setting of a provider; empty: none.

    Raises:
        ValueError: it is not complete, or names something else; the message repeats no value.
    """
    parts = [part.partition("=") for part in text.split()]
    given = {name: value for name, _, value in parts if value}
    if not parts:
        return None
    allowed = ProviderSettings._fields
    needed = [name for name in allowed if name not in ProviderSettings._field_defaults]
    if not set(needed) <= given.keys() <= set(allowed) or len(given) != len(parts):
        raise ValueError(
            f"expected name=value with spaces between, each once: {', '.join(needed)}; where wanted also "
            f"{', '.join(ProviderSettings._field_defaults)}"
        )
    provider = ProviderSettings(**given)
    if not is_safe_address(provider.issuer):
        raise ValueError("expected an issuer with https://, or with http:// on this machine")
    return provider


def is_safe_address(text: str) -> bool:
    """Return whether nobody can listen to what is sent to an address: by https, or on this machine."""
    parts = urlsplit(text)
    if parts.username or parts.password or parts.fragment:
        return False
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _THIS_MACHINE)
    )


def _oidc(secret: SecretStr) -> SecretStr:
    provider_settings(secret.get_secret_value())
    return secret


_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class ApiSettings(ListenSettings):
    """Address and limits of the service."""

    hosts: Annotated[tuple[Annotated[str, AfterValidator(_host_name)], ...], BeforeValidator(_listed)] = (
        Field(
            default=(),
            description="Host names of the service besides localhost and this machine's own, separated by "
            "commas.",
        )
    )
    root_path: Annotated[str, AfterValidator(_root_path)] = Field(
        default="", description="Path at which a proxy exposes the service, such as /skysieve."
    )
    cors_origins: Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], BeforeValidator(_listed)] = (
        Field(
            default=(),
            description="Origins of web pages that may call the service from a browser, separated by commas.",
        )
    )
    rate_limit_per_minute: int = Field(
        default=60,
        ge=1,
        le=LARGEST_PER_MINUTE,
        description="Requests allowed per minute for a credential without a limit of its own.",
    )
    analyses_at_once: int = Field(
        default=2,
        ge=1,
        le=64,
        description="Analyses on demand computed at the same time, and as many other costly responses; one "
        "fewer of each per credential.",
    )
    max_stored_mb: int = Field(
        default=20_000,
        ge=1,
        le=1_000_000_000,
        description="Size of the store's messages, or its trajectories, at which uploads are refused, MB.",
    )
    oidc: Annotated[SecretStr, AfterValidator(_oidc)] = Field(
        default=SecretStr(""),
        description="OpenID Connect provider by which people sign in: `issuer=URL client_id=ID "
        "client_secret=SECRET`, where wanted also `organisation=CLAIM role=CLAIM scopes=A,B`; empty: none.",
    )
