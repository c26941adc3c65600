"""A publisher in a process of its own, for tests that kill it, stop it on its way, or run two at once.

Its one argument is JSON: `store`, and optionally `hours_later`, `shift_s` (of all TCAs), `lock_timeout_s`,
`die_at` (a step), `die_at_file_event` (a count), `wait_at` (a step: prints it and waits for a line).
It prints the id of its run, or `error: ` and the text of a StoreError.
"""

import json
import os
import signal
import sys
from pathlib import Path

import numpy as np

from screening.errors import StoreError
from screening.histories.burns import MANOEUVRE_DTYPE, ManoeuvreArray
from screening.orbits.elements import ElementArray
from tests.made_up_run import make_run, publish
from tests.storage.file_events import changes_files


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def count_file_events(store: str, fatal: int) -> None:
    """Die just before the file event of that number; tell how many there were otherwise."""
    seen = 0

    def on_event(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if changes_files(event, arguments, store):
            seen += 1
            if seen == fatal:
                die()

    sys.addaudithook(on_event)


def manoeuvre_of(elements: ElementArray, hours_later: float) -> ManoeuvreArray:
    """Make a manoeuvre of the first object, so that the run has a file of them."""
    found = np.zeros(1, MANOEUVRE_DTYPE)
    begun = np.datetime64("2026-11-20T00:00:00", "us") + np.timedelta64(int(hours_later * 3600), "s")
    found["norad_id"], found["sigmas"] = elements["norad_id"][0], 9.0
    for name, minutes in (("from", 0), ("at", 30), ("to", 60)):
        found[name] = begun + np.timedelta64(minutes, "m")
    return found


def main() -> None:
    order = json.loads(sys.argv[1])
    made_up = make_run(hours_later=order.get("hours_later", 0))
    for name in ("tca", "inside_from", "inside_to"):
        made_up.conjunctions[name] += np.timedelta64(int(order.get("shift_s", 0) * 1e6), "us")

    def on_step(step: str) -> None:
        if step == order.get("die_at"):
            die()
        if step == order.get("wait_at"):
            tell(step)
            sys.stdin.readline()

    if "die_at_file_event" in order:
        count_file_events(order["store"], order["die_at_file_event"])
    try:
        run_id = publish(
            Path(order["store"]),
            made_up,
            lock_timeout_s=order.get("lock_timeout_s", 60),
            on_step=on_step,
            manoeuvres=manoeuvre_of(made_up.elements, order.get("hours_later", 0)),
        )
    except StoreError as error:
        run_id = f"error: {error}"
    tell(run_id)


main()
