"""The commands `alerts log`, `retry` and `test`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from storage.shell.options import JsonOption, StoreOption, store_folder

if TYPE_CHECKING:
    from storage.state.alerts.deliveries import Delivery

# The store's state is imported where it is used, so that `--help` is quick.

app = typer.Typer()

_COLUMNS = ("Message", "Alert", "Kind", "Put", "State", "Attempts", "Next or end", "Last answer")


@app.command()
def log(
    alert_id: Annotated[
        int | None,
        typer.Argument(metavar="[ID]", min=1, help="Of an alert; without it, of all.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most messages.")] = 50,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """List messages and what became of them, newest first; those of alerts that were removed, too."""
    from storage.shell import output
    from storage.state.alerts.deliveries import delivery_record, messages_of, newest_messages

    folder = store_folder(store)
    found = newest_messages(folder, limit) if alert_id is None else messages_of(folder, alert_id, limit)[0]
    if as_json:
        output.print_json([delivery_record(one) for one in found])
        return
    output.print_table(_COLUMNS, [_row(one) for one in found])


@app.command()
def retry(
    message_id: Annotated[str, typer.Argument(metavar="MESSAGE", help="Its id, as `alerts log` shows it.")],
    store: StoreOption = None,
) -> None:
    """Try a message again, now, that waits or was given up.

    `skysieve alerts deliver` delivers it.
    """
    from storage.state.alerts.deliveries import retry as try_again

    found = try_again(store_folder(store), message_id, datetime.now(UTC))
    typer.echo(f"Message {found.message.id} of alert {found.message.alert_id} is due now.")


@app.command()
def test(
    alert_id: Annotated[int, typer.Argument(metavar="ID", min=1, help="Of the alert.")],
    store: StoreOption = None,
) -> None:
    """Send a test message to the receiver of an alert.

    `skysieve alerts deliver` delivers it; `skysieve alerts log ID` shows the outcome.
    """
    from storage.state.alerts.deliveries import put_test

    found = put_test(store_folder(store), alert_id, datetime.now(UTC))
    typer.echo(f"Message {found.message.id} of alert {alert_id} is due now.")


def _row(one: "Delivery") -> tuple[object, ...]:
    message = one.message
    answer = ""
    if one.tried:
        last = one.tried[-1]
        answer = last.error or f"{last.status} in {last.seconds:.1f} s"
    return (
        message.id,
        message.alert_id,
        message.kind,
        message.created,
        message.state,
        message.attempts,
        message.finished or message.due,
        answer,
    )
