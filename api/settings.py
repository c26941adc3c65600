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
    max_connections: int = Field(
        default=1000,
        ge=1,
        le=100_000,
        description="Most connections open at once; beyond that an idle one is closed, or the new one is "
        "refused if none is idle.",
    )
    max_connections_per_address: int = Field(
        default=100,
        ge=1,
        le=100_000,
        description="The same per IPv4 address or IPv6 /64 network; proxies in FORWARDED_ALLOW_IPS are "
        "exempt.",
    )
    request_timeout_s: float = Field(
        default=20.0,
        gt=0,
        allow_inf_nan=False,
        description="Longest time for a request to arrive, and for a new connection to send one, s; each "
        "100 kB received adds a second.",
    )
    send_timeout_s: float = Field(
        default=30.0,
        gt=0,
        allow_inf_nan=False,
        description="Longest time a client may leave an answer unread before its connection is closed, s.",
    )
    max_unsent_mb: int = Field(
        default=256,
        ge=1,
        le=1_000_000,
        description="Most memory for all answers that wait for their clients, MB (1e6 bytes).",
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
        description="Analyses on demand computed at the same time, one fewer per credential; others wait.",
    )
    answers_at_once: int = Field(
        default=2,
        ge=1,
        le=64,
        description="Other costly answers made at the same time, one fewer per credential; others wait.",
    )
    analysis_wait_s: float = Field(
        default=10.0,
        gt=0,
        allow_inf_nan=False,
        description="Longest wait of a costly answer for its turn, s; after that the answer is 503.",
    )
    analysis_max_events: int = Field(
        default=2000,
        ge=1,
        le=1_000_000,
        description="Most events that an analysis over HTTP keeps and returns, the nearest; others are only "
        "counted.",
    )
    analyses_kept: int = Field(
        default=100,
        ge=1,
        le=1000,
        description="Analyses on demand kept per mode; a new one replaces the oldest.",
    )
    analysed_events_kept: int = Field(
        default=50_000,
        ge=1,
        le=10_000_000,
        description="Events of analyses on demand kept in all; the oldest analyses are removed first.",
    )
    answer_time_s: float = Field(
        default=60.0,
        gt=0,
        allow_inf_nan=False,
        description="Longest time a costly answer may take once begun, s; after that the answer is 503.",
    )
    waiting_per_credential: int = Field(
        default=16, ge=1, le=10_000, description="Most costly answers that may wait for one credential."
    )
    upload_mb_per_day: int = Field(
        default=2000,
        ge=1,
        le=1_000_000,
        description="Most that a credential may upload in a day (UTC), MB.",
    )
    max_stored_mb: int = Field(
        default=20_000,
        ge=1,
        le=1_000_000_000,
        description="Size of the store's messages, or its trajectories, at which uploads are refused, MB.",
    )
    max_stored_files: int = Field(
        default=50_000,
        ge=1,
        le=10_000_000,
        description="Number of their files (each) at which uploads are refused; of trajectories a credential "
        "may have half.",
    )
    waiting_in_all: int = Field(
        default=128,
        ge=1,
        le=100_000,
        description="Most costly answers that may wait for all credentials together.",
    )
