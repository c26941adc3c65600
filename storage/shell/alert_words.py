"""What `alerts add` says of an alert that will not reach anyone as things are."""

from pathlib import Path

from storage.disk.layout import CURRENT
from storage.reading.newest_run import current
from storage.reading.run_events import run_window
from storage.state.records import Alert


def notes_on(store: Path, made: Alert, *, mail_server: str) -> list[str]:
    """Return why a new alert sends nothing, or is not delivered; none: no obstacle is known.

    `mail_server`: its name in the settings; empty: none.
    """
    notes = []
    if made.channel == "email" and not mail_server:
        notes.append(
            "no e-mail is sent without a mail server: set SKYSIEVE_SMTP_HOST and SKYSIEVE_SMTP_FROM for "
            "the process that delivers messages"
        )
    if (store / CURRENT).exists():
        run_id = current(store).run_id
        if run_window(store.resolve(), run_id).historic:
            notes.append(
                f"the newest run, {run_id}, is historic, and historic runs send nothing; to try alerts, "
                "screen the output of `skysieve synth`"
            )
    return notes
