"""Settings of the store, read from the environment; the other packages extend them."""

import os
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from platformdirs import user_cache_path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

from screening.errors import UsageError
from screening.vocabulary import THRESHOLD_RANGE_KM
from storage.addresses import HIDDEN, without_secrets
from storage.vocabulary import LONGEST_DAYS

_HOST = re.compile(r"[A-Za-z0-9._-]+|[0-9a-fA-F:.]+")

_PREFIX = "skysieve_"  # of the variables, in capital or small letters

SettingsT = TypeVar("SettingsT", bound="Settings")


def _absolute(path: Path) -> Path:
    try:
        return path.expanduser().resolve()
    except RuntimeError as error:
        raise ValueError("this user has no home folder: give an absolute path") from error


def _public_url(text: str) -> str:
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("expected the address of the page, such as https://sky.example.org")
    if parts.query or parts.fragment or parts.username or not (text.isascii() and text.isprintable()):
        raise ValueError("expected an address in ASCII, without a user, ? and #")
    return text.rstrip("/")


def _mail_server(text: str) -> str:
    if text and not _HOST.fullmatch(text):
        raise ValueError("expected the name or address of a mail server, such as mail.example.org")
    return text


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]
ThresholdKm = Annotated[float, Field(ge=THRESHOLD_RANGE_KM[0], le=THRESHOLD_RANGE_KM[1], allow_inf_nan=False)]


class Settings(BaseModel):
    """Reads each field that is not given from the variable of its name."""

    model_config = ConfigDict(frozen=True, validate_default=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _from_environment(cls, given: dict[str, Any]) -> dict[str, Any]:
        variables = {name.lower(): text for name, text in os.environ.items()}
        names = (name for name in cls.model_fields if _PREFIX + name in variables)
        return {name: variables[_PREFIX + name] for name in names} | given


class StoreSettings(Settings):
    """Folders, retention and intervals."""

    store: AbsolutePath = Field(
        default=Path("skysieve-store"), description="Folder that holds every run, on a local disk."
    )
    kernel_cache: AbsolutePath = Field(
        default_factory=lambda: user_cache_path("skysieve") / "kernels",
        description="Folder for compiled kernels.",
    )
    refresh_hours: float = Field(
        default=6.0, gt=0, allow_inf_nan=False, description="Interval between scheduled runs, hours."
    )
    max_events: int = Field(
        default=5_000_000,
        ge=1,
        description="A run that finds more events is stopped; each takes 0.28 kB of memory and 0.81 kB of "
        "disk, half of it until the run is published.",
    )
    retention_days: float = Field(
        default=30.0,
        ge=0,
        le=LONGEST_DAYS,
        description="Age at which runs keep only critical and high rows, and analyses are removed, days.",
    )
    element_retention_days: float = Field(
        default=90.0,
        ge=0,
        le=LONGEST_DAYS,
        description="Age at which element sets of runs are removed, from when they were first seen, days.",
    )
    public_url: Annotated[str, AfterValidator(_public_url)] = Field(
        default="", description="Address at which users reach the page, for links in notifications."
    )
    alerts_allow_private: bool = Field(
        default=False,
        description="Whether alerts may go to addresses that are not public, and by http.",
    )
    smtp_host: Annotated[str, AfterValidator(_mail_server)] = Field(
        default="", description="Mail server through which alerts are sent by e-mail; empty: none."
    )

    @property
    def stale_after(self) -> timedelta:
        """The age beyond which the newest run is stale: one of two may fail."""
        return timedelta(hours=2 * self.refresh_hours)

    @property
    def blind_after(self) -> timedelta:
        """The age beyond which the newest element sets are too old.

        A group of CelesTrak's was up to 16.5 h old when it was downloaded: half a day, and two runs.
        """
        return timedelta(hours=12) + self.stale_after


class ListenSettings(StoreSettings):
    """Address of the HTTP service; `skysieve up` checks it before starting the service."""

    host: str = Field(default="127.0.0.1", description="Address to listen on; 0.0.0.0: all.")
    port: int = Field(default=7373, ge=0, le=65535, description="Port to listen on; 0: any free port.")


def _shown(kind: type[Settings], problem: Mapping[str, Any]) -> str:
    """Return the invalid value, without secrets."""
    given = kind.model_fields.get(str(problem["loc"][0]))
    secret = given is not None and given.annotation is SecretStr
    return HIDDEN if secret else without_secrets(str(problem["input"]))


def is_set(variable: str) -> bool:
    """Return whether the environment has a variable, also one of another program."""
    return variable in os.environ


def set_unless_given(variable: str, value: str) -> None:
    """Set a variable of another program for this process and its children, unless the environment has it."""
    os.environ.setdefault(variable, value)


def load_settings(kind: type[SettingsT], **given: Any) -> SettingsT:
    """Read settings of one kind from the environment; `given` values other than None override it.

    Raises:
        UsageError: a value is not allowed; the message names each variable.
    """
    try:
        return kind(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        problems = [
            f"{(_PREFIX + str(problem['loc'][0])).upper()}={_shown(kind, problem)}: {problem['msg']}."
            for problem in error.errors()
        ]
        raise UsageError(" ".join(problems)) from error
