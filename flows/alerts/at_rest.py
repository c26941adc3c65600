"""The deliveries of a store without alerts: `python -P -m flows.alerts.at_rest STORE COMMAND ...`.

What delivers takes 50 MB, this 10. It becomes what delivers as soon as there is an alert.
"""

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from storage.disk.lock import lock_if_free
from storage.machine.replaced_process import become, become_module, own_words, take_signals
from storage.state.alerts.delivering import DELIVERY_LOCK, has_messages, mark_delivering
from storage.state.tables import ServiceStateError

_LOOK_EVERY_S = 1.0
_MARK_EVERY_S = 60.0


def rest(store: Path) -> NoReturn:
    """Replace this process until there is an alert."""
    become_module("flows.alerts.at_rest", str(store), *own_words())


def main(store: Path, command: list[str]) -> NoReturn:
    """Wait for an alert, then be the process that was."""
    take_signals()
    with lock_if_free(store, DELIVERY_LOCK) as free:  # if not, another process delivers, which that says
        marked_s = -_MARK_EVERY_S
        while free and not _wanted(store):
            if time.monotonic() - marked_s >= _MARK_EVERY_S:
                mark_delivering(store, datetime.now(UTC))
                marked_s = time.monotonic()
            time.sleep(_LOOK_EVERY_S)
    become(command)


def _wanted(store: Path) -> bool:
    try:
        return has_messages(store)
    except ServiceStateError:
        return True  # what delivers says so, and goes on


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
