"""Settings of runs, read from the environment."""

import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from screening.errors import UsageError
from screening.vocabulary import (
    DEFAULT_LOOK_AHEAD_HOURS,
    DEFAULT_THRESHOLD_KM,
    LOOK_AHEAD_RANGE_HOURS,
)
from storage.addresses import without_secrets
from storage.settings import AbsolutePath, StoreSettings, ThresholdKm
from storage.state.alerts.addresses import target

_SCHEDULER = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}")


SUPGP_FILES = "starlink,oneweb,planet,iridium,orbcomm,iss,gps,glonass,intelsat,ses,telesat"
_SUPGP_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_SOURCE_KEY = re.compile(r"[A-Za-z0-9_.-]+(=[!-~]+|: [!-~][ -~]*)")


def _web_address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("expected the address of a server, such as https://celestrak.org")
    parts.hostname.encode("idna")  # UnicodeError, a ValueError, if the name cannot be looked up
    if parts.query or parts.fragment:
        raise ValueError("expected an address without ? and #, to which paths can be added")
    return text.rstrip("/")


def _scheduler(text: str) -> str:
    if text and not _SCHEDULER.fullmatch(text):
        raise ValueError("expected tcp://host:8786 or tls://host:8786")
    return text


def _supgp(given: object) -> str:
    """Return names of files, separated by commas; empty: none."""
    text = str(given).lower()
    if text in ("true", "1", "yes", "on"):
        return SUPGP_FILES
    if text in ("false", "0", "no", "off", ""):
        return ""
    names = [name.strip() for name in str(given).split(",")]
    if not all(map(_SUPGP_FILE.fullmatch, names)):
        raise ValueError("expected true, false, or names of CelesTrak's files, such as starlink,iss,gps")
    return ",".join(names)


def _trajectory_sources(text: str) -> str:
    """Return the names of sources, with folders from the root."""
    sources = []
    for source in filter(None, map(str.strip, text.split(","))):
        if source in ("starlink", "iss") or source.lower().startswith(("http://", "https://")):
            sources.append(source)
        elif (folder := Path(source).expanduser().absolute()).is_dir():
            sources.append(str(folder))
        else:
            shown = without_secrets(source)
            raise ValueError(f"expected starlink, iss, folders and addresses; {shown!r} is not a folder")
    return ",".join(sources)


def _source_key(key: SecretStr) -> SecretStr:
    if key.get_secret_value() and not _SOURCE_KEY.fullmatch(key.get_secret_value()):
        raise ValueError("expected `name=value`, for the query, or `Name: value`, for a header; plain ASCII")
    return key


def _mail_address(text: str) -> str:
    try:
        return target(text, "email").address if text else text
    except UsageError as error:
        raise ValueError("expected one e-mail address, such as skysieve@example.org") from error


def _login(login: SecretStr) -> SecretStr:
    user, colon, password = login.get_secret_value().partition(":")
    if login.get_secret_value() and not (user and colon and password):
        raise ValueError("expected a name, a colon and a secret, such as `user:password`")
    return login


def name_and_secret(login: SecretStr) -> tuple[str, str]:
    """Return both parts of a login, empty if there is none."""
    name, _, secret = login.get_secret_value().partition(":")
    return name, secret


Login = Annotated[SecretStr, AfterValidator(_login)]
WebAddress = Annotated[str, AfterValidator(_web_address)]


class FlowSettings(StoreSettings):
    """Where catalogues come from, and how they are screened."""

    look_ahead_hours: float = Field(
        default=DEFAULT_LOOK_AHEAD_HOURS,
        ge=LOOK_AHEAD_RANGE_HOURS[0],
        le=LOOK_AHEAD_RANGE_HOURS[1],
        allow_inf_nan=False,
        description="Length of the screened window, hours.",
    )
    threshold_km: ThresholdKm = Field(
        default=DEFAULT_THRESHOLD_KM,
        description="Events closer than this are kept, km.",
    )
    scheduler: Annotated[str, AfterValidator(_scheduler)] = Field(
        default="", description="Address of a Dask scheduler, tcp:// or tls://; empty: this machine."
    )
    scheduler_ca_file: AbsolutePath | None = Field(
        default=None, description="CA certificate (PEM) of a tls:// cluster."
    )
    scheduler_cert_file: AbsolutePath | None = Field(
        default=None, description="Certificate (PEM) of this program in a tls:// cluster."
    )
    scheduler_key_file: AbsolutePath | None = Field(
        default=None, description="Key (PEM) of this program in a tls:// cluster."
    )
    workers: int = Field(
        default_factory=lambda: len(os.sched_getaffinity(0)),
        ge=1,
        description="Threads that search in parallel on this machine; by default one per core.",
    )
    ephemeris_max_mb: float = Field(
        default=1000.0,
        ge=0,
        allow_inf_nan=False,
        description="Largest ephemeris of a run, MB (1e6 bytes); a larger one is kept for payloads only, or "
        "not at all.",
    )

    run_timeout_minutes: float = Field(
        default=60.0,
        gt=0,
        allow_inf_nan=False,
        description="Longest time a run of the flow may take before it is cancelled, minutes.",
    )
    source: str = Field(
        default="celestrak",
        description="Source of catalogues: celestrak, celestrak:GROUP, spacetrack, synthetic, a file or a "
        "URL.",
    )
    source_login: Login = Field(
        default=SecretStr(""), description="Login for a source that is a URL, HTTP Basic: `user:password`."
    )
    source_key: Annotated[SecretStr, AfterValidator(_source_key)] = Field(
        default=SecretStr(""),
        description="Key for a source that is a URL: `name=value` goes into the query, `Name: value` is a "
        "header.",
    )
    celestrak_url: WebAddress = Field(
        default="https://celestrak.org", description="Address of CelesTrak, or of a mirror."
    )
    supgp: Annotated[str, BeforeValidator(_supgp)] = Field(
        default="false",
        description="Whether CelesTrak's supplemental element sets replace the general ones where "
        "available: true, false, or names of its files, separated by commas.",
    )
    trajectory_sources: Annotated[str, AfterValidator(_trajectory_sources)] = Field(
        default="",
        description="Sources of operators' ephemerides, separated by commas: starlink (for a second "
        "look at events), iss, folders, addresses.",
    )
    spacetrack_login: Login = Field(
        default=SecretStr(""),
        description="Login at Space-Track: `user:password`. With it, its public messages are fetched too.",
    )
    tracss_login: Login = Field(
        default=SecretStr(""),
        description="Login at TraCSS: `client id:client secret`. With it, its messages are fetched too.",
    )
    smtp_port: int = Field(default=587, ge=1, le=65535, description="Its port; 465 is usual with `tls`.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls",
        description="`starttls`; `tls` from the first byte; `none`, for a relay without login.",
    )
    smtp_user: str = Field(default="", description="User name at the mail server; empty: no login.")
    smtp_password: SecretStr = Field(default=SecretStr(""), description="Password at the mail server.")
    smtp_from: Annotated[str, AfterValidator(_mail_address)] = Field(
        default="", description="Address from which e-mail is sent."
    )


# For processes that Prefect or multiprocessing start with `python -m` or `python -c`: without it they look
# for modules in the current folder first.
_NO_CODE_OF_THE_CURRENT_FOLDER = {"PYTHONSAFEPATH": "1"}
# Prefect prints the times of log lines in the local zone, without saying so.
_UTC = {"TZ": "UTC", "PREFECT_LOGGING_FORMATTERS_STANDARD_DATEFMT": "%Y-%m-%dT%H:%M:%S"}


def prepare_numpy() -> None:
    """Set a variable that numpy's linear algebra reads when it is imported, unless it is already set.

    By default it starts a thread per core, which takes 0.04 s, for matrices of 3 by 3.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def start_processes_safely() -> None:
    """Keep the code of the current folder out of processes that this one starts from now on."""
    os.environ.update(_NO_CODE_OF_THE_CURRENT_FOLDER)


def prepare_prefect() -> None:
    """Set variables that Prefect reads when it is imported, unless they are already set.

    Its temporary server may start slowly on a busy machine; usage is not reported; our log lines reach its
    console and its records.
    """
    os.environ.update(_NO_CODE_OF_THE_CURRENT_FOLDER | _UTC)
    time.tzset()
    os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")
    os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
    os.environ.setdefault("DO_NOT_TRACK", "1")
    os.environ.setdefault("PREFECT_LOGGING_EXTRA_LOGGERS", "skysieve")
    os.environ.setdefault("PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW", "ignore")
    # A failure is reported once, by whatever started the run, and not again as Prefect's chained tracebacks.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_LOGGING_LOGGERS_PREFECT_EXTRA_LEVEL", "INFO")


def keep_new_files_private() -> None:
    """Let files that this process creates from now on be for their owner alone."""
    os.umask(0o077)


def prepare_prefect_server(origins: Sequence[str]) -> None:
    """Set variables that Prefect's server reads when it is imported, unless they are already set.

    By default pages of any origin may read and change its data. By default it unpacks its page into
    site-packages, which is often not writable.
    """
    home = Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()
    os.environ.setdefault("PREFECT_UI_STATIC_DIRECTORY", str(home / "page"))
    os.environ.setdefault("PREFECT_SERVER_CSRF_PROTECTION_ENABLED", "true")
    os.environ.setdefault("PREFECT_SERVER_CORS_ALLOWED_ORIGINS", ",".join(origins))
    os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")


def prefect_server() -> str | None:
    """Return the address of the Prefect server to use, None if PREFECT_API_URL names none."""
    return os.environ.get("PREFECT_API_URL") or None


def prefect_home(settings: FlowSettings) -> Path:
    """Return the folder of the Prefect server that `skysieve up` runs: one per store."""
    return settings.store / "prefect"


def prefect_environment(settings: FlowSettings) -> dict[str, str]:
    """Return the variables for those processes of `skysieve up` that use Prefect.

    Its database keeps flow runs as long as the store keeps whole runs; by default they stay for ever.
    """
    kept_s = max(settings.retention_days, 1.0) * 86_400
    return {
        "PREFECT_HOME": str(prefect_home(settings)),
        "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": f"{kept_s:.0f}",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_LOGGING_LEVEL": "ERROR",
        "PREFECT_CLI_PROMPT": "false",
    }


def hand_down(settings: FlowSettings) -> None:
    """Pass the source and the store on to child processes, in their environment.

    Whether supplemental sets are used, too. Not as parameters of a flow run: Prefect keeps and shows those,
    and an address may hold a key.
    """
    os.environ.update(_chosen(settings))


def _chosen(settings: FlowSettings) -> dict[str, str]:
    return {
        "SKYSIEVE_STORE": str(settings.store),
        "SKYSIEVE_SOURCE": settings.source,
        "SKYSIEVE_SUPGP": settings.supgp,
    }


def child_environment(settings: FlowSettings, **more: str) -> dict[str, str]:
    """Return the environment of a child process: this one's, the same settings, and more."""
    # The allocator would keep freed memory, 100 MB and more after a run.
    small = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "65536"}
    return {**small, **os.environ, **_NO_CODE_OF_THE_CURRENT_FOLDER, **_UTC, **_chosen(settings), **more}
