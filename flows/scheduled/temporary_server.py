"""Prefect's temporary server, which a run outside the schedule starts for itself."""

import httpx
from prefect.server.api.server import SubprocessASGIServer
from prefect.settings import PREFECT_API_URL, PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS

from screening.errors import SkysieveError

_TIMEOUT = "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"


class NoTemporaryServer(SkysieveError):
    """Prefect's temporary server does not start."""


def start_temporary_server() -> None:
    """Start the server that the flow will use, unless PREFECT_API_URL names one.

    Raises NoTemporaryServer if it does not answer in time, as on a machine that has much else to do.
    """
    if PREFECT_API_URL.value():
        return
    server = SubprocessASGIServer()  # the one that Prefect's clients use too: started once
    try:
        server.start()
    except (RuntimeError, httpx.HTTPError, OSError) as error:
        server.stop()
        raise NoTemporaryServer(
            f"Prefect's temporary server, which makes the run, did not start within {_TIMEOUT} "
            f"({PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS.value()} s of waiting): {_reason(error)}. "
            "Nothing was fetched, and the store is unchanged. If the machine is busy, try again later, or "
            f"set {_TIMEOUT} higher; PREFECT_API_URL names a running server, and `skysieve screen` "
            "screens a catalogue file without one."
        ) from error


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".").partition("\n")[0] or type(error).__name__
