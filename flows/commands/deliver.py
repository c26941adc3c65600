"""The command `alerts deliver`."""

from typing import Annotated

import typer

from screening.errors import SkysieveError, UsageError
from storage.shell.options import StoreOption

# What delivers is imported where it is used, so that `--help` is quick.

app = typer.Typer()


class NotDelivered(SkysieveError):
    """Messages were due that receivers did not take."""


@app.command()
def deliver(
    once: Annotated[bool, typer.Option("--once", help="Deliver what is due, then end.")] = False,
    store: StoreOption = None,
) -> None:
    """Deliver messages of alerts when they are due, until stopped. `skysieve up` does it too.

    With --once, the exit code is 1 if any attempt failed; its message is tried again when that is due.
    """
    from flows.alerts.at_rest import rest
    from flows.alerts.worker import (
        deliver_until_stopped,
        deliver_what_is_due,
        lines_on_stderr,
        means_of,
    )
    from flows.settings import FlowSettings
    from storage.disk.lock import lock_if_free
    from storage.settings import load_settings
    from storage.shell.output import counted
    from storage.state.alerts.deliveries import failed_attempts_since
    from storage.state.alerts.delivering import DELIVERY_LOCK

    settings = load_settings(FlowSettings, store=store)
    means = means_of(settings)
    settings.store.mkdir(parents=True, exist_ok=True)
    with lock_if_free(settings.store, DELIVERY_LOCK) as free, lines_on_stderr():
        if not free:
            raise UsageError(
                f"`skysieve alerts deliver` is already running for the store {settings.store}, as it does in "
                "`skysieve up`."
            )
        if once:
            began = means.now()
            deliver_what_is_due(settings, means)
            if failed := failed_attempts_since(settings.store, began):
                raise NotDelivered(
                    f"{counted(failed, 'attempt')} to deliver a message failed: `skysieve alerts log` shows "
                    "why, and when the next attempt is."
                )
        elif not deliver_until_stopped(settings, means):
            rest(settings.store)
