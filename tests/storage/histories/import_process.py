"""An import in a process of its own, which dies just before a file event; its argument is JSON.

`store`, `paths`, `sets_of_a_part`, `die_at_file_event` (0: never). It prints how many events there were.
"""

import json
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from storage.histories import incoming
from tests.storage.file_events import changes_files

NOW = datetime(2026, 11, 26, tzinfo=UTC)


def main() -> None:
    order = json.loads(sys.argv[1])
    incoming.SETS_OF_A_PART = order["sets_of_a_part"]
    seen = 0

    def on_event(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if changes_files(event, arguments, order["store"]):
            seen += 1
            if seen == order["die_at_file_event"]:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(on_event)
    incoming.import_histories(Path(order["store"]), [Path(path) for path in order["paths"]], NOW)
    sys.stdout.write(f"{seen}\n")


if __name__ == "__main__":
    main()
