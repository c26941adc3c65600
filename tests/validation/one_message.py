"""One conjunction data message from a file of the data."""

from pathlib import Path

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.validation.files import bytes_of


def one_message(data: Path, name: str) -> ConjunctionMessage:
    """Return the first message of a file, as `skysieve score` reads it.

    Raises UnreadableMessage, which names line and keyword.
    """
    found = next(each_message(bytes_of(data, name), source_name=str((data / name).absolute())))
    if isinstance(found, UnreadableMessage):
        raise found
    return found
