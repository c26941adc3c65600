"""Server-Sent Events, read as the HTML standard says (9.2.6), for tests."""

import json
from typing import Any, NamedTuple


class Told(NamedTuple):
    """One event; its data is JSON."""

    name: str
    data: Any


def events_of(stream: bytes) -> list[Told]:
    """Return the complete events of a stream."""
    found, name, data = [], "", []
    for line in stream.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        field, _, value = line.partition(":")
        if line == "":
            if data:
                found.append(Told(name or "message", json.loads("\n".join(data))))
            name, data = "", []
        elif field == "event":
            name = value.removeprefix(" ")
        elif field == "data":
            data.append(value.removeprefix(" "))
    return found
