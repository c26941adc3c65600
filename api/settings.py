"""Settings of the HTTP service, read from the environment."""

import re
from datetime import timedelta
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
_ALLOWED_INTERVALS = 2  # between scheduled runs: one may fail


class ApiSettings(ListenSettings):
    """Where the service listens, and what it allows."""

    hosts: Annotated[
        tuple[Annotated[str, AfterValidator(_host_name)], ...], NoDecode, BeforeValidator(_listed)
    ] = Field(
        default=(),
        description="Names by which it may be asked besides localhost, this machine's and addresses, "
        "separated by commas.",
    )
    root_path: Annotated[str, AfterValidator(_root_path)] = Field(
        default="", description="Path at which a proxy offers the service, such as /skysieve."
    )
    cors_origins: Annotated[
        tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, BeforeValidator(_listed)
    ] = Field(
        default=(),
        description="Web pages of which origins may call the service from a browser, separated by commas.",
    )
    max_connections: int = Field(
        default=1000,
        ge=1,
        le=100_000,
        description="Connections open at once; beyond, an idle one gives way, or the new one is refused.",
    )
    max_connections_per_address: int = Field(
        default=100,
        ge=1,
        le=100_000,
        description="The same of one address, of IPv6 its first 64 bits; not of FORWARDED_ALLOW_IPS.",
    )
    request_timeout_s: float = Field(
        default=20.0,
        gt=0,
        allow_inf_nan=False,
        description="The longest a request may take to arrive, and a new connection to bring one, s.",
    )
    send_timeout_s: float = Field(
        default=30.0,
        gt=0,
        allow_inf_nan=False,
        description="The longest a client may leave an answer unread, s; then its connection is ended.",
    )
    max_unsent_mb: int = Field(
        default=256,
        ge=1,
        le=1_000_000,
        description="What answers that wait for their clients may hold together, MB (1e6 bytes).",
    )
    rate_limit_per_minute: int = Field(
        default=60,
        ge=1,
        le=LARGEST_PER_MINUTE,
        description="Requests allowed a minute of a credential that has no limit of its own.",
    )
    analyses_at_once: int = Field(
        default=2,
        ge=1,
        le=64,
        description="Analyses made on demand at the same time, by one credential one less; others wait.",
    )
    answers_at_once: int = Field(
        default=2,
        ge=1,
        le=64,
        description="Other costly answers made at the same time, by one credential one less; others wait.",
    )
    analysis_wait_s: float = Field(
        default=10.0,
        gt=0,
        allow_inf_nan=False,
        description="The longest a costly answer waits for its turn, s; then the answer is 503.",
    )
    analysis_max_events: int = Field(
        default=2000,
        ge=1,
        le=1_000_000,
        description="Events that an analysis over HTTP keeps and returns, the nearest; others are counted.",
    )
    analyses_kept: int = Field(
        default=100,
        ge=1,
        le=1000,
        description="Analyses on demand that are kept, of each mode; a new one replaces the oldest.",
    )
    analysed_events_kept: int = Field(
        default=50_000,
        ge=1,
        le=10_000_000,
        description="Events of analyses on demand that are kept in all; the oldest analyses go first.",
    )
    answer_time_s: float = Field(
        default=60.0,
        gt=0,
        allow_inf_nan=False,
        description="The longest a costly answer may take from its turn on, s; then the answer is 503.",
    )
    waiting_per_credential: int = Field(
        default=16, ge=1, le=10_000, description="Costly answers of one credential that wait for their turn."
    )
    waiting_in_all: int = Field(
        default=128, ge=1, le=100_000, description="Costly answers of all that wait for their turn."
    )

    @property
    def stale_after(self) -> timedelta:
        """The age from which a run is too old."""
        return timedelta(hours=_ALLOWED_INTERVALS * self.refresh_hours)
