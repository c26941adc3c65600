"""Settings of the HTTP service, read from the environment."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import NoDecode

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


_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class ApiSettings(ListenSettings):
    """Address and limits of the service."""

    hosts: Annotated[
        tuple[Annotated[str, AfterValidator(_host_name)], ...], NoDecode, BeforeValidator(_listed)
    ] = Field(
        default=(),
        description="Host names of the service besides localhost and this machine's own, separated by "
        "commas.",
    )
    root_path: Annotated[str, AfterValidator(_root_path)] = Field(
        default="", description="Path at which a proxy exposes the service, such as /skysieve."
    )
    cors_origins: Annotated[
        tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, BeforeValidator(_listed)
    ] = Field(
        default=(),
        description="Origins of web pages that may call the service from a browser, separated by commas.",
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
