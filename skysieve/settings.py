"""Variables of this process: those named like settings that set nothing, and one that makes a start quick."""

import os

_PREFIX = "SKYSIEVE_"
REMOVED_NOW = frozenset(
    ("SOURCE_USER", "SOURCE_PASSWORD", "SPACETRACK_USER", "SPACETRACK_PASSWORD")
)  # in 0.3.0
REMOVED = frozenset(  # in 0.2.0
    (
        "PREFECT_PORT",
        "DASK_PORT",
        "WORKER_PROCESSES",
        "CARA_LISTING_URL",
        "CARA_FILES_URL",
        "GCAT_URL",
        "STARLINK_URL",
        "ISS_URL",
        "SPACETRACK_URL",
        "SUPGP_FILES",
        "SECOND_LOOK_FILES",
        "DOWNLOAD_MAX_MB",
        "DOWNLOAD_CONNECT_TIMEOUT_S",
        "DOWNLOAD_READ_TIMEOUT_S",
        "DOWNLOAD_TOTAL_TIMEOUT_S",
        "MAX_CONNECTIONS",
        "MAX_CONNECTIONS_PER_ADDRESS",
        "REQUEST_TIMEOUT_S",
        "SEND_TIMEOUT_S",
        "MAX_UNSENT_MB",
        "ANSWERS_AT_ONCE",
        "ANSWER_TIME_S",
        "ANALYSIS_WAIT_S",
        "WAITING_PER_CREDENTIAL",
        "WAITING_IN_ALL",
        "ANALYSIS_MAX_EVENTS",
        "ANALYSES_KEPT",
        "ANALYSED_EVENTS_KEPT",
        "UPLOAD_MB_PER_DAY",
        "MAX_STORED_FILES",
    )
)


def keep_plugins_out() -> None:
    """Let pydantic not look for plugins in all installed packages, which takes 0.02 s, unless asked to."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def take_out_unknown() -> str:
    """Remove variables that set nothing from the environment, and return a warning; empty: there are none.

    Processes that this one starts would repeat it.
    """
    given = [name for name in os.environ if name.upper().startswith(_PREFIX)]
    if not given:
        return ""
    # Here, so that commands without such variables are quick.
    from api.settings import ApiSettings
    from flows.settings import FlowSettings

    known = {*FlowSettings.model_fields, *ApiSettings.model_fields}
    unknown = sorted(name for name in given if name[len(_PREFIX) :].lower() not in known)
    said = [_why_unknown(name, name[len(_PREFIX) :].upper()) for name in unknown]
    for name in unknown:
        del os.environ[name]
    return f"warning: {'; '.join(said)}. docs/settings.md lists all." if said else ""


def _why_unknown(name: str, setting: str) -> str:
    if setting in REMOVED:
        return f"{name} was removed in 0.2.0"
    return f"{name} was removed in 0.3.0" if setting in REMOVED_NOW else f"{name} is not a setting"
